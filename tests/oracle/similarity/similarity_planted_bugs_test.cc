// Releases that are broken on purpose: wherever the oracle says that the promise is broken, the
// product's own measurement must say so too, and nowhere else.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>

#include "tables.h"

namespace oracle::similarity {
namespace {

// Changes groups or shown values; false where the bug does not apply.
using Bug = std::function<bool(const Drawn&, Groups&, reissue::Random&)>;

std::size_t AnyShown(const Groups& groups, reissue::Random& random) {
  for (;;) {
    const std::size_t row = random.Below(groups.of.size());
    if (groups.of[row] >= 0) return row;
  }
}

bool MoveRow(const Drawn&, Groups& groups, reissue::Random& random) {
  const auto members = groups.Members();
  if (members.size() < 2) return false;
  const std::size_t row = AnyShown(groups, random);
  const int to = groups.of[members[random.Below(members.size())][0]];
  if (to == groups.of[row]) return false;
  groups.of[row] = to;
  return true;
}

bool SwapRows(const Drawn&, Groups& groups, reissue::Random& random) {
  const std::size_t a = AnyShown(groups, random), b = AnyShown(groups, random);
  if (groups.of[a] == groups.of[b]) return false;
  std::swap(groups.of[a], groups.of[b]);
  return true;
}

bool SwapValues(const Drawn&, Groups& groups, reissue::Random& random) {
  const std::size_t a = AnyShown(groups, random), b = AnyShown(groups, random);
  if (groups.of[a] == groups.of[b] || groups.shown[a] == groups.shown[b]) return false;
  std::swap(groups.shown[a], groups.shown[b]);
  return true;
}

bool JoinGroups(const Drawn&, Groups& groups, reissue::Random& random) {
  const int a = groups.of[AnyShown(groups, random)], b = groups.of[AnyShown(groups, random)];
  if (a == b) return false;
  for (int& group : groups.of) group = group == b ? a : group;
  return true;
}

bool DropLast(const Drawn&, Groups& groups, reissue::Random& random) {
  const auto members = groups.Members();
  const auto& group = members[random.Below(members.size())];
  if (members.size() == 1 && group.size() == 1) return false;
  groups.of[group.back()] = -1;
  return true;
}

bool SplitGroup(const Drawn&, Groups& groups, reissue::Random& random) {
  const int from = groups.of[AnyShown(groups, random)];
  bool moved = false;
  for (int& group : groups.of) {
    if (group != from || random.Below(2) == 0) continue;
    group = 1'000'000;
    moved = true;
  }
  return moved;
}

bool ShowAnother(const Drawn& drawn, Groups& groups, reissue::Random& random) {
  const std::size_t row = AnyShown(groups, random);
  const int value = int(random.Below(std::uint64_t(drawn.rows.values)));
  if (value == groups.shown[row]) return false;
  groups.shown[row] = value;
  return true;
}

bool PutBack(const Drawn&, Groups& groups, reissue::Random& random) {
  const int to = groups.of[AnyShown(groups, random)];
  for (int& group : groups.of) {
    if (group >= 0) continue;
    group = to;
    return true;
  }
  return false;
}

struct BugCounts {
  std::size_t tried = 0, breaches = 0, disagree = 0, edge = 0;
};

void Judge(const Drawn& drawn, const Promise& promise, const Groups& groups, BugCounts& counts) {
  const Measured own = MeasureRelease(drawn.rows, groups, promise.asked.ordered);
  const double breach = Breach(own, promise.asked);
  ++counts.tried;
  const model::Shape shape = model::ShapeOf(drawn.table, OutcomeOf(groups), promise.asked.ordered);
  ASSERT_EQ(shape.k, std::uint64_t(own.k));
  ASSERT_NEAR(shape.j, own.j, 1e-9);
  ASSERT_NEAR(shape.beta, own.beta, 1e-9);
  ASSERT_NEAR(shape.t, own.t, 1e-9);
  if (std::abs(breach) < 1e-9) {
    ++counts.edge;
    return;
  }
  counts.breaches += breach > 0 ? 1 : 0;
  counts.disagree += shape.Keeps(promise.guarantee) == (breach > 0) ? 1 : 0;
}

TEST(SimilarityPlantedBugs, EveryBreachIsSeen) {
  reissue::ThreadPool pool(2);
  const std::vector<std::pair<std::string, Bug>> bugs = {
      {"a row moved to another group", MoveRow},
      {"two rows swapped", SwapRows},
      {"two values swapped", SwapValues},
      {"two groups joined", JoinGroups},
      {"the last row of a group dropped", DropLast},
      {"a group split", SplitGroup},
      {"another value shown", ShowAnother},
      {"a suppressed row put back", PutBack}};
  std::map<std::string, BugCounts> counts;
  for (std::uint64_t number = 0; number < 3000 && !HasFatalFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(700'000 + number);
    TableShape shape;
    shape.rows = 6 + random.Below(40);
    shape.columns = 1 + int(random.Below(3));
    shape.values = 2 + int(random.Below(4));
    shape.beliefs = 1 + int(random.Below(4));
    shape.spread = random.Below(2) == 0 ? 1 : 0.4;
    const Drawn drawn = DrawTable(shape, random);
    const Promise promise = DrawPromise(random);
    model::PublishOptions options;
    options.guarantee = promise.guarantee;
    options.algorithm = model::Algorithm(random.Below(3));
    const auto outcome = model::Publish(drawn.table, options, pool);
    if (outcome) {
      Judge(drawn, promise, GroupsOf(*outcome), counts["nothing"]);
      for (const auto& [name, bug] : bugs) {
        for (int attempt = 0; attempt < 3; ++attempt) {
          Groups groups = GroupsOf(*outcome);
          if (!bug(drawn, groups, random)) continue;
          Judge(drawn, promise, groups, counts[name]);
        }
      }
    }
    // Published under a weaker promise.
    const std::pair<std::string, std::function<void(model::Guarantee&)>> weaker[] = {
        {"a larger J", [](model::Guarantee& g) { g.j = std::min(1.0, 3 * g.j); }},
        {"k - 1", [](model::Guarantee& g) { g.k = std::max<std::uint64_t>(1, g.k - 1); }},
        {"beta and t forgotten", [](model::Guarantee& g) { g.beta = g.t = 0; }}};
    for (const auto& [name, weaken] : weaker) {
      model::PublishOptions weak = options;
      weaken(weak.guarantee);
      const auto published = model::Publish(drawn.table, weak, pool);
      if (published) Judge(drawn, promise, GroupsOf(*published), counts[name]);
    }
  }
  std::size_t breaches = 0, tried = 0;
  for (const auto& [name, count] : counts) {
    std::cout << name << ": " << count.tried << " releases, breaches " << count.breaches
              << ", on the edge " << count.edge << ", answers that differ " << count.disagree
              << '\n';
    EXPECT_EQ(count.disagree, 0u) << name;
    if (name == "nothing") {
      EXPECT_EQ(count.breaches, 0u);
      continue;
    }
    EXPECT_GT(count.breaches, 0u) << name;
    breaches += count.breaches;
    tried += count.tried;
  }
  std::cout << "planted bugs: " << tried << ", breaches " << breaches << '\n';
  EXPECT_GT(breaches, 5000u);
}

}  // namespace
}  // namespace oracle::similarity
