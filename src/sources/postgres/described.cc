#include "reissue/sources/postgres/described.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "reissue/sources/postgres/foreign.h"

namespace reissue::sources::postgres {
namespace {

// OIDs of built-in types; they are the same on all servers.
constexpr std::uint32_t kFloat4 = 700, kFloat8 = 701, kBpchar = 1042, kNumeric = 1700;

// Two values are equal if and only if they are written alike; texts: where their collation says so.
constexpr std::array<std::uint32_t, 21> kWrittenAsCompared = {
    16,    // bool
    17,    // bytea
    18,    // "char"
    19,    // name
    20,    // int8
    21,    // int2
    23,    // int4
    25,    // text
    26,    // oid
    28,    // xid
    650,   // cidr
    774,   // macaddr8
    829,   // macaddr
    869,   // inet
    1043,  // varchar
    1082,  // date
    1083,  // time
    1114,  // timestamp
    1184,  // timestamptz, of one time zone
    1266,  // timetz
    2950,  // uuid
};

// What a server that lacks a catalogue, or a column of one, answers.
constexpr std::array<std::string_view, 4> kLacking = {"42P01", "42703", "42883", "0A000"};

using Rows = std::vector<std::vector<std::optional<std::string>>>;

DescribedColumn Read(const ResultColumn& column, const std::string& quoted, bool own_equality) {
  DescribedColumn read{column.name, "", "t." + quoted, "t." + quoted, false};
  const bool plain =
      std::count(kWrittenAsCompared.begin(), kWrittenAsCompared.end(), column.type) > 0;
  if (plain && !own_equality) return read;
  if (column.type == kNumeric) {
    // 1.0 and 1.00 are equal; with a scale in its type all numbers of a column have the same.
    if (column.modifier < 0) read.shown = fmt::format("trim_scale({})", read.group);
  } else if (column.type == kFloat4 || column.type == kFloat8) {
    // -0 and 0 are equal.
    read.shown = fmt::format("({} + CAST(0 AS {}))", read.group,
                             column.type == kFloat4 ? "real" : "double precision");
  } else if (column.type == kBpchar && !own_equality) {
    read.shown = fmt::format("CAST({} AS text)", read.group);  // blanks at the end do not count
  } else {
    // What is equal may be written in two ways (citext, interval, jsonb, collations that overlook
    // case), or nothing says what is equal (json): the text decides.
    read.group = fmt::format("CAST({} AS text) COLLATE \"C\"", read.group);
    read.shown = read.group;
    read.cast = true;
  }
  return read;
}

Status RefuseHiddenRows(Connection& connection, const Described& table) {
  const Rows active = REISSUE_TRY(
      AskIfKnown(connection,
                 "SELECT row_security_active(c.oid) FROM pg_catalog.pg_class c JOIN "
                 "pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND "
                 "c.relname = $2",
                 {table.name.schema, table.name.table}));
  if (active.empty() || active[0][0] != "t") return Ok();
  return InputError({table.name.ToString(), {}, {}, ""},
                    "row-level security hides rows of this table from this user",
                    "A release of some of the rows would promise what does not hold for all: "
                    "connect as the owner of the table, or as a user with BYPASSRLS.");
}

// Columns whose equality is not that of their texts.
Result<std::set<std::string>> OwnEquality(Connection& connection, const TableName& table) {
  const Rows rows = REISSUE_TRY(AskIfKnown(
      connection,
      "SELECT a.attname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = "
      "a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN "
      "pg_catalog.pg_collation l ON l.oid = a.attcollation WHERE n.nspname = $1 AND "
      "c.relname = $2 AND a.attnum > 0 AND NOT l.collisdeterministic",
      {table.schema, table.table}));
  std::set<std::string> names;
  for (const auto& row : rows) names.insert(row[0].value_or(""));
  return names;
}

// Citus counts on its workers, and they have no snapshot in common.
Result<bool> IsDistributed(Connection& connection, const TableName& table) {
  const Rows installed = REISSUE_TRY(
      AskIfKnown(connection, "SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'citus'", {}));
  if (installed.empty()) return false;
  const Rows found = REISSUE_TRY(AskIfKnown(
      connection,
      "SELECT 1 FROM pg_catalog.pg_dist_partition d JOIN pg_catalog.pg_class c ON c.oid = "
      "d.logicalrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = "
      "$1 AND c.relname = $2",
      {table.schema, table.table}));
  return !found.empty();
}

Result<std::uint64_t> EstimatedRows(Connection& connection, const TableName& table) {
  const Rows rows = REISSUE_TRY(AskIfKnown(
      connection,
      "SELECT CAST(sum(CASE WHEN c.reltuples > 0 THEN c.reltuples ELSE 0 END) AS bigint) FROM "
      "pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE "
      "n.nspname = $1 AND c.relname = $2",
      {table.schema, table.table}));
  std::uint64_t estimate = 0;
  if (!rows.empty() && rows[0][0]) {
    const std::string& text = *rows[0][0];
    std::from_chars(text.data(), text.data() + text.size(), estimate);
  }
  return estimate;
}

Status NameTypes(Connection& connection, const std::vector<ResultColumn>& types, Described& table) {
  std::string sql;
  for (const ResultColumn& column : types) {
    sql += fmt::format("{}pg_catalog.format_type({}, {})", sql.empty() ? "SELECT " : ", ",
                       column.type, column.modifier);
  }
  const Rows rows = REISSUE_TRY(AskIfKnown(connection, sql, {}));
  for (std::size_t i = 0; i < types.size(); ++i) {
    table.columns[i].type =
        rows.empty() || !rows[0][i] ? fmt::format("type {}", types[i].type) : *rows[0][i];
  }
  return Ok();
}

}  // namespace

Result<Rows> AskIfKnown(Connection& connection, const std::string& sql,
                        const std::vector<std::string>& parameters) {
  REISSUE_TRY(connection.Execute("SAVEPOINT reissue_question"));
  Result<Rows> rows = connection.Rows(sql, parameters);
  if (!rows) {
    if (std::count(kLacking.begin(), kLacking.end(), connection.state()) == 0) return rows;
    REISSUE_TRY(connection.Execute("ROLLBACK TO SAVEPOINT reissue_question"));
    rows = Rows();
  }
  REISSUE_TRY(connection.Execute("RELEASE SAVEPOINT reissue_question"));
  return rows;
}

Result<Described> Describe(Connection& connection, const TableName& name) {
  Described table;
  table.name = name;
  const std::string schema = REISSUE_TRY(connection.Quoted(name.schema));
  const std::string relation = REISSUE_TRY(connection.Quoted(name.table));
  table.from = schema + "." + relation;
  const std::vector<ResultColumn> types =
      REISSUE_TRY(connection.Describe(fmt::format("SELECT * FROM {} AS t LIMIT 0", table.from)));
  if (types.empty()) {
    return InputError({name.ToString(), {}, {}, ""}, "the table has no columns");
  }
  REISSUE_TRY(RefuseHiddenRows(connection, table));
  const std::set<std::string> own_equality = REISSUE_TRY(OwnEquality(connection, name));
  for (const ResultColumn& column : types) {
    const std::string quoted = REISSUE_TRY(connection.Quoted(column.name));
    table.columns.push_back(Read(column, quoted, own_equality.contains(column.name)));
  }
  REISSUE_TRY(NameTypes(connection, types, table));
  table.leaves = REISSUE_TRY(ForeignLeaves(connection, name));
  REISSUE_TRY(RefuseRowsHiddenFar(table.leaves));
  table.distributed = REISSUE_TRY(IsDistributed(connection, name));
  table.estimated_rows = REISSUE_TRY(EstimatedRows(connection, name));
  return table;
}

Status SameColumns(const Described& first, const std::string& first_server, const Described& other,
                   const std::string& other_server) {
  const auto differs = [&](const std::string& column, const std::string& how) {
    return InputError(
        {other.name.ToString(), {}, {}, column},
        fmt::format("the column {} on {}, unlike on {}", how, other_server, first_server),
        "All shards need the same columns with the same types.");
  };
  const auto find = [](const Described& table, const std::string& name) {
    return std::find_if(table.columns.begin(), table.columns.end(),
                        [&](const DescribedColumn& column) { return column.name == name; });
  };
  for (const DescribedColumn& column : first.columns) {
    const auto there = find(other, column.name);
    if (there == other.columns.end()) return differs(column.name, "is missing");
    if (there->type != column.type || there->shown != column.shown) {
      return differs(column.name, fmt::format("is of type {}", there->type));
    }
  }
  for (const DescribedColumn& column : other.columns) {
    if (find(first, column.name) == first.columns.end()) {
      return differs(column.name, "is there");
    }
  }
  return Ok();
}

}  // namespace reissue::sources::postgres
