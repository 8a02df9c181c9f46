#pragma once
// The audit of a series (model `bcf`): every pair of releases with F, C and B, the paper's formulas
// for more of them, and the exact adversary, whose word counts.

#include <cstdint>
#include <optional>
#include <vector>

#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/models/bcf/service/promise.h"
#include "reissue/models/bcf/service/report.h"
#include "reissue/models/bcf/service/series.h"

namespace reissue::models::bcf::service {

// The targets that somebody of the holder's table is: per birth the tuples of cells (from the birth
// on), sorted, releases from 0.
using RealTuples = std::vector<std::vector<std::vector<std::uint32_t>>>;

// How much is measured.
enum class Extent {
  kAll,
  // What is promised, and what certificates say. Pairs of releases that are both out and the
  // paper's formulas are left out, unless a promise is measured on what pairs leave: the verdict
  // rests on the exact adversary, who has all releases, either way.
  kCertified,
};

// Satisfied only where the exact adversary has proven that the promise is kept, each release alone
// keeps it too, and nothing is published that the policy hides. Without `real` every target counts,
// whatever the policy says: the files do not tell who is real. One release is audited as by model
// `k` and must come from a file.
Result<contract::AuditReport> AuditSeries(const BoundSeries& bound, const Promise& promise,
                                          binding::Context& context, std::size_t worst = 10,
                                          std::optional<RealTuples> real = std::nullopt,
                                          Extent extent = Extent::kAll);

}  // namespace reissue::models::bcf::service
