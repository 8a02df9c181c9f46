#include "reissue/models/k/publisher/local.h"

#include <gtest/gtest.h>

#include <array>
#include <ctime>

#include "random_problem.h"

namespace reissue::models::k {
namespace {

using testing::RandomGuarantee;
using testing::RandomTable;

constexpr Score kLocalScores[] = {Score::kDiscernibility, Score::kDistortion, Score::kLoss,
                                  Score::kClass};

Result<Outcome> Locally(const LeafCells& table, const Guarantee& g, const PublishOptions& options,
                        std::size_t threads = 1) {
  ThreadPool pool(threads);
  Progress progress;
  return PublishLocally(table, g, options, pool, progress);
}

LeafCells SomeTable(Random& random) {
  return RandomTable(random, {1 + random.Below(3), 2 + random.Below(5), 3 + random.Below(80),
                              1 + static_cast<std::uint32_t>(random.Below(4))});
}

PublishOptions Within(Score score, double budget, std::uint64_t suppression = 0) {
  PublishOptions options;
  options.score = score;
  options.budget_seconds = budget;
  options.suppression_limit = suppression;
  return options;
}

PublishedCells BoxesOf(const LeafCells& table, const LocalRecoding& local) {
  return {RecodedLocally(table, local), local.tree.columns(), table.sensitive_values};
}

bool Intersect(const LeafCells& table, std::span<const std::uint32_t> a,
               std::span<const std::uint32_t> b) {
  for (std::size_t j = 0; j < table.taxonomies.size(); ++j) {
    if (!table.taxonomies[j]->OnOnePath(NodeId(a[j]), NodeId(b[j]))) return false;
  }
  return true;
}

// Hundreds of columns: a tree is large, and no more of them are grown than the budget allows.
TEST(PublishLocally, VeryManyColumnsTakeNotMuchLongerThanTheBudget) {
  Random random = Random::Seeded(3);
  const LeafCells table = RandomTable(random, {1000, 10, 60, 2});
  Guarantee guarantee;
  guarantee.k = 2;
  const auto seconds = [&](Search search) {
    PublishOptions options = Within(Score::kLoss, 0.1);
    options.search = search;
    const std::clock_t from = std::clock();
    EXPECT_TRUE(Locally(table, guarantee, options));
    return static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
  };
  const double once = seconds(Search::kGreedy);

  EXPECT_LT(seconds(Search::kDefault), 1.7 * once);
}

TEST(PublishLocally, KeepsEveryCombinationOfPromisesInDisjointBoxes) {
  Random random = Random::Seeded(1);
  int kept = 0, refused = 0, with_suppression = 0;
  for (int round = 0; round < 400; ++round) {
    const LeafCells table = SomeTable(random);
    const Guarantee g = RandomGuarantee(random, table.sensitive_values);
    const std::uint64_t limit = random.Below(2) == 0 ? 0 : random.Below(10);
    const auto outcome =
        Locally(table, g, Within(kLocalScores[random.Below(3)], random.Below(2) * 0.002, limit));
    if (!outcome) {
      EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
      ++refused;
      continue;
    }
    const PublishedCells release = BoxesOf(table, *outcome->local);
    const Report report = Attack(release, g);
    ASSERT_TRUE(report.satisfied) << "round " << round;
    EXPECT_EQ(report.rows + outcome->suppressed_rows, table.cells.rows());
    EXPECT_LE(outcome->suppressed_rows, limit);
    const std::size_t width = table.taxonomies.size();
    for (std::size_t a = 0; a < release.cells.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const auto one = release.cells.key(CellId(a)).first(width);
        const auto other = release.cells.key(CellId(b)).first(width);
        EXPECT_EQ(Intersect(table, one, other), std::ranges::equal(one, other));
      }
    }
    ++kept;
    with_suppression += outcome->suppressed_rows > 0;
  }
  EXPECT_GT(kept, 200);
  EXPECT_GT(refused, 10);
  EXPECT_GT(with_suppression, 8);
}

// Σ over rows and columns of what the published label hides.
double LossByDefinition(const LeafCells& table, const Outcome& outcome) {
  const std::size_t width = table.taxonomies.size();
  const Cells cells = RecodedLocally(table, *outcome.local);
  double lost = 0;
  for (std::size_t j = 0; j < width; ++j) {
    const bool says_nothing = table.taxonomies[j]->nodes() == 1;
    lost += says_nothing ? 0 : static_cast<double>(outcome.suppressed_rows);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const taxonomy::Taxonomy& tree = *table.taxonomies[j];
      const NodeId node(cells.key(CellId(i))[j]);
      if (tree.is_leaf(node)) continue;
      lost += static_cast<double>(cells.count(CellId(i)) * tree.leaf_count(node)) /
              static_cast<double>(tree.leaves());
    }
  }
  return lost / static_cast<double>(table.cells.rows() * width);
}

// Never worse with more of anything, nor than cuts.
TEST(PublishLocally, MoreNeverMakesWorse) {
  Random random = Random::Seeded(2);
  int better = 0;
  for (int round = 0; round < 200; ++round) {
    const LeafCells table = SomeTable(random);
    Guarantee g;
    g.k = 1 + random.Below(6);
    if (table.cells.rows() < g.k) continue;
    ThreadPool pool(1);
    Progress progress;
    PublishOptions by_cuts = Within(Score::kLoss, 0);
    by_cuts.search = Search::kGreedy;
    double before = Publish(table, g, by_cuts, pool, progress)->cost;
    const double cuts = before;
    for (const double budget : {0.0, 0.0001, 0.001, 0.01}) {
      const auto outcome = Locally(table, g, Within(Score::kLoss, budget));
      ASSERT_TRUE(outcome);
      EXPECT_NEAR(outcome->cost, LossByDefinition(table, *outcome), 1e-9);
      EXPECT_LE(outcome->cost, before + 1e-12);
      before = outcome->cost;
    }
    better += before < cuts - 1e-9;
    const double budget = std::array{0.0003, 0.001, 0.003, 0.01}[random.Below(4)];
    for (const std::uint64_t limit : {0, 1, 2, 3, 5, 8, 13, 21, 34}) {
      const auto outcome = Locally(table, g, Within(Score::kLoss, budget, limit));
      ASSERT_TRUE(outcome);
      EXPECT_NEAR(outcome->cost, LossByDefinition(table, *outcome), 1e-9);
      if (limit > 0) {
        EXPECT_LE(outcome->cost, before + 1e-12);
      }
      before = outcome->cost;
    }
  }
  EXPECT_GT(better, 25);
}

TEST(PublishLocally, IsTheSameOnAnyNumberOfThreads) {
  Random random = Random::Seeded(3);
  const LeafCells table = RandomTable(random, {4, 12, 4000, 3});
  Guarantee g;
  g.k = 5;
  g.distinct = 2;
  for (const Score score : kLocalScores) {
    const auto one = Locally(table, g, Within(score, 0.05)),
               two = Locally(table, g, Within(score, 0.05), 3);
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->cost, two->cost);
    EXPECT_EQ(one->local->shown, two->local->shown);
    EXPECT_GT(one->local->tree.size(), 50u);
  }
}

TEST(PublishLocally, SearchesThatItHasNotAreRefused) {
  Random random = Random::Seeded(4);
  const LeafCells table = SomeTable(random);
  for (const Search search : {Search::kPaper, Search::kOptimal}) {
    PublishOptions options = Within(Score::kLoss, 0.01);
    options.search = search;
    const auto outcome = Locally(table, {}, options);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace reissue::models::k
