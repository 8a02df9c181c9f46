#include "reissue/core/sort_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "reissue/core/random.h"

namespace reissue {
namespace {

// Distinct keys of two words, of which few first words are different.
std::vector<std::uint64_t> Keys(std::size_t size, std::uint64_t first_words, Random& random) {
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < size; ++i) {
    keys.push_back(random.Below(first_words));
    keys.push_back(random.Next() << 20 | i);
  }
  return keys;
}

TEST(SortedNumbers, AreThoseOfTheSortedKeys) {
  Random random = Random::Seeded(3);
  for (const std::size_t size : {0u, 1u, 100u, (1u << 14) - 1, 1u << 14, 50'001u}) {
    for (const std::uint64_t first_words : {1u, 3u, 1u << 30}) {
      const std::vector<std::uint64_t> keys = Keys(size, first_words, random);
      const auto key = [&](std::uint32_t i) {
        return std::array{keys[i * std::size_t{2}], keys[i * std::size_t{2} + 1]};
      };
      std::vector<std::uint32_t> expected(size);
      std::iota(expected.begin(), expected.end(), 0u);
      std::ranges::sort(expected, {}, key);
      for (const std::size_t threads : {1u, 3u}) {
        ThreadPool pool(threads);
        ASSERT_EQ(SortedNumbers(keys, 2, size, pool), expected) << size << ", " << first_words;
      }
    }
  }
}

TEST(SortedNumbers, OfKeysWithoutWordsAreAllOfThem) {
  ThreadPool pool(1);
  EXPECT_THAT(SortedNumbers({}, 0, 2, pool), ::testing::UnorderedElementsAre(0u, 1u));
}

}  // namespace
}  // namespace reissue
