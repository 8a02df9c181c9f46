#pragma once
// What a vault records of a table that is about to be committed: enough to find out what became of
// it, no password and no value of a table. One line per member, so that it can be read.

#include <cstdint>
#include <string>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/sources/postgres/session.h"

namespace reissue::sources::postgres {

struct TargetSeal {
  std::string system;    // the number that a server has for life
  std::string database;  // its OID there
  TableName table;
  std::string nonce;
  std::string transaction;

  std::string ToString() const;
  static Result<TargetSeal> Parse(std::string_view text);
};

// The number of the advisory lock of a target.
std::int64_t LockOf(const TableName& table);

}  // namespace reissue::sources::postgres
