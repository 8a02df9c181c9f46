#include "reissue/sources/postgres/session.h"

#include <fmt/format.h>

#include <array>

#include "reissue/sources/postgres/errors.h"

namespace reissue::sources::postgres {
namespace {

struct Setting {
  const char* sql;
  bool may_lack;  // on servers that are not PostgreSQL, or older
};

// How values are written; which rows are seen.
constexpr std::array kSettings = {
    Setting{"SET client_encoding = 'UTF8'", false},
    Setting{"SET DateStyle = 'ISO, YMD'", false},
    Setting{"SET IntervalStyle = 'postgres'", true},
    Setting{"SET TimeZone = 'UTC'", false},
    Setting{"SET extra_float_digits = 1", false},
    Setting{"SET bytea_output = 'hex'", true},
    Setting{"SET lc_monetary = 'C'", true},
    Setting{"SET search_path = ''", false},
    Setting{"SET standard_conforming_strings = on", true},
    // Many combinations are counted without a detour through the server's disk.
    Setting{"SET work_mem = '128MB'", true},
    // A server whose client has gone finds out, and stops.
    Setting{"SET client_connection_check_interval = '2s'", true},
    Setting{"SET idle_in_transaction_session_timeout = 0", true},
};

constexpr int kFirstWithRowSecurity = 90500;

// A setting or a value that the server does not know, or does not have.
constexpr std::array<std::string_view, 5> kUnknown = {"42704", "22023", "0A000", "42601", "55P02"};

Status FindSchema(Connection& connection, TableName& table) {
  const auto schemas = REISSUE_TRY(
      connection.Rows("SELECT table_schema FROM information_schema.tables WHERE table_name = $1 "
                      "AND table_schema = ANY (current_schemas(true))",
                      {table.table}));
  if (schemas.size() == 1 && schemas[0][0]) {
    table.schema = *schemas[0][0];
    return Ok();
  }
  if (schemas.empty()) return ErrorOfState(connection.name(), "42P01");
  return InputError(
      {connection.name(), {}, {}, ""},
      fmt::format("{} schemas of the search path have a table \"{}\"", schemas.size(), table.table),
      "Name it as SCHEMA.TABLE.");
}

bool IsPlain(const std::string& name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos &&
         !name.empty() && (name[0] < '0' || name[0] > '9');
}

std::string QuotedWhereNeeded(const std::string& name) {
  if (IsPlain(name)) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// One part of a name; `text` moves behind it. Empty where it is none.
std::string TakePart(std::string_view& text) {
  std::string part;
  if (!text.starts_with('"')) {
    const std::size_t end = std::min(text.find('.'), text.size());
    for (const char c : text.substr(0, end)) {
      if (c == '"') return {};
      part += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;  // as SQL reads it
    }
    text.remove_prefix(end);
    return part;
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') {
      part += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == '"') {
      part += text[++i];
    } else {
      text.remove_prefix(i + 1);
      return part;
    }
  }
  return {};
}

}  // namespace

std::string TableName::ToString() const {
  return schema.empty() ? QuotedWhereNeeded(table)
                        : QuotedWhereNeeded(schema) + "." + QuotedWhereNeeded(table);
}

Result<TableName> ReadTableName(const std::string& text) {
  const Error wrong =
      UsageError("this is not the name of a table",
                 "Write TABLE or SCHEMA.TABLE; a name with capitals, dots or blanks "
                 "in double quotes: '\"Patients 2024\"'.");
  std::string_view rest = text;
  TableName name;
  name.table = TakePart(rest);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    name.schema = std::move(name.table);
    if (name.schema.empty()) return wrong;
    name.table = TakePart(rest);
  }
  if (name.table.empty() || !rest.empty()) return wrong;
  for (const std::string& part : {name.schema, name.table}) {
    if (part.size() <= kLongestName) continue;
    return UsageError(
        fmt::format("the name of the table has {} bytes, and PostgreSQL cuts names after {} "
                    "without a word",
                    part.size(), kLongestName),
        "Write the name as it is in the database.");
  }
  return name;
}

Status Pin(Connection& connection) {
  for (const Setting& setting : kSettings) {
    if (setting.may_lack) {
      REISSUE_TRY(connection.ExecuteUnless(setting.sql, kUnknown));
    } else {
      REISSUE_TRY(connection.Execute(setting.sql));
    }
  }
  // With it on, the server would show some rows and say nothing.
  if (connection.server_version() >= kFirstWithRowSecurity) {
    REISSUE_TRY(connection.Execute("SET row_security = off"));
  }
  const Patience& patience = connection.patience();
  REISSUE_TRY(connection.ExecuteUnless(
      fmt::format("SET statement_timeout = {}", patience.answer.count() * 1000), kUnknown));
  REISSUE_TRY(connection.ExecuteUnless(
      fmt::format("SET lock_timeout = {}", patience.lock.count() * 1000), kUnknown));
  return Ok();
}

Status TakeSnapshot(Connection& connection) { return connection.Execute("SELECT 1"); }

Result<Connection> OpenSession(const Address& address, TableName& table, Transaction transaction,
                               const Patience& patience) {
  Connection connection = REISSUE_TRY(Connection::Open(address, patience));
  if (table.schema.empty()) REISSUE_TRY(FindSchema(connection, table));
  REISSUE_TRY(Pin(connection));
  if (transaction == Transaction::kRead) {
    REISSUE_TRY(connection.Execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"));
  }
  return connection;
}

}  // namespace reissue::sources::postgres
