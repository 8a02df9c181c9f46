#include "reissue/models/k/publisher/survival.h"

#include <gtest/gtest.h>

#include "random_problem.h"

namespace reissue::models::k::internal {
namespace {

// Two columns of words, 300 rows each of a and b; c and d stand in few rows, and not below a.
LeafCells FewInOneChild() {
  const auto tree = std::make_shared<const taxonomy::Taxonomy>(
      taxonomy::FromHierarchy(
          std::vector<taxonomy::HierarchyLine>{
              {1, {"a", "*"}}, {2, {"b", "*"}}, {3, {"c", "*"}}, {4, {"d", "*"}}},
          "letters")
          .value());
  LeafCells table;
  table.taxonomies = {tree, tree};
  const std::vector<std::uint32_t> keys = {0, 0, 0, 0, 1, 0, 1, 2, 0};
  const std::vector<std::uint64_t> counts = {300, 300, 3};
  table.cells = CollectCells(3, keys, counts);
  table.sensitive_values = 1;
  return table;
}

Survival SurvivalOf(const Problem& problem) { return {problem, Prospect{0.1, 4}}; }

Guarantee AtLeast(std::uint64_t k) {
  Guarantee guarantee;
  guarantee.k = k;
  return guarantee;
}

TEST(SurvivalTest, ASplitNeedsNewcomersInEveryChild) {
  const LeafCells table = FewInOneChild();
  const Problem problem(table, AtLeast(5), Score::kLoss, 0);
  Survival survival = SurvivalOf(problem);
  const std::uint64_t many[] = {400, 400, 400, 400}, few[] = {400, 400, 400, 20};
  EXPECT_GT(survival.OfSplit(problem.root(0), many), 0.99);
  EXPECT_LT(survival.OfSplit(problem.root(0), few), 0.2);
}

// Poisson's first term is no double any more, and that is no promise that all goes well.
TEST(SurvivalTest, LargePromisesNeedAsManyNewcomers) {
  const LeafCells table = FewInOneChild();
  const Problem problem(table, AtLeast(1000), Score::kLoss, 0);
  Survival survival = SurvivalOf(problem);
  const std::uint64_t few[] = {8000, 8000, 8000, 8000}, many[] = {12000, 12000, 12000, 12000};
  EXPECT_LT(survival.OfSplit(problem.root(0), few), 0.01);
  EXPECT_GT(survival.OfSplit(problem.root(0), many), 0.99);
}

// Somebody will come to a child that has people elsewhere, and spoil the split for good. To one
// that nobody in a large table has, hardly anybody of a small box comes.
TEST(SurvivalTest, FirstPeopleAreLikelyWhereOthersAreAlready) {
  const LeafCells table = FewInOneChild();
  const Problem problem(table, AtLeast(5), Score::kLoss, 0);
  Survival survival = SurvivalOf(problem);
  const Spot root = problem.root(1);
  const Spot c = problem.children(root)[2], d = problem.children(root)[3];
  ASSERT_EQ(problem.rows_at(c), 3u);
  ASSERT_EQ(problem.rows_at(d), 0u);
  const std::uint64_t without_c[] = {100, 100, 0, 100}, without_d[] = {100, 100, 100, 0};
  EXPECT_LT(survival.OfSplit(root, without_c), survival.OfSplit(root, without_d));
  EXPECT_LT(survival.OfSplit(root, without_d), std::exp(-0.1));
  EXPECT_LT(survival.OfOnly(problem.children(root)[0], 300),
            survival.OfOnly(problem.children(root)[0], 30));
}

// Nobody is alone where every combination has many rows; where many are alone, others will be.
TEST(SurvivalTest, FirstPeopleAreExpectedAsTheTableTells) {
  LeafCells table = FewInOneChild();
  const Problem even(table, AtLeast(5), Score::kLoss, 0);
  EXPECT_EQ(ProspectOf(even, 0.1).firsts, 0);
  EXPECT_EQ(ProspectOf(even, 0).firsts, 1);
  const std::vector<std::uint32_t> keys = {0, 0, 0, 0, 1, 0, 1, 2, 0, 2, 3, 0, 3, 2, 0};
  const std::vector<std::uint64_t> counts = {300, 300, 3, 1, 1};
  table.cells = CollectCells(3, keys, counts);
  const Problem odd(table, AtLeast(5), Score::kLoss, 0);
  EXPECT_GT(ProspectOf(odd, 0.1).firsts, 0.4);
}

}  // namespace
}  // namespace reissue::models::k::internal
