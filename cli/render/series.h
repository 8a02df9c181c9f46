#pragma once
// What an audit of a series found; parts of the audit's report.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/engine/audit.h"

namespace reissue::cli {

// Everything after the promises.
std::string SeriesText(const engine::AuditReport& report, const Style& style);

// Members of the audit's object.
Json AnonymityJson(const engine::SeriesAudit& series);
Json SeriesWorstJson(const engine::SeriesAudit& series);
void AddSeriesMembers(const engine::SeriesAudit& series, Json& json);

Json CellJson(const engine::LabelledCell& cell);

}  // namespace reissue::cli
