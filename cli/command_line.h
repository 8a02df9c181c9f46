#pragma once
// From words to an action: builds the tree of verbs, parses, and turns everything that is wrong
// with the words into a usage error with the nearest thing that exists.

#include <string>
#include <vector>

#include "cli/session.h"

namespace reissue::cli {

// Runs the program on its arguments (without its name); returns the exit status.
int RunProgram(const std::vector<std::string>& arguments, Session& session);

}  // namespace reissue::cli
