#pragma once
// Tables of PostgreSQL servers as sources. The servers count where the rows are; only distinct
// combinations with counts come here, and identifiers where persons are told apart.

#include <memory>
#include <string>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/sources/postgres/address.h"
#include "reissue/sources/postgres/connection.h"
#include "reissue/sources/table_source.h"

namespace reissue::sources::postgres {

struct SourceSettings {
  std::vector<Address> servers;  // one, or the shards: each has a part of the rows
  // Of shards: nobody writes while their snapshots are taken. Needs a right to write.
  bool lock = false;
  Patience patience;
};

// Whether this build has PostgreSQL; where not, OpenTable is an error that says so.
bool Available();

// Opens all servers, compares their columns, and fixes what is seen of each: from here on it does
// not change. Errors: see Describe; shards with other columns (kInput); a lock that is not to be
// had (kMachine), or must not be (kInput).
Result<std::unique_ptr<TableSource>> OpenTable(const SourceSettings& settings,
                                               const std::string& table, ThreadPool& pool,
                                               Progress& progress);

}  // namespace reissue::sources::postgres
