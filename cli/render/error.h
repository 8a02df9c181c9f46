#pragma once
// Errors for people and for programs.

#include <string>

#include "cli/style.h"
#include "reissue/core/result.h"

namespace reissue::cli {

// `reissue: <place>: <message>`, then the remedy on a line of its own.
std::string ToText(const Error& error, const Style& style);
// {"error": {"code", "message", "file", "line", "column", "remedy"}}; what is unknown is null.
std::string ToJson(const Error& error);

}  // namespace reissue::cli
