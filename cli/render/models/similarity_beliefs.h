#pragma once
// What readers of an evolving table believe, for people and programs: audits, and what a
// publication says of the reader of its promise.

#include <string>
#include <vector>

#include "cli/render/json.h"
#include "cli/render/promises.h"
#include "cli/render/views.h"
#include "cli/style.h"
#include "reissue/contract/reports.h"
#include "reissue/models/similarity/service/report.h"

namespace reissue::cli {

std::vector<Meaning> BeliefWords();

std::string SimilarityText(const contract::AuditReport& report, const Style& style);
Told TellSimilarity(const contract::AuditReport& report);
Json SimilarityObject(const contract::AuditReport& report);

// How sure she is at the most. Certain: somebody's value is no secret any more, whatever the groups
// keep.
std::string StrongestText(const models::similarity::service::ReaderFindings& reader);
// Groups that were too large for `exact`; groups in which a reader has nothing to believe.
std::string ApproximatedText(const models::similarity::service::SimilarityFindings& found);
std::string UnsettledText(const models::similarity::service::SimilarityFindings& found);

// Without what is left of rounding.
Json MeasuredJson(double number);

}  // namespace reissue::cli
