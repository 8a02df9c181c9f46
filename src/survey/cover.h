#pragma once
// The point of a box that other boxes cover least. All boxes are products of sets of atoms.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/labels/atoms.h"
#include "reissue/survey/published.h"

namespace reissue::survey {

// A set of atoms per column.
using Box = std::vector<labels::AtomSet>;
Box BoxOf(const Columns& columns, std::span<const std::uint32_t> key);

struct Cover {
  std::span<const std::uint32_t> key;  // labels of a cell
  std::uint64_t weight = 1;
};

// The least sum of weights of covers that a point of the box lies in. Exact, unless `steps` (which
// are used up) do not suffice; then a lower and an upper bound. Stops early where the sum is at
// most `enough`: then only the upper bound counts.
//
// Branches over the atoms of one column that the covers tell apart, without those whose covers
// contain the covers of others: no point there is covered less.
FromTo LeastCovered(const Columns& columns, const Box& box, std::span<const Cover> covers,
                    std::uint64_t& steps, std::uint64_t enough = 0);

}  // namespace reissue::survey
