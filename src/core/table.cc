#include "reissue/core/table.h"

#include <numeric>

namespace reissue {

Column::Column(std::string name, std::shared_ptr<const Dictionary> dictionary,
               std::vector<ValueId> values)
    : name_(std::move(name)), dictionary_(std::move(dictionary)), values_(std::move(values)) {}

Table::Table(std::vector<Column> columns, std::size_t rows, Origin origin,
             std::vector<std::uint64_t> weights)
    : columns_(std::move(columns)),
      rows_(rows),
      origin_(std::move(origin)),
      weights_(std::move(weights)),
      total_(rows) {
  for (const Column& column : columns_) REISSUE_CHECK(column.values().size() == rows_);
  if (weights_.empty()) return;
  REISSUE_CHECK(weights_.size() == rows_);
  total_ = std::accumulate(weights_.begin(), weights_.end(), std::uint64_t{0});
}

std::optional<ColumnId> Table::Find(std::string_view name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name() == name) return ColumnId(i);
  }
  return std::nullopt;
}

Place Table::PlaceOf(RowId row, ColumnId column) const {
  Place place;
  place.file = origin_.file;
  if (!origin_.lines.empty()) {
    place.line = origin_.lines[row.index()];
  } else if (origin_.first_line > 0) {
    place.line = origin_.first_line + row.index();
  }
  place.column = columns_[column.index()].name();
  return place;
}

RowId Table::FirstWith(ColumnId column, ValueId value) const {
  RowId first = RowId::Invalid();
  const auto values = columns_[column.index()].values();
  const std::vector<std::uint64_t>& lines = origin_.lines;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] != value) continue;
    // Only counted tables are not in the order of the source.
    if (weights_.empty() || lines.empty()) return RowId(row);
    if (!first.valid() || lines[row] < lines[first.index()]) first = RowId(row);
  }
  return first;
}

Table MakeTable(const std::vector<std::string>& names,
                const std::vector<std::vector<std::string>>& rows) {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    DictionaryBuilder dictionary;
    std::vector<ValueId> values;
    values.reserve(rows.size());
    for (const auto& row : rows) values.push_back(dictionary.Intern(row.at(c)));
    columns.emplace_back(names[c], std::move(dictionary).Build(), std::move(values));
  }
  return Table(std::move(columns), rows.size());
}

}  // namespace reissue
