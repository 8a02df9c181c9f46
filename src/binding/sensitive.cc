#include "reissue/binding/sensitive.h"

#include <algorithm>

#include "reissue/core/table_rows.h"

namespace reissue::binding {
namespace {

// Appends a column that stands for several, or for one of numbers, to the table.
Table WithStandIn(const Table& table, const std::vector<ColumnId>& parts,
                  const std::vector<bool>& numeric, std::shared_ptr<const Dictionary>& texts) {
  std::vector<std::vector<std::string>> text_of_value(parts.size());
  std::string name;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Column& column = table[parts[p]];
    name += (name.empty() ? "" : " / ") + column.name();
    for (const std::string_view text : column.dictionary().strings()) {
      text_of_value[p].push_back(numeric[p] ? CanonicalNumber(text) : std::string(text));
    }
  }
  DictionaryBuilder dictionary;
  std::vector<ValueId> values;
  values.reserve(table.rows());
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text.clear();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (p > 0) text += " / ";
      text += text_of_value[p][table[parts[p]][RowId(row)].index()];
    }
    values.push_back(dictionary.Intern(text));
  }
  texts = std::move(dictionary).Build();
  return WithColumn(table, Column(name, texts, std::move(values)));
}

}  // namespace

Sensitive BindSensitive(Table& table, std::vector<ColumnId> columns,
                        const std::vector<std::string>& numeric_names) {
  Sensitive sensitive;
  sensitive.columns = std::move(columns);
  std::vector<bool> numeric;
  for (const ColumnId id : sensitive.columns) {
    numeric.push_back(std::count(numeric_names.begin(), numeric_names.end(), table[id].name()) > 0);
  }
  if (sensitive.columns.empty()) {
    DictionaryBuilder none;
    none.Intern("");
    sensitive.values = std::move(none).Build();
  } else if (sensitive.columns.size() == 1 && !numeric[0]) {
    sensitive.column = sensitive.columns[0];
    sensitive.values = table[*sensitive.column].shared_dictionary();
  } else {
    sensitive.column = ColumnId(table.width());
    table = WithStandIn(table, sensitive.columns, numeric, sensitive.values);
  }
  return sensitive;
}

}  // namespace reissue::binding
