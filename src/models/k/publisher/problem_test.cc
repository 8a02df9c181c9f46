#include "reissue/models/k/publisher/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/collect_cells.h"
#include "reissue/core/random.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/levels.h"
#include "reissue/models/k/publisher/partition.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/publisher/trail.h"

namespace reissue::models::k::internal {
namespace {

// A column of different numbers without breakpoints, and a small one; every row is alone.
LeafCells ManyNumbers(std::size_t rows) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < rows; ++i) numbers.push_back(std::to_string(i));
  const std::vector<std::uint64_t> ones(rows, 1);
  const std::vector<taxonomy::HierarchyLine> lines = {{1, {"a", "*"}}, {2, {"b", "*"}}};
  LeafCells table;
  for (auto tree : {taxonomy::FromData(numbers, ones, "n").value(),
                    taxonomy::FromHierarchy(lines, "").value()}) {
    table.taxonomies.push_back(std::make_shared<const taxonomy::Taxonomy>(std::move(tree)));
  }
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < rows; ++i) keys.insert(keys.end(), {i, i * 7 % 11 % 2, i % 3});
  table.sensitive_values = 3;
  table.cells = CollectCells(3, keys, ones);
  return table;
}

Guarantee Five() {
  Guarantee five;
  five.k = 5;
  return five;
}

