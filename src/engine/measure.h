#pragma once
// What a release costs in detail: binds a raw table and a release to metrics/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/context.h"
#include "reissue/io/policy.h"
#include "reissue/metrics/loss.h"

namespace reissue::engine {

struct MetricsReport {
  metrics::Loss loss;
  struct Spread {
    std::uint64_t values = 0;  // distinct raw values in the table
    std::uint64_t labels = 0;  // distinct labels in the release
  };
  std::vector<Spread> columns;  // as loss.attributes
  // How well the quasi-identifiers still predict a column; shares of wrong answers on test rows.
  struct Classification {
    std::string column;
    double baseline_error = 0;  // tree on the raw table
    double release_error = 0;   // tree on the release
    double majority_error = 0;  // always the most frequent value
    std::uint64_t train = 0, test = 0;
  };
  std::optional<Classification> classification;
};

// `class_column` may be empty: the policy's class, if any. `seed` chooses the test rows (a third).
Result<MetricsReport> MeasureRelease(const io::Policy& policy, const std::string& table,
                                     const std::string& release, const std::string& class_column,
                                     std::uint64_t seed, Context& context);

}  // namespace reissue::engine
