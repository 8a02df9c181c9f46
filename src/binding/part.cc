#include "reissue/binding/part.h"

#include <fmt/format.h>

#include <algorithm>

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

// Keys of other parts begin with these bytes, and no other key does, but for one in 2⁵⁶. What is
// left of them tells people apart who are there twice.
constexpr std::size_t kMarkBytes = 7;
constexpr std::uint8_t kMark = 0xff;

bool IsMarked(const sources::PersonKey& key) {
  return std::all_of(key.begin(), key.begin() + kMarkBytes,
                     [](std::uint8_t byte) { return byte == kMark; });
}

Error NobodyError(const std::string& path, std::uint64_t rows, const ledger::Division& division) {
  return InputError(
      {path, std::nullopt, std::nullopt, ""},
      fmt::format("none of the {} rows is of part {}/{}", rows, division.part(), division.parts()),
      "Divide the table into fewer parts.");
}

// The same order as before, so that what was canonical stays so.
Column OfCombinations(const Column& column, const std::vector<std::size_t>& rows) {
  std::vector<bool> occurs(column.dictionary().size(), false);
  for (const std::size_t row : rows) occurs[column[RowId(row)].index()] = true;
  DictionaryBuilder values;
  std::vector<ValueId> number(occurs.size(), ValueId::Invalid());
  for (std::size_t old = 0; old < occurs.size(); ++old) {
    if (occurs[old]) number[old] = values.Intern(column.dictionary()[ValueId(old)]);
  }
  std::vector<ValueId> kept;
  kept.reserve(rows.size());
  for (const std::size_t row : rows) kept.push_back(number[column[RowId(row)].index()]);
  return Column(column.name(), std::move(values).Build(), std::move(kept));
}

}  // namespace

sources::HashIdentifier MarkingOthers(sources::HashIdentifier hash, const Context& context) {
  if (context.division == nullptr) return hash;
  return [hash = std::move(hash), division = context.division](std::string_view identifier) {
    sources::PersonKey key = hash(identifier);
    if (!division->Has(identifier)) std::fill_n(key.begin(), kMarkBytes, kMark);
    return key;
  };
}

Status KeepPart(sources::Counted& counted, const std::string& path, Context& context) {
  context.passed_over = 0;
  if (context.division == nullptr) return Ok();
  const std::uint64_t all = counted.persons.size();
  std::erase_if(counted.persons,
                [](const sources::Person& person) { return IsMarked(person.key); });
  context.passed_over = all - counted.persons.size();
  if (counted.persons.empty()) return NobodyError(path, all, *context.division);
  const Table& table = counted.table;
  std::vector<std::uint64_t> people(table.rows(), 0);
  for (const sources::Person& person : counted.persons) ++people[person.row];
  std::vector<std::size_t> rows;
  std::vector<std::uint64_t> weights;
  std::vector<std::uint32_t> number(table.rows(), 0);
  Origin origin{table.origin().file, table.origin().first_line, {}};
  const bool lines = table.origin().first_line > 0 || !table.origin().lines.empty();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (people[row] == 0) continue;
    number[row] = static_cast<std::uint32_t>(rows.size());
    rows.push_back(row);
    weights.push_back(people[row]);
    // That of the first row with the combination, whosever it is.
    if (lines) origin.lines.push_back(table.PlaceOf(RowId(row), ColumnId(0)).line.value_or(0));
  }
  for (sources::Person& person : counted.persons) person.row = number[person.row];
  std::vector<Column> columns;
  for (const Column& column : table.columns()) columns.push_back(OfCombinations(column, rows));
  counted.table = Table(std::move(columns), rows.size(), std::move(origin), std::move(weights));
  return Ok();
}

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
  if (rows.empty()) return NobodyError(path, table.rows(), division);
  std::vector<Column> columns;
  for (const Column& column : table.columns()) columns.push_back(OfRows(column, rows));
  return Table(std::move(columns), rows.size(), std::move(origin));
}

}  // namespace reissue::binding
