#pragma once
// The least whole vector of a space in which one coordinate is at least 1: linear relaxation by
// CLP, branch and bound. Vectors are checked in whole numbers; lower bounds are recomputed from the
// multipliers, whatever the solver says of them. Internal to the adversary.

#include <cstdint>
#include <optional>

#include "reissue/models/invariance/adversary/equality_space.h"

namespace reissue::models::invariance {

struct LeastVector {
  std::uint64_t lower = 0;           // no vector with this coordinate is smaller; at most `below`
  std::optional<WholeVector> found;  // smaller than `below`
};

// Only sizes smaller than `below` matter. Takes from `nodes` what it uses, for large programs
// several at a time; where they run out the lower bound is what was proven until then (one
// relaxation is always solved).
LeastVector LeastWith(const EqualitySpace& space, std::size_t coordinate, std::uint64_t below,
                      std::uint64_t& nodes);

}  // namespace reissue::models::invariance
