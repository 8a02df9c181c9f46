#pragma once
// What the columns of files without a policy are taken for.

#include <string>
#include <vector>

#include "cli/style.h"
#include "reissue/engine/survey.h"

namespace reissue::cli {

// "7 labels (numbers, ranges)".
std::string LabelsInWords(const engine::SurveyReport::Column& column);
// What a reader of the table should know, a line each.
std::vector<std::string> ColumnNotes(const engine::SurveyReport& report);

std::string ColumnsText(const engine::SurveyReport& report, const Style& style);

}  // namespace reissue::cli
