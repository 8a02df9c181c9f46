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

// A series of tables.
struct UpdatesReport {
  std::vector<std::string> files;
  std::uint64_t rows = 0;      // of each
  std::uint64_t replaced = 0;  // from one to the next
  std::vector<std::string> columns;
  std::uint64_t seed = 0;
};

std::string ToText(const SimulationReport& report, const Style& style);
std::string ToJson(const SimulationReport& report);
std::string ToText(const UpdatesReport& report, const Style& style);
std::string ToJson(const UpdatesReport& report);

}  // namespace reissue::cli
