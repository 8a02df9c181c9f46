#pragma once
// What a release is still worth to its readers, whatever made it. docs/metrics.md explains each
// number. Plain values.

#include <cstddef>
#include <string>
#include <vector>

#include "reissue/metrics/information.h"
#include "reissue/metrics/queries.h"

namespace reissue::metrics {

struct Worth {
  std::vector<QueryError> queries;         // ranges per selectivity, then points
  std::vector<ColumnInformation> columns;  // quasi-identifiers, in policy order
  struct Pair {
    std::string first, second;  // columns
    double raw = 0, published = 0;
  };
  std::vector<Pair> pairs;  // Cramér's V
  double mean_difference = 0;
  std::size_t worst_pair = 0;
};

}  // namespace reissue::metrics
