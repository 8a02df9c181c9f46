#pragma once
// How a vault comes into being: the database is built under another name, complete and synced, and
// then renamed. A directory without `vault.db` holds no vault, whatever else a killed process left
// in it. For src/ledger only.

#include <string>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/records.h"

namespace reissue::ledger {

// Makes the directory, or takes one that is empty or holds what an unfinished creation left. Only
// its owner may enter it afterwards. kInput where it holds a vault or anything else.
Status ReadyDirectory(io::FileSystem& files, const std::string& directory);

// What a vault has in the beginning, into an empty database.
Status FillDatabase(Database& database, const Header& header, const KeyRing& keys);

// Makes `vault.db`. The caller holds the lock. After an error there is no vault.
Status BuildDatabase(io::FileSystem& files, const std::string& directory, const Header& header,
                     const KeyRing& keys);

// The same of a database that exists as bytes.
Status PutDatabase(io::FileSystem& files, const std::string& directory, std::string_view bytes);

// Why there is nothing to open.
Error NoVaultError(io::FileSystem& files, const std::string& directory);

// kInput: the directory holds a vault already.
Error VaultExistsError(const std::string& directory);

}  // namespace reissue::ledger
