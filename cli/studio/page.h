#pragma once
// The files of the page: in the program where it was built with them, or, for whoever works on the
// page, in a directory (REISSUE_STUDIO_PAGE).

#include <string>
#include <string_view>

#include "reissue/core/result.h"

namespace reissue::cli::studio {

// What the build has put in; empty where it had no page.
struct BuiltPage {
  std::string_view html, script, style;
};
BuiltPage PageOfTheBuild();

struct Page {
  std::string html, script, style;
};
// Errors: there is none, and how to get it.
Result<Page> LoadPage();

}  // namespace reissue::cli::studio
