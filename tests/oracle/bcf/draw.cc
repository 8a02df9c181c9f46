#include "draw.h"

#include <algorithm>

namespace oracle::bcf {
namespace {

// Depths one to three; one node has a single child.
std::vector<Taxonomy> Trees() {
  return {TwoLeaves(),
          {{"a", "*"}, {"b", "*"}, {"c", "*"}},
          FourLeaves(),
          {{"A", "*"}, {"b", "*"}, {"a1", "A"}, {"a2", "A"}},
          {{"A", "*"}, {"B", "*"}, {"a1", "A"}, {"b1", "B"}, {"b2", "B"}},
          {{"A", "*"}, {"b", "*"}, {"A1", "A"}, {"a2", "A"}, {"a11", "A1"}, {"a12", "A1"}}};
}

bool AtOrAbove(const Taxonomy& taxonomy, const std::string& above, std::string node) {
  while (node != above && node != "*") node = taxonomy.at(node);
  return node == above;
}

bool AtOrAbove(const Domain& domain, const Recoding& above, const Recoding& below) {
  for (std::size_t i = 0; i < above.size(); ++i) {
    for (const auto& [leaf, node] : below[i]) {
      if (!AtOrAbove(domain.taxonomies()[i], above[i].at(leaf), node)) return false;
    }
  }
  return true;
}

template <typename Keep>
Recoding Choose(const std::vector<Recoding>& recodings, reissue::Random& random, Keep&& keep) {
  std::vector<const Recoding*> kept;
  for (const Recoding& recoding : recodings) {
    if (keep(recoding)) kept.push_back(&recoding);
  }
  return *kept[random.Below(kept.size())];
}

// Empty: every row by itself.
std::vector<Recoding> ChooseRecodings(const Domain& domain, const std::vector<Recoding>& all,
                                      Style style, std::size_t releases, reissue::Random& random) {
  std::vector<Recoding> chosen;
  const auto any = [](const Recoding&) { return true; };
  const auto above = [&](const Recoding& one) { return AtOrAbove(domain, one, chosen.back()); };
  const auto below = [&](const Recoding& one) { return AtOrAbove(domain, chosen.back(), one); };
  for (std::size_t i = 0; i < releases; ++i) {
    if (style == Style::kLocal || style == Style::kBoxes || style == Style::kCrossing ||
        (style == Style::kMixed && random.Below(2) == 0)) {
      chosen.emplace_back();
    } else if (i == 0 || style == Style::kAny || style == Style::kMixed) {
      chosen.push_back(Choose(all, random, any));
    } else if (style == Style::kEqual) {
      chosen.push_back(chosen[0]);
    } else if (style == Style::kFiner || (style == Style::kCoarseMiddle && i + 1 == releases)) {
      chosen.push_back(Choose(all, random, below));
    } else {
      chosen.push_back(Choose(all, random, above));
    }
  }
  return chosen;
}

Quasi Generalised(const Domain& domain, Quasi quasi, reissue::Random& random) {
  for (std::size_t i = 0; i < quasi.size(); ++i) {
    while (quasi[i] != "*" && random.Below(2) == 0) {
      quasi[i] = domain.taxonomies()[i].at(quasi[i]);
    }
  }
  return quasi;
}

// Boxes of a tree that is drawn on the way: each splits one column into the children of its node.
class Boxes {
 public:
  Boxes(const Domain& domain, reissue::Random& random) : domain_(domain), random_(random) {}

  // Another release: it stops at other boxes, and splits as before unless it is another tree.
  void NextRelease(bool other_tree) {
    stops_.clear();
    if (other_tree) splits_.clear();
  }

  Quasi BoxOf(const Quasi& place) {
    Quasi box(place.size(), "*");
    while (!Stops(box)) {
      const std::size_t column = splits_.at(box);
      box[column] = ChildTowards(column, box[column], place[column]);
    }
    return box;
  }

 private:
  std::string ChildTowards(std::size_t column, const std::string& node, std::string leaf) const {
    while (domain_.taxonomies()[column].at(leaf) != node) {
      leaf = domain_.taxonomies()[column].at(leaf);
    }
    return leaf;
  }

