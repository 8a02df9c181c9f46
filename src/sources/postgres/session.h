#pragma once
// A connection whose settings are known: whatever its server, database or user prefer, dates and
// numbers are written in one way, no row is hidden, and no name is looked up along a path. Used by
// one thread at a time.

#include <string>

#include "reissue/core/result.h"
#include "reissue/sources/postgres/connection.h"

namespace reissue::sources::postgres {

// A name as on a command line: TABLE, SCHEMA.TABLE, parts with capitals or dots in double quotes.
struct TableName {
  std::string schema;  // empty: where the user's search path has it
  std::string table;
  std::string ToString() const;
};
Result<TableName> ReadTableName(const std::string& text);

enum class Transaction {
  kRead,   // one snapshot for all statements, nothing can be changed
  kWrite,  // nothing is begun yet
};

// Opens a connection, finds the schema of `table` where none is written, pins the settings, and
// begins the transaction. The snapshot is not taken yet: the first query, or TakeSnapshot, does.
Result<Connection> OpenSession(const Address& address, TableName& table, Transaction transaction,
                               const Patience& patience);

// The settings alone.
Status Pin(Connection& connection);

Status TakeSnapshot(Connection& connection);

}  // namespace reissue::sources::postgres
