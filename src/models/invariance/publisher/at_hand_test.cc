#include "reissue/models/invariance/publisher/at_hand.h"

#include <gtest/gtest.h>

#include <map>

#include "reissue/core/random.h"

namespace reissue::models::invariance::internal {
namespace {

// Of few questions and of far more than it has room for, which push each other out.
TEST(AtHandTest, SaysWhatWasFoundAndAsksSeldom) {
  for (const std::uint64_t most : {3u, 12u, 60u}) {
    Random random = Random::Seeded(most);
    AtHand at_hand;
    std::map<AtHand::Numbers, std::uint32_t> found;
    std::size_t asked = 0;
    for (int i = 0; i < 50'000; ++i) {
      AtHand::Numbers numbers;
      for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random.Below(most));
      const auto answer = static_cast<std::uint32_t>(found.size());
      const std::uint32_t expected = found.emplace(numbers, answer).first->second;
      ASSERT_EQ(at_hand.Of(numbers,
                           [&] {
                             ++asked;
                             return expected;
                           }),
                expected);
    }
    EXPECT_GE(asked, found.size());
    if (most == 3) {
      EXPECT_EQ(asked, found.size());
    }
  }
}

}  // namespace
}  // namespace reissue::models::invariance::internal
