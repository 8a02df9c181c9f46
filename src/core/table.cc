#include "reissue/core/table.h"

namespace reissue {

Column::Column(std::string name, std::shared_ptr<const Dictionary> dictionary,
               std::vector<ValueId> values)
    : name_(std::move(name)), dictionary_(std::move(dictionary)), values_(std::move(values)) {}

Table::Table(std::vector<Column> columns, std::size_t rows, Origin origin)
    : columns_(std::move(columns)), rows_(rows), origin_(std::move(origin)) {
  for (const Column& column : columns_) REISSUE_CHECK(column.values().size() == rows_);
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
  place.line =
      origin_.lines.empty() ? origin_.first_line + row.index() : origin_.lines[row.index()];
  place.column = columns_[column.index()].name();
  return place;
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
