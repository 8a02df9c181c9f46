#include "reissue/core/table_rows.h"

#include <utility>

namespace reissue {

std::vector<std::uint64_t> RowsPerValue(const Table& table, ColumnId id) {
  const Column& column = table[id];
  std::vector<std::uint64_t> rows(column.dictionary().size());
  const auto values = column.values();
  for (std::size_t row = 0; row < values.size(); ++row) {
    rows[values[row].index()] += table.weight(RowId(row));
  }
  return rows;
}

bool StandsBefore(const Table& table, RowId a, RowId b) {
  // Only counted tables are not in the order of the source.
  const std::vector<std::uint64_t>& lines = table.origin().lines;
  return lines.empty() ? a < b : lines[a.index()] < lines[b.index()];
}

Table WithColumn(const Table& table, Column column) {
  std::vector<Column> columns = table.columns();
  columns.push_back(std::move(column));
  return Table(std::move(columns), table.rows(), table.origin(), table.weights());
}

}  // namespace reissue
