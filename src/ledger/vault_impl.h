#pragma once
// What an open vault is made of. For src/ledger only.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reissue/io/interrupt.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/keys.h"
#include "reissue/ledger/publisher_lock.h"
#include "reissue/ledger/records.h"
#include "reissue/ledger/seal.h"
#include "reissue/ledger/vault.h"

namespace reissue::ledger {

// The lock is let go last.
struct Vault::Impl {
  io::FileSystem& files;
  std::optional<PublisherLock> lock;  // only with Access::kWrite
  std::unique_ptr<Database> database;
  Header header;
  std::uint64_t format = kFormat;
  std::optional<SecretKey> data_key = {};  // these two not with Access::kRead
  std::optional<KeyRing> keys = {};
  std::optional<Seal> seal = {};
  AskTarget ask = {};
  bool in_memory = false;  // a rehearsal: ours to write, and nobody else's
  bool trusted = false;    // what it records was sealed with its key, and it is ours to recover
  // From the intent to the end a signal is too late.
  std::optional<io::HoldInterrupts> hold = {};

  // Does what was left undone, as the next opening would; its errors are told there.
  ~Impl();

  // The vault's directory, its lock taken where it is to be written. The key is not there yet.
  static Result<std::unique_ptr<Impl>> Look(io::FileSystem& files, const std::string& home,
                                            Access access, std::optional<PublisherLock> lock = {});
  // Whether the log has something in it, or cannot be read: where it has not, the file is all there
  // is. Readers leave empty ones.
  static bool HasLog(io::FileSystem& files, const std::string& path);
  // For what the header says: leaves the directory as it is where no publisher is at work.
  static Result<std::unique_ptr<Impl>> Glance(io::FileSystem& files, const std::string& home);
  static Result<std::unique_ptr<Impl>> Of(io::FileSystem& files, std::unique_ptr<Database> database,
                                          std::optional<PublisherLock> lock = {});
  Status Unlock(const Passphrase& passphrase);
  Status TakeKey(SecretKey key);
  // Takes the records for true, and finishes what was interrupted.
  Status Trust();

  bool writable() const { return lock.has_value() || in_memory; }
  Status NeedKey() const;
  Status NeedWrite() const;

  // As they were sealed.
  Result<std::vector<StoredRelease>> Releases();
  // The release that is prepared and not yet published.
  Result<StoredRelease> Prepared(std::uint32_t number);
  // Whether readers of the files can have seen it.
  Result<bool> CountsAsPublished(const StoredRelease& release);

  Result<StoredRelease> Check(const Pending& pending);
  Status NamesAreFree(const StoredRelease& release);
  Status TemporariesAreThere(const StoredRelease& release);
  Status GivesBack(const std::string& path, const std::string& digest, const Pending& pending);
  Status WriteFiles(const StoredRelease& release, const Pending& pending);
  Status Record(const StoredRelease& release, const Pending& pending);
  Result<bool> PutOut(const StoredRelease& release, const std::function<Status()>& commit,
                      Status& cause);
};

// Whoever may write any vault could still lock its owner out of it by writing it.
Status BelongsToUs(const std::string& path);

// kInput: `vault upgrade` comes first.
Error EarlierFormatError(const std::string& file, std::uint64_t format,
                         const std::string& directory);

// A directory's name without slashes at its end.
std::string Normal(std::string directory);

}  // namespace reissue::ledger
