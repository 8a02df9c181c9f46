#pragma once
// Which commands the studio starts. Pure functions, but for a look at what names lead to.

#include <string>
#include <vector>

#include "cli/studio/folder.h"
#include "reissue/core/result.h"

namespace reissue::cli::studio {

// The words of a command line that may be run in the folder, with `--format json` where it belongs.
// Errors (kUsage): no verb, a verb that is none of the studio's; a connection to a server, a
// library; paths that lead, or may lead, out of the folder.
Result<std::vector<std::string>> CommandOf(const std::vector<std::string>& arguments,
                                           const Folder& folder);

// The command to copy into a terminal: in quotes where a shell needs them.
std::string CommandText(const std::vector<std::string>& arguments);

}  // namespace reissue::cli::studio
