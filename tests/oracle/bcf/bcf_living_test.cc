// Taxonomies that grow while a series goes on (docs/design/0012-policies-that-live.md): what is
// published keeps the promise before readers who have the newest taxonomy, and before those who
// also know since when its values are there; and nothing is refused that could be published. The
// judge enumerates worlds; the search it is compared with tries every recoding.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "cases.h"
#include "product.h"
#include "promise.h"
#include "reissue/models/bcf/publisher/local.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "worlds.h"

namespace oracle::bcf {
namespace {

using reissue::models::k::LeafCells;
using reissue::taxonomy::SpaceTree;

// What somebody with these leaves is published as.
using Labelling = std::map<Quasi, Quasi>;

struct Growing {
  const Domain* domain = nullptr;
  const Translator* translator = nullptr;
  Since since;
  std::vector<Person> people;
  std::size_t releases = 2;
  std::vector<Labelling> labellings;  // all there are
  std::optional<SpaceTree> tree;      // of boxes; nothing: cuts
  Promise promise;
  long k_before = 1;  // what the earlier releases were made for; the rest is the same
  bool real = false, births = false;

  bool stricter() const { return k_before < promise.k; }

  Release Published(const Labelling& labelling, std::size_t number) const {
    Release release;
    for (const Person& person : people) {
      if (person.birth > number) continue;
      release.push_back({labelling.at(person.quasi), person.sensitive});
    }
    std::sort(release.begin(), release.end());
    return release;
  }
};

bool CellsKeep(const Promise& promise, const Release& release, const ByValue& overall) {
  for (const Quasi& cell : Cells(release)) {
    ByValue rows;
    for (const Row& row : release) {
      if (row.quasi == cell) ++rows[row.sensitive];
    }
    if (!Broken(promise, rows, overall).empty()) return false;
  }
  return true;
}

// Births that the publisher is not told count as any that some world allows.
bool Counts(const Growing& growing, const Target& target) {
  if (!growing.real) return true;
  return std::any_of(growing.people.begin(), growing.people.end(), [&](Person person) {
    if (!growing.births) person.birth = target.birth;
    return IsTargetOf(*growing.domain, target, person);
  });
}

bool KeptBefore(const Growing& growing, const Series& series, const Since& since) {
  ByValue overall;
  for (const Row& row : series.back()) ++overall[row.sensitive];
  const Worlds worlds = EnumerateWorlds(*growing.domain, series, since);
  if (!worlds.exist) return false;
  for (const auto& [target, left] : worlds.left) {
    if (Total(left) == 0 || !Counts(growing, target)) continue;
    if (!Broken(growing.promise, left, overall).empty()) return false;
  }
  return CellsKeep(growing.promise, series.back(), overall);
}

// A reader of the last release and one before it: with promises beyond k and distinct values more
// may be too much, so that she is no weaker than one who has all.
bool KeptInPairs(const Growing& growing, const Series& series) {
  for (std::size_t i = 0; i + 1 < series.size(); ++i) {
    Growing pair = growing;
    for (Person& person : pair.people) person.birth = person.birth <= i + 1 ? 1 : 2;
    if (!KeptBefore(pair, {series[i], series.back()}, {})) return false;
  }
  return true;
}

// Readers of the newest taxonomies.
bool KeptBeforeOthers(const Growing& growing, const Series& series) {
  return KeptBefore(growing, series, {}) && KeptInPairs(growing, series);
}

bool KeptBeforeBoth(const Growing& growing, const Series& series) {
  return KeptBeforeOthers(growing, series) && KeptBefore(growing, series, growing.since);
}

// By cuts.
std::vector<Labelling> Labellings(const Domain& domain) {
  std::vector<Labelling> labellings;
  for (const Recoding& recoding : AllRecodings(domain)) {
    Labelling& made = labellings.emplace_back();
    for (const Quasi& place : domain.places()) {
      for (std::size_t j = 0; j < place.size(); ++j) {
        made[place].push_back(recoding[j].at(place[j]));
      }
    }
  }
  return labellings;
}

std::vector<std::uint32_t> RanksOf(const SpaceTree::Trees& trees, const Quasi& place) {
  std::vector<std::uint32_t> ranks;
  for (std::size_t j = 0; j < place.size(); ++j) {
    ranks.push_back(trees[j]->first_leaf(trees[j]->Find(place[j]).value()));
  }
  return ranks;
}

// By cuts of a tree of boxes: each box is shown, or what its children are shown as.
std::vector<Labelling> LabellingsBelow(const SpaceTree& tree, SpaceTree::Box box,
                                       const std::vector<Quasi>& places) {
  Labelling whole;
  for (const Quasi& place : places) {
    for (std::size_t j = 0; j < place.size(); ++j) {
      whole[place].push_back(tree.trees()[j]->label(tree.nodes(box)[j]));
    }
  }
  if (tree.is_leaf(box)) return {whole};
  std::vector<Labelling> finer = {{}};
  for (std::size_t c = 0; c < tree.fan_out(box); ++c) {
    const SpaceTree::Box child = tree.first_child(box) + static_cast<SpaceTree::Box>(c);
    std::vector<Quasi> inside;
    for (const Quasi& place : places) {
      const std::size_t j = tree.column(box);
      if (tree.ChildWith(box, RanksOf(tree.trees(), place)[j]) == child) inside.push_back(place);
    }
    std::vector<Labelling> longer;
    for (const Labelling& start : finer) {
      for (const Labelling& part : LabellingsBelow(tree, child, inside)) {
        longer.push_back(start);
        longer.back().insert(part.begin(), part.end());
      }
    }
    finer = std::move(longer);
  }
  finer.push_back(whole);
  return finer;
}

SpaceTree RandomTree(const SpaceTree::Trees& trees, reissue::Random& random) {
  SpaceTree tree(trees);
  for (int tries = 0; tries < 6; ++tries) {
    const auto box = static_cast<SpaceTree::Box>(random.Below(tree.size()));
    const std::size_t column = random.Below(trees.size());
    if (tree.is_leaf(box) && !trees[column]->is_leaf(tree.nodes(box)[column])) {
      tree.Split(box, column);
    }
  }
  return tree;
}

LeafCells TableOf(const Growing& growing, const model::Taxonomies& trees) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const Person& person : growing.people) {
    for (const std::uint32_t rank : RanksOf(trees, person.quasi)) keys.push_back(rank);
    keys.push_back(CodeOf(person.sensitive));
    if (growing.births) keys.push_back(static_cast<std::uint32_t>(person.birth - 1));
    counts.push_back(1);
  }
  LeafCells table;
  table.taxonomies = trees;
  table.cells =
      reissue::CollectCells(trees.size() + 1, keys, counts, growing.births ? growing.releases : 1);
  table.sensitive_values = 3;
  return table;
}

