#pragma once
// Attacks a release as its readers could, and says what they find.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/contract/reports.h"
#include "reissue/core/dictionary.h"
#include "reissue/core/result.h"
#include "reissue/models/k/adversary/attack.h"
#include "reissue/models/k/service/promise.h"
#include "reissue/models/k/service/report.h"

namespace reissue::models::k::service {

// With CellFindings. Satisfied only where every promise is kept and nothing is published that the
// policy hides.
Result<contract::AuditReport> AuditRelease(const binding::ReleaseTable& release,
                                           const binding::ReleaseColumns& columns,
                                           const Promise& promise, const std::string& file,
                                           binding::Context& context, std::size_t worst);

// The largest share of each sensitive value in a cell.
std::vector<double> LargestShares(const PublishedCells& published);
// One line per promised bound on the confidence in sensitive values, each with what it bounds, from
// such shares.
void AddConfidence(const Promise& promise, std::vector<double> shares, const Dictionary& values,
                   contract::AuditReport& audit);

}  // namespace reissue::models::k::service
