#pragma once
// Releases that are tables of a database (docs/formats/vault.md, "Tables as releases"): what their
// servers are asked by. A vault gets the table `targets`, together with its format, with the first
// such release. For src/ledger only.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/records.h"

namespace reissue::ledger {

// Whether it has table `targets`.
Result<bool> HasTargets(const Database& database);
// Records the seal of a release that is in the database already; makes the table and sets the
// format where they are not there yet. Belongs inside Seal::Write.
Status InsertTarget(Database& database, const ReleaseRecord& record);
// Fills in the seals. Errors: a record that has changed, or is of no release.
Status LoadTargets(const Database& database, std::vector<StoredRelease>& releases);

}  // namespace reissue::ledger
