// What is taken in a series.
#include <gtest/gtest.h>

#include <array>

#include "random_problem.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k {
namespace {

Result<Outcome> Made(const LeafCells& table, const Guarantee& g, const PublishOptions& options) {
  ThreadPool pool(1);
  Progress progress;
  return Publish(table, g, options, pool, progress);
}

// In a series: what one descent ends at, or what is cheaper by more than a tenth. With
// suppression what is best.
TEST(Lasting, StaysOnTheWayOfOneDescent) {
  Random random = Random::Seeded(16);
  int stayed = 0, left = 0;
  for (int round = 0; round < 150; ++round) {
    const LeafCells table = testing::RandomTable(random, {3, 7, 120, 3});
    const Guarantee g = testing::RandomGuarantee(random, 3);
    PublishOptions options, one;
    options.score = std::array{Score::kDiscernibility, Score::kDistortion, Score::kLoss}[round % 3];
    options.suppression_limit = round % 5 == 0 ? 8 : 0;
    options.budget_seconds = 0.002;
    one = options;
    one.search = Search::kGreedy;
    const auto best = Made(table, g, options);
    if (!best) continue;
    options.lasting = true;
    const auto found = Made(table, g, options);
    ASSERT_TRUE(found.has_value());
    if (options.suppression_limit > 0) {
      EXPECT_EQ(found->cuts, best->cuts);
      EXPECT_FALSE(found->passing_cost);
      continue;
    }
    const auto greedy = Made(table, g, one);
    ASSERT_TRUE(greedy.has_value());
    if (best->cost * 1.1 < greedy->cost) {
      EXPECT_EQ(found->cuts, best->cuts);
      ++left;
      continue;
    }
    EXPECT_EQ(found->cuts, greedy->cuts);
    EXPECT_EQ(found->passing_cost.has_value(), best->cost < greedy->cost);
    if (!found->passing_cost) continue;
    EXPECT_EQ(*found->passing_cost, best->cost);
    EXPECT_FALSE(found->optimal);
    ++stayed;
  }
  EXPECT_GT(stayed, 5);
  EXPECT_GT(left, 5);
}

}  // namespace
}  // namespace reissue::models::k
