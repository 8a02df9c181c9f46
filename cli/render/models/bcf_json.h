#pragma once
// What is found out about a growing table, for programs.

#include "cli/render/json.h"
#include "reissue/models/bcf/service/report.h"

namespace reissue::cli {

Json AnonymityJson(const models::bcf::service::SeriesFindings& series);
Json SeriesWorstJson(const models::bcf::service::SeriesFindings& series);
// Everything else that only this model has to say.
void AddSeriesMembers(const models::bcf::service::SeriesFindings& series, Json& json);

}  // namespace reissue::cli
