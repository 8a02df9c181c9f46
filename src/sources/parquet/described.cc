#include "reissue/sources/parquet/described.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "reissue/sources/parquet/errors.h"

namespace reissue::sources::parquet {
namespace {

struct Writing {
  std::string_view type, shown;
};

constexpr std::string_view kAsItIs = "CAST({} AS VARCHAR)";

// Of each type, how a value becomes text: as PostgreSQL writes it.
constexpr std::array kWritings = {
    Writing{"VARCHAR", "{}"},
    Writing{"JSON", kAsItIs},
    Writing{"ENUM", kAsItIs},
    Writing{"UUID", kAsItIs},
    Writing{"TINYINT", kAsItIs},
    Writing{"SMALLINT", kAsItIs},
    Writing{"INTEGER", kAsItIs},
    Writing{"BIGINT", kAsItIs},
    Writing{"HUGEINT", kAsItIs},
    Writing{"UTINYINT", kAsItIs},
    Writing{"USMALLINT", kAsItIs},
    Writing{"UINTEGER", kAsItIs},
    Writing{"UBIGINT", kAsItIs},
    Writing{"UHUGEINT", kAsItIs},
    Writing{"DECIMAL", kAsItIs},
    Writing{"FLOAT", "{}"},   // numbers.h
    Writing{"DOUBLE", "{}"},  // the same
    Writing{"BOOLEAN", "CASE WHEN {0} THEN 't' WHEN NOT {0} THEN 'f' END"},
    Writing{"DATE", "replace(CAST({} AS VARCHAR), ' (BC)', ' BC')"},
    Writing{"TIME", kAsItIs},
    Writing{"TIME_NS", kAsItIs},
    Writing{"TIME WITH TIME ZONE", kAsItIs},
    Writing{"TIMESTAMP", kAsItIs},
    Writing{"TIMESTAMP_S", kAsItIs},
    Writing{"TIMESTAMP_MS", kAsItIs},
    Writing{"TIMESTAMP_NS", kAsItIs},
    // Without a look at which time zone somebody prefers.
    Writing{"TIMESTAMP WITH TIME ZONE",
            "CASE WHEN isfinite({0}) THEN CAST(make_timestamp(epoch_us({0})) AS VARCHAR) || '+00' "
            "ELSE CAST({0} AS VARCHAR) END"},
    Writing{"BLOB", "'\\x' || lower(hex({}))"},
};

// INTEGER[] is no INTEGER; DECIMAL(10,2) is a DECIMAL.
std::string PlainType(const std::string& type) {
  if (type.ends_with(']')) return "LIST";
  return type.substr(0, type.find('('));
}

std::string ShownOf(const std::string& type) {
  const auto* const found = std::find_if(kWritings.begin(), kWritings.end(),
                                         [&](const Writing& known) { return known.type == type; });
  return found == kWritings.end() ? "" : std::string(found->shown);
}

// DuckDB overlooks capitals, and gives a second column of a name another one.
Status NamesAreTheirs(Session& session, const std::string& file, const std::string& opened_as,
                      const Described& table) {
  std::set<std::string> theirs;
  REISSUE_TRY(
      session.Query(fmt::format("SELECT name FROM parquet_schema({})", Quoted(opened_as)),
                    [&](std::span<const Field> fields, std::span<const std::uint64_t>) -> Status {
                      theirs.emplace(fields[0].value_or(""));
                      return Ok();
                    }));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i].name;
    if (name.empty()) {
      return InputError({file, {}, {}, ""}, fmt::format("column {} has no name", i + 1),
                        "Give it one where the file is made.");
    }
    if (theirs.contains(name)) continue;
    return InputError(
        {file, {}, {}, ""},
        fmt::format("column {} has the name of another one, or one that differs in capitals only",
                    i + 1),
        "Rename it where the file is made.");
  }
  return Ok();
}

}  // namespace

Result<Described> Describe(Session& session, const std::string& file,
                           const std::string& opened_as) {
  Described table;
  const std::string path = Quoted(opened_as);
  table.from = fmt::format(
      "read_parquet({}, hive_partitioning = false, union_by_name = false, filename = false)", path);
  REISSUE_TRY(session.Query(
      fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", table.from),
      [&](std::span<const Field> fields, std::span<const std::uint64_t>) -> Status {
        const std::string type = PlainType(std::string(fields[1].value_or("")));
        table.columns.push_back({std::string(fields[0].value_or("")), type, ShownOf(type)});
        return Ok();
      }));
  if (table.columns.empty()) {
    return InputError({file, {}, {}, ""}, "the file has no columns", kDamagedRemedy);
  }
  REISSUE_TRY(NamesAreTheirs(session, file, opened_as, table));
  REISSUE_TRY(session.Query(
      fmt::format("SELECT CAST(num_rows AS BIGINT) FROM parquet_file_metadata({})", path),
      [&](std::span<const Field>, std::span<const std::uint64_t> numbers) -> Status {
        table.rows = numbers[0];
        return Ok();
      }));
  return table;
}

Result<const DescribedColumn*> ColumnOf(const Described& table, const std::string& file,
                                        const std::string& name) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [&](const DescribedColumn& column) { return column.name == name; });
  const Place place{file, {}, {}, name};
  if (found == table.columns.end()) return InputError(place, "the table has no such column");
  if (!found->shown.empty()) return &*found;
  return InputError(place,
                    fmt::format("the column is of type {}: what it holds is no single value that "
                                "could be counted",
                                found->type),
                    "Make columns of its parts where the file is made, or leave it out of the "
                    "release: role = \"drop\".");
}

}  // namespace reissue::sources::parquet
