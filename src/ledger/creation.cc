#include "reissue/ledger/creation.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <system_error>

#include "reissue/ledger/place.h"
#include "reissue/ledger/seal.h"

namespace reissue::ledger {
namespace {

constexpr char kNewDirectory[] = "Name a directory that does not exist yet; it will be made.";

// The permissions whatever the umask says.
Status SetPermissions(const std::string& path, mode_t mode) {
  if (::chmod(path.c_str(), mode) == 0) return Ok();
  return MachineError(At(path),
                      fmt::format("cannot keep other people out of this: {}", std::strerror(errno)),
                      "Choose a directory of your own on a disk that knows file permissions.");
}

// Whether an interrupted creation may have left a file of this name.
bool IsRemains(const std::string& name) {
  return name == kLockName || name == kUnfinishedName ||
         name.starts_with(std::string(kUnfinishedName) + "-");
}

Status CheckEntries(const std::string& directory) {
  std::error_code failure;
  std::filesystem::directory_iterator entry(directory, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(std::string(kDatabaseName) + "-")) {
      return InputError(
          At(directory),
          fmt::format("this directory has lost its {}, the main part of a vault", kDatabaseName),
          "Restore the vault's directory from a backup, or name a new directory.");
    }
    if (!IsRemains(name)) {
      return InputError(At(directory), "this directory has other files in it, and is no vault",
                        kNewDirectory);
    }
  }
  if (!failure) return Ok();
  if (failure == std::errc::not_a_directory) {
    return InputError(At(directory), "this is a file, and a vault is a directory", kNewDirectory);
  }
  return MachineError(At(directory), fmt::format("cannot look into this: {}", failure.message()),
                      "Check who owns the directory, and its permissions.");
}

Status RemoveRemains(io::FileSystem& files, const std::string& unfinished) {
  for (const char* ending : {"", "-journal", "-wal", "-shm"}) {
    REISSUE_TRY(files.Remove(unfinished + ending));
  }
  return Ok();
}

Status MakeDatabase(io::FileSystem& files, const std::string& path, const Header& header,
                    const KeyRing& keys) {
  const auto file = REISSUE_TRY(files.Create(path, true));
  REISSUE_TRY(file->Close());
  REISSUE_TRY(SetPermissions(path, 0600));
  const auto database = REISSUE_TRY(Database::Open(path, Database::Mode::kBuild));
  REISSUE_TRY(FillDatabase(*database, header, keys));
  // Readers find the final mode from the first moment. Closing clears the log away.
  return database->Run("PRAGMA journal_mode = WAL");
}

// `fill` makes the file under another name, complete and synced.
Status PlaceDatabase(io::FileSystem& files, const std::string& directory,
                     const std::function<Status(const std::string&)>& fill) {
  const std::string path = directory + "/" + kDatabaseName;
  const std::string unfinished = directory + "/" + kUnfinishedName;
  if (files.Exists(path)) return VaultExistsError(directory);
  REISSUE_TRY(RemoveRemains(files, unfinished));
  Status done = fill(unfinished);
  if (done) done = files.Rename(unfinished, path, false);
  if (done) done = files.SyncDirectory(directory);
  if (!done) {
    // The first failure is the one to tell; nothing in these files is of use to anybody.
    (void)RemoveRemains(files, unfinished);
    (void)files.Remove(path);
  }
  return done;
}

}  // namespace

Status ReadyDirectory(io::FileSystem& files, const std::string& directory) {
  if (files.Exists(directory + "/" + kDatabaseName)) return VaultExistsError(directory);
  if (files.Exists(directory)) {
    REISSUE_TRY(CheckEntries(directory));
    return SetPermissions(directory, 0700);
  }
  REISSUE_TRY(files.CreateDirectory(directory, true));
  REISSUE_TRY(SetPermissions(directory, 0700));
  return files.SyncDirectory(io::DirectoryOf(directory));
}

Status FillDatabase(Database& database, const Header& header, const KeyRing& keys) {
  REISSUE_TRY(WriteNewVault(database, header));
  Seal seal(database, &keys);
  return database.InTransaction([&] { return seal.Renew(); });
}

Status BuildDatabase(io::FileSystem& files, const std::string& directory, const Header& header,
                     const KeyRing& keys) {
  return PlaceDatabase(files, directory, [&](const std::string& unfinished) {
    return MakeDatabase(files, unfinished, header, keys);
  });
}

Status PutDatabase(io::FileSystem& files, const std::string& directory, std::string_view bytes) {
  return PlaceDatabase(files, directory, [&](const std::string& unfinished) -> Status {
    const auto file = REISSUE_TRY(files.Create(unfinished, true));
    REISSUE_TRY(file->Append(bytes));
    REISSUE_TRY(file->Sync());
    REISSUE_TRY(file->Close());
    return SetPermissions(unfinished, 0600);
  });
}

Error NoVaultError(io::FileSystem& files, const std::string& directory) {
  if (!files.Exists(directory)) {
    return InputError(At(directory), "there is no such vault",
                      "Check the path; the first publication makes the vault.");
  }
  if (files.Exists(directory + "/" + kDatabaseName + "-wal")) {
    return InputError(
        At(directory),
        fmt::format("this directory has lost its {}, the main part of a vault", kDatabaseName),
        "Restore the vault's directory from a backup.");
  }
  if (files.Exists(directory + "/" + kLockName) ||
      files.Exists(directory + "/" + kUnfinishedName)) {
    return InputError(At(directory),
                      "the creation of this vault was interrupted; nothing was published from it",
                      "Publish again with the policy: the vault is then made from the beginning.");
  }
  return InputError(At(directory), "this directory is not a vault",
                    "Check the path; the first publication makes the vault.");
}

Error VaultExistsError(const std::string& directory) {
  return InputError(At(directory), "this directory holds a vault already",
                    "Publish with the vault as it is, or name a new directory.");
}

}  // namespace reissue::ledger
