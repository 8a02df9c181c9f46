#pragma once
// The rows of the vault's database (docs/formats/vault.md), each with a checksum that is verified
// whenever it is read. Functions that write belong inside Database::InTransaction. For src/ledger
// only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/keys.h"
#include "reissue/ledger/vault.h"

namespace reissue::ledger {

// Names inside the vault's directory.
inline constexpr char kDatabaseName[] = "vault.db";
inline constexpr char kUnfinishedName[] = "vault.db.new";
inline constexpr char kLockName[] = "lock";

inline constexpr std::size_t kVaultIdBytes = 16;

// The only row of table `vault`.
struct Header {
  std::string id;  // kVaultIdBytes random bytes
  StoredKey key;
  VaultPolicy policy;
};

struct StoredRelease {
  ReleaseRecord record;  // file_present is not stored
  bool published = false;
  std::string temporary;
  std::string certificate_file;       // empty: none
  std::string certificate_temporary;  // empty: none
  std::vector<Companion> companions;  // in the order in which they are put in place
};

// Makes the tables and the header in an empty database.
Status WriteNewVault(Database& database, const Header& header);
// Recognises a vault of this version whose pages are sound. Reads the whole file.
Status CheckFormat(Database& database);
Result<Header> LoadHeader(Database& database);

// In order of their numbers, which are 1, 2, …; only the last may be unpublished.
Result<std::vector<StoredRelease>> LoadReleases(Database& database);
Status InsertRelease(Database& database, const StoredRelease& release);
// Its secrets become the live ones; older ones of the same names go.
Status MarkPublished(Database& database, std::uint32_t number);
// With its secrets; fine if it is not there.
Status DeleteRelease(Database& database, std::uint32_t number);

Status InsertSecret(Database& database, std::uint32_t release, std::string_view name,
                    std::string_view sealed);
// Of the newest published release that has one.
Result<std::optional<std::string>> FindSecret(Database& database, std::string_view name);

// Files to be removed if the process dies.
Result<std::vector<std::string>> LoadTemporaries(Database& database);
// Writes the row even where it is there already.
Status PutTemporary(Database& database, std::string_view path);
Status DropTemporary(Database& database, std::string_view path);

}  // namespace reissue::ledger
