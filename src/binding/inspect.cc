#include "reissue/binding/inspect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/binding/rows.h"
#include "reissue/binding/words.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::binding {
namespace {

constexpr std::size_t kLinesShown = 5;

// What may have been meant by names that are not among the known ones.
std::string Meant(const std::vector<std::string>& names, const std::vector<std::string>& known,
                  std::string_view instead) {
  std::vector<std::string> pairs;
  for (const std::string& name : names) {
    const std::string nearest = io::Nearest(name, known);
    if (!nearest.empty()) pairs.push_back(fmt::format("\"{}\" {} \"{}\"", nearest, instead, name));
  }
  return pairs.empty() ? "" : fmt::format("Did you mean {}? ", Listed(pairs));
}

// The rows of a column that have something in common.
struct Found {
  std::uint64_t rows = 0, values = 0;
  std::vector<std::uint64_t> lines;  // the first ones

  // "3 rows (2 values)".
  std::string Counted() const {
    return fmt::format("{} ({} value{})", Rows(rows), values, values == 1 ? "" : "s");
  }
  // ": lines 4, 7 and 12 more"; nothing where rows have no lines.
  std::string Where() const {
    if (lines.empty()) return "";
    return fmt::format(": line{} {}{}", rows == 1 ? "" : "s", fmt::join(lines, ", "),
                       rows > lines.size() ? fmt::format(" and {} more", rows - lines.size()) : "");
  }
};

class TableInspection {
 public:
  TableInspection(const io::Policy& policy, const std::string& path, const TableReading& reading,
                  Context& context)
      : policy_(policy), path_(path), reading_(reading), context_(context) {}

  std::vector<Error> Run() {
    io::CsvOptions options = policy_.csv;
    for (const io::PolicyColumn& column : policy_.columns) {
      options.expected_columns.push_back(column.name);
      if (column.role == io::Role::kDrop) options.skip_columns.push_back(column.name);
    }
    count_missing_ = options.on_missing == io::OnMissing::kError;
    if (count_missing_) options.on_missing = io::OnMissing::kValue;
    options.digest = false;
    Result<io::CsvFile> file = ReadRows(path_, options, context_);
    if (!file) return {std::move(file).error()};
    problems_ = HeaderProblems(policy_, file->header, path_, reading_.all_columns,
                               HeaderLine(path_, context_));
    table_ = std::move(file->table);
    for (const io::PolicyColumn& column : policy_.columns) {
      const auto id = table_.Find(column.name);
      if (id && column.role != io::Role::kDrop) InspectColumn(column, *id);
    }
    return std::move(problems_);
  }

 private:
  using Test = std::function<bool(std::string_view)>;

  // Rows whose value passes the test. Missing ones are told apart.
  Found Find(ColumnId id, const Test& test, bool missing_too = false) const {
    const Column& column = table_[id];
    std::vector<char> passes(column.dictionary().size());
    for (std::size_t v = 0; v < passes.size(); ++v) {
      const std::string_view text = column.dictionary()[ValueId(v)];
      passes[v] = (missing_too || !IsMissing(text)) && test(text) ? 1 : 0;
    }
    Found found;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      char& state = passes[column[RowId(row)].index()];
      if (state == 0) continue;
      ++found.rows;
      if (state == 1) ++found.values;
      state = 2;  // counted
      AddLine(row, id, found);
    }
    return found;
  }

  // Where the table has lines, and not too many are known.
  void AddLine(std::size_t row, ColumnId id, Found& found) const {
    const auto line = table_.PlaceOf(RowId(row), id).line;
    if (line && found.lines.size() < kLinesShown) found.lines.push_back(*line);
  }

  bool IsMissing(std::string_view text) const {
    return count_missing_ && std::ranges::find(policy_.csv.missing_markers, text) !=
                                 policy_.csv.missing_markers.end();
  }

  void Tell(const Found& found, ColumnId id, std::string message, std::string remedy) {
    const auto line = found.lines.empty() ? std::nullopt : std::optional(found.lines.front());
    problems_.push_back(InputError({path_, line, std::nullopt, table_[id].name()},
                                   std::move(message), std::move(remedy)));
  }

