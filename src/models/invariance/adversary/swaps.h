#pragma once
// Worlds that are near the truth: people exchange two values, and no group changes. They prove that
// a value is possible where there are too many people to try everything. Internal to the adversary.

#include <cstdint>
#include <vector>

#include "reissue/models/invariance/adversary/webs.h"

namespace reissue::models::invariance {

struct SwapLimits {
  std::size_t enough = 2;        // values per person are wanted, and no more are looked for
  std::uint64_t nodes = 10'000;  // of searches, where groups form no network
};

// Values that somebody has in some world, the true one first; per person. People are the arcs of a
// network, and who is on a cycle of it can exchange two values. Exact for two values where the
// groups are one per release and nobody returned, and for two releases. Elsewhere one release at a
// time is set against all others, and whoever is left is searched for among those around them.
std::vector<std::vector<Value>> SwappedValues(const Web& web, const SwapLimits& limits);

}  // namespace reissue::models::invariance
