#include "reissue/binding/grouped/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "reissue/taxonomy/numbers.h"

namespace reissue::binding {
namespace {

constexpr char kCounterfeitPrefix[] = "(counterfeit ";

// A code per distinct text of a column, in order of first appearance among the rows.
SensitiveCodes CodeColumn(const Column& column, bool numeric) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  SensitiveCodes codes;
  std::vector<std::uint32_t> code_of(column.dictionary().size(), kNone);
  std::unordered_map<std::string, std::uint32_t> by_worth;  // only for numbers
  codes.of_row.reserve(column.values().size());
  for (const ValueId value : column.values()) {
    std::uint32_t& code = code_of[value.index()];
    if (code == kNone) {
      code = static_cast<std::uint32_t>(codes.values.size());
      std::string text(column.dictionary()[value]);
      if (numeric) {
        text = CanonicalNumber(text);
        code = by_worth.emplace(text, code).first->second;
      }
      if (code == codes.values.size()) codes.values.push_back({std::move(text)});
    }
    codes.of_row.push_back(code);
  }
  return codes;
}

void AppendColumn(const SensitiveCodes& next, SensitiveCodes& codes) {
  std::unordered_map<std::uint64_t, std::uint32_t> pairs;
  std::vector<ValueTexts> values;
  for (std::size_t row = 0; row < codes.of_row.size(); ++row) {
    const std::uint32_t a = codes.of_row[row];
    const std::uint32_t b = next.of_row[row];
    const auto [at, added] =
        pairs.emplace(std::uint64_t{a} << 32 | b, static_cast<std::uint32_t>(values.size()));
    if (added) {
      values.push_back(codes.values[a]);
      values.back().push_back(next.values[b][0]);
    }
    codes.of_row[row] = at->second;
  }
  codes.values = std::move(values);
}

Status OnlyNumbers(const Table& table, ColumnId id) {
  const Column& column = table[id];
  std::vector<char> seen(column.dictionary().size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    char& known = seen[column[RowId(row)].index()];
    if (known != 0) continue;
    known = 1;
    if (taxonomy::ParseNumber(column.text(RowId(row)))) continue;
    return InputError(table.PlaceOf(RowId(row), id), "a number was expected",
                      "Correct the value, declare how missing values are written ([table] "
                      "missing_markers), or leave out type = \"numeric\".");
  }
  return Ok();
}

Status NobodyIsNamedLikeACounterfeit(const HolderTable& holder) {
  const Column& column = holder.table[*holder.identifier];
  for (std::size_t row = 0; row < holder.table.rows(); ++row) {
    if (!column.text(RowId(row)).starts_with(kCounterfeitPrefix)) continue;
    return InputError(
        holder.table.PlaceOf(RowId(row), *holder.identifier),
        fmt::format("identifiers that begin with \"{}\" are for counterfeits", kCounterfeitPrefix),
        "Name people otherwise. Is this a holder's copy of a release? Give the table itself.");
  }
  return Ok();
}

}  // namespace

std::string Joined(const ValueTexts& value) { return fmt::format("{}", fmt::join(value, " / ")); }

SensitiveCodes CodeSensitive(const Table& table, const std::vector<ColumnId>& columns,
                             const std::vector<bool>& numeric) {
  SensitiveCodes codes = CodeColumn(table[columns[0]], numeric[0]);
  for (std::size_t c = 1; c < columns.size(); ++c) {
    AppendColumn(CodeColumn(table[columns[c]], numeric[c]), codes);
  }
  return codes;
}

std::string CounterfeitName(std::uint64_t number) {
  return fmt::format("{}{})", kCounterfeitPrefix, number);
}

std::vector<bool> NumericAmong(const std::vector<std::string>& numeric,
                               const std::vector<std::string>& columns) {
  std::vector<bool> flags;
  for (const std::string& name : columns) {
    flags.push_back(std::find(numeric.begin(), numeric.end(), name) != numeric.end());
  }
  return flags;
}

Status CheckGroupedColumns(const io::Policy& policy, std::string_view model,
                           std::span<const char* const> taken, std::string_view whose) {
  const Place place{policy.file, std::nullopt, std::nullopt, ""};
  if (policy.WithRole(io::Role::kIdentifier).empty()) {
    return InputError(place,
                      fmt::format("model \"{}\" needs a column with role = \"identifier\": people "
                                  "come and go, and must be known again",
                                  model),
                      "Give the column that links a person across tables that role. It is never "
                      "published, and the vault keeps only keyed hashes of it.");
  }
  if (policy.WithRole(io::Role::kSensitive).empty()) {
    return InputError(
        place,
        fmt::format("model \"{}\" is about sensitive values, and no column is sensitive", model),
        "Give a column role = \"sensitive\".");
  }
  for (const io::PolicyColumn& column : policy.columns) {
    if (column.role == io::Role::kDrop) continue;
    for (const char* name : taken) {
      if (column.name != name) continue;
      return InputError({policy.file, column.line, std::nullopt, column.name},
                        fmt::format("{} have a column of this name themselves", whose),
                        "Rename the column in the table and in the policy.");
    }
  }
  return Ok();
}

Result<GroupedTable> BindGrouped(HolderTable bound, const io::Policy& policy) {
  GroupedTable grouped;
  grouped.holder = std::move(bound);
  const HolderTable& holder = grouped.holder;
  REISSUE_TRY(NobodyIsNamedLikeACounterfeit(holder));
  for (const Quasi& quasi : holder.quasi) {
    if (quasi.policy->numeric && !quasi.tree) REISSUE_TRY(OnlyNumbers(holder.table, quasi.column));
  }
  const ReleaseColumns columns = ColumnsOf(policy);
  std::vector<ColumnId> sensitive;
  for (const std::string& name : columns.sensitive) sensitive.push_back(*holder.table.Find(name));
  for (const ColumnId id : holder.published) {
    if (std::find(sensitive.begin(), sensitive.end(), id) == sensitive.end()) {
      grouped.shown.push_back(id);
    }
  }
  grouped.sensitive =
      CodeSensitive(holder.table, sensitive, NumericAmong(columns.numeric, columns.sensitive));
  return grouped;
}

Result<GroupedTable> LoadGrouped(const io::Policy& policy, const std::string& path,
                                 Context& context) {
  HolderTable holder = REISSUE_TRY(LoadWithoutRanges(policy, path, context));
  return BindGrouped(std::move(holder), policy);
}

}  // namespace reissue::binding
