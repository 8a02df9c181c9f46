#pragma once
// What `simulate` has written, for people and for programs.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/style.h"

namespace reissue::cli {

struct SimulationReport {
  std::string file;
  std::uint64_t rows = 0;
  std::vector<std::string> columns;
  std::uint64_t seed = 0;
};

std::string ToText(const SimulationReport& report, const Style& style);
std::string ToJson(const SimulationReport& report);

}  // namespace reissue::cli
