#pragma once
// What time it is, for what is recorded. The engine never asks a clock itself.

#include <string>

#include "reissue/core/result.h"

namespace reissue::cli {

// Now in UTC as ISO 8601 (2024-05-01T12:00:00Z), or the time that SOURCE_DATE_EPOCH says.
Result<std::string> TimeStamp();

}  // namespace reissue::cli
