#pragma once
// Why columns are not finer, and the ways out.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/contract/reports.h"

namespace reissue::cli {

std::string WhyText(const contract::Why& why, const Style& style);
Json WhyObject(const contract::Why& why);

}  // namespace reissue::cli
