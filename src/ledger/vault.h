#pragma once
// The vault: the holder's private record of a series. A directory (0700) with a SQLite database in
// WAL mode with full sync (docs/formats/vault.md). It keeps the policy, the releases with their
// certificates, and sealed per-person state; never raw rows, never a raw identifier. All of it is
// authenticated with the key that the passphrase opens.
//
// A release exists if and only if the vault knows it, at whatever moment the process dies:
// Reserve names the temporary, Prepare records the intent (target, temporary, digest, certificate),
// Commit renames the temporary to its target and marks the release published. Opening for write,
// and destroying a writable vault, finish or roll back what was left behind: a prepared release
// whose target is there with the recorded digest, or whose temporary is gone (so it was renamed,
// and somebody has moved, edited or deleted it since), is published; any other is forgotten and its
// temporary removed. What may have been seen counts as seen.
//
// A release may be a table of a database instead. Its target is committed where a file would be
// renamed, and what became of an interrupted one is asked, by the seal that Prepare has recorded.
//
// The rename of the release is the moment from which it exists: until then everything is private
// and has a temporary name. Companions, further files of it, and its certificate follow.
//
// One publisher at a time: a writable vault holds an exclusive lock on DIR/lock until it is
// destroyed. Readers, with the key or without, need no lock and judge prepared releases by the same
// rule, without writing. The FileSystem must outlive the vault. One Vault belongs to one thread.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/secret_text.h"

namespace reissue::ledger {

enum class Access {
  kRead,    // no key: what it reads is not authenticated
  kUnseal,  // with the key
  kWrite,   // with the key and the lock
};

// Where the key comes from. With `none`, the data key lies unwrapped in the vault: for tests, and
// for people whose disk is encrypted; the vault says so in every listing.
struct Passphrase {
  bool none = false;
  SecretText text;
};

struct VaultPolicy {
  std::string model;
  std::string title;
  std::string text;    // the policy file
  std::string digest;  // of policy and taxonomies
  std::string path;    // absolute, where the policy was read; taxonomies lie relative to it
};

// What became of a release that was about to be committed as a table of a database, by its seal:
// true, it is or was there. An error where the server cannot be asked.
using AskTarget = std::function<Result<bool>(const std::string& seal)>;

struct ReleaseRecord {
  std::uint32_t number = 0;  // 1, 2, …
  std::string target;        // absolute path of the file, or the name of the table
  // Of the file: io::Digest of its bytes. Of a table: of its combinations and counts.
  std::string digest;
  std::string certificate;  // JSON text; empty: adopted, not made from this vault
  std::string created;      // ISO 8601, UTC
  std::uint64_t rows = 0;
  // Rows of people that were left out, or rows of nobody that were added: the model knows.
  std::uint64_t set_aside = 0;
  // Of a table: what its server is asked by. Empty: the release is a file.
  std::string seal = {};
  bool file_present = true;    // filled by History: the target exists now; of tables always true
  std::string directory = {};  // filled by History: of the file, or of the certificate of a table
  bool is_table() const { return !seal.empty(); }
  bool adopted() const { return certificate.empty(); }
};

// A further file of a release.
struct Companion {
  std::string target;     // must not exist
  std::string temporary;  // complete and synced, beside the target; from Reserve
  std::string digest;     // io::Digest of its bytes
  bool owner_only = false;
};

// Keyed hash of a person's identifier.
using PersonKey = std::array<std::uint8_t, 16>;

// A key that is there before its vault: identifiers are hashed with it while the first table of a
// series is read, and it becomes that of the vault when there is something to keep. Immutable.
class FreshKey {
 public:
  static Result<FreshKey> Draw();
  FreshKey(FreshKey&&) noexcept;
  FreshKey& operator=(FreshKey&&) noexcept;
  ~FreshKey();
  // From any thread.
  PersonKey KeyOf(std::string_view identifier) const;

