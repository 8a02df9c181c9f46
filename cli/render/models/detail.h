#pragma once
// What a recoded release costs in detail; shared by the views of models that recode columns.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/binding/detail.h"

namespace reissue::cli {

std::string DetailText(const binding::Detail& report, const Style& style);
Json DetailObject(const binding::Detail& report);

}  // namespace reissue::cli
