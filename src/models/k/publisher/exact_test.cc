#include "reissue/models/k/publisher/exact.h"

#include <gtest/gtest.h>

#include "random_problem.h"
#include "reissue/models/k/publisher/improve.h"

namespace reissue::models::k {
namespace {

using testing::CellRows;
using testing::CostByDefinition;
using testing::RandomGuarantee;
using testing::RandomTable;
using testing::Released;

constexpr Score kAllScores[] = {Score::kDiscernibility, Score::kDistortion, Score::kLoss,
                                Score::kClass};

// Calls visit(cuts) for every combination of cuts.
template <typename Visit>
void ForAllCuts(const LeafCells& table, const Visit& visit) {
  std::vector<std::vector<taxonomy::Cut>> choices;
  for (const auto& tree : table.taxonomies) choices.push_back(support::AllCuts(*tree));
  std::vector<std::size_t> at(choices.size(), 0);
  while (true) {
    std::vector<taxonomy::Cut> cuts;
    for (std::size_t j = 0; j < at.size(); ++j) cuts.push_back(choices[j][at[j]]);
    visit(cuts);
    std::size_t j = 0;
    while (j < at.size() && ++at[j] == choices[j].size()) at[j++] = 0;
    if (j == at.size()) return;
  }
}

double CheapestOfAll(const LeafCells& table, const Guarantee& g, Score score) {
  double best = 1e300;
  ForAllCuts(table, [&](const std::vector<taxonomy::Cut>& cuts) {
    if (!Attack(Released(table, cuts), g).satisfied) return;
    best = std::min(best, CostByDefinition(table, cuts, {}, score));
  });
  return best;
}

// For k alone: cells below k are left out.
double CheapestWithSuppression(const LeafCells& table, std::uint64_t k, Score score,
                               std::uint64_t limit) {
  double best = 1e300;
  ForAllCuts(table, [&](const std::vector<taxonomy::Cut>& cuts) {
    std::vector<std::vector<NodeId>> suppressed;
    std::uint64_t rows = 0;
    for (const auto& [cell, count] : CellRows(table, cuts)) {
      if (count >= k) continue;
      rows += count;
      suppressed.emplace_back();
      for (const std::uint32_t node : cell) suppressed.back().emplace_back(node);
    }
    if (rows <= limit) best = std::min(best, CostByDefinition(table, cuts, suppressed, score));
  });
  return best;
}

PublishOptions Thoroughly(Search search, Score score, std::uint64_t limit = 0) {
  PublishOptions options;
  options.search = search;
  options.score = score;
  options.suppression_limit = limit;
  options.budget_seconds = 0.05;
  return options;
}

Result<Outcome> Searched(const LeafCells& table, const Guarantee& g,
                         const PublishOptions& options) {
  ThreadPool pool(1);
  Progress progress;
  return Publish(table, g, options, pool, progress);
}

TEST(Optimal, EqualsExhaustiveEnumeration) {
  Random random = Random::Seeded(21);
  int solved = 0, beyond_greedy = 0;
  for (int round = 0; round < 900; ++round) {
    const LeafCells table =
        RandomTable(random, {1 + random.Below(3), 3 + random.Below(2), 6 + random.Below(40), 3});
    Guarantee g;
    g.k = 2 + random.Below(5);
    if (round % 2 == 0) g = RandomGuarantee(random, 3);
    const Score score = kAllScores[round % 3];
    const auto outcome = Searched(table, g, Thoroughly(Search::kOptimal, score));
    if (!outcome) {
      ASSERT_EQ(outcome.error().code, ErrorCode::kPromise);
      continue;
    }
    ASSERT_TRUE(outcome->optimal);
    ASSERT_NEAR(outcome->cost, CheapestOfAll(table, g, score), 1e-9) << "round " << round;
    EXPECT_LE(outcome->cost, Searched(table, g, Thoroughly(Search::kDefault, score))->cost);
    ++solved;
    beyond_greedy += outcome->cost < outcome->greedy_cost - 1e-9;
  }
  EXPECT_GT(solved, 450);
  EXPECT_GT(beyond_greedy, 10);
}

TEST(Optimal, EqualsExhaustiveEnumerationWithSuppression) {
  Random random = Random::Seeded(22);
  int suppressed = 0;
  for (int round = 0; round < 150; ++round) {
    const LeafCells table =
        RandomTable(random, {1 + random.Below(3), 3 + random.Below(2), 6 + random.Below(40), 2});
    Guarantee g;
    g.k = 2 + random.Below(4);
    const std::uint64_t limit = 1 + random.Below(8);
    const Score score = kAllScores[round % 2];
    const auto outcome = Searched(table, g, Thoroughly(Search::kOptimal, score, limit));
    ASSERT_TRUE(outcome.has_value());
    ASSERT_NEAR(outcome->cost, CheapestWithSuppression(table, g.k, score, limit), 1e-9);
    suppressed += outcome->suppressed_rows > 0;
  }
  EXPECT_GT(suppressed, 10);
}

// Rows that one part of a column would leave out count against the same limit as those of another:
// what the first of them forbids is possible without it. The proof begins with nothing found.
TEST(Optimal, PartsOfAColumnShareWhatMayBeLeftOut) {
  Random random = Random::Seeded(99);
  ThreadPool pool(1);
  Progress progress;
  int proven = 0;
  for (int round = 0; round < 600; ++round) {
    const LeafCells table =
        RandomTable(random, {1 + random.Below(2), 6 + random.Below(5), 12 + random.Below(30), 2});
    Guarantee g;
    g.k = 2 + random.Below(5);
    const std::uint64_t limit = 1 + random.Below(3);
    const Score score = kAllScores[round % 3];
    const internal::Problem problem(table, g, score, limit);
    internal::Solution nothing{problem.Root(), 1e300, 0};
    const internal::Exact exact =
        internal::SearchExactly(problem, nothing, 100'000'000, pool, progress, nullptr);
    if (!exact.proven) continue;
    ++proven;
    ASSERT_NEAR(exact.best.cost, CheapestWithSuppression(table, g.k, score, limit), 1e-9)
        << "round " << round;
  }
  EXPECT_GT(proven, 500);
}

// Large enough for threads to share it; also where it is given up.
TEST(Optimal, TheSameProofOnAnyNumberOfThreads) {
  Random random = Random::Seeded(98);
  Progress progress;
  int proven = 0, given_up = 0;
  for (int round = 0; round < 40; ++round) {
    const LeafCells table = RandomTable(random, {5, 20, 6000, 3});
    Guarantee g;
    g.k = 5 + random.Below(800);
    if (round % 4 == 0) g.distinct = 2;
    const internal::Problem problem(table, g, kAllScores[round % 3], round % 2 == 0 ? 0 : 100);
    if (problem.tuples() * problem.columns() <= 8192) continue;
    const internal::Solution nothing{problem.Root(), 1e300, 0};
    const std::uint64_t limit = round % 3 == 0 ? 1'000'000 : 10'000'000;
    std::optional<internal::Exact> alone;
    for (const std::size_t threads : {1, 2, 5}) {
      ThreadPool pool(threads);
      const internal::Exact exact =
          internal::SearchExactly(problem, nothing, limit, pool, progress, nullptr);
      if (!alone) alone = exact;
      EXPECT_EQ(exact.visited, alone->visited);
      EXPECT_EQ(exact.work, alone->work);
      EXPECT_EQ(exact.proven, alone->proven);
      EXPECT_EQ(exact.best.cost, alone->best.cost);
      EXPECT_EQ(exact.best.recoding, alone->best.recoding);
    }
    (alone->proven ? proven : given_up) += 1;
  }
  EXPECT_GT(proven, 3);
  EXPECT_GT(given_up, 3);
}

// The walk without the proof: valid, never worse than its starts, never better than possible.
TEST(Improve, FindsGoodRecodingsOnItsOwn) {
  Random random = Random::Seeded(23);
  ThreadPool pool(2);
  Progress progress;
  int reached = 0, rounds = 0;
  for (int round = 0; round < 60; ++round) {
    const LeafCells table = RandomTable(random, {3, 4, 30 + random.Below(30), 3});
    Guarantee g;
    g.k = 2 + random.Below(5);
    if (round % 2 == 0) g.alpha = 0.8;
    const Score score = kAllScores[round % 3];
    const auto optimum = Searched(table, g, Thoroughly(Search::kOptimal, score));
    if (!optimum) continue;
    const internal::Problem problem(table, g, score, 0);
    internal::Solution root{problem.Root(), problem.RootCost()};
    const auto found = internal::Improve(problem, {root}, {internal::VisitsIn(0.005, problem), 0},
                                         3, pool, progress);
    EXPECT_LE(found.best.cost, root.cost);
    EXPECT_GE(found.best.cost, optimum->cost - 1e-9);
    EXPECT_TRUE(Attack(Released(table, problem.Cuts(found.best.recoding)), g).satisfied);
    reached += found.best.cost <= optimum->cost + 1e-9;
    ++rounds;
  }
  EXPECT_GT(rounds, 30);
  EXPECT_GE(reached * 10, rounds * 9);
}

}  // namespace
}  // namespace reissue::models::k
