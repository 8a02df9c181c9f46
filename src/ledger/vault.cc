#include "reissue/ledger/vault.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "reissue/io/csv.h"
#include "reissue/ledger/creation.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/keys.h"
#include "reissue/ledger/place.h"
#include "reissue/ledger/publisher_lock.h"
#include "reissue/ledger/records.h"
#include "reissue/ledger/recovery.h"

namespace reissue::ledger {
namespace {

// Without slashes at its end.
std::string Normal(std::string directory) {
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  return directory.empty() ? "." : directory;
}

// Stays the same file when the working directory changes.
Result<std::string> Absolute(const std::string& path) {
  std::error_code failure;
  std::string absolute = std::filesystem::absolute(path, failure).string();
  if (failure || path.empty()) {
    return MachineError(At(path), "cannot tell where this file is: the working directory is gone",
                        "Change to a directory that exists, or give a path from the root.");
  }
  return absolute;
}

Error TargetExistsError(const std::string& target) {
  return InputError(At(target), "this file exists already; a release never replaces a file",
                    "Name a file that does not exist, or move the old one away.");
}

// After the rename nothing may be taken back, so the message must not sound like it.
Error InPlaceError(const Error& cause, std::uint32_t number, const std::string& target) {
  return MachineError(
      At(target),
      fmt::format("release {} is in place and counts as published, but that could not be recorded "
                  "in the vault: {}",
                  number, cause.ToString()),
      "Once the cause is removed, run any publication from this vault: it completes the record.");
}

Status WriteSynced(io::FileSystem& files, const std::string& path, std::string_view content) {
  const auto file = REISSUE_TRY(files.Create(path, true));
  REISSUE_TRY(file->Append(content));
  REISSUE_TRY(file->Sync());
  return file->Close();
}

}  // namespace

// The lock is let go last.
struct Vault::Impl {
  io::FileSystem& files;
  std::optional<PublisherLock> lock;
  std::unique_ptr<Database> database;
  Header header;
  std::optional<KeyRing> keys;  // only with Access::kWrite

  ~Impl() {
    // What is left undone now would be done by the next opening; its errors are told there.
    if (keys.has_value()) (void)Recover(files, *database);
  }

  static Result<std::unique_ptr<Database>> OpenDatabase(const std::string& directory,
                                                        Database::Mode mode) {
    auto database = REISSUE_TRY(Database::Open(directory + "/" + kDatabaseName, mode));
    REISSUE_TRY(CheckFormat(*database));
    return database;
  }

  Status NeedKey() const {
    if (keys.has_value()) return Ok();
    return UsageError("the vault was opened for reading only", "Open it for writing.");
  }

  // The release that is prepared and not yet published.
  Result<StoredRelease> Prepared(std::uint32_t number) {
    std::vector<StoredRelease> releases = REISSUE_TRY(LoadReleases(*database));
    if (releases.empty() || releases.back().published || releases.back().record.number != number) {
      return UsageError(fmt::format("release {} is not prepared", number));
    }
    return std::move(releases.back());
  }

  // Whether readers of the files can have seen it. Someone else may be publishing at this moment:
  // a temporary that is gone says something only if the intent is still there afterwards.
  Result<bool> CountsAsPublished(const StoredRelease& release) {
    if (release.published) return true;
    const bool in_place = REISSUE_TRY(IsInPlace(files, release));
    if (!in_place) return false;
    const std::vector<StoredRelease> now = REISSUE_TRY(LoadReleases(*database));
    const std::size_t index = release.record.number - 1;
    return index < now.size() && now[index].record.digest == release.record.digest;
  }

