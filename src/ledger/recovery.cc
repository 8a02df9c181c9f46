#include "reissue/ledger/recovery.h"

#include <fmt/format.h>

#include "reissue/io/csv.h"

namespace reissue::ledger {
namespace {

Status PlaceCertificate(io::FileSystem& files, const StoredRelease& release) {
  if (release.certificate_temporary.empty() || !files.Exists(release.certificate_temporary)) {
    return Ok();
  }
  // Somebody else's file stays what it is; the certificate is in the vault anyway.
  if (files.Exists(release.certificate_file)) return files.Remove(release.certificate_temporary);
  return files.Rename(release.certificate_temporary, release.certificate_file, false);
}

// Whether it was put in place by us: the temporary is gone, and these are its bytes.
Result<bool> IsInPlace(io::FileSystem& files, const Companion& companion) {
  if (files.Exists(companion.temporary) || !files.Exists(companion.target)) return false;
  const auto bytes = REISSUE_TRY(files.Read(companion.target));
  return io::Digest(bytes->view()) == companion.digest;
}

}  // namespace

Status PlaceCompanions(io::FileSystem& files, const StoredRelease& release) {
  for (const Companion& companion : release.companions) {
    if (!companion.owner_only) REISSUE_TRY(files.MakePublic(companion.temporary));
    REISSUE_TRY(files.Rename(companion.temporary, companion.target, false));
    REISSUE_TRY(files.SyncDirectory(io::DirectoryOf(companion.target)));
  }
  return Ok();
}

Result<bool> IsInPlace(io::FileSystem& files, const StoredRelease& release) {
  const std::string& target = release.record.target;
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
  const auto bytes = REISSUE_TRY(files.Read(target));
  return io::Digest(bytes->view()) == release.record.digest;
}

Status FinishRelease(io::FileSystem& files, Database& database, const StoredRelease& release) {
  REISSUE_TRY(PlaceCertificate(files, release));
  REISSUE_TRY(files.Remove(release.temporary));
  REISSUE_TRY(files.SyncDirectory(io::DirectoryOf(release.record.target)));
  return database.InTransaction([&] { return MarkPublished(database, release.record.number); });
}

Status RollBackRelease(io::FileSystem& files, Database& database, const StoredRelease& release) {
  std::vector<std::string> leftovers;
  for (const Companion& companion : release.companions) {
    const bool in_place = REISSUE_TRY(IsInPlace(files, companion));
    leftovers.push_back(in_place ? companion.target : companion.temporary);
  }
  const Status forgotten = database.InTransaction([&]() -> Status {
    REISSUE_TRY(DeleteRelease(database, release.record.number));
    for (const std::string& path : leftovers) REISSUE_TRY(PutTemporary(database, path));
    REISSUE_TRY(PutTemporary(database, release.temporary));
    if (release.certificate_temporary.empty()) return Ok();
    return PutTemporary(database, release.certificate_temporary);
  });
  if (!forgotten) return forgotten;
  return RemoveTemporaries(files, database);
}

Status RemoveTemporaries(io::FileSystem& files, Database& database) {
  const std::vector<std::string> paths = REISSUE_TRY(LoadTemporaries(database));
  Status outcome = Ok();
  for (const std::string& path : paths) {
    Status removed = files.Remove(path);
    // Without the sync a power failure could bring the file back when nobody remembers it.
    const std::string directory = io::DirectoryOf(path);
    if (removed && files.Exists(directory)) removed = files.SyncDirectory(directory);
    if (removed) {
      removed = database.InTransaction([&] { return DropTemporary(database, path); });
    }
    if (!removed && outcome) outcome = removed;
  }
  return outcome;
}

Status Recover(io::FileSystem& files, Database& database) {
  const std::vector<StoredRelease> releases = REISSUE_TRY(LoadReleases(database));
  if (!releases.empty() && !releases.back().published) {
    const StoredRelease& interrupted = releases.back();
    const bool in_place = REISSUE_TRY(IsInPlace(files, interrupted));
    REISSUE_TRY(in_place ? FinishRelease(files, database, interrupted)
                         : RollBackRelease(files, database, interrupted));
  }
  return RemoveTemporaries(files, database);
}

}  // namespace reissue::ledger
