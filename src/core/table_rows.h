#pragma once
// Questions to the rows of a table, counted or not.

#include <cstdint>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/core/table.h"

namespace reissue {

// How many rows of the source have each value of the column's dictionary.
std::vector<std::uint64_t> RowsPerValue(const Table& table, ColumnId column);

// Whether a stands before b in the source, as far as that is known.
bool StandsBefore(const Table& table, RowId a, RowId b);

// The same rows with one more column, the last.
Table WithColumn(const Table& table, Column column);

}  // namespace reissue
