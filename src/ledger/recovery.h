#pragma once
// What becomes of a release whose publication was interrupted (docs/formats/vault.md, "Recovery").
// Every step may itself be interrupted, and is then taken again. For src/ledger only.

#include "reissue/core/result.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/records.h"
#include "reissue/ledger/seal.h"

namespace reissue::ledger {

// Whether a prepared release has reached its target. A file: the temporary is gone, or the target
// has the recorded digest; kMachine where the target's directory cannot be reached. A table: what
// its server answers; kMachine where there is nobody to ask (`ask` is empty).
Result<bool> IsInPlace(io::FileSystem& files, const StoredRelease& release, const AskTarget& ask);

// For a prepared release that is in place: it becomes what it is to be for readers, the files
// beside it follow, all is made durable, the record says published.
Status FinishRelease(io::FileSystem& files, Seal& seal, const StoredRelease& release);

// For a prepared release that is not in place: the record goes first, then the temporaries.
Status RollBackRelease(io::FileSystem& files, Seal& seal, const StoredRelease& release);

// Removes the recorded temporaries. Tries all; the first failure is returned.
Status RemoveTemporaries(io::FileSystem& files, Seal& seal);

// Finishes or rolls back, and removes temporaries.
Status Recover(io::FileSystem& files, Seal& seal, const AskTarget& ask);

// The temporaries of a release that are to become something.
std::vector<std::string> TemporariesOf(const StoredRelease& release);

}  // namespace reissue::ledger
