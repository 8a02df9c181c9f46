#pragma once
// A bucket history as a graph: a node per moment, node 0 for "still there", an edge per person with
// one stay, and a sum of potentials per person who came back. Internal to the adversary.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reissue/models/invariance/adversary/cuts.h"
#include "reissue/models/invariance/adversary/history.h"

namespace reissue::models::invariance {

// People who stand on a side as often as Σ coefficient · potential says.
struct Form {
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;  // node, coefficient ≠ 0; ascending
  std::uint64_t people = 0;
};

struct HistoryGraph {
  std::vector<Moment> moments;  // per node, ascending; empty once nodes are merged
  CutGraph stays;               // the balance is that of everybody, also of those who came back
  std::vector<Form> returns;    // none without terms
};

HistoryGraph GraphOf(const History& history);

// Moments with the same number of `node` become one.
HistoryGraph Merge(const HistoryGraph& graph, const std::vector<std::uint32_t>& node,
                   std::uint32_t nodes);

// Σ over everybody of how often they stand on a side: twice the size, where balanced.
std::uint64_t CostOf(const HistoryGraph& graph, std::span<const std::int64_t> potentials);
bool Balanced(const HistoryGraph& graph, std::span<const std::int64_t> potentials);

// An equality of cost at most `limit`: exact unless `complete` is false (beyond the steps; or
// people who came back are all that connects some moments).
struct EqualitySearch {
  std::optional<std::vector<std::int64_t>> potentials;  // per node, where one was found
  bool complete = true;
};
EqualitySearch FindEquality(const HistoryGraph& graph, std::uint64_t limit, std::uint64_t steps);

}  // namespace reissue::models::invariance
