#pragma once
// Splits the rows of one bucket into fine partitions, each with every value once, so that the
// quasi-identifiers of a partition are as alike as possible (the last phase of m-invariance, Xiao
// and Tao, SIGMOD 2007).

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

// `coordinates`: rows × columns, each column scaled so that its whole range is 1. `values`: per
// row; every value equally often. Returns the partition (0, 1, …) of each row. Rows are halved
// again and again, each value at its median along the column where the two halves are narrowest.
// O(rows · columns · log² rows).
std::vector<std::uint32_t> Split(std::span<const double> coordinates, std::size_t columns,
                                 std::span<const Value> values);

}  // namespace reissue::models::invariance
