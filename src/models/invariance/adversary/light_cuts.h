#pragma once
// All that light balanced cuts of a graph of any size tell: which edges some of them crosses, and
// the lightest. Internal to the adversary; no state, safe from any thread.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reissue/models/invariance/adversary/cuts.h"

namespace reissue::models::invariance {

// Graphs and blocks up to this are searched for all cuts.
inline constexpr std::uint32_t kSearchedNodes = 60;

struct LightCuts {
  std::vector<char> crossed;  // per edge: by a balanced cut of at most the limit
  // The lightest balanced cut that was found: its weight and one side of it.
  std::optional<std::pair<std::uint64_t, std::vector<std::uint32_t>>> least;
  bool complete = true;  // nothing was missed
};

// Balanced cuts of at most `limit`. The balance of a node is what leaves it less what enters it,
// for some direction of the edges, so a set that is not balanced costs at least the step of the
// balances, and a union of such sets twice that: from there on not all is found. Nodes that no such
// cut separates from the node of largest degree of their component are set apart first, each by a
// maximum flow that ends nearby; what remains falls into blocks, usually small. Large blocks are
// looked at only for cuts lighter than every set that is not balanced.
LightCuts FindLightCuts(const CutGraph& graph, std::uint64_t limit, std::uint64_t steps);

}  // namespace reissue::models::invariance
