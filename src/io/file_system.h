#pragma once
// The seam to the disk. Everything that reads or writes files takes a FileSystem, so that tests can
// fail any operation (tests/support/faulty_file_system.h). Errors are ErrorCode::kMachine with the
// path, except a missing or unreadable input, which is kInput. Implementations are thread-safe.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "reissue/core/result.h"

namespace reissue::io {

// Bytes of a whole file: a copy, which stays what it is whatever becomes of the file.
class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::string_view view() const = 0;
};

// Bytes of a file as they come. Belongs to one thread.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Up to `room` bytes; 0 at the end. kInput at the end of a file that was written to meanwhile.
  virtual Result<std::size_t> Read(char* to, std::size_t room) = 0;
  virtual std::uint64_t size() const { return 0; }  // 0: nobody knows
  // For libraries that read files themselves: that of a file on the disk, which is the same
  // whatever its name leads to by now; open as long as this lives. -1: there are bytes only.
  virtual int descriptor() const { return -1; }
};

class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Status Append(std::string_view data) = 0;
  virtual Status Sync() = 0;   // data and metadata on the disk
  virtual Status Close() = 0;  // idempotent
};

// A directory is held as long as this lives.
using DirectoryHold = std::shared_ptr<const void>;

class FileSystem {
 public:
  // Compressed files that unpack to more bytes are refused.
  std::uint64_t most_unpacked = std::uint64_t{16} << 30;

  virtual ~FileSystem() = default;
  // The whole file; `-` is standard input.
  virtual Result<std::unique_ptr<Bytes>> Read(const std::string& path) = 0;
  // The same piece by piece; unless somebody knows better, out of the whole.
  virtual Result<std::unique_ptr<ByteStream>> Stream(const std::string& path);
  // Creates a file that must not exist yet, with permissions 0600 (owner_only) or by umask.
  virtual Result<std::unique_ptr<WritableFile>> Create(const std::string& path,
                                                       bool owner_only) = 0;
  // Atomic replacement; with `replace` false an existing target is an error and stays untouched.
  virtual Status Rename(const std::string& from, const std::string& to, bool replace) = 0;
  virtual Status Remove(const std::string& path) = 0;  // fine if it is not there
  // Gives a file that was created for its owner only the permissions of an ordinary new file.
  virtual Status MakePublic(const std::string& path) { return (void)path, Ok(); }
  virtual Status SyncDirectory(const std::string& directory) = 0;
  virtual Status CreateDirectory(const std::string& path, bool owner_only) = 0;
  virtual bool Exists(const std::string& path) = 0;
  // From now on files directly in `directory`, named by this very name, are those of the directory
  // that has the name now, even if it is moved or another one takes its name. Nothing is created or
  // renamed there, and no sync of it succeeds, unless its name still leads to it.
  virtual Result<DirectoryHold> HoldDirectory(const std::string& directory) {
    return (void)directory, DirectoryHold();
  }
};

// The real one.
FileSystem& SystemFiles();

// `directory of path` (`.` where it has none) and a sibling temporary name that nobody else uses:
// `.NAME.reissue-XXXXXXXX.tmp` in the same directory.
std::string DirectoryOf(const std::string& path);
// The same file, named from the root, whatever links are on the way. Its directory must be there.
Result<std::string> Absolute(const std::string& path);
std::string TemporaryNameFor(const std::string& path);
// Whether a name is one that TemporaryNameFor makes.
bool IsTemporaryName(const std::string& path);

// A failed system call on `path` in words, as kMachine: `attempt` completes "cannot …", `error` is
// the errno. A full disk says so, that nothing was published, and what to do.
Error FileError(const std::string& path, std::string_view attempt, int error);

// A directory that was held is not what its name leads to any more.
Error DirectoryChanged(const std::string& directory);

// Writes a small file whole or not at all: temporary, synced, renamed, directory synced. A failure
// removes the temporary.
Status WriteAtomically(FileSystem& files, const std::string& path, std::string_view content,
                       bool owner_only, bool replace);

}  // namespace reissue::io
