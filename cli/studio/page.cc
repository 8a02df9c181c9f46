#include "cli/studio/page.h"

#include <cstdlib>

#include "reissue/io/file_system.h"

namespace reissue::cli::studio {
namespace {

Result<std::string> FileOfPage(const std::string& path) {
  const std::unique_ptr<io::Bytes> bytes = REISSUE_TRY(io::SystemFiles().Read(path));
  return std::string(bytes->view());
}

}  // namespace

Result<Page> LoadPage() {
  Page page;
  const char* const directory = std::getenv("REISSUE_STUDIO_PAGE");
  if (directory != nullptr && *directory != '\0') {
    const std::string prefix = std::string(directory) + "/";
    page.html = REISSUE_TRY(FileOfPage(prefix + "index.html"));
    page.script = REISSUE_TRY(FileOfPage(prefix + "app.js"));
    page.style = REISSUE_TRY(FileOfPage(prefix + "app.css"));
    return page;
  }
  const BuiltPage built = PageOfTheBuild();
  if (built.html.empty()) {
    return UsageError("this program was built without the page of the studio",
                      "Install npm, and build again: `scripts/setup`, then `scripts/build`. All "
                      "other verbs work without it.");
  }
  page.html = built.html;
  page.script = built.script;
  page.style = built.style;
  return page;
}

}  // namespace reissue::cli::studio
