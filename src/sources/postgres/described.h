#pragma once
// A table as its server describes it: the columns, and how each is read so that what the server
// counts as equal is what is written alike. Plain values.

#include <optional>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/sources/postgres/connection.h"
#include "reissue/sources/postgres/session.h"

namespace reissue::sources::postgres {

struct DescribedColumn {
  std::string name;
  std::string type;   // as the server calls it
  std::string group;  // SQL: rows are counted together where this is equal,
  std::string shown;  // and this is what they have in common, as text
  bool cast = false;  // `group` is more than the column: foreign servers do not count by it
};

// A table that holds rows itself, where the rows of one are spread over several.
struct Leaf {
  std::string from;  // SQL
  bool foreign = false;
  std::string server;      // where it is foreign
  bool shows_all = false;  // row-level security far away is an error, as it is here
};

struct Described {
  TableName name;
  std::string from;  // SQL
  std::vector<DescribedColumn> columns;
  std::vector<Leaf> leaves;          // where some of them are foreign
  bool distributed = false;          // over servers that this one asks by itself (Citus)
  std::uint64_t estimated_rows = 0;  // 0: the server does not know
};

// A question about catalogues that servers other than PostgreSQL may not have; then there is no
// answer.
Result<std::vector<std::vector<std::optional<std::string>>>> AskIfKnown(
    Connection& connection, const std::string& sql, const std::vector<std::string>& parameters);

// Takes the lock that keeps the table as it is until the end of the transaction. Errors: no such
// table, no right to read it, or row-level security that applies to this user.
Result<Described> Describe(Connection& connection, const TableName& table);

// Names and types of two tables of one schema agree, in any order; an error names what differs.
Status SameColumns(const Described& first, const std::string& first_server, const Described& other,
                   const std::string& other_server);

}  // namespace reissue::sources::postgres
