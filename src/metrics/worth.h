#pragma once
// What a release is still worth to its readers, whatever made it: how well queries are answered.
// docs/metrics.md explains each number. Pure functions.

#include <cstdint>
#include <vector>

#include "reissue/metrics/coded.h"
#include "reissue/metrics/queries.h"

namespace reissue::metrics {

struct Worth {
  std::vector<QueryError> queries;  // ranges per selectivity, then points
};

}  // namespace reissue::metrics
