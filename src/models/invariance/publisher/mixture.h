#pragma once
// The mixture of signatures that makes up given numbers of newcomers: a linear program over the
// signatures that exist, with new ones generated as they are needed.

#include <cstdint>
#include <utility>
#include <vector>

#include "reissue/models/invariance/publisher/unplaced_newcomers.h"

namespace reissue::models::invariance::internal {

struct Mixture {
  std::vector<std::uint64_t> existing;                                     // layers
  std::vector<std::pair<std::vector<std::uint32_t>, std::uint64_t>> made;  // signature, layers
};

// Whole layers below the best fractional mixture: it uses no more counterfeits than the rest needs,
// and new signatures for as few rows as possible. What it leaves over needs no more counterfeits
// either. Nothing where the program would be too large.
Mixture BestMixture(const UnplacedNewcomers& rest,
                    const std::vector<const std::vector<std::uint32_t>*>& existing);

}  // namespace reissue::models::invariance::internal
