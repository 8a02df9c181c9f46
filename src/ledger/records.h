#pragma once
// The rows of the vault's database (docs/formats/vault.md), each with a checksum that is verified
// whenever it is read. Functions that write belong inside Seal::Write. For src/ledger only.

#include <cstdint>
#include <functional>
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
  std::string temporary;              // empty: adopted, or a table
  std::string certificate_file;       // empty: none
  std::string certificate_temporary;  // empty: none
  std::vector<Companion> companions;  // in the order in which they are put in place
};

// The format that is written; earlier ones can be read and upgraded.
inline constexpr std::uint64_t kFormat = 3;
// The same tables, of a vault whose policy was changed.
inline constexpr std::uint64_t kLivingFormat = 4;
// With table `pieces`, of a vault with a state that does not fit into one piece.
inline constexpr std::uint64_t kPiecesFormat = 5;
// With table `targets` (targets.h), of a vault that has or had a table as release; and with table
// `pieces` where it needs one.
inline constexpr std::uint64_t kTargetsFormat = 6;
// The latest that this program knows.
inline constexpr std::uint64_t kNewestFormat = kTargetsFormat;
// From then on a vault has that format, or keeps a later one. Belongs inside Seal::Write.
Status RaiseFormat(Database& database, std::uint64_t format);
Result<std::uint64_t> FormatOf(const Database& database);

// Makes the tables and the header in an empty database.
Status WriteNewVault(Database& database, const Header& header);
// Recognises a vault of a format that is known, whose pages are sound. Reads the whole file.
Status CheckFormat(Database& database);
Result<Header> LoadHeader(const Database& database);
// Where the key is wrapped anew.
Status ReplaceKey(Database& database, const Header& header);
// Tables of this format instead of those of an earlier one, with all that was in them but secrets:
// these are handed to `reseal`, by release, name and bytes, which puts them back.
using Reseal = std::function<Status(std::uint32_t, const std::string&, const std::string&)>;
Status ReplaceTables(Database& database, const Header& header, const Reseal& reseal);

// In order of their numbers, which are 1, 2, …; only the last may be unpublished.
Result<std::vector<StoredRelease>> LoadReleases(const Database& database);
Status InsertRelease(Database& database, const StoredRelease& release);
// Its secrets become the live ones; older ones of the same names go.
Status MarkPublished(Database& database, std::uint32_t number);
// With its secrets; fine if it is not there.
Status DeleteRelease(Database& database, std::uint32_t number);

Status InsertSecret(Database& database, std::uint32_t release, std::string_view name,
                    const Sealed& sealed);
// Whether it has table `pieces`.
Result<bool> HasPieces(const Database& database);
// Table `pieces` and its format, where they are not there yet.
Status MakePieces(Database& database);
// From 2 on: the first piece is a secret.
Status InsertPiece(Database& database, std::uint32_t release, std::string_view name,
                   std::size_t index, const Sealed& sealed);
// Of the release, or those that its own replace, piece by piece.
enum class Erased { kItsOwn, kReplaced };
Status EraseSecrets(Database& database, std::uint32_t release, Erased which);
// Of the newest published release that has one.
struct FoundSecret {
  std::uint32_t release = 0;
  std::size_t pieces = 1;
  std::uint64_t bytes = 0;
};
Result<std::optional<FoundSecret>> FindSecret(const Database& database, std::string_view name);
// Lends the tag (before format 3: empty) and the sealed content, which may be large, where they
// lie. False where there is no such piece, or `use` says so.
using UsePiece = std::function<bool(std::string_view tag, std::string_view sealed)>;
Result<bool> LoadPiece(const Database& database, std::uint32_t release, std::string_view name,
                       std::size_t index, const UsePiece& use);
// Of published releases, the newest of each name.
Result<std::vector<std::string>> SecretNames(const Database& database);

// Files to be removed if the process dies.
Result<std::vector<std::string>> LoadTemporaries(const Database& database);
// Writes the row even where it is there already.
Status PutTemporary(Database& database, std::string_view path);
Status DropTemporary(Database& database, std::string_view path);

// Everything above in few bytes: schema, formats, checksums of the rows, states, temporaries, and
// what makes each secret what it is. Two vaults that differ in anything differ in it.
Result<std::string> Contents(const Database& database);
// Looks at all that Contents looks at, so that among what is kept in memory it is what was read
// last, and goes last. Between the check of a seal and the next seal it is not to be read from the
// file.
Status KeepAtHand(const Database& database);
// What the data key made of the contents last; empty: nothing yet.
Result<std::string> LoadSeal(const Database& database);
Status PutSeal(Database& database, std::string_view seal);

}  // namespace reissue::ledger
