#pragma once
// Everybody who stands on a side of some equality of fewer than e people, where the matrix form is
// small enough: one integer program per person (or kind of people). Internal to the adversary.

#include <cstdint>
#include <vector>

#include "reissue/models/invariance/adversary/history_graph.h"
#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

struct Exposed {
  std::vector<char> who;  // per column, or person
  bool complete = true;
};

// Per edge of the stays, then per form of the returns.
Exposed ExposedInHistory(const HistoryGraph& graph, std::uint64_t e, std::uint64_t steps);

// Per person of `people` (ascending), who are all that are in the groups.
Exposed ExposedAmong(const std::vector<PublishedGroup>& groups, const std::vector<Person>& people,
                     std::uint64_t e, std::uint64_t steps);

}  // namespace reissue::models::invariance
