#include "reissue/models/k/publisher/levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "random_problem.h"
#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {
namespace {

using testing::CellRows;
using testing::CostByDefinition;
using testing::RandomTable;

constexpr Score kScoresByLevels[] = {Score::kLoss, Score::kDiscernibility, Score::kDistortion};
constexpr double kAnything = 1e300;
constexpr std::uint64_t kToTheEnd = std::uint64_t{1} << 60;

// All nodes of a depth, and the leaves above it.
taxonomy::Cut CutAt(const taxonomy::Taxonomy& tree, std::uint32_t depth) {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < tree.nodes(); ++i) {
    const NodeId node(i);
    if (tree.depth(node) == depth || (tree.depth(node) < depth && tree.is_leaf(node))) {
      nodes.push_back(node);
    }
  }
  return taxonomy::Cut::FromNodes(tree, nodes).value();
}

// What the cuts cost where cells below k are left out; nothing: these are too many.
std::optional<double> CostWithin(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
                                 std::uint64_t k, Score score, std::uint64_t limit) {
  std::vector<std::vector<NodeId>> left_out;
  std::uint64_t rows = 0;
  for (const auto& [cell, count] : CellRows(table, cuts)) {
    if (count >= k) continue;
    rows += count;
    left_out.emplace_back();
    for (const std::uint32_t node : cell) left_out.back().emplace_back(node);
  }
  if (rows > limit) return std::nullopt;
  return CostByDefinition(table, cuts, left_out, score);
}

// Of all recodings by levels.
double CheapestByLevels(const LeafCells& table, std::uint64_t k, Score score, std::uint64_t limit) {
  double best = kAnything;
  std::vector<std::uint32_t> depths(table.taxonomies.size(), 0);
  while (true) {
    std::vector<taxonomy::Cut> cuts;
    for (std::size_t j = 0; j < depths.size(); ++j) {
      cuts.push_back(CutAt(*table.taxonomies[j], depths[j]));
    }
    if (const auto cost = CostWithin(table, cuts, k, score, limit)) best = std::min(best, *cost);
    std::size_t j = 0;
    while (j < depths.size() && ++depths[j] > table.taxonomies[j]->height()) depths[j++] = 0;
    if (j == depths.size()) return best;
  }
}

TEST(LevelsTest, EqualsEnumeration) {
  Random random = Random::Seeded(31);
  int left_out = 0;
  for (int round = 0; round < 300; ++round) {
    const LeafCells table =
        RandomTable(random, {1 + random.Below(3), 4 + random.Below(6), 10 + random.Below(90), 2});
    Guarantee g;
    g.k = 2 + random.Below(6);
    const std::uint64_t limit = random.Below(3) == 0 ? 0 : random.Below(20);
    const Score score = kScoresByLevels[round % 3];
    const Problem problem(table, g, score, limit);
    ASSERT_TRUE(CanSearchLevels(problem));
    const double cheapest = CheapestByLevels(table, g.k, score, problem.suppression_limit());
    const Levels levels = SearchLevels(problem, kAnything, kToTheEnd);
    ASSERT_TRUE(levels.all_seen);
    ASSERT_EQ(levels.best.has_value(), cheapest < kAnything);
    if (!levels.best) continue;
    ASSERT_NEAR(levels.cost, cheapest, 1e-9) << "round " << round;
    Partition partition(problem);
    partition.Reset(*levels.best);
    EXPECT_TRUE(partition.valid());
    EXPECT_NEAR(partition.Cost(), cheapest, 1e-9);
    left_out += partition.suppressed_rows() > 0;
    // Nothing that is not cheaper than it must be.
    EXPECT_FALSE(SearchLevels(problem, cheapest - 1e-9, kToTheEnd).best.has_value());
    EXPECT_TRUE(SearchLevels(problem, cheapest + 1e-9, kToTheEnd).best.has_value());
  }
  EXPECT_GT(left_out, 50);
}

TEST(LevelsTest, StopsWhereItsWorkEnds) {
  Random random = Random::Seeded(32);
  const LeafCells table = RandomTable(random, {4, 9, 500, 2});
  Guarantee g;
  g.k = 3;
  const Problem problem(table, g, Score::kLoss, 50);
  const Levels all = SearchLevels(problem, kAnything, kToTheEnd);
  const Levels some = SearchLevels(problem, kAnything, all.work / 4);
  EXPECT_TRUE(all.all_seen);
  EXPECT_FALSE(some.all_seen);
  EXPECT_LT(some.work, all.work / 2);
}

TEST(LevelsTest, StaysBelowCeilings) {
  Random random = Random::Seeded(33);
  for (int round = 0; round < 50; ++round) {
    LeafCells table = RandomTable(random, {2, 6, 100, 2});
    for (const auto& tree : table.taxonomies) {
      table.ceilings.push_back(CutAt(*tree, static_cast<std::uint32_t>(random.Below(3))));
    }
    Guarantee g;
    g.k = 2;
    const Problem problem(table, g, Score::kLoss, 60);
    const Levels levels = SearchLevels(problem, kAnything, kToTheEnd);
    if (!levels.best) continue;
    const std::vector<taxonomy::Cut> cuts = problem.Cuts(*levels.best);
    for (std::size_t j = 0; j < cuts.size(); ++j) {
      EXPECT_TRUE(Refines(*table.taxonomies[j], cuts[j], table.ceilings[j]));
    }
  }
}

// What is promised of sensitive values is another question.
TEST(LevelsTest, ServesPlainPromisesOnly) {
  Random random = Random::Seeded(34);
  const LeafCells table = RandomTable(random, {2, 6, 100, 3});
  Guarantee g;
  g.k = 2;
  EXPECT_TRUE(CanSearchLevels(Problem(table, g, Score::kLoss, 5)));
  EXPECT_FALSE(CanSearchLevels(Problem(table, g, Score::kClass, 0)));
  g.distinct = 2;
  EXPECT_FALSE(CanSearchLevels(Problem(table, g, Score::kLoss, 5)));
}

// The walks end where leaving out a few more rows does not pay; a recoding that leaves out many may
// lie beyond.
TEST(LevelsTest, TheDefaultSearchIsNeverWorse) {
  Random random = Random::Seeded(35);
  ThreadPool pool(1);
  Progress progress;
  for (int round = 0; round < 200; ++round) {
    const LeafCells table =
        RandomTable(random, {2 + random.Below(3), 5 + random.Below(5), 60 + random.Below(200), 2});
    Guarantee g;
    g.k = 2 + random.Below(12);
    PublishOptions options;
    options.score = kScoresByLevels[round % 3];
    options.suppression_limit = table.cells.rows() / (random.Below(2) == 0 ? 5 : 20);
    options.budget_seconds = 0.005;
    const auto outcome = Publish(table, g, options, pool, progress);
    ASSERT_TRUE(outcome.has_value());
    const Problem problem(table, g, options.score, options.suppression_limit);
    const Levels levels = SearchLevels(problem, kAnything, kToTheEnd);
    EXPECT_LE(outcome->cost, 1e-9 + levels.cost) << "round " << round;
  }
}

}  // namespace
}  // namespace reissue::models::k::internal
