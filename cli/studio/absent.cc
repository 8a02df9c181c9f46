// In place of the server where the program was built without the library that it needs.

#include "cli/studio/server.h"

namespace reissue::cli::studio {

Status Serve(const StudioOptions&, const std::function<Status(const std::string&)>&) {
  return UsageError(
      "this program was built without the studio",
      "Install libcpp-httplib-dev, and build again. All other verbs work without it.");
}

}  // namespace reissue::cli::studio
