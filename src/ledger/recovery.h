#pragma once
// What becomes of a release whose publication was interrupted (docs/formats/vault.md, "Recovery").
// Every step may itself be interrupted, and is then taken again. For src/ledger only.

#include "reissue/core/result.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/records.h"

namespace reissue::ledger {

// Whether the file of a prepared release has reached its target: the temporary is gone, or the
// target has the recorded digest. kMachine where the target's directory cannot be reached.
Result<bool> IsInPlace(io::FileSystem& files, const StoredRelease& release);

// Companions first: makes them what they are to be for readers, and renames them. An error leaves
// what was done to RollBackRelease.
Status PlaceCompanions(io::FileSystem& files, const StoredRelease& release);

// For a prepared release that is in place: the certificate file follows, all is made durable, the
// record says published.
Status FinishRelease(io::FileSystem& files, Database& database, const StoredRelease& release);

// For a prepared release that is not in place: the record goes first, then the temporaries, and
// the companions that have got to their places.
Status RollBackRelease(io::FileSystem& files, Database& database, const StoredRelease& release);

// Removes the recorded temporaries. Tries all; the first failure is returned.
Status RemoveTemporaries(io::FileSystem& files, Database& database);

// Finishes or rolls back, and removes temporaries.
Status Recover(io::FileSystem& files, Database& database);

}  // namespace reissue::ledger
