// Adversaries that are broken on purpose: the comparison with the oracle must notice.

#include <gtest/gtest.h>

#include <functional>
#include <iostream>

#include "checks.h"
#include "draw.h"
#include "pair_answers.h"
#include "series_answers.h"

namespace oracle::bcf {
namespace {

constexpr long kLeastLeft = 2;

// Counts cases in which a bug changes an answer. The unbroken product must always be right.
class Count {
 public:
  explicit Count(std::string bug) : bug_(std::move(bug)) {}
  void Add(bool agrees) {
    ++tried_;
    noticed_ += agrees ? 0 : 1;
  }
  void Verdict(std::size_t least) const {
    EXPECT_GE(noticed_, least) << bug_;
    std::cout << bug_ << ": noticed in " << noticed_ << " of " << tried_ << '\n';
  }

 private:
  std::string bug_;
  std::size_t tried_ = 0, noticed_ = 0;
};

// Two releases.

using PairBug = std::function<void(const Release&, const Release&, PairAnswers&)>;

void ChangeCracks(std::map<Quasi, ByValue>& cracks, long by, const Release& release) {
  for (auto& [cell, sizes] : cracks) {
    for (auto& [value, size] : sizes) {
      const long changed = size + by;
      if (changed >= 0 && changed <= GroupSize(release, cell, value)) size = changed;
    }
  }
}

// Closed forms also where comparable groups form no complete classes.
void MinimaOnly(const Release& r1, const Release& r2, PairAnswers& answers) {
  for (auto& [cells, sizes] : answers.forward) {
    for (auto& [value, size] : sizes) {
      const long own = GroupSize(r1, cells.first, value);
      size = own - std::min(own, GroupSize(r2, cells.second, value));
    }
  }
  for (auto& [cells, sizes] : answers.cross) {
    for (auto& [value, size] : sizes) {
      const long own = GroupSize(r2, cells.second, value);
      size = own - std::min(own, GroupSize(r1, cells.first, value));
    }
  }
}

const std::vector<std::pair<std::string, PairBug>>& PairBugs() {
  static const std::vector<std::pair<std::string, PairBug>> kBugs = {
      {"one newcomer too many",
       [](const Release&, const Release& r2, PairAnswers& a) { ChangeCracks(a.backward, -1, r2); }},
      {"one newcomer too few",
       [](const Release&, const Release& r2, PairAnswers& a) { ChangeCracks(a.backward, 1, r2); }},
      {"no backward attack",
       [](const Release&, const Release&, PairAnswers& a) {
         for (auto& [cell, sizes] : a.backward) {
           for (auto& [value, size] : sizes) size = 0;
         }
       }},
      {"forward and cross attack mixed up",
       [](const Release&, const Release&, PairAnswers& a) { std::swap(a.forward, a.cross); }},
      {"closed forms without global recoding", MinimaOnly},
  };
  return kBugs;
}

TEST(BcfPlantedBugsTest, TwoReleases) {
  auto random = reissue::Random::Seeded(31);
  const Domains domains;
  std::vector<Count> counts;
  for (const auto& [name, bug] : PairBugs()) counts.emplace_back("pairs, " + name);
  Count zeros("pairs, nothing left counts as 0"), lost("pairs, one row not read");
  for (std::size_t i = 0; i < 1400; ++i) {
    DrawnSeries drawn = domains.Draw(static_cast<Style>(i % kStyles), 2, 3 + i % 5, random);
    const Release r1 = drawn.series[0], r2 = drawn.series[1];
    const PairAnswers expected = AnswersByWorlds(drawn.translator->domain(), r1, r2, kLeastLeft);
    const auto ask = [&](const Series& series) {
      std::string complaint;
      return AnswersOfProduct(*drawn.translator, drawn.translator->ToProduct(series), series[0],
                              series[1], kLeastLeft, false, complaint);
    };
    const PairAnswers found = ask(drawn.series);
    ASSERT_EQ(found, expected);
    if (!found.possible) continue;
    for (std::size_t b = 0; b < PairBugs().size(); ++b) {
      PairAnswers broken = found;
      PairBugs()[b].second(r1, r2, broken);
      counts[b].Add(broken == expected);
    }
    PairAnswers broken = found;
    for (const auto& [cells, sizes] : found.forward) {
      if (Total(sizes) == CellSize(r1, cells.first)) broken.anonymity.forward = 0;
    }
    zeros.Add(broken == expected);
    drawn.series[1].pop_back();
    lost.Add(ask(drawn.series) == expected);
  }
  for (const Count& count : counts) count.Verdict(10);
  zeros.Verdict(10);
  lost.Verdict(1000);
}

// Three and four releases. Each bug gives other numbers for the targets; the conclusions from them
// are drawn as always.

using Numbers = std::map<Target, ByValue>;
using SeriesBug = std::function<Numbers(const Translator&, const Series&, const Numbers&)>;

Numbers Ask(const Translator& translator, const Series& series) {
  const std::vector<Target> nobody;
  return AnswersOfProduct({translator, series, nobody, {}}).answers.left;
}

Numbers PairsOnly(const Translator& translator, const Series& series, const Numbers& exact) {
  Numbers found = FormulasOfProduct(translator, series);
  for (const auto& [target, left] : exact) found[target];
  return found;
}

Numbers WithoutFirstRelease(const Translator& translator, const Series& series,
                            const Numbers& exact) {
  const Numbers shorter = Ask(translator, {series.begin() + 1, series.end()});
  Numbers found = exact;
  for (auto& [target, left] : found) {
    if (target.birth > 1) left = shorter.at({target.birth - 1, target.cells});
  }
  return found;
}

Numbers WithoutLastRelease(const Translator& translator, const Series& series,
                           const Numbers& exact) {
  const Numbers shorter = Ask(translator, {series.begin(), series.end() - 1});
  Numbers found = exact;
  for (auto& [target, left] : found) {
    if (target.birth == series.size()) continue;
    left = shorter.at({target.birth, {target.cells.begin(), target.cells.end() - 1}});
  }
  return found;
}

// Releases 1, 3, … only: a target of a later birth is taken for one of the release after it.
Numbers WithoutSecondRelease(const Translator& translator, const Series& series,
                             const Numbers& exact) {
  Series others = series;
  others.erase(others.begin() + 1);
  const Numbers shorter = Ask(translator, others);
  Numbers found = exact;
  for (auto& [target, left] : found) {
    if (target.birth == 2) continue;
    Target known = target;
    if (target.birth == 1) known.cells.erase(known.cells.begin() + 1);
    if (target.birth > 2) --known.birth;
    left = shorter.at(known);
  }
  return found;
}

Numbers OneNewcomerTooMany(const Translator&, const Series& series, const Numbers& exact) {
  Numbers found = exact;
  for (auto& [target, left] : found) {
    for (auto& [value, number] : left) {
      const long size = GroupSize(series[target.birth - 1], target.cells[0], value);
      if (target.birth > 1 && number < size) ++number;
    }
  }
  return found;
}

Numbers ValuesMixedUp(const Translator& translator, const Series& series, const Numbers&) {
  Series one_value = series;
  for (Release& release : one_value) {
    for (Row& row : release) row.sensitive = "s";
  }
  return Ask(translator, one_value);
}

Numbers OneRowNotRead(const Translator& translator, const Series& series, const Numbers&) {
  Series less = series;
  less.back().pop_back();
  return Ask(translator, less);
}

TEST(BcfPlantedBugsTest, ThreeAndFourReleases) {
  const std::vector<std::pair<std::string, SeriesBug>> bugs = {
      {"pairs of releases only", PairsOnly},
      {"first release forgotten", WithoutFirstRelease},
      {"second release forgotten", WithoutSecondRelease},
      {"last release forgotten", WithoutLastRelease},
      {"one newcomer too many", OneNewcomerTooMany},
      {"values mixed up", ValuesMixedUp},
      {"one row not read", OneRowNotRead},
  };
  auto random = reissue::Random::Seeded(32);
  const Domains domains;
  std::vector<Count> by_numbers, by_verdict;
  for (const auto& [name, bug] : bugs) {
    by_numbers.emplace_back("series, " + name);
    by_verdict.emplace_back("series, " + name + ", by anonymity and promise alone");
  }
  for (std::size_t i = 0; i < 420; ++i) {
    const DrawnSeries drawn =
        domains.Draw(static_cast<Style>(i % kStyles), 3 + i % 2, 4 + i % 4, random);
    const Question question = {*drawn.translator, drawn.series, drawn.targets, DrawPromise(random)};
    const SeriesAnswers expected = AnswersByWorlds(question);
    ASSERT_TRUE(expected.possible);
    ASSERT_TRUE(Conclude(question, Ask(*drawn.translator, drawn.series)) == expected);
    for (std::size_t b = 0; b < bugs.size(); ++b) {
      const Numbers left = bugs[b].second(*drawn.translator, drawn.series, expected.left);
      const SeriesAnswers broken = Conclude(question, left);
      by_numbers[b].Add(broken == expected);
      by_verdict[b].Add(broken.any == expected.any && broken.real == expected.real);
    }
  }
  for (const Count& count : by_numbers) count.Verdict(10);
  for (const Count& count : by_verdict) count.Verdict(1);
}

// What the product says in its own support: a spoilt witness is no world any more.
TEST(BcfPlantedBugsTest, Witnesses) {
  auto random = reissue::Random::Seeded(33);
  const Domains domains;
  Count short_of("witnesses, a share left out"), swollen("witnesses, a person too many");
  Count moved("witnesses, people born a release later"), missed("witnesses, short of the number");
  for (std::size_t i = 0; i < 420; ++i) {
    const DrawnSeries drawn = domains.Draw(static_cast<Style>(i % kStyles), 3, 4 + i % 4, random);
    const Question question = {*drawn.translator, drawn.series, drawn.targets, {}};
    const model::Series series = drawn.translator->ToProduct(drawn.series);
    const model::Formulas formulas(series);
    model::Worlds worlds(series, formulas);
    const std::string& value = drawn.people[0].sensitive;
    const auto kinds =
        KindsOf(drawn.series, AllTargets(drawn.translator->domain(), drawn.series), value);
    const model::Target asked = {0, drawn.translator->CellsOfTarget(series, drawn.targets[0])};
    const auto groups = GroupsOf(series, asked, CodeOf(value));
    const auto telling = worlds.history().Select<std::size_t>(0, groups);
    const long number = static_cast<long>(worlds.Left(0, telling).lower);
    const model::World world = worlds.Witness(0, groups);
    const auto accepted = [&](const model::World& one, long expected) {
      return ComplaintAboutWitness(question, series, kinds, asked, value, expected, one).empty();
    };
    ASSERT_TRUE(accepted(world, number));
    const std::size_t share = random.Below(world.size());
    model::World broken = world;
    broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(share));
    short_of.Add(accepted(broken, number));
    broken = world;
    ++broken[share].people;
    swollen.Add(accepted(broken, number));
    broken = world;
    if (broken[share].target.cells.size() > 1) {
      ++broken[share].target.birth;
      broken[share].target.cells.erase(broken[share].target.cells.begin());
      moved.Add(accepted(broken, number));
    }
    missed.Add(accepted(world, number + 1));
  }
  for (const Count* count : {&swollen, &missed}) count->Verdict(420);
  // A witness may have more than it needs: groups that nothing joins with those of the target.
  short_of.Verdict(400);
  moved.Verdict(300);
}

TEST(BcfPlantedBugsTest, Proofs) {
  auto random = reissue::Random::Seeded(34);
  const Domains domains;
  Count without("proofs, a term left out"), turned("proofs, a sign turned");
  for (std::size_t i = 0; i < 1400; ++i) {
    DrawnSeries drawn = domains.Draw(static_cast<Style>(i % kStyles), 3, 4 + i % 4, random);
    TakeRowsAway(drawn.series, random);
    const Question question = {*drawn.translator, drawn.series, drawn.targets, {}};
    const model::Series series = drawn.translator->ToProduct(drawn.series);
    const model::Formulas formulas(series);
    const model::Worlds worlds(series, formulas);
    const auto targets = AllTargets(drawn.translator->domain(), drawn.series);
    for (const model::Impossible& impossible : worlds.impossible()) {
      const auto kinds = KindsOf(drawn.series, targets, ValueOf(impossible.value));
      const auto accepted = [&](const model::Impossible& one) {
        return ComplaintAboutProof(question, series, kinds, one).empty();
      };
      ASSERT_TRUE(accepted(impossible));
      const std::size_t term = random.Below(impossible.terms.size());
      model::Impossible broken = impossible;
      broken.terms.erase(broken.terms.begin() + static_cast<std::ptrdiff_t>(term));
      without.Add(accepted(broken));
      broken = impossible;
      broken.terms[term].times *= -1;
      turned.Add(accepted(broken));
    }
  }
  without.Verdict(100);
  turned.Verdict(100);
}

}  // namespace
}  // namespace oracle::bcf
