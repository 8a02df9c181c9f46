#pragma once
// One person's view of a growing table.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/models/bcf/service/explain.h"

namespace reissue::cli {

std::string PersonText(const models::bcf::service::PersonExplained& report, const Style& style);
Json PersonObject(const models::bcf::service::PersonExplained& report);

}  // namespace reissue::cli
