#include "reissue/ledger/recovery.h"

#include <fmt/format.h>

#include "reissue/io/csv.h"
#include "reissue/io/file_digest.h"

namespace reissue::ledger {
namespace {

Status PlaceCertificate(io::FileSystem& files, const StoredRelease& release) {
  if (release.certificate_temporary.empty() || !files.Exists(release.certificate_temporary)) {
    return Ok();
  }
  // Somebody else's file stays what it is; the certificate is in the vault anyway.
  if (files.Exists(release.certificate_file)) return files.Remove(release.certificate_temporary);
  REISSUE_TRY(files.MakePublic(release.certificate_temporary));
  return files.Rename(release.certificate_temporary, release.certificate_file, false);
}

Status PlaceCompanion(io::FileSystem& files, const Companion& companion) {
  if (!files.Exists(companion.temporary)) return Ok();
  if (!companion.owner_only) REISSUE_TRY(files.MakePublic(companion.temporary));
  REISSUE_TRY(files.Rename(companion.temporary, companion.target, false));
  return files.SyncDirectory(io::DirectoryOf(companion.target));
}

// Earlier versions put companions in place before the release: one that was interrupted there is
// taken back to its temporary name.
Status TakeBack(io::FileSystem& files, const Companion& companion) {
  if (files.Exists(companion.temporary) || !files.Exists(companion.target)) return Ok();
  const std::string digest = REISSUE_TRY(io::DigestOfFile(files, companion.target));
  if (digest != companion.digest) return Ok();
  return files.Rename(companion.target, companion.temporary, false);
}

}  // namespace

Result<bool> IsInPlace(io::FileSystem& files, const StoredRelease& release, const AskTarget& ask) {
  const std::string& target = release.record.target;
  if (release.record.is_table()) {
    Result<bool> there = ask ? ask(release.record.seal) : MachineError("no server was named");
    if (there) return there;
    return MachineError(
        Place{.file = target, .line = {}, .byte = {}, .column = {}},
        fmt::format("release {} was interrupted while it was published as this table, and only its "
                    "server knows whether it is there: {}",
                    release.record.number, there.error().message),
        "Name the server with -d CONNINFO, as for that publication, when it answers: it is asked, "
        "nothing is guessed, and nothing else is published before.");
  }
  const std::string directory = io::DirectoryOf(target);
  if (!files.Exists(directory)) {
    return MachineError(
        Place{.file = directory, .line = {}, .byte = {}, .column = {}},
        fmt::format("release {} was interrupted while it was put into this directory, which cannot "
                    "be reached now",
                    release.record.number),
        "make the directory available again; if it is gone for good, make an empty one in its "
        "place: the release then counts as published");
  }
  if (!files.Exists(release.temporary)) return true;
  if (!files.Exists(target)) return false;
  const std::string digest = REISSUE_TRY(io::DigestOfFile(files, target));
  return digest == release.record.digest;
}

Status FinishRelease(io::FileSystem& files, Seal& seal, const StoredRelease& release) {
  const bool table = release.record.is_table();
  // Not where somebody has moved it away meanwhile.
  if (!table && files.Exists(release.record.target)) {
    REISSUE_TRY(files.MakePublic(release.record.target));
  }
  for (const Companion& companion : release.companions) {
    REISSUE_TRY(PlaceCompanion(files, companion));
  }
  REISSUE_TRY(PlaceCertificate(files, release));
  if (!release.temporary.empty()) REISSUE_TRY(files.Remove(release.temporary));
  // A table is where it is, whatever has become of the directory of its certificate.
  const std::string directory =
      io::DirectoryOf(table ? release.certificate_file : release.record.target);
  if (!table || files.Exists(directory)) REISSUE_TRY(files.SyncDirectory(directory));
  return seal.Write([&] { return MarkPublished(seal.database(), release.record.number); });
}

Status RollBackRelease(io::FileSystem& files, Seal& seal, const StoredRelease& release) {
  for (const Companion& companion : release.companions) REISSUE_TRY(TakeBack(files, companion));
  const std::vector<std::string> leftovers = TemporariesOf(release);
  const Status forgotten = seal.Write([&]() -> Status {
    REISSUE_TRY(DeleteRelease(seal.database(), release.record.number));
    for (const std::string& path : leftovers) REISSUE_TRY(PutTemporary(seal.database(), path));
    return Ok();
  });
  if (!forgotten) return forgotten;
  return RemoveTemporaries(files, seal);
}

Status RemoveTemporaries(io::FileSystem& files, Seal& seal) {
  const std::vector<std::string> paths =
      REISSUE_TRY(seal.Read([&] { return LoadTemporaries(seal.database()); }));
  Status outcome = Ok();
  for (const std::string& path : paths) {
    // Whatever the vault says: nothing goes that is not named as our temporaries are.
    Status removed = io::IsTemporaryName(path) ? files.Remove(path) : Ok();
    // Without the sync a power failure could bring the file back when nobody remembers it.
    const std::string directory = io::DirectoryOf(path);
    if (removed && files.Exists(directory)) removed = files.SyncDirectory(directory);
    if (removed) removed = seal.Write([&] { return DropTemporary(seal.database(), path); });
    if (!removed && outcome) outcome = removed;
  }
  return outcome;
}

std::vector<std::string> TemporariesOf(const StoredRelease& release) {
  std::vector<std::string> temporaries;
  if (!release.temporary.empty()) temporaries.push_back(release.temporary);
  for (const Companion& companion : release.companions) temporaries.push_back(companion.temporary);
  if (!release.certificate_temporary.empty()) {
    temporaries.push_back(release.certificate_temporary);
  }
  return temporaries;
}

Status Recover(io::FileSystem& files, Seal& seal, const AskTarget& ask) {
  const std::vector<StoredRelease> releases =
      REISSUE_TRY(seal.Read([&] { return LoadReleases(seal.database()); }));
  if (!releases.empty() && !releases.back().published) {
    const StoredRelease& interrupted = releases.back();
    const bool in_place = REISSUE_TRY(IsInPlace(files, interrupted, ask));
    REISSUE_TRY(in_place ? FinishRelease(files, seal, interrupted)
                         : RollBackRelease(files, seal, interrupted));
  }
  return RemoveTemporaries(files, seal);
}

}  // namespace reissue::ledger
