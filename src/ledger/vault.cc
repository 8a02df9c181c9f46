#include "reissue/ledger/vault.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "reissue/io/csv.h"
#include "reissue/io/file_digest.h"
#include "reissue/ledger/creation.h"
#include "reissue/ledger/pieces.h"
#include "reissue/ledger/place.h"
#include "reissue/ledger/recovery.h"
#include "reissue/ledger/vault_impl.h"

namespace reissue::ledger {
namespace {

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

// Nobody knows, so nothing is said but that.
Error UnknownError(const Error& cause, const Error& silence, std::uint32_t number,
                   const std::string& target) {
  return MachineError(
      At(target),
      fmt::format("it is not known whether release {} was published as this table ({}): {}", number,
                  cause.message, silence.message),
      "Run the publication again with -d CONNINFO when the server answers: it is asked first, and "
      "the release is recorded as published or forgotten. Until then nothing is guessed.");
}

Error LostError(const std::string& target, std::uint32_t number) {
  return MachineError(At(target),
                      fmt::format("release {} is published, and this file of it is lost: its "
                                  "directory was taken away while it was put in place",
                                  number),
                      "The series can go on. If readers or you need the file, look where the "
                      "directory has gone.");
}

Status WriteSynced(io::FileSystem& files, const std::string& path, std::string_view content) {
  const auto file = REISSUE_TRY(files.Create(path, true));
  REISSUE_TRY(file->Append(content));
  REISSUE_TRY(file->Sync());
  return file->Close();
}

// Where a file is to lie, and its temporary beside it.
Status CheckFile(const Vault::Pending& pending, StoredRelease& release) {
  release.temporary = REISSUE_TRY(Absolute(pending.temporary));
  release.record.target = REISSUE_TRY(Absolute(pending.record.target));
  if (io::DirectoryOf(release.temporary) != io::DirectoryOf(release.record.target) ||
      release.temporary == release.record.target) {
    return UsageError("the temporary must lie beside the release, under another name");
  }
  return Ok();
}

}  // namespace

Status Vault::Impl::NeedWrite() const {
  if (writable()) return Ok();
  return UsageError("the vault was opened for reading only", "Open it for writing.");
}

Result<StoredRelease> Vault::Impl::Prepared(std::uint32_t number) {
  std::vector<StoredRelease> releases = REISSUE_TRY(Releases());
  if (releases.empty() || releases.back().published || releases.back().record.number != number) {
    return UsageError(fmt::format("release {} is not prepared", number));
  }
  return std::move(releases.back());
}

Status Vault::Adopt(std::vector<Adopted> releases, std::size_t piece_bytes) {
  REISSUE_TRY(impl_->NeedWrite());
  Database& database = *impl_->database;
  const std::vector<StoredRelease> present = REISSUE_TRY(impl_->Releases());
  if (!present.empty()) {
    return UsageError("this vault has releases already, and adopting starts a series");
  }
  return impl_->seal->Write([&]() -> Status {
    for (std::size_t i = 0; i < releases.size(); ++i) {
      StoredRelease release;
      release.record = releases[i].record;
      release.record.number = static_cast<std::uint32_t>(i + 1);
      release.record.certificate.clear();
      release.record.target = REISSUE_TRY(Absolute(release.record.target));
      REISSUE_TRY(InsertRelease(database, release));
      for (const auto& [name, content] : releases[i].secrets) {
        const std::uint32_t number = release.record.number;
        REISSUE_TRY(PutSecret(database, *impl_->keys, number, name, content, piece_bytes));
      }
      REISSUE_TRY(MarkPublished(database, release.record.number));
    }
    return Ok();
  });
}

Result<std::string> Vault::Reserve(const std::string& target) {
  REISSUE_TRY(impl_->NeedWrite());
  const std::string absolute = REISSUE_TRY(Absolute(target));
  if (impl_->files.Exists(absolute)) return TargetExistsError(absolute);
  const std::string temporary = io::TemporaryNameFor(absolute);
  REISSUE_TRY(impl_->seal->Write([&] { return PutTemporary(*impl_->database, temporary); }));
  io::RemoveOnInterrupt(temporary);
  return temporary;
}

// The record to be written, if the call makes sense. Touches no file: the temporary of a call that
// does not may be anybody's.
Result<StoredRelease> Vault::Impl::Check(const Pending& pending) {
  std::set<std::string_view> names;
  for (const auto& [name, content] : pending.secrets) {
    if (!names.insert(name).second) return UsageError(fmt::format("secret \"{}\" twice", name));
  }
  const std::vector<StoredRelease> releases = REISSUE_TRY(Releases());
  if (!releases.empty() && !releases.back().published) {
    return UsageError(
        fmt::format("release {} is prepared and not finished", releases.back().record.number),
        "Commit or abandon it first, or open the vault again.");
  }
  StoredRelease release;
  release.record = pending.record;
  release.record.number = static_cast<std::uint32_t>(releases.size() + 1);
  const bool table = release.record.is_table();
  if (table && !pending.temporary.empty()) return UsageError("a table has no temporary");
  if (!table) REISSUE_TRY(CheckFile(pending, release));
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
  if (!table &&
      (io::DirectoryOf(release.certificate_file) != io::DirectoryOf(release.record.target) ||
       release.certificate_file == release.record.target)) {
    return UsageError("the certificate must lie beside the release, under another name");
  }
  return release;
}

Status Vault::Impl::NamesAreFree(const StoredRelease& release) {
  if (!release.record.is_table() && files.Exists(release.record.target)) {
    return TargetExistsError(release.record.target);
  }
  for (const Companion& companion : release.companions) {
    if (files.Exists(companion.target)) return TargetExistsError(companion.target);
  }
  if (!release.certificate_file.empty() && files.Exists(release.certificate_file)) {
    return TargetExistsError(release.certificate_file);
  }
  return Ok();
}

// Somebody may have taken a directory away meanwhile.
Status Vault::Impl::TemporariesAreThere(const StoredRelease& release) {
  for (const Companion& companion : release.companions) {
    if (files.Exists(companion.temporary)) continue;
    return MachineError(At(companion.target),
                        "what was written for this file is gone, or its directory is",
                        "Check the directory, and run the command again; nothing was published.");
  }
  return Ok();
}

Status Vault::Impl::GivesBack(const std::string& path, const std::string& digest,
                              const Pending& pending) {
  const auto known = pending.fingerprints.find(path);
  const bool same = known == pending.fingerprints.end()
                        ? REISSUE_TRY(io::DigestOfFile(files, path)) == digest
                        : REISSUE_TRY(io::FingerprintOfFile(files, path)) == known->second;
  if (same) return Ok();
  return MachineError(At(path), "the disk does not give back what was written to it",
                      "Check the disk, and run the command again; nothing was published.");
}

// Everything that takes room on the disk, so that Commit has nothing left to do but rename.
Status Vault::Impl::WriteFiles(const StoredRelease& release, const Pending& pending) {
  const bool table = release.record.is_table();
  if (!table) REISSUE_TRY(GivesBack(release.temporary, release.record.digest, pending));
  for (const Companion& companion : release.companions) {
    REISSUE_TRY(GivesBack(companion.temporary, companion.digest, pending));
    REISSUE_TRY(files.SyncDirectory(io::DirectoryOf(companion.target)));
  }
  if (!release.certificate_file.empty()) {
    REISSUE_TRY(WriteSynced(files, release.certificate_temporary, release.record.certificate));
  }
  if (table && release.certificate_file.empty()) return Ok();
  return files.SyncDirectory(
      io::DirectoryOf(table ? release.certificate_file : release.record.target));
}

Status Vault::Impl::Record(const StoredRelease& release, const Pending& pending) {
  return seal->Write([&]() -> Status {
    REISSUE_TRY(InsertRelease(*database, release));
    if (pending.policy_changed) REISSUE_TRY(RaiseFormat(*database, kLivingFormat));
    for (const auto& [name, content] : pending.secrets) {
      const std::uint32_t number = release.record.number;
      REISSUE_TRY(PutSecret(*database, *keys, number, name, content, pending.piece_bytes));
    }
    for (const std::string& path : TemporariesOf(release)) {
      REISSUE_TRY(DropTemporary(*database, path));
    }
    return Ok();
  });
}

Result<std::uint32_t> Vault::Prepare(Pending pending) {
  REISSUE_TRY(impl_->NeedWrite());
  Database& database = *impl_->database;
  const Result<StoredRelease> release = impl_->Check(pending);
  if (!release) return release.error();
  if (const Status free = impl_->NamesAreFree(*release); !free) {
    for (const std::string& path : TemporariesOf(*release)) (void)impl_->files.Remove(path);
    return free.error();
  }
  // From here on a dead process leaves nothing that the next one does not clear away.
  Status done = impl_->seal->Write([&]() -> Status {
    for (const std::string& path : TemporariesOf(*release)) {
      REISSUE_TRY(PutTemporary(database, path));
    }
    return Ok();
  });
  io::RemoveOnInterrupt(release->certificate_temporary);
  if (done) done = impl_->WriteFiles(*release, pending);
  // Once there is an intent, a temporary that is gone means: published. So none is removed but by
  // what knows of the intent.
  impl_->hold.emplace();
  io::KeepOnInterrupt();
  if (done) done = impl_->Record(*release, pending);
  if (done) return release->record.number;
  // Whether a failed transaction is on the disk is not known. So the temporary goes only after
  // another one has said that there is no intent (a missing temporary means: published).
  (void)RollBackRelease(impl_->files, *impl_->seal, *release);
  impl_->hold.reset();
  return done.error();
}

// True: it is out. False: it is not, and why is in `cause`. An error: nobody knows.
Result<bool> Vault::Impl::PutOut(const StoredRelease& release,
                                 const std::function<Status()>& commit, Status& cause) {
  const bool table = release.record.is_table();
  cause = NamesAreFree(release);
  if (cause) cause = TemporariesAreThere(release);
  // A release that nobody knows would be one too many.
  if (cause) cause = database->IsInItsPlace();
  const bool tried = cause.has_value();
  if (tried)
    cause = table ? commit() : files.Rename(release.temporary, release.record.target, false);
  if (cause) return true;
  if (table && !tried) return false;  // nobody has committed it, and nobody will
  // A failure that is reported after the deed is no failure.
  Result<bool> in_place = IsInPlace(files, release, ask);
  if (in_place || !table) return in_place;
  return UnknownError(cause.error(), in_place.error(), release.record.number,
                      release.record.target);
}

Status Vault::Commit(std::uint32_t number, const std::function<Status()>& commit) {
  REISSUE_TRY(impl_->NeedWrite());
  const StoredRelease release = REISSUE_TRY(impl_->Prepared(number));
  if (release.record.is_table() && !commit) {
    return UsageError(fmt::format("nothing was given that commits release {}", number));
  }
  const io::HoldInterrupts hold;
  impl_->hold.reset();
  const std::string& target = release.record.target;
  io::FileSystem& files = impl_->files;
  Status cause = Ok();
  const bool out = REISSUE_TRY(impl_->PutOut(release, commit, cause));
  if (!out) {
    const Status free = impl_->NamesAreFree(release);
    REISSUE_TRY(RollBackRelease(files, *impl_->seal, release));
    return free ? cause.error() : free.error();
  }
  const Status finished = FinishRelease(files, *impl_->seal, release);
  if (!finished) return InPlaceError(finished.error(), number, target);
  for (const Companion& companion : release.companions) {
    if (!files.Exists(companion.target)) return LostError(companion.target, number);
  }
  return Ok();
}

Status Vault::Abandon(std::uint32_t number) {
  REISSUE_TRY(impl_->NeedWrite());
  const StoredRelease release = REISSUE_TRY(impl_->Prepared(number));
  const io::HoldInterrupts hold;
  impl_->hold.reset();
  const bool in_place = REISSUE_TRY(IsInPlace(impl_->files, release, impl_->ask));
  if (in_place) {
    return UsageError(fmt::format("release {} is in place and cannot be taken back", number));
  }
  return RollBackRelease(impl_->files, *impl_->seal, release);
}

}  // namespace reissue::ledger
