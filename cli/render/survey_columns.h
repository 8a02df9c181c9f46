#pragma once
// What the columns of files without a policy are taken for.

#include <string>

#include "cli/style.h"
#include "reissue/engine/survey.h"

namespace reissue::cli {

std::string ColumnsText(const engine::SurveyReport& report, const Style& style);

}  // namespace reissue::cli
