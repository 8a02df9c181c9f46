#pragma once
// What a release of a changing table costs: counterfeits, and how well COUNT queries are answered.

#include <cstdint>
#include <string>

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/metrics/worth.h"
#include "reissue/models/invariance/service/promise.h"

namespace reissue::models::invariance::service {

struct Metrics {
  std::uint64_t m = 0, e = 0;  // promised
  std::string form;
  std::uint64_t people = 0, rows = 0;  // of the table, of the release
  std::uint64_t groups = 0, least_values = 0;
  metrics::Worth worth;
};

// The table is the one that the release was made from: its rows beyond are counterfeits. Errors:
// more people than rows, a label that stands for nothing.
Result<Metrics> MeasureRelease(const io::Policy& policy, const Promise& promise,
                               const contract::MeasureRequest& request, binding::Context& context);

}  // namespace reissue::models::invariance::service