model::Ages AgesOf(const Growing& growing, const model::Taxonomies& trees) {
  model::Ages ages(trees.size());
  for (std::size_t j = 0; j < trees.size(); ++j) {
    for (std::uint32_t rank = 0; rank < trees[j]->leaves(); ++rank) {
      const auto came = growing.since[j].find(trees[j]->label(trees[j]->leaf(rank)));
      const std::size_t release = came == growing.since[j].end() ? 1 : came->second;
      ages[j].push_back({static_cast<std::uint32_t>(release - 1)});
    }
  }
  return ages;
}

// Planted on purpose.
enum class Bug {
  kNone,
  kNoAges,       // nobody is thought to know since when values are there
  kTakenAsKept,  // that earlier releases kept less is taken for a proof that they keep more
};

// What the product makes of it; nothing: refused.
std::optional<Release> ByProduct(const Growing& growing, const Series& earlier, Bug bug,
                                 std::string& refusal) {
  const model::Series series = growing.translator->ToProduct(earlier);
  const model::Taxonomies& trees = series.taxonomies();
  const LeafCells table = TableOf(growing, trees);
  model::PublishOptions options;
  options.search.budget_seconds = 0.02;
  options.targets = growing.real ? model::Targets::kReal : model::Targets::kAny;
  if (bug != Bug::kNoAges) options.ages = AgesOf(growing, trees);
  options.earlier_kept = bug == Bug::kTakenAsKept || !growing.stricter();
  reissue::ThreadPool pool(1);
  reissue::Progress progress;
  const auto guarantee = ToGuarantee(growing.promise);
  const auto outcome = growing.tree ? PublishLocally(table, *growing.tree, series, guarantee,
                                                     options, pool, progress)
                                    : Publish(table, series, guarantee, options, pool, progress);
  if (!outcome) {
    EXPECT_EQ(outcome.error().code, reissue::ErrorCode::kPromise) << outcome.error().ToString();
    refusal = outcome.error().message;
    return std::nullopt;
  }
  Labelling labelling;
  for (const Quasi& place : growing.domain->places()) {
    const std::vector<std::uint32_t> ranks = RanksOf(trees, place);
    for (std::size_t j = 0; j < place.size(); ++j) {
      const reissue::NodeId node =
          outcome->local
              ? growing.tree->nodes(outcome->local->shown[growing.tree->Locate(ranks)])[j]
              : outcome->cuts[j].NodeOfLeaf(ranks[j]);
      labelling[place].push_back(trees[j]->label(node));
    }
  }
  return growing.Published(labelling, growing.releases);
}

