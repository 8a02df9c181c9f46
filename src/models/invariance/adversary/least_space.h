#pragma once
// The least equality of a bucket history by integer programs over the space of all balanced
// potentials, also where people returned. Internal to the adversary.

#include <cstdint>
#include <vector>

#include "reissue/models/invariance/adversary/history_graph.h"

namespace reissue::models::invariance {

struct SpaceAnswer {
  std::uint64_t lower = 1;               // nothing smaller exists; at most `below`
  std::vector<std::int64_t> potentials;  // per node, times `divisor`; empty: none below is known
  std::int64_t divisor = 1;
};

// Only sizes smaller than `below` matter. At most `steps` are taken (a program takes many); what is
// proven until then is returned.
SpaceAnswer LeastInHistory(const HistoryGraph& graph, std::uint64_t below, std::uint64_t steps);

}  // namespace reissue::models::invariance