  void InspectColumn(const io::PolicyColumn& column, ColumnId id) {
    if (count_missing_) InspectMissing(id);
    if (column.role == io::Role::kIdentifier) return InspectIdentifiers(id);
    if (column.role != io::Role::kQuasi) return;
    if (!column.taxonomy.empty()) return InspectLeaves(column, id);
    if (column.numeric) InspectNumbers(column, id);
  }

  void InspectMissing(ColumnId id) {
    const Found found = Find(
        id, [&](std::string_view text) { return IsMissing(text); }, true);
    if (found.rows == 0) return;
    Tell(found, id,
         found.rows == 1
             ? "the value is missing"
             : fmt::format("the value is missing in {}{}", Rows(found.rows), found.Where()),
         "Complete them, or decide in the policy: [table] missing = \"drop-row\" leaves such rows "
         "out, missing = \"value\" treats the marker as a value.");
  }

  void InspectIdentifiers(ColumnId id) {
    const Column& column = table_[id];
    std::vector<std::uint64_t> first(column.dictionary().size()), times(first.size());
    Found again;
    std::uint64_t earlier = 0;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const ValueId value = column[RowId(row)];
      if (IsMissing(column.dictionary()[value])) continue;
      if (++times[value.index()] == 1) {
        first[value.index()] = table_.PlaceOf(RowId(row), id).line.value_or(0);
        continue;
      }
      if (again.rows++ == 0) earlier = first[value.index()];
      if (times[value.index()] == 2) ++again.values;
      AddLine(row, id, again);
    }
    if (again.rows == 0) return;
    Tell(again, id,
         again.rows == 1 && earlier > 0
             ? fmt::format("the identifier stands on line {} already", earlier)
             : fmt::format("{} {} the identifier of {} ({} identifier{}){}", Rows(again.rows),
                           again.rows == 1 ? "has" : "have",
                           earlier > 0 ? "an earlier line" : "another one", again.values,
                           again.values == 1 ? "" : "s", again.Where()),
         reading_.ranges
             ? "One row per person is expected: k rows must be k people. Keep one row per person, "
               "or drop the identifier column if rows are not people."
             : "One row per person is expected, with one value: keep one row per person.");
  }

  void InspectLeaves(const io::PolicyColumn& column, ColumnId id) {
    const auto tree = LoadTaxonomy(column, context_);
    if (!tree) return;  // told where taxonomies are
    const auto node = [&](std::string_view text) { return FindLabel(**tree, text); };
    const Found none = Find(id, [&](std::string_view text) { return !node(text); });
    if (none.rows > 0) {
      Tell(none, id,
           none.rows == 1 ? fmt::format("the value has no leaf in the taxonomy {}", column.taxonomy)
                          : fmt::format("{} have no leaf in the taxonomy {}{}", none.Counted(),
                                        column.taxonomy, none.Where()),
           kNoLeafRemedy);
    }
    const Found group = Find(id, [&](std::string_view text) {
      const auto found = node(text);
      return found && !(*tree)->is_leaf(*found);
    });
    if (group.rows == 0) return;
    Tell(group, id,
         group.rows == 1 ? fmt::format("the value is a group of the taxonomy {}, not a raw value",
                                       column.taxonomy)
                         : fmt::format("{} are groups of the taxonomy {}, not raw values{}",
                                       group.Counted(), column.taxonomy, group.Where()),
         "A raw table is expected here; published tables go to `reissue audit`.");
  }

  void InspectNumbers(const io::PolicyColumn& column, ColumnId id) {
    const auto number = [](std::string_view text) { return taxonomy::ParseNumber(text); };
    const Found none = Find(id, [&](std::string_view text) { return !number(text); });
    if (none.rows > 0) {
      Tell(none, id,
           none.rows == 1 ? "a number was expected"
                          : fmt::format("numbers were expected, and {} have none{}", none.Counted(),
                                        none.Where()),
           fmt::format(
               "Correct the values, declare how missing values are written ([table] "
               "missing_markers), or {}.",
               reading_.ranges ? "give the column a taxonomy" : "leave out type = \"numeric\""));
    }
    if (!reading_.ranges || column.breakpoints.empty()) return;
    const double low = column.breakpoints[0].front(), high = column.breakpoints[0].back();
    const Found outside = Find(id, [&](std::string_view text) {
      const auto value = number(text);
      return value && (*value < low || *value >= high);
    });
    if (outside.rows == 0) return;
    Tell(outside, id,
         fmt::format("{} {} outside the breakpoints {}{}", outside.Counted(),
                     outside.rows == 1 ? "lies" : "lie", taxonomy::RangeLabel(low, high),
                     outside.Where()),
         "Make the first breakpoint at most the least value, and the last one greater than the "
         "greatest value, or correct the table.");
  }

  const io::Policy& policy_;
  const std::string& path_;
  const TableReading& reading_;
  Context& context_;
  Table table_;
  bool count_missing_ = false;
  std::vector<Error> problems_;
};

}  // namespace

