#pragma once
// What a release is still worth to its readers; the same for all models.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/metrics/worth.h"

namespace reissue::cli {

// Begins with an empty line.
std::string WorthText(const metrics::Worth& worth, const Style& style);
void AddWorth(const metrics::Worth& worth, Json& json);

}  // namespace reissue::cli
