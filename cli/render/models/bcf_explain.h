#pragma once
// One person's view of a growing table.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/models/bcf/service/explain.h"

namespace reissue::cli {

// What the letters of attacks on two releases mean.
inline constexpr char kAttackLetters[] =
    "F: rows of the earlier release, for somebody who is in both. C: rows of the later one, for "
    "the same. B: rows of the later one, for somebody who was added.";

std::string PersonText(const models::bcf::service::PersonExplained& report, const Style& style);
Json PersonObject(const models::bcf::service::PersonExplained& report);

}  // namespace reissue::cli
