#pragma once
// What `explore` found, on a page.

#include "cli/page/section.h"
#include "cli/render/json.h"

namespace reissue::cli::page {

// `explored`: as `explore` writes it; whatever does not fit is passed over.
Section Frontier(const Json& explored);

}  // namespace reissue::cli::page