// Domains whose first column gets values.
class Drawer {
 public:
  Drawer() {
    const Taxonomy five = {{"A", "*"},  {"B", "*"},  {"a1", "A"}, {"a2", "A"},
                           {"a3", "A"}, {"b1", "B"}, {"b2", "B"}};
    const Taxonomy deep = {{"A", "*"}, {"x", "*"},   {"AA", "A"},
                           {"y", "A"}, {"a1", "AA"}, {"a2", "AA"}};
    Add({five});
    Add({deep, TwoLeaves()});
    Add({FourLeaves(), TwoLeaves()});
  }

  Growing Draw(reissue::Random& random) const {
    const Entry& entry = entries_[random.Below(entries_.size())];
    Growing growing;
    growing.domain = entry.domain.get();
    growing.translator = entry.translator.get();
    growing.releases = 2 + random.Below(2);
    for (const Taxonomy& taxonomy : growing.domain->taxonomies()) {
      auto& came = growing.since.emplace_back();
      for (const std::string& leaf : Leaves(taxonomy)) {
        if (random.Below(3) == 0) came[leaf] = 2 + random.Below(growing.releases - 1);
      }
    }
    DrawPeople(random, growing);
    if (random.Below(3) == 0) {
      const model::Series none = growing.translator->ToProduct({Release()});
      growing.tree = RandomTree(none.taxonomies(), random);
      growing.labellings = LabellingsBelow(*growing.tree, 0, growing.domain->places());
    } else {
      growing.labellings = entry.labellings;
    }
    growing.promise.k = 2 + static_cast<long>(random.Below(2));
    if (random.Below(3) == 0) growing.promise = DrawPromise(random);
    const bool stricter = growing.promise.k > 1 && random.Below(4) == 0;
    growing.k_before = growing.promise.k - (stricter ? 1 : 0);
    growing.real = random.Below(3) == 0;
    growing.births = growing.real && random.Below(2) == 0;
    return growing;
  }

 private:
  struct Entry {
    std::unique_ptr<Domain> domain;
    std::unique_ptr<Translator> translator;
    std::vector<Labelling> labellings;
  };
  void Add(std::vector<Taxonomy> taxonomies) {
    Entry& entry = entries_.emplace_back();
    entry.domain = std::make_unique<Domain>(std::move(taxonomies));
    entry.translator = std::make_unique<Translator>(*entry.domain);
    entry.labellings = Labellings(*entry.domain);
  }

  static bool WasThere(const Growing& growing, const Quasi& place, std::size_t release) {
    for (std::size_t j = 0; j < place.size(); ++j) {
      const auto came = growing.since[j].find(place[j]);
      if (came != growing.since[j].end() && came->second > release) return false;
    }
    return true;
  }

