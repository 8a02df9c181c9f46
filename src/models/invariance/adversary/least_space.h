#pragma once
// The least equality of a bucket history by integer programs over the space of all balanced
// potentials, also where people returned. Internal to the adversary.

#include <cstdint>
#include <vector>

#include "reissue/models/invariance/adversary/equality_space.h"
#include "reissue/models/invariance/adversary/history_graph.h"

namespace reissue::models::invariance {

// What a linear program takes, in steps of other searches.
inline constexpr std::uint64_t kProgramSteps = 20;

// A column per edge and per form: how often each of its people stands on a side. Everybody is
// counted on both sides, since edges have no direction: all sizes are doubled.
struct HistorySpace {
  EqualitySpace space;
  FractionRows potentials;  // that make each vector of the basis; per node
};
HistorySpace SpaceOf(const HistoryGraph& graph);

// Combinations of the rows that are 0 in the first `zero` columns, as vectors of the next `columns`
// columns; returns what they are in the columns after that.
FractionRows TakeRows(FractionRows rows, std::size_t zero, std::size_t columns,
                      EqualitySpace& space);

struct SpaceAnswer {
  std::uint64_t lower = 1;               // nothing smaller exists; at most `below`
  std::vector<std::int64_t> potentials;  // per node, times `divisor`; empty: none below is known
  std::int64_t divisor = 1;
};

// Only sizes smaller than `below` matter. At most `steps` are taken (a program takes many); what is
// proven until then is returned.
SpaceAnswer LeastInHistory(const HistoryGraph& graph, std::uint64_t below, std::uint64_t steps);

}  // namespace reissue::models::invariance