  bool Stops(const Quasi& box) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < box.size(); ++i) {
      const std::vector<std::string> leaves = Leaves(domain_.taxonomies()[i]);
      if (std::find(leaves.begin(), leaves.end(), box[i]) == leaves.end()) open.push_back(i);
    }
    if (open.empty()) return true;
    if (!splits_.contains(box)) splits_[box] = open[random_.Below(open.size())];
    return stops_.emplace(box, random_.Below(3) == 0).first->second;
  }

  const Domain& domain_;
  reissue::Random& random_;
  std::map<Quasi, std::size_t> splits_;
  std::map<Quasi, bool> stops_;
};

Quasi Recode(const Recoding& recoding, Quasi quasi) {
  for (std::size_t i = 0; i < quasi.size(); ++i) quasi[i] = recoding[i].at(quasi[i]);
  return quasi;
}

}  // namespace

Domains::Domains() {
  const std::vector<Taxonomy> trees = Trees();
  std::vector<std::vector<std::size_t>> choices = {
      {1},    {2},    {5},    {0, 0}, {0, 2},    {2, 2},    {1, 3},    {4, 0},   {4, 4},
      {5, 0}, {3, 5}, {5, 5}, {2, 1}, {0, 0, 0}, {2, 0, 0}, {0, 3, 1}, {5, 0, 4}};
  for (const auto& choice : choices) {
    std::vector<Taxonomy> columns;
    for (const std::size_t tree : choice) columns.push_back(trees[tree]);
    Entry entry;
    entry.domain = std::make_unique<Domain>(columns);
    entry.translator = std::make_unique<Translator>(*entry.domain);
    entry.recodings = AllRecodings(*entry.domain);
    entries_.push_back(std::move(entry));
  }
}

DrawnSeries Domains::Draw(Style style, std::size_t releases, std::size_t people,
                          reissue::Random& random) const {
  const Entry& entry = entries_[random.Below(entries_.size())];
  const Domain& domain = *entry.domain;
  DrawnSeries drawn;
  drawn.translator = entry.translator.get();
  // Few places make large groups, many make tangled ones.
  std::vector<Quasi> places = domain.places();
  random.Shuffle(places);
  places.resize(std::min<std::size_t>(places.size(), 2 + random.Below(people)));
  const std::size_t values = 1 + random.Below(3);
  for (std::size_t i = 0; i < people; ++i) {
    const std::string value = ValueOf(static_cast<std::uint32_t>(random.Below(values)));
    drawn.people.push_back(
        {places[random.Below(places.size())], value, i == 0 ? 1 : 1 + random.Below(releases)});
    drawn.targets.push_back({drawn.people.back().birth, {}});
  }
  Boxes boxes(domain, random);
  for (const Recoding& recoding :
       ChooseRecodings(domain, entry.recodings, style, releases, random)) {
    drawn.series.emplace_back();
    boxes.NextRelease(style == Style::kCrossing);
    for (std::size_t i = 0; i < people; ++i) {
      const Person& person = drawn.people[i];
      if (person.birth > drawn.series.size()) continue;
      const bool boxed = style == Style::kBoxes || style == Style::kCrossing;
      const Quasi cell = boxed              ? boxes.BoxOf(person.quasi)
                         : recoding.empty() ? Generalised(domain, person.quasi, random)
                                            : Recode(recoding, person.quasi);
      drawn.targets[i].cells.push_back(cell);
      drawn.series.back().push_back({cell, person.sensitive});
    }
  }
  return drawn;
}

void TakeRowsAway(Series& series, reissue::Random& random) {
  const std::size_t times = 1 + random.Below(3);
  for (std::size_t i = 0; i < times; ++i) {
    Release& release = series[1 + random.Below(series.size() - 1)];
    if (release.empty()) continue;
    const std::size_t row = random.Below(release.size());
    const Quasi other = release[random.Below(release.size())].quasi;
    if (random.Below(3) == 0) {
      release[row].quasi = other;
    } else {
      release.erase(release.begin() + static_cast<std::ptrdiff_t>(row));
    }
  }
}

}  // namespace oracle::bcf
