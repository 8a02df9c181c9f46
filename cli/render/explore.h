#pragma once
// What was tried out, or foreseen, as a figure and as a table for other programs.

#include <string>

#include "reissue/contract/explore.h"

namespace reissue::cli {

// By the end of a file's name: .svg, .csv or .json.
std::string FileOf(const contract::ExploreReport& report, const std::string& path);
std::string FileOf(const contract::ForecastReport& report, const std::string& path);

}  // namespace reissue::cli
