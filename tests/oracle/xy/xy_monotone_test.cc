// When does specialising the new table make a promise easier to keep? By the oracle alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "draw.h"

namespace oracle::xy {
namespace {

constexpr std::uint64_t kWorlds = 60000;

std::string KindOf(const World& world, const Promise& promise) {
  std::set<bool> ours;
  for (const Place& place : promise.y) ours.insert(place.table == 0);
  for (const std::size_t table : promise.y_keys) ours.insert(table == 0);
  std::string kind = promise.anonymity ? "anonymity, Y in " : "linkability, Y in ";
  kind += ours.size() == 2 ? "both" : *ours.begin() ? "T1" : "earlier tables";
  return kind + (IsPlain(world, promise) ? ", X plain" : ", X lacks columns");
}

// A promise over columns or keys, of a column of the new table in X that can be specialised.
struct Step {
  World before, after;
  Promise promise;
};

std::optional<Step> DrawStep(reissue::Random& random) {
  DrawnWorld drawn = DrawWorld(random);
  Step step;
  step.promise = DrawPromise(drawn.world, {}, random);
  if (!step.promise.named.empty()) return std::nullopt;
  std::vector<Place> ours;
  for (const Place& place : step.promise.x) {
    if (place.table == 0 && drawn.raw.tables[0].trees[place.column]) ours.push_back(place);
  }
  if (ours.empty()) return std::nullopt;
  const Place place = ours[random.Below(ours.size())];
  step.before = drawn.world;
  step.before.tables[0] = drawn.raw.tables[0];
  step.after = step.before;
  for (const Place& other : ours) {
    const Tree& tree = drawn.raw.trees[*drawn.raw.tables[0].trees[other.column]];
    const Cut cut = RandomCut(tree, random);
    Recode(step.before, other, cut);
    if (other != place) {
      Recode(step.after, other, cut);
      continue;
    }
    std::vector<Label> nodes;
    for (const Label node : cut) {
      if (node >= 0 && !tree.Children(node).empty()) nodes.push_back(node);
    }
    if (nodes.empty()) return std::nullopt;
    Recode(step.after, other, Specialised(tree, cut, nodes[random.Below(nodes.size())]));
  }
  return step;
}

bool Easier(const Promise& promise, const Answer& before, const Answer& after) {
  if (promise.anonymity) {
    return before.anonymity && (!after.anonymity || *after.anonymity > *before.anonymity);
  }
  return before.linkability &&
         (!after.linkability || *after.linkability < *before.linkability - 1e-12);
}

bool AnyDangling(const Answers& answers) {
  return std::any_of(answers.dangling.begin(), answers.dangling.end(),
                     [](long rows) { return rows > 0; });
}

// How often, per kind: tried and easier, without and with rows that dangle after the step.
struct Tally {
  std::size_t tried = 0, easier = 0, tried_dangling = 0, easier_dangling = 0;
};

TEST(XyAntiMonotone, HowOftenItFails) {
  std::map<std::string, Tally> tallies;
  for (std::uint64_t number = 1; number <= kWorlds; ++number) {
    reissue::Random random = reissue::Random::Seeded(3000000 + number);
    const std::optional<Step> step = DrawStep(random);
    if (!step) continue;
    const Answers before = AnswersOf(step->before, {step->promise});
    const Answers after = AnswersOf(step->after, {step->promise});
    Tally& tally = tallies[KindOf(step->before, step->promise)];
    const bool easier = Easier(step->promise, before.promises[0], after.promises[0]);
    if (AnyDangling(after)) {
      ++tally.tried_dangling;
      tally.easier_dangling += easier ? 1 : 0;
    } else {
      ++tally.tried;
      tally.easier += easier ? 1 : 0;
    }
  }
  for (const auto& [kind, tally] : tallies) {
    std::cout << kind << ": easier in " << tally.easier << " of " << tally.tried << " steps, in "
              << tally.easier_dangling << " of " << tally.tried_dangling << " with dangling rows\n";
  }
}

}  // namespace
}  // namespace oracle::xy