 private:
  friend class Vault;
  struct Drawn;
  explicit FreshKey(std::unique_ptr<Drawn> drawn);
  std::unique_ptr<Drawn> drawn_;
};

// A larger state lies in several pieces, each sealed by itself: no state is too large for the
// vault, and memory beside the state is that of a few pieces.
inline constexpr std::size_t kPieceBytes = std::size_t{64} << 20;

class Vault {
 public:
  // Makes the directory (which must not exist, or be empty, or hold what a killed Create left
  // behind: that is cleared and made anew) and takes the lock. An error leaves no vault.
  static Result<Vault> Create(io::FileSystem& files, const std::string& directory,
                              const VaultPolicy& policy, const Passphrase& passphrase);
  static Result<Vault> Create(io::FileSystem& files, const std::string& directory,
                              const VaultPolicy& policy, const Passphrase& passphrase,
                              FreshKey key);
  // Errors: no vault there, of another user, locked by another publisher, wrong passphrase, format
  // of a later version, of an earlier one (kWrite), damaged, changed without the key; kMachine
  // where a table was interrupted and `ask` is empty or does not know (of readers: of History).
  static Result<Vault> Open(io::FileSystem& files, const std::string& directory, Access access,
                            const Passphrase& passphrase = {}, AskTarget ask = {});
  // A vault in memory, to try a publication out on: it can be written like any other, and nothing
  // of that reaches the disk as long as `files` do not. Of a vault: with all that it records. It
  // waits for no publisher; errors are those of Open for kWrite, but the lock.
  static Result<Vault> Rehearse(io::FileSystem& files, const std::string& directory,
                                const Passphrase& passphrase, AskTarget ask = {});
  // Of a series that has not begun.
  static Result<Vault> Rehearse(io::FileSystem& files, const VaultPolicy& policy);
  static Result<Vault> Rehearse(io::FileSystem& files, const VaultPolicy& policy, FreshKey key);
  // A complete vault is there; false for what a killed Create left behind.
  static bool Exists(io::FileSystem& files, const std::string& directory);
  // The policy of its series; not authenticated.
  static Result<VaultPolicy> PolicyOf(io::FileSystem& files, const std::string& directory);
  // Likewise whether the policy was changed since the series began.
  static Result<bool> PolicyWasChanged(io::FileSystem& files, const std::string& directory);
  // Whether Open for write needs a passphrase.
  static Result<bool> NeedsPassphrase(io::FileSystem& files, const std::string& directory);

  Vault(Vault&&) noexcept;
  Vault& operator=(Vault&&) noexcept;
  ~Vault();

  // Who is asked about tables from now on: of a vault that was made and not opened.
  void Ask(AskTarget ask);

  const VaultPolicy& policy() const;
  std::uint64_t format() const;
  bool unprotected() const;  // created with Passphrase::none
  // Published releases, oldest first.
  Result<std::vector<ReleaseRecord>> History();

  // Needs the key.
  Result<PersonKey> KeyOf(std::string_view identifier);
  // The same for many, from any thread, as long as the vault is there.
  Result<std::function<PersonKey(std::string_view)>> Hash();
  // Hex, 256 bits, with a key of its own: says whether two tables are the same to who has the
  // vault, and nothing to anybody else. Needs the key.
  Result<std::string> KeyedDigest(std::string_view bytes);
  // The pair of keys that signs for this vault (Ed25519), in hexadecimal. Needs the key.
  Result<std::string> PublicKey();
  Result<std::string> Sign(std::string_view bytes);
  // A named secret of the model, sealed with its name as associated data; empty where no published
  // release has stored one. Staged writes become durable with the Commit of the release they
  // belong to, in the same transaction. Needs the key.
  Result<std::optional<std::string>> Unseal(const std::string& name);
  // The same, handed over piece by piece, each with the number of bytes that follow: for states
  // that need not be in memory twice. False where there is none. After an error of the vault or of
  // `take` nothing more is handed over, and what was is not all.
  using TakePiece = std::function<Status(std::string_view piece, std::uint64_t left)>;
  Result<bool> UnsealPieces(const std::string& name, const TakePiece& take);

