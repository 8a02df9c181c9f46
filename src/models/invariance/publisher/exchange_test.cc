#include "reissue/models/invariance/publisher/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/models/invariance/publisher/assign.h"

namespace reissue::models::invariance::internal {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> LayersOf(const std::vector<Target>& targets) {
  std::vector<std::uint64_t> layers;
  for (const Target& target : targets) layers.push_back(target.layers);
  return layers;
}

// The second bucket has a layer; so many of it must stay.
std::vector<Target> Buckets(std::uint64_t least) {
  return {
      {{0, 2}, 0, 0, {}}, {{0, 4, 5}, 1, least, {}}, {{1, 4, 5}, 0, 0, {}}, {{3, 4, 5}, 0, 0, {}}};
}

// A layer of the first bucket takes a 0, and there is none; the second gives one if its layer
// becomes one of the third (a 1 goes) or of the fourth (a 3 goes). Six rows are needed as long as
// there are three 1s, so only the third will do.
TEST(Exchange, TakesTheMostFrequentValue) {
  std::vector<Target> targets = Buckets(0);
  UnplacedNewcomers rest({0, 3, 1, 1, 0, 0}, 2);
  ASSERT_EQ(rest.Need(), 6u);
  const Exchange::Allowed always = [](std::size_t, std::uint64_t) { return true; };
  Exchange(6, always, targets).Run(rest);
  EXPECT_THAT(LayersOf(targets), ElementsAre(1, 0, 1, 0));
  EXPECT_EQ(rest[1], 2u);
  EXPECT_EQ(rest[3], 1u);
  EXPECT_EQ(rest.Need(), 4u);
}

TEST(Exchange, LeavesWhatMustStay) {
  std::vector<Target> targets = Buckets(1);
  UnplacedNewcomers rest({0, 3, 1, 1, 0, 0}, 2);
  const Exchange::Allowed always = [](std::size_t, std::uint64_t) { return true; };
  Exchange(6, always, targets).Run(rest);
  EXPECT_THAT(LayersOf(targets), ElementsAre(0, 1, 0, 0));
  EXPECT_EQ(rest.total(), 5u);
}

}  // namespace
}  // namespace reissue::models::invariance::internal