// What is found when it is asked for is what is kept of smaller tables.
TEST(Problem, OfVeryManyPlaces) {
  const LeafCells table = ManyNumbers(150'000);
  const taxonomy::Taxonomy& tree = *table.taxonomies[0];
  const Problem problem(table, Five(), Score::kLoss, 0);
  Random random = Random::Seeded(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto place = static_cast<Spot>(random.Below(tree.nodes()));
    const NodeId node = problem.node(place);
    if (tree.is_leaf(node)) continue;
    const auto leaf =
        static_cast<std::uint32_t>(tree.first_leaf(node) + random.Below(tree.leaf_count(node)));
    ASSERT_EQ(problem.child_of_leaf(place)[leaf], tree.ChildWith(node, leaf));
    double saving = 0;
    for (const NodeId child : tree.children(node)) {
      saving += static_cast<double>(tree.leaf_count(child)) *
                (Hidden(tree, node, Score::kLoss) - Hidden(tree, child, Score::kLoss));
    }
    ASSERT_EQ(problem.saving(place), saving);
  }
  EXPECT_EQ(problem.child_of_leaf(problem.root(1))[1], 1u);
}

// Only what is asked for is kept of the sensitive values, and nothing else depends on it.
TEST(Problem, TheSameWithoutSensitiveValues) {
  const LeafCells table = ManyNumbers(500);
  const Problem all(table, Five(), Score::kLoss, 0);
  const Problem some(table, Five(), Score::kLoss, 0, Problem::Sensitive::kWhereNeeded);
  EXPECT_EQ(some.overall(), all.overall());
  EXPECT_EQ(some.rows(), all.rows());
  EXPECT_TRUE(std::ranges::equal(some.rows_of_tuples(), all.rows_of_tuples()));
  Guarantee distinct = Five();
  distinct.distinct = 2;
  const Problem needed(table, distinct, Score::kLoss, 0, Problem::Sensitive::kWhereNeeded);
  for (std::size_t t = 0; t < all.tuples(); ++t) {
    ASSERT_EQ(needed.sensitive(t).size(), all.sensitive(t).size());
    EXPECT_EQ(needed.sensitive(t)[0].code, all.sensitive(t)[0].code);
  }
}

// Another limit shares the places, and is a limit of its own.
TEST(Problem, WithAnotherLimit) {
  const LeafCells table = ManyNumbers(500);
  const Problem problem(table, Five(), Score::kLoss, 0);
  const Problem other = problem.WithLimit(20);
  EXPECT_EQ(problem.suppression_limit(), 0u);
  EXPECT_EQ(other.suppression_limit(), 20u);
  EXPECT_EQ(problem.children(0).data(), other.children(0).data());
}

// Levels of a large column are made when they are looked at.
TEST(Problem, LevelsOfALargeColumn) {
  const LeafCells table = ManyNumbers(20'000);
  const taxonomy::Taxonomy& tree = *table.taxonomies[0];
  const Problem problem(table, Five(), Score::kLoss, 0);
  double cheapest = problem.RootCost();
  for (std::uint32_t depth = 0; depth <= tree.height(); ++depth) {
    for (const bool second : {false, true}) {
      Recoding recoding(problem.places(), 0);
      for (std::size_t n = 0; n < tree.nodes(); ++n) {
        recoding[n] = tree.depth(NodeId(n)) < depth && !tree.is_leaf(NodeId(n)) ? 1 : 0;
      }
      recoding[problem.root(1)] = second ? 1 : 0;
      Partition partition(problem);
      partition.Reset(recoding);
      if (partition.valid()) cheapest = std::min(cheapest, partition.Cost());
    }
  }
  const Levels levels = SearchLevels(problem, problem.RootCost() + 1, std::uint64_t{1} << 60);
  ASSERT_TRUE(levels.all_seen);
  EXPECT_NEAR(levels.cost, cheapest, 1e-12);
  EXPECT_LT(levels.cost, problem.RootCost() / 100);
}

// A partition is used again and again, also by others: nothing of what was before is left.
TEST(Problem, APartitionIsAsNewAfterAReset) {
  const LeafCells table = ManyNumbers(2'000);
  for (const std::uint64_t limit : {0, 100}) {
    const Problem problem(table, Five(), Score::kDiscernibility, limit);
    Partition used(problem);
    Random random = Random::Seeded(limit);
    for (int round = 0; round < 30; ++round) {
      Recoding recoding = problem.Root();
      std::vector<std::uint8_t> closed(problem.places(), 0);
      if (round % 3 == 0) std::ranges::fill(closed, std::uint8_t{1});
      Partition fresh(problem);
      used.Reset(recoding, closed);
      fresh.Reset(recoding, closed);
      for (int step = 0; step < 40 && !fresh.open().empty(); ++step) {
        const std::vector<Spot> open(fresh.open().begin(), fresh.open().end());
        ASSERT_TRUE(std::ranges::equal(open, used.open()));
        for (const Spot place : open) {
          ASSERT_EQ(fresh.lost(place), used.lost(place));
          ASSERT_EQ(fresh.Gain(place), used.Gain(place));
          ASSERT_EQ(fresh.SquaresAt(place), used.SquaresAt(place));
          ASSERT_EQ(fresh.Allowed(place), used.Allowed(place));
        }
        const Spot place = open[random.Below(open.size())];
        for (Partition* partition : {&fresh, &used}) {
          if (step % 7 == 6) {
            partition->Close(place);
          } else {
            partition->Specialise(place);
          }
        }
        ASSERT_EQ(fresh.Cost(), used.Cost());
      }
    }
  }
}

// Lanes that walk take partitions in turns, in whichever order.
TEST(Problem, LanesWithPartitionsOfOthers) {
  const LeafCells table = ManyNumbers(3'000);
  const Problem problem(table, Five(), Score::kLoss, 0);
  ASSERT_FALSE(Trail::Serves(problem));
  std::optional<Improvement> one;
  for (const std::size_t threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    Progress progress;
    Improvement improved = Improve(problem, {{problem.Root(), problem.RootCost()}},
                                   {30'000'000, 100'000}, 7, pool, progress);
    EXPECT_GT(improved.descents, 50u);
    EXPECT_LT(improved.best.cost, problem.RootCost());
    if (!one) one = improved;
    EXPECT_EQ(improved.best.recoding, one->best.recoding);
    EXPECT_EQ(improved.best.cost, one->best.cost);
    EXPECT_EQ(improved.descents, one->descents);
    EXPECT_EQ(improved.work, one->work);
  }
}

}  // namespace
}  // namespace reissue::models::k::internal
