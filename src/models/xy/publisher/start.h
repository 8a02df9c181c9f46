#pragma once
// Where descents begin: with everything at the root, where that keeps all promises. It may not
// although something finer does: a column in Y of one requirement and in X of another is
// generalised, and has a single value at the root; and where X or Y is of several tables,
// specialising may mend what was broken (README). Internal to the publisher.

#include <cstddef>
#include <optional>
#include <vector>

#include "reissue/core/progress.h"
#include "reissue/models/xy/publisher/descent.h"

namespace reissue::models::xy::internal {

// A requirement that breaks with everything at the root.
struct BrokenRequirement {
  std::size_t requirement = 0;
  Measure measure;
  bool hopeless = false;  // it does in every release
};
// The first that is hopeless, else the first; nothing where all are kept.
std::optional<BrokenRequirement> BrokenAtTheRoot(const Start& start);

struct Way {
  std::optional<std::vector<Spot>> steps;  // to a release that keeps all promises; nothing: none
  bool all_seen = false;                   // there is none
};
// A walk through all recodings, the step that mends most first, depth first; passes over what stays
// broken. Ends after a fixed number of combinations looked at.
Way FindWay(const Start& start, Progress& progress);

}  // namespace reissue::models::xy::internal
