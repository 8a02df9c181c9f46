#pragma once
// What a release costs in detail: binds a raw table and a release to metrics/.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/context.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

struct MetricsReport {
  std::uint64_t table_rows = 0, release_rows = 0, suppressed = 0, cells = 0, smallest = 0,
                largest = 0;
  double average_cell = 0, normalized_average_cell = 0;  // the latter: divided by k
  double discernibility = 0;           // normalised, 0 … 1
  double distortion_categorical = 0, distortion_numeric = 0;  // per record
  double gcp = 0;                      // 0 … 1
  double gcp_sum = 0;                  // as in the paper: sum over records and attributes
  double record_linkage = 0;           // expected correct links
  struct PerColumn {
    std::string column;
    double distortion = 0, ncp = 0;
    std::uint64_t labels = 0, values = 0;
  };
  std::vector<PerColumn> columns;
  struct Classification {
    std::string column;
    double baseline_error = 0;         // tree on the raw table
    double release_error = 0;          // tree on the release
    double majority_error = 0;         // no attributes at all
    std::uint64_t train = 0, test = 0;
  };
  std::optional<Classification> classification;
};

// `class_column` may be empty: the policy's class, if any.
Result<MetricsReport> MeasureRelease(const io::Policy& policy, const std::string& table,
                                     const std::string& release, const std::string& class_column,
                                     std::uint64_t seed, Context& context);

}  // namespace reissue::engine
