#include "reissue/simulate/choice.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace reissue::simulate {
namespace {

std::vector<double> ShareOfEach(const Choice& choice, std::size_t context, int draws) {
  Random random = Random::Seeded(17);
  std::vector<double> shares(choice.outcomes());
  for (int i = 0; i < draws; ++i) shares[choice.Draw(random, context)] += 1.0 / draws;
  return shares;
}

TEST(Choice, DrawsInProportion) {
  const std::vector<Weight> weights = {1, 2, 3, 4, 90, 0, 0, 0, 0, 7};
  const Choice choice(weights, 5);
  EXPECT_EQ(choice.contexts(), 2u);
  const std::vector<double> first = ShareOfEach(choice, 0, 200000);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(first[i], weights[i] / 100.0, 0.003);
  EXPECT_NEAR(ShareOfEach(choice, 1, 1000)[4], 1.0, 1e-9);
}

TEST(Choice, OfOneOutcomeIsThatOutcome) {
  const Choice choice(std::vector<Weight>{3}, 1);
  Random random = Random::Seeded(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(choice.Draw(random), 0u);
}

TEST(Choice, FollowsAnyWeights) {
  EXPECT_TRUE(rc::check("shares stay within seven deviations, zeros are never drawn", [] {
    auto weights = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<Weight>>(rc::gen::inRange<Weight>(0, 1000)));
    weights.push_back(1);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    constexpr int kDraws = 20000;
    const auto shares = ShareOfEach(Choice(weights, weights.size()), 0, kDraws);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double expected = weights[i] / total;
      const double deviation = std::sqrt(expected * (1 - expected) / kDraws);
      RC_ASSERT(std::abs(shares[i] - expected) <= 7 * deviation + 6.0 / kDraws);
      if (weights[i] == 0) {
        RC_ASSERT(shares[i] == 0.0);
      }
    }
  }));
}

}  // namespace
}  // namespace reissue::simulate
