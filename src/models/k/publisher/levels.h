#pragma once
// Recodings by levels: one depth per column, whose nodes (and the leaves above it) are published.
// There are few of them, so the cheapest can be found, and a descent from it goes where one from
// the root does not. Internal to the publisher.

#include <cstdint>
#include <optional>

#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

struct Levels {
  std::optional<Recoding> best;  // nothing: none was found
  double cost = 0;               // of the best, but for rounding
  bool all_seen = false;         // none is cheaper; false where the limit was reached
  std::uint64_t work = 0;        // tuple visits
};

// The cheapest recoding by levels that costs less than `below`, the first of equals. Goes from
// column to column and joins cells on the way; passes over what leaves out too much or costs too
// much whatever the other columns do. Stops after `work_limit` tuple visits.
Levels SearchLevels(const Problem& problem, double below, std::uint64_t work_limit);

// Whether it may be asked: k is promised and nothing else, the score is not kClass, and the
// combinations of leaves can be numbered.
bool CanSearchLevels(const Problem& problem);

}  // namespace reissue::models::k::internal
