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
  std::uint64_t changed = 0;   // of those who stay
  std::vector<std::string> columns;
  std::uint64_t seed = 0;
};

// Tables of people whose values change, with what is known of them.
struct EvolvingReport {
  std::vector<std::string> tables, others;  // files
  std::vector<std::uint64_t> rows;          // per table
  std::uint64_t persons = 0;                // in all tables together
  std::uint64_t seed = 0;
};

std::string ToText(const SimulationReport& report, const Style& style);
std::string ToJson(const SimulationReport& report);
std::string ToText(const UpdatesReport& report, const Style& style);
std::string ToJson(const UpdatesReport& report);
std::string ToText(const EvolvingReport& report, const Style& style);
std::string ToJson(const EvolvingReport& report);

}  // namespace reissue::cli
