#pragma once
// What a release of an evolving table costs: how much detail of the quasi-identifiers is lost, and
// how well people can be linked to their groups.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/metrics/worth.h"
#include "reissue/models/similarity/release/series.h"
#include "reissue/models/similarity/service/promise.h"

namespace reissue::models::similarity::service {

struct Metrics {
  similarity::Guarantee guarantee;     // promised
  std::uint64_t people = 0, rows = 0;  // of the table, of the release
  std::uint64_t groups = 0;
  similarity::Shape shape;                              // without j
  double penalty = 0;                                   // GCP; whoever is left out counts 1
  double penalty_share = 0;                             // of the most there can be
  std::optional<double> linkage;                        // RL, where the holder's copy was given
  std::vector<std::pair<std::string, double>> columns;  // mean penalty of each, of the rows shown
  std::optional<metrics::Worth> worth;                  // where the published file was given
};

// The table is the one that the release was made from. The release: the published file, or the
// holder's copy of it, which also tells who is in which group. Errors: more rows than people, a
// label that stands for nothing, somebody whom the table does not have.
Result<Metrics> MeasureEvolving(const io::Policy& policy, const Promise& promise,
                                const contract::MeasureRequest& request, binding::Context& context);

}  // namespace reissue::models::similarity::service