std::vector<Error> HeaderProblems(const io::Policy& policy, const std::vector<std::string>& header,
                                  const std::string& path, bool all,
                                  std::optional<std::uint64_t> line) {
  std::vector<std::string> named, unnamed, absent;
  std::vector<std::uint64_t> lines;
  for (const io::PolicyColumn& column : policy.columns) {
    named.push_back(column.name);
    if (!all || std::ranges::find(header, column.name) != header.end()) continue;
    absent.push_back(column.name);
    lines.push_back(column.line);
  }
  for (const std::string& name : header) {
    if (!policy.drops_others && policy.Find(name) == nullptr) unnamed.push_back(name);
  }
  // A name that is right needs no suggestion.
  std::vector<std::string> left;
  for (const std::string& name : named) {
    if (std::ranges::find(header, name) == header.end()) left.push_back(name);
  }
  const auto place = [&](const std::vector<std::string>& names) {
    return Place{path, line, std::nullopt, names.size() == 1 ? names[0] : ""};
  };
  std::vector<Error> problems;
  if (!unnamed.empty()) {
    problems.push_back(InputError(
        place(unnamed),
        unnamed.size() == 1 ? fmt::format("the policy {} does not name this column", policy.file)
                            : fmt::format("the policy {} does not name {} columns of the table: {}",
                                          policy.file, unnamed.size(), QuotedNames(unnamed)),
        fmt::format("{}Add {} to [columns], with role = \"drop\" if {} not to be published. The "
                    "policy names {}.",
                    Meant(unnamed, left, "for"), unnamed.size() == 1 ? "it" : "them",
                    unnamed.size() == 1 ? "it is" : "they are", QuotedNames(named))));
  }
  if (!absent.empty()) {
    problems.push_back(InputError(
        place(absent),
        absent.size() == 1
            ? fmt::format("the table lacks this column, which {}:{} names", policy.file, lines[0])
            : fmt::format("the table lacks {} columns that {} names: {} (lines {})", absent.size(),
                          policy.file, QuotedNames(absent), fmt::join(lines, ", ")),
        fmt::format("{}Remove {} from [columns], or add {} to the table. The table has {}.",
                    Meant(absent, unnamed, "of the table for"), absent.size() == 1 ? "it" : "them",
                    absent.size() == 1 ? "it" : "them", QuotedNames(header))));
  }
  return problems;
}

Status MatchHeader(const io::Policy& policy, const std::vector<std::string>& header,
                   const std::string& path, bool all, std::optional<std::uint64_t> line) {
  std::vector<Error> problems = HeaderProblems(policy, header, path, all, line);
  if (problems.empty()) return Ok();
  if (problems.size() == 1) return std::move(problems[0]);
  // Of one column each the names stand at the place only.
  for (Error& problem : problems) {
    if (problem.place->column.empty()) continue;
    problem.message = fmt::format("column \"{}\": {}", problem.place->column, problem.message);
  }
  return InputError({path, line, std::nullopt, ""},
                    problems[0].message + "; " + problems[1].message,
                    problems[0].remedy + " " + problems[1].remedy);
}

std::vector<Error> InspectTable(const io::Policy& policy, const std::string& path,
                                const TableReading& reading, Context& context) {
  return TableInspection(policy, path, reading, context).Run();
}

}  // namespace reissue::binding
