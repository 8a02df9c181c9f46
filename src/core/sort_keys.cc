#include "reissue/core/sort_keys.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

namespace reissue {
namespace {

constexpr std::size_t kRanges = 64;

using Borders =
    std::array<std::uint32_t, kRanges + 1>;  // where ranges begin, and the last one ends

// First words travel with their numbers: most comparisons look at nothing else.
void SortRange(const std::vector<std::uint64_t>& keys, std::size_t words,
               std::span<std::uint32_t> numbers) {
  struct Numbered {
    std::uint64_t first;
    std::uint32_t number;
  };
  std::vector<Numbered> sorted;
  sorted.reserve(numbers.size());
  for (const std::uint32_t number : numbers) sorted.push_back({keys[number * words], number});
  std::ranges::sort(sorted, [&](const Numbered& a, const Numbered& b) {
    if (a.first != b.first) return a.first < b.first;
    const std::uint64_t *x = keys.data() + a.number * words, *y = keys.data() + b.number * words;
    return std::lexicographical_compare(x + 1, x + words, y + 1, y + words);
  });
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = sorted[i].number;
}

// First words that divide the keys into ranges of about the same size, if a sample does not
// deceive.
std::vector<std::uint64_t> Dividing(const std::vector<std::uint64_t>& keys, std::size_t words,
                                    std::size_t size) {
  constexpr std::size_t kSample = 4096;
  std::vector<std::uint64_t> sample, dividing;
  for (std::size_t i = 0; i < kSample; ++i) sample.push_back(keys[size / kSample * i * words]);
  std::sort(sample.begin(), sample.end());
  for (std::size_t r = 1; r < kRanges; ++r) dividing.push_back(sample[kSample * r / kRanges]);
  return dividing;
}

// Deals the numbers to their ranges, block by block: each has its own stretch of every range.
Borders Deal(const std::vector<std::uint64_t>& keys, std::size_t words,
             std::vector<std::uint32_t>& numbers, ThreadPool& pool) {
  constexpr std::size_t kAtOnce = 1 << 14;
  const std::size_t size = numbers.size(), blocks = (size + kAtOnce - 1) / kAtOnce;
  const std::vector<std::uint64_t> dividing = Dividing(keys, words, size);
  std::vector<std::uint8_t> range_of(size);
  std::vector<std::array<std::uint32_t, kRanges>> next(blocks);
  pool.Run(blocks, [&](std::size_t block) {
    const std::size_t end = std::min(size, (block + 1) * kAtOnce);
    for (std::size_t i = block * kAtOnce; i < end; ++i) {
      const auto at = std::upper_bound(dividing.begin(), dividing.end(), keys[i * words]);
      range_of[i] = static_cast<std::uint8_t>(at - dividing.begin());
      ++next[block][range_of[i]];
    }
  });
  Borders begin{};
  for (std::size_t range = 0; range < kRanges; ++range) {
    begin[range + 1] = begin[range];
    for (auto& dealt : next) begin[range + 1] += std::exchange(dealt[range], begin[range + 1]);
  }
  pool.Run(blocks, [&](std::size_t block) {
    const std::size_t end = std::min(size, (block + 1) * kAtOnce);
    for (std::size_t i = block * kAtOnce; i < end; ++i) {
      numbers[next[block][range_of[i]]++] = static_cast<std::uint32_t>(i);
    }
  });
  return begin;
}

}  // namespace

std::vector<std::uint32_t> SortedNumbers(const std::vector<std::uint64_t>& keys, std::size_t words,
                                         std::size_t size, ThreadPool& pool) {
  constexpr std::size_t kWorthIt = 1 << 14;
  std::vector<std::uint32_t> numbers(size);
  if (size < kWorthIt || words == 0) {
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::sort(numbers.begin(), numbers.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t *x = keys.data() + a * words, *y = keys.data() + b * words;
      return std::lexicographical_compare(x, x + words, y, y + words);
    });
    return numbers;
  }
  const Borders begin = Deal(keys, words, numbers, pool);
  pool.Run(kRanges, [&](std::size_t range) {
    SortRange(keys, words, {numbers.data() + begin[range], begin[range + 1] - begin[range]});
  });
  return numbers;
}

}  // namespace reissue