  Result<StoredRelease> Check(const Pending& pending);
  Status NamesAreFree(const StoredRelease& release);
  Status GivesBack(const std::string& path, const std::string& digest, const Pending& pending);
  Status WriteFiles(const StoredRelease& release, const Pending& pending);
  Status Open(const StoredRelease& release);
  Status Record(const StoredRelease& release, const Pending& pending);
};

Vault::Vault(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Vault::Vault(Vault&&) noexcept = default;
Vault& Vault::operator=(Vault&&) noexcept = default;
Vault::~Vault() = default;

Result<Vault> Vault::Create(io::FileSystem& files, const std::string& directory,
                            const VaultPolicy& policy, const Passphrase& passphrase) {
  const std::string home = Normal(directory);
  // The slow part comes first: it leaves nothing behind.
  Header header;
  header.id = RandomBytes(kVaultIdBytes);
  header.policy = policy;
  SecretKey data_key = REISSUE_TRY(RandomKey());
  header.key = REISSUE_TRY(WrapKey(data_key, passphrase, header.id));
  REISSUE_TRY(ReadyDirectory(files, home));
  PublisherLock lock = REISSUE_TRY(PublisherLock::Take(home + "/" + kLockName));
  REISSUE_TRY(BuildDatabase(files, home, header));
  auto database = REISSUE_TRY(Impl::OpenDatabase(home, Database::Mode::kWrite));
  KeyRing keys = REISSUE_TRY(KeyRing::Make(std::move(data_key), header.id));
  return Vault(std::unique_ptr<Impl>(
      new Impl{files, std::move(lock), std::move(database), std::move(header), std::move(keys)}));
}

Result<Vault> Vault::Open(io::FileSystem& files, const std::string& directory, Access access,
                          const Passphrase& passphrase) {
  const std::string home = Normal(directory);
  if (!Exists(files, home)) return NoVaultError(files, home);
  if (access == Access::kRead) {
    auto database = REISSUE_TRY(Impl::OpenDatabase(home, Database::Mode::kRead));
    Header header = REISSUE_TRY(LoadHeader(*database));
    return Vault(std::unique_ptr<Impl>(
        new Impl{files, std::nullopt, std::move(database), std::move(header), std::nullopt}));
  }
  PublisherLock lock = REISSUE_TRY(PublisherLock::Take(home + "/" + kLockName));
  auto database = REISSUE_TRY(Impl::OpenDatabase(home, Database::Mode::kWrite));
  Header header = REISSUE_TRY(LoadHeader(*database));
  SecretKey data_key = REISSUE_TRY(UnwrapKey(header.key, passphrase, header.id, database->path()));
  KeyRing keys = REISSUE_TRY(KeyRing::Make(std::move(data_key), header.id));
  REISSUE_TRY(Recover(files, *database));
  return Vault(std::unique_ptr<Impl>(
      new Impl{files, std::move(lock), std::move(database), std::move(header), std::move(keys)}));
}

bool Vault::Exists(io::FileSystem& files, const std::string& directory) {
  return files.Exists(Normal(directory) + "/" + kDatabaseName);
}

Result<bool> Vault::NeedsPassphrase(io::FileSystem& files, const std::string& directory) {
  const Vault vault = REISSUE_TRY(Open(files, directory, Access::kRead));
  return !vault.unprotected();
}

const VaultPolicy& Vault::policy() const { return impl_->header.policy; }

bool Vault::unprotected() const { return !impl_->header.key.wrapped; }

Result<std::vector<ReleaseRecord>> Vault::History() {
  const std::vector<StoredRelease> releases = REISSUE_TRY(LoadReleases(*impl_->database));
  std::vector<ReleaseRecord> published;
  for (const StoredRelease& release : releases) {
    const bool counts = REISSUE_TRY(impl_->CountsAsPublished(release));
    if (counts) published.push_back(release.record);
  }
  // A name that was used again belongs to the later release.
  std::set<std::string> taken;
  for (auto record = published.rbegin(); record != published.rend(); ++record) {
    record->file_present =
        taken.insert(record->target).second && impl_->files.Exists(record->target);
  }
  return published;
}

Result<PersonKey> Vault::KeyOf(std::string_view identifier) {
  REISSUE_TRY(impl_->NeedKey());
  return impl_->keys->KeyOf(identifier);
}

Result<std::string> Vault::KeyedDigest(std::string_view bytes) {
  REISSUE_TRY(impl_->NeedKey());
  return impl_->keys->KeyedDigest(bytes);
}

Result<std::optional<std::string>> Vault::Unseal(const std::string& name) {
  REISSUE_TRY(impl_->NeedKey());
  const std::optional<std::string> sealed = REISSUE_TRY(FindSecret(*impl_->database, name));
  if (!sealed.has_value()) return std::optional<std::string>();
  std::optional<std::string> content = impl_->keys->Unseal(name, *sealed);
  if (!content.has_value()) {
    return DamagedError(impl_->database->path(),
                        fmt::format("the sealed state \"{}\" has changed", name));
  }
  return content;
}

Status Vault::Adopt(std::vector<Adopted> releases) {
  REISSUE_TRY(impl_->NeedKey());
  Database& database = *impl_->database;
  const std::vector<StoredRelease> present = REISSUE_TRY(LoadReleases(database));
  if (!present.empty()) {
    return UsageError("this vault has releases already, and adopting starts a series");
  }
  return database.InTransaction([&]() -> Status {
    for (std::size_t i = 0; i < releases.size(); ++i) {
      StoredRelease release;
      release.record = releases[i].record;
      release.record.number = static_cast<std::uint32_t>(i + 1);
      release.record.certificate.clear();
      release.record.target = REISSUE_TRY(Absolute(release.record.target));
      REISSUE_TRY(InsertRelease(database, release));
      for (const auto& [name, content] : releases[i].secrets) {
        REISSUE_TRY(
            InsertSecret(database, release.record.number, name, impl_->keys->Seal(name, content)));
      }
      REISSUE_TRY(MarkPublished(database, release.record.number));
    }
    return Ok();
  });
}

Result<std::string> Vault::Reserve(const std::string& target) {
  REISSUE_TRY(impl_->NeedKey());
  const std::string absolute = REISSUE_TRY(Absolute(target));
  if (impl_->files.Exists(absolute)) return TargetExistsError(absolute);
  const std::string temporary = io::TemporaryNameFor(absolute);
  REISSUE_TRY(
      impl_->database->InTransaction([&] { return PutTemporary(*impl_->database, temporary); }));
  return temporary;
}

// The record to be written, if the call makes sense. Touches no file: the temporary of a call that
// does not may be anybody's.
Result<StoredRelease> Vault::Impl::Check(const Pending& pending) {
  std::set<std::string_view> names;
  for (const auto& [name, content] : pending.secrets) {
    if (!names.insert(name).second) return UsageError(fmt::format("secret \"{}\" twice", name));
  }
  const std::vector<StoredRelease> releases = REISSUE_TRY(LoadReleases(*database));
  if (!releases.empty() && !releases.back().published) {
    return UsageError(
        fmt::format("release {} is prepared and not finished", releases.back().record.number),
        "Commit or abandon it first, or open the vault again.");
  }
  StoredRelease release;
  release.record = pending.record;
  release.temporary = REISSUE_TRY(Absolute(pending.temporary));
  release.record.number = static_cast<std::uint32_t>(releases.size() + 1);
  release.record.target = REISSUE_TRY(Absolute(pending.record.target));
  const std::string directory = io::DirectoryOf(release.record.target);
  if (io::DirectoryOf(release.temporary) != directory ||
      release.temporary == release.record.target) {
    return UsageError("the temporary must lie beside the release, under another name");
  }
  for (Companion companion : pending.companions) {
    companion.target = REISSUE_TRY(Absolute(companion.target));
    companion.temporary = REISSUE_TRY(Absolute(companion.temporary));
    if (io::DirectoryOf(companion.temporary) != io::DirectoryOf(companion.target) ||
        companion.temporary == companion.target || companion.target == release.record.target) {
      return UsageError("a companion must have a name of its own, its temporary beside it");
    }
    release.companions.push_back(std::move(companion));
  }
  if (pending.certificate_file.empty()) return release;
  release.certificate_file = REISSUE_TRY(Absolute(pending.certificate_file));
  release.certificate_temporary = io::TemporaryNameFor(release.certificate_file);
  if (io::DirectoryOf(release.certificate_file) != directory ||
      release.certificate_file == release.record.target) {
    return UsageError("the certificate must lie beside the release, under another name");
  }
  return release;
}

Status Vault::Impl::NamesAreFree(const StoredRelease& release) {
  if (files.Exists(release.record.target)) return TargetExistsError(release.record.target);
  for (const Companion& companion : release.companions) {
    if (files.Exists(companion.target)) return TargetExistsError(companion.target);
  }
  if (!release.certificate_file.empty() && files.Exists(release.certificate_file)) {
    return TargetExistsError(release.certificate_file);
  }
  return Ok();
}

Status Vault::Impl::GivesBack(const std::string& path, const std::string& digest,
                              const Pending& pending) {
  const auto bytes = REISSUE_TRY(files.Read(path));
  const auto known = pending.fingerprints.find(path);
  const bool same = known == pending.fingerprints.end()
                        ? io::Digest(bytes->view()) == digest
                        : io::FingerprintOf(bytes->view()) == known->second;
  if (same) return Ok();
  return MachineError(At(path), "the disk does not give back what was written to it",
                      "Check the disk, and run the command again; nothing was published.");
}

// Everything that takes room on the disk, so that Commit has nothing left to do but rename.
Status Vault::Impl::WriteFiles(const StoredRelease& release, const Pending& pending) {
  REISSUE_TRY(GivesBack(release.temporary, release.record.digest, pending));
  for (const Companion& companion : release.companions) {
    REISSUE_TRY(GivesBack(companion.temporary, companion.digest, pending));
    REISSUE_TRY(files.SyncDirectory(io::DirectoryOf(companion.target)));
  }
  if (!release.certificate_file.empty()) {
    REISSUE_TRY(WriteSynced(files, release.certificate_temporary, release.record.certificate));
  }
  return files.SyncDirectory(io::DirectoryOf(release.record.target));
}

// What was a private file until now may be read by whoever may read new files there.
Status Vault::Impl::Open(const StoredRelease& release) {
  if (!release.certificate_temporary.empty()) {
    REISSUE_TRY(files.MakePublic(release.certificate_temporary));
  }
  return files.MakePublic(release.temporary);
}

Status Vault::Impl::Record(const StoredRelease& release, const Pending& pending) {
  return database->InTransaction([&]() -> Status {
    REISSUE_TRY(InsertRelease(*database, release));
    for (const auto& [name, content] : pending.secrets) {
      REISSUE_TRY(InsertSecret(*database, release.record.number, name, keys->Seal(name, content)));
    }
    for (const Companion& companion : release.companions) {
      REISSUE_TRY(DropTemporary(*database, companion.temporary));
    }
    REISSUE_TRY(DropTemporary(*database, release.temporary));
    return DropTemporary(*database, release.certificate_temporary);
  });
}

Result<std::uint32_t> Vault::Prepare(Pending pending) {
  REISSUE_TRY(impl_->NeedKey());
  Database& database = *impl_->database;
  const Result<StoredRelease> release = impl_->Check(pending);
  if (!release) return release.error();
  if (const Status free = impl_->NamesAreFree(*release); !free) {
    for (const Companion& companion : release->companions) {
      (void)impl_->files.Remove(companion.temporary);
    }
    (void)impl_->files.Remove(release->temporary);
    return free.error();
  }
  // From here on a dead process leaves nothing that the next one does not clear away.
  Status done = database.InTransaction([&]() -> Status {
    for (const Companion& companion : release->companions) {
      REISSUE_TRY(PutTemporary(database, companion.temporary));
    }
    if (!release->certificate_temporary.empty()) {
      REISSUE_TRY(PutTemporary(database, release->certificate_temporary));
    }
    return PutTemporary(database, release->temporary);
  });
  if (done) done = impl_->WriteFiles(*release, pending);
  if (done) done = impl_->Record(*release, pending);
  if (done) return release->record.number;
  // Whether a failed transaction is on the disk is not known. So the temporary goes only after
  // another one has said that there is no intent (a missing temporary means: published).
  (void)RollBackRelease(impl_->files, database, *release);
  return done.error();
}

Status Vault::Commit(std::uint32_t number) {
  REISSUE_TRY(impl_->NeedKey());
  const StoredRelease release = REISSUE_TRY(impl_->Prepared(number));
  const std::string& target = release.record.target;
  io::FileSystem& files = impl_->files;
  Status renamed = impl_->Open(release);
  if (renamed) renamed = PlaceCompanions(files, release);
  if (renamed) renamed = files.Rename(release.temporary, target, false);
  if (!renamed) {
    // A failure that is reported after the deed is no failure.
    const bool in_place = REISSUE_TRY(IsInPlace(files, release));
    if (!in_place) {
      const bool refused = files.Exists(target);
      REISSUE_TRY(RollBackRelease(files, *impl_->database, release));
      return refused ? TargetExistsError(target) : renamed.error();
    }
  }
  const Status finished = FinishRelease(files, *impl_->database, release);
  if (!finished) return InPlaceError(finished.error(), number, target);
  return Ok();
}

Status Vault::Abandon(std::uint32_t number) {
  REISSUE_TRY(impl_->NeedKey());
  const StoredRelease release = REISSUE_TRY(impl_->Prepared(number));
  const bool in_place = REISSUE_TRY(IsInPlace(impl_->files, release));
  if (in_place) {
    return UsageError(fmt::format("release {} is in place and cannot be taken back", number));
  }
  return RollBackRelease(impl_->files, *impl_->database, release);
}

}  // namespace reissue::ledger
