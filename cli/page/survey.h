#pragma once
// The page of an audit without a policy: what files of anybody tell by themselves.

#include <string>

#include "cli/page/blocks.h"
#include "reissue/engine/survey.h"

namespace reissue::cli::page {

// Made from the files alone. `created`: when.
Page PageOf(const engine::SurveyReport& report, bool for_holder, const std::string& created);

}  // namespace reissue::cli::page
