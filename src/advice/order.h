#pragma once
// In which order tables were made: by numbers, dates or months in their names, else by the latest
// date in a column, else as they were given. Pure functions.

#include <cstddef>
#include <string>
#include <vector>

#include "reissue/core/table.h"

namespace reissue::advice {

struct TableOrder {
  std::vector<std::size_t> order;  // positions in what was given, the earliest first
  std::string how;                 // "by the numbers in their names"
};

TableOrder OrderTables(const std::vector<std::string>& paths,
                       const std::vector<const Table*>& tables);

}  // namespace reissue::advice
