#pragma once
// A release as a table of a PostgreSQL server (sources/release_target.h), and what became of one
// whose publication was broken off.
//
// The table exists if and only if its transaction was committed. A nonce in its comment and the
// number of the transaction are what the vault records; whoever asks later takes the same advisory
// lock first, so that a transaction that is still under way is waited for.

#include <memory>
#include <string>

#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/sources/postgres/address.h"
#include "reissue/sources/postgres/connection.h"
#include "reissue/sources/release_target.h"

namespace reissue::sources::postgres {

// Begins the transaction and takes the lock. `table` is SCHEMA.TABLE, or TABLE: then it is made
// where the server makes new tables. Errors: the name is taken, the schema is not there, no right
// to make tables (kInput); somebody else publishes there (kMachine).
Result<std::unique_ptr<ReleaseTarget>> OpenTarget(const Address& address, const std::string& table,
                                                  const Patience& patience, ThreadPool& pool);

// Asks the server of `address`: an error where it is not the one that has the table.
std::unique_ptr<TargetRecovery> RecoveryAt(const Address& address, const Patience& patience);

}  // namespace reissue::sources::postgres
