#include "reissue/sources/postgres/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "reissue/sources/postgres/foreign.h"

namespace reissue::sources::postgres {
namespace {

constexpr int kFirstWithHashOfRows = 140000;
// COPY of a query is older; servers that only speak like PostgreSQL name a version before this one
// where they do not know it.
constexpr int kFirstWithCopyOfQueries = 120000;
constexpr std::uint64_t kToldAtOnce = 4096;  // combinations, to whoever watches

std::string CommaList(const std::vector<const DescribedColumn*>& columns,
                      std::string DescribedColumn::*part) {
  std::string list;
  for (const DescribedColumn* column : columns) list += (list.empty() ? "" : ", ") + column->*part;
  return list;
}

// Of what rows are grouped by: equal for all rows of a combination.
std::string HashOf(const std::vector<const DescribedColumn*>& columns) {
  return fmt::format("hash_record_extended(ROW({}), 0)",
                     CommaList(columns, &DescribedColumn::group));
}

// Of tables spread over servers each is counted by itself; what is equal is put together here.
std::string CountingSql(const Described& table, const std::vector<const DescribedColumn*>& columns,
                        bool hashed) {
  const std::string what =
      fmt::format("SELECT {}, count(*){}", CommaList(columns, &DescribedColumn::shown),
                  hashed ? ", " + HashOf(columns) : "");
  const std::string by = CommaList(columns, &DescribedColumn::group);
  if (table.leaves.empty()) {
    return fmt::format("{} FROM {} AS t GROUP BY {}", what, table.from, by);
  }
  std::string sql;
  for (const Leaf& leaf : table.leaves) {
    sql += fmt::format("{}{} FROM ONLY {} AS t GROUP BY {}", sql.empty() ? "" : " UNION ALL ", what,
                       leaf.from, by);
  }
  return sql;
}

Result<std::uint64_t> NumberIn(const Field& field, const std::string& server) {
  std::uint64_t number = 0;
  if (field) std::from_chars(field->data(), field->data() + field->size(), number);
  if (number == 0) return MachineError({server, {}, {}, ""}, "the server sent a count of no rows");
  return number;
}

}  // namespace

Result<const DescribedColumn*> ColumnOf(const Described& table, const std::string& name) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [&](const DescribedColumn& column) { return column.name == name; });
  if (found == table.columns.end()) {
    return InputError({table.name.ToString(), {}, {}, name}, "the table has no such column");
  }
  return &*found;
}

bool HashesRows(const Connection& connection) {
  return connection.server_version() >= kFirstWithHashOfRows;
}

Status FetchCounts(Shard& shard, const std::vector<const DescribedColumn*>& columns,
                   FetchedCounts& counts, Progress& progress) {
  const std::size_t width = columns.size();
  const bool far = !shard.table.leaves.empty();
  const std::string sql = CountingSql(shard.table, columns, counts.hashed);
  if (far) {
    REISSUE_TRY(RefuseCasts(shard.table, columns));
    REISSUE_TRY(ForceCountingFar(shard.connection));
    REISSUE_TRY(ProveCountingFar(shard.connection, sql, shard.table));
  }
  std::uint64_t taken = 0, untold = 0;
  const auto take = [&](std::span<const Field> fields) -> Status {
    if (taken++ == 0) progress.Begin("receiving what was counted", 0);
    const std::uint64_t rows = REISSUE_TRY(NumberIn(fields[width], shard.connection.name()));
    const bool kept = REISSUE_TRY(counts.tally.Add(fields.first(width), rows));
    untold += rows;
    if (taken % kToldAtOnce == 0) progress.Advance(std::exchange(untold, 0));
    if (!counts.hashed) return Ok();
    const std::optional<std::size_t> entry =
        kept ? std::optional(counts.tally.size() - 1) : std::nullopt;
    if (!counts.entry_of_hash.emplace(std::string(fields[width + 1].value_or("")), entry).second) {
      counts.hashed = false;
      counts.entry_of_hash.clear();
    }
    return Ok();
  };
  // Row by row libpq makes a result of each: of many that is half of the client's work.
  if (shard.connection.server_version() >= kFirstWithCopyOfQueries) {
    REISSUE_TRY(shard.connection.CopyOut(fmt::format("COPY ({}) TO STDOUT", sql),
                                         width + (counts.hashed ? 2 : 1), take));
  } else {
    REISSUE_TRY(shard.connection.Query(sql, {}, take));
  }
  progress.Advance(untold);
  return far ? AllowCountingHere(shard.connection) : Ok();
}

Status FetchPersons(Shard& shard, const std::vector<const DescribedColumn*>& columns,
                    const DescribedColumn& identifier, FetchedCounts& counts,
                    const EachPerson& each) {
  const std::string what =
      counts.hashed ? HashOf(columns) : CommaList(columns, &DescribedColumn::shown);
  const std::size_t width = counts.hashed ? 1 : columns.size();
  return shard.connection.CopyOut(
      fmt::format("COPY (SELECT {}, {} FROM {} AS t) TO STDOUT", identifier.shown, what,
                  shard.table.from),
      width + 1, [&](std::span<const Field> fields) -> Status {
        if (!counts.hashed) return each(fields[0], counts.tally.Find(fields.subspan(1)));
        const auto found = counts.entry_of_hash.find(std::string(fields[1].value_or("")));
        if (found == counts.entry_of_hash.end()) {
          return MachineError({shard.connection.name(), {}, {}, ""},
                              "the server sent a row of no combination that it has counted");
        }
        return each(fields[0], found->second);
      });
}

Status FetchRows(Shard& shard, const std::vector<const DescribedColumn*>& columns,
                 const RowSink& row) {
  return shard.connection.CopyOut(
      fmt::format("COPY (SELECT {} FROM {} AS t) TO STDOUT",
                  CommaList(columns, &DescribedColumn::shown), shard.table.from),
      columns.size(), row);
}

}  // namespace reissue::sources::postgres