  // A release that exists already, made by another tool or from another vault.
  struct Adopted {
    ReleaseRecord record;  // number is filled in; the certificate stays empty
    std::vector<std::pair<std::string, std::string>> secrets;  // name → content, to be sealed
  };
  // Records releases as published, oldest first: all of them or, after an error, none. Their files
  // are not touched. Only for a vault without releases.
  Status Adopt(std::vector<Adopted> releases, std::size_t piece_bytes = kPieceBytes);

  // A name for a temporary beside `target`, recorded before the caller creates it: if the process
  // dies, or the vault is destroyed without a Commit, the file is removed.
  Result<std::string> Reserve(const std::string& target);

  struct Pending {
    ReleaseRecord record;  // number is filled in by Prepare
    // Complete and synced, beside the target; from Reserve. Empty where the record has a seal.
    std::string temporary;
    std::vector<std::pair<std::string, std::string>> secrets;  // name → content, to be sealed
    // Where the certificate is to lie as a file; empty: nowhere. Prepare writes it to a temporary,
    // Commit (or recovery) puts it in place with the release. Must not exist.
    std::string certificate_file;
    std::vector<Companion> companions;  // each in any directory
    // The policy of the series is another one from this release on: versions that know but one
    // policy per vault do not open it any more.
    bool policy_changed = false;
    std::size_t piece_bytes = kPieceBytes;  // states longer than that lie in pieces
    // By temporary: the fingerprint of the bytes of which the digest was taken. Where it is known,
    // Prepare compares it instead of taking the digest once more.
    std::map<std::string, io::Fingerprint> fingerprints;
  };
  // Records the intent. The number it gives is 1 + the number of published releases. Reads the
  // temporaries to see that they have what the digests are of. After an error nothing is recorded
  // and they are removed (except kUsage, which touches nothing).
  Result<std::uint32_t> Prepare(Pending pending);
  // Renames and marks as published. No target may exist (refused and rolled back otherwise).
  // After an error once the file is in place (the message says so), the next opening finishes.
  // A table is committed by `commit` instead: whatever its error, the server is asked what became
  // of it; if it does not answer, the intent stays, and the next opening asks again.
  Status Commit(std::uint32_t number, const std::function<Status()>& commit = {});
  // Gives up a prepared release and removes its temporaries.
  Status Abandon(std::uint32_t number);

  // What says from outside how far this vault has come (docs/formats/vault.md, "Mark"): a small
  // text to be kept where a restored backup of the vault does not reach. Needs the key.
  Result<std::string> Mark();
  // Writes it, replacing an older one. Needs kWrite.
  Status WriteMark(const std::string& path);
  // kInput where the mark was made with this key and the vault has not come as far, or another way:
  // it is an old copy; and where the mark was changed. A mark of another vault says nothing: false.
  Result<bool> CheckMark(std::string_view mark, const std::string& file);

  // Another passphrase for the same key. Needs kWrite.
  Status ChangePassphrase(const Passphrase& next);
  // Everything in one text that only the passphrase opens, as it is at this moment, also beside a
  // publisher. kMachine while a release is being put in place. Needs the key.
  Result<std::string> Export();
  // Makes the directory as Create does. Errors: no export, wrong passphrase, changed.
  static Status Import(io::FileSystem& files, std::string_view exported, const std::string& file,
                       const std::string& directory, const Passphrase& passphrase);
  // From an earlier format to this one. `approve` looks at the vault before anything is written, as
  // kUnseal has it, and its error is handed on. kUsage where there is nothing to upgrade.
  static Status Upgrade(io::FileSystem& files, const std::string& directory,
                        const Passphrase& passphrase, const std::function<Status(Vault&)>& approve,
                        std::size_t piece_bytes = kPieceBytes);
  // Names of the secrets that Unseal finds.
  Result<std::vector<std::string>> Secrets();

 private:
  struct Impl;
  explicit Vault(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace reissue::ledger
