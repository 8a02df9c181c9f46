#include "reissue/binding/part.h"

#include <fmt/format.h>

#include "reissue/ledger/division.h"

namespace reissue::binding {
namespace {

// Values are numbered by their first appearance, as if the other rows had never been there.
Column OfRows(const Column& column, const std::vector<RowId>& rows) {
  DictionaryBuilder values;
  std::vector<ValueId> number(column.dictionary().size(), ValueId::Invalid());
  std::vector<ValueId> kept(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ValueId old = column[rows[i]];
    ValueId& now = number[old.index()];
    if (now == ValueId::Invalid()) now = values.Intern(column.dictionary()[old]);
    kept[i] = now;
  }
  return Column(column.name(), std::move(values).Build(), std::move(kept));
}

}  // namespace

Result<Table> RowsOfPart(Table table, ColumnId identifier, const std::string& path,
                         Context& context) {
  context.passed_over = 0;
  if (context.division == nullptr) return table;
  const ledger::Division& division = *context.division;
  const Column& who = table[identifier];
  std::vector<RowId> rows;
  Origin origin{table.origin().file, table.origin().first_line, {}};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!division.Has(who.text(RowId(i)))) continue;
    rows.push_back(RowId(i));
    origin.lines.push_back(table.PlaceOf(RowId(i), identifier).line.value_or(0));
  }
  context.passed_over = table.rows() - rows.size();
  if (rows.empty()) {
    return InputError({path, std::nullopt, std::nullopt, ""},
                      fmt::format("none of the {} rows is of part {}/{}", table.rows(),
                                  division.part(), division.parts()),
                      "Divide the table into fewer parts.");
  }
  std::vector<Column> columns;
  for (const Column& column : table.columns()) columns.push_back(OfRows(column, rows));
  return Table(std::move(columns), rows.size(), std::move(origin));
}

}  // namespace reissue::binding