  static void DrawPeople(reissue::Random& random, Growing& growing) {
    const std::size_t people = 6 + random.Below(8), values = 1 + random.Below(4) / 3;
    const std::vector<Quasi>& places = growing.domain->places();
    while (growing.people.size() < people) {
      Person person;
      person.birth = 1 + random.Below(growing.releases);
      person.quasi = places[random.Below(places.size())];
      person.sensitive = ValueOf(static_cast<std::uint32_t>(random.Below(values)));
      if (WasThere(growing, person.quasi, person.birth)) growing.people.push_back(person);
    }
  }

  std::vector<Entry> entries_;
};

// Earlier releases that keep the promise before both readers, at random; nothing where some cannot.
std::optional<Series> DrawEarlier(Growing growing, reissue::Random& random) {
  growing.promise.k = growing.k_before;
  Series earlier;
  for (std::size_t number = 1; number < growing.releases; ++number) {
    std::vector<Release> good;
    for (const Labelling& labelling : growing.labellings) {
      Series longer = earlier;
      longer.push_back(growing.Published(labelling, number));
      if (longer.back().empty()) return std::nullopt;
      if (KeptBeforeBoth(growing, longer)) good.push_back(longer.back());
    }
    if (good.empty()) return std::nullopt;
    earlier.push_back(good[random.Below(good.size())]);
  }
  return earlier;
}

struct Tally {
  std::size_t series = 0, published = 0, refused = 0, only_both = 0, wrong = 0;
};

Tally PlayAll(std::size_t wanted, std::uint64_t seed, Bug bug) {
  const Drawer drawer;
  reissue::Random random = reissue::Random::Seeded(seed);
  Tally tally;
  while (tally.series < wanted) {
    const Growing growing = drawer.Draw(random);
    const auto earlier = DrawEarlier(growing, random);
    if (!earlier) continue;
    ++tally.series;
    const auto with = [&](const Release& last) {
      Series series = *earlier;
      series.push_back(last);
      return series;
    };
    bool some = false, old_matters = false;
    for (const Labelling& labelling : growing.labellings) {
      const Series series = with(growing.Published(labelling, growing.releases));
      if (!KeptBeforeOthers(growing, series)) continue;
      const bool both = KeptBefore(growing, series, growing.since);
      some |= both;
      old_matters |= !both;
    }
    tally.only_both += old_matters ? 1 : 0;
    std::string refusal;
    const auto published = ByProduct(growing, *earlier, bug, refusal);
    tally.published += published ? 1 : 0;
    tally.refused += published ? 0 : 1;
    const bool right = published ? KeptBeforeBoth(growing, with(*published)) : !some;
    tally.wrong += right ? 0 : 1;
    if (bug == Bug::kNone) {
      EXPECT_TRUE(right) << (published ? "published, and not kept" : "refused: " + refusal)
                         << "; series " << tally.series << ", real " << growing.real << ", births "
                         << growing.births << ", boxes " << growing.tree.has_value()
                         << ", stricter " << growing.stricter();
    }
  }
  std::cout << tally.series << " series: " << tally.published << " published, " << tally.refused
            << " refused; in " << tally.only_both
            << " the old taxonomies forbid something; wrong: " << tally.wrong << '\n';
  return tally;
}

// 2,000, or as many as are asked for.
std::size_t Wanted() {
  const char* const asked = std::getenv("REISSUE_LIVING_SERIES");
  return asked == nullptr ? 2'000 : std::strtoul(asked, nullptr, 10);
}

TEST(BcfLiving, PublishesWhereSomethingKeepsThePromiseBeforeBothReaders) {
  const Tally tally = PlayAll(Wanted(), 1, Bug::kNone);
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GE(tally.published, 1'000u);
  EXPECT_GE(tally.refused, 50u);
  EXPECT_GE(tally.only_both, 30u);
}

TEST(BcfLiving, WithoutTheOldTaxonomiesItWouldBeNoticed) {
  EXPECT_GE(PlayAll(2'000, 1, Bug::kNoAges).wrong, 20u);
}

TEST(BcfLiving, APromiseThatWasNotKeptBeforeWouldBeNoticed) {
  EXPECT_GE(PlayAll(2'000, 1, Bug::kTakenAsKept).wrong, 5u);
}

}  // namespace
}  // namespace oracle::bcf
