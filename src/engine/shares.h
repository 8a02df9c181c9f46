#pragma once
// Bounds on the confidence in sensitive values, as audits of all models report them.

#include <vector>

#include "reissue/core/dictionary.h"
#include "reissue/engine/audit.h"
#include "reissue/models/k/adversary/attack.h"

namespace reissue::engine {

// The largest share of each sensitive value in a cell.
std::vector<double> LargestShares(const models::k::PublishedCells& published);
// One line per promised bound, each with what it bounds, from such shares.
void AddConfidence(const Promise& promise, std::vector<double> shares, const Dictionary& values,
                   AuditReport& audit);

}  // namespace reissue::engine
