#pragma once
// Which values everybody may have: at most those that deduction leaves, at least those that some
// world gives them. Internal to the adversary.

#include <cstdint>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/models/invariance/adversary/attack.h"
#include "reissue/models/invariance/adversary/series_index.h"

namespace reissue::models::invariance {

struct PossibleValues {
  std::vector<std::vector<Value>> sets;  // ascending
  std::vector<SetId> at_most;            // a set per person; kNoSet: never there
  // Number of values that some world gives, per person; where more than m, m may stand.
  std::vector<std::uint32_t> at_least;
  Decided decided;
};

// Groups that all have the same values equally often need no look: permuting the values gives a
// world for each of them.
PossibleValues PossibleFor(const Series& series, const SeriesIndex& index,
                           const std::vector<Part>& parts, const AttackOptions& options,
                           ThreadPool& pool);

}  // namespace reissue::models::invariance
