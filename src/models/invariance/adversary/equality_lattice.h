#pragma once
// The whole vectors of a space as a lattice: short ones by reduction, and how short they can be
// (fplll). Internal to the adversary.

#include <cstdint>
#include <optional>

#include "reissue/models/invariance/adversary/equality_space.h"

namespace reissue::models::invariance {

// The smallest among the vectors of a reduced basis and the sums and differences of two of them.
// Not necessarily the smallest of all. The space must not be empty.
WholeVector ShortVector(const EqualitySpace& space);

// No vector has fewer people on a side. A vector with e people on either side is at most √2·e long,
// people counted as often as they stand there; the shortest vector is found by enumeration, proven.
// 1 where that fails. Exponential in the dimension.
std::uint64_t LengthBound(const EqualitySpace& space);

}  // namespace reissue::models::invariance
