#pragma once
// A counted table in few bytes, for as long as nobody looks at its rows: codes in as many bits as
// their columns need.

#include <cstdint>
#include <vector>

#include "reissue/core/table.h"

namespace reissue::binding {

class FoldedTable {
 public:
  FoldedTable() = default;
  // Takes the rows out of the table, which keeps its columns, with their dictionaries. Where the
  // rows stand in the source is forgotten. Only of counted tables.
  explicit FoldedTable(Table& table);
  // The table again, with its rows.
  Table Unfold(const Table& columns) &&;

 private:
  std::size_t words_ = 0;  // per row
  std::vector<std::uint64_t> codes_;
  std::vector<std::uint32_t> weights_;  // those that fit; the others are
  std::vector<std::uint64_t> large_weights_;
  std::string file_;
};

}  // namespace reissue::binding
