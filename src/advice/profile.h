#pragma once
// What can be seen of a column without knowing what it means. Pure functions.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/table.h"

namespace reissue::advice {

struct Profile {
  std::string name;
  std::uint64_t rows = 0;             // of all tables that have the column
  std::uint64_t empty = 0;            // fields without a text
  std::uint64_t marked = 0;           // fields that say that a value is missing: `?`, `NA`, …
  std::uint64_t starred = 0;          // fields that are `*`
  std::vector<std::string> marks;     // which marks there are, sorted
  std::vector<std::string> values;    // distinct, sorted: neither empty nor a mark nor `*`
  std::vector<std::uint64_t> counts;  // rows with each
  bool once = true;                   // in no table does a value stand twice
  std::uint64_t most = 0;             // rows of the most frequent value in any one table
  double entropy = 0;                 // bits, of the values
  bool numeric = false;               // all values are numbers, and
  bool whole = false;                 // whole ones
  double low = 0, high = 0;

  std::uint64_t present() const { return rows - empty - marked - starred; }
  double share(std::uint64_t part) const {
    return rows == 0 ? 0 : static_cast<double>(part) / static_cast<double>(rows);
  }
  // The values as numbers, sorted, one for each row, or for each of a part of the rows where there
  // are very many. The column is numeric.
  std::vector<double> Numbers() const;
};

// Over the columns of this name in several tables.
Profile ProfileOf(std::span<const Column* const> columns);

}  // namespace reissue::advice
