#pragma once
// Sorts keys of several words on all threads of a pool.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reissue/core/parallel.h"

namespace reissue {

// The numbers of `size` keys, by key; key i is the words from i · words on. Where keys are the same
// (they have no words, or the caller has the same key twice), their order is not told. O(n log n).
std::vector<std::uint32_t> SortedNumbers(const std::vector<std::uint64_t>& keys, std::size_t words,
                                         std::size_t size, ThreadPool& pool);

}  // namespace reissue
