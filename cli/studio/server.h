#pragma once
// The studio: one page on loopback, for one person and one folder. Every request is a look at the
// folder, or a command of this program (docs/design/0015-look-instead-of-read.md).

#include <cstdint>
#include <functional>
#include <string>

#include "reissue/core/result.h"

namespace reissue::cli::studio {

struct StudioOptions {
  std::string directory = ".";
  std::uint64_t port = 0;    // 0: any that is free
  double idle_minutes = 60;  // without a request and without a job
  std::uint64_t max_upload = std::uint64_t{1} << 30;
};

// Serves until a signal comes (SIGINT, SIGTERM, SIGHUP) or nobody has asked for long, and ends its
// jobs. `announce` is given the address once it can be opened. Errors: no directory, no page, a
// port that is taken.
Status Serve(const StudioOptions& options,
             const std::function<Status(const std::string& address)>& announce);

}  // namespace reissue::cli::studio
