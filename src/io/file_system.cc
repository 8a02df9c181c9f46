#include "reissue/io/file_system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "reissue/core/random.h"
#include "reissue/io/directories.h"

namespace reissue::io {
namespace {

using internal::Descriptor;
using internal::Spot;

std::string Reason(int error) { return std::generic_category().message(error); }

// A file the user named cannot be read: their input, unless the machine itself is at its limits.
Error ReadFailure(const std::string& path, int error) {
  if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO) {
    return FileError(path, "read this file", error);
  }
  const Place place{.file = path, .line = {}, .byte = {}, .column = {}};
  const std::string message = fmt::format("cannot read this file: {}", Reason(error));
  if (error == ENOENT || error == ENOTDIR) {
    return InputError(place, message, "Check the path; it is relative to where you are now.");
  }
  if (error == EISDIR) return InputError(place, message, "Name a file inside the directory.");
  return InputError(place, message, "Check who owns the file, and its permissions.");
}

// A copy and no mapping: a file that is cut off or written to meanwhile would end the process, or
// be one thing when its digest is taken and another when its rows are read.
class BufferedBytes : public Bytes {
 public:
  BufferedBytes() = default;
  ~BufferedBytes() override { std::free(data_); }
  BufferedBytes(const BufferedBytes&) = delete;
  BufferedBytes& operator=(const BufferedBytes&) = delete;
  std::string_view view() const override { return {data_, size_}; }

  // Reads to the end, with room for `expected` bytes; returns errno, 0 if all is well.
  int Fill(int fd, std::size_t expected) {
    // One byte more shows that there is no more.
    if (!Grow(std::max(expected + 1, std::size_t{1} << 12))) return ENOMEM;
    while (true) {
      if (size_ == capacity_ && !Grow(capacity_ * 2)) return ENOMEM;
      const ssize_t got = ::read(fd, data_ + size_, capacity_ - size_);
      if (got == 0) return 0;
      if (got > 0) {
        size_ += static_cast<std::size_t>(got);
      } else if (errno != EINTR) {
        return errno;
      }
    }
  }

 private:
  bool Grow(std::size_t capacity) {
    // Large pages make a large copy about as fast as a mapping.
    constexpr std::size_t kPage = std::size_t{1} << 21;
    if (data_ == nullptr && capacity >= kPage * 2) {
      capacity = (capacity + kPage - 1) / kPage * kPage;
      data_ = static_cast<char*>(std::aligned_alloc(kPage, capacity));
      if (data_ != nullptr) (void)::madvise(data_, capacity, MADV_HUGEPAGE);
    } else {
      char* moved = static_cast<char*>(std::realloc(data_, capacity));
      if (moved == nullptr) return false;
      data_ = moved;
    }
    capacity_ = capacity;
    return data_ != nullptr;
  }

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Whether somebody has written to a file between two looks at it.
bool SameFile(const struct stat& before, const struct stat& after, std::size_t read) {
  return before.st_size == after.st_size && read == static_cast<std::size_t>(after.st_size) &&
         before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
         before.st_mtim.tv_nsec == after.st_mtim.tv_nsec;
}

Error WrittenMeanwhile(const std::string& path) {
  return InputError({.file = path, .line = {}, .byte = {}, .column = {}},
                    "somebody wrote to this file while it was read",
                    "Wait until it is complete, and run the command again.");
}

Result<std::unique_ptr<Bytes>> ReadAllOf(int fd, const std::string& path) {
  struct stat before {};
  struct stat after {};
  if (::fstat(fd, &before) != 0) return ReadFailure(path, errno);
  if (S_ISDIR(before.st_mode)) return ReadFailure(path, EISDIR);
  const bool regular = S_ISREG(before.st_mode) && path != "-";
  auto bytes = std::make_unique<BufferedBytes>();
  const int error = bytes->Fill(fd, regular ? static_cast<std::size_t>(before.st_size) : 0);
  if (error != 0) return ReadFailure(path, error);
  if (!regular) return std::unique_ptr<Bytes>(std::move(bytes));
  if (::fstat(fd, &after) != 0) return ReadFailure(path, errno);
  // Some files of the system, of size 0, are made as they are read.
  if (before.st_size > 0 && !SameFile(before, after, bytes->view().size())) {
    return WrittenMeanwhile(path);
  }
  return std::unique_ptr<Bytes>(std::move(bytes));
}

// Of a file on the disk, or a pipe.
class SystemStream : public ByteStream {
 public:
  SystemStream(std::string path, int fd) : path_(std::move(path)), file_(fd) {}

  Status Begin() {
    if (::fstat(file_.get(), &before_) != 0) return ReadFailure(path_, errno);
    if (S_ISDIR(before_.st_mode)) return ReadFailure(path_, EISDIR);
    return Ok();
  }
  Result<std::size_t> Read(char* to, std::size_t room) override {
    while (true) {
      const ssize_t got = ::read(file_.get(), to, room);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return ReadFailure(path_, errno);
      if (got == 0) REISSUE_TRY(End());
      read_ += static_cast<std::size_t>(got);
      return static_cast<std::size_t>(got);
    }
  }
  std::uint64_t size() const override {
    return S_ISREG(before_.st_mode) ? static_cast<std::uint64_t>(before_.st_size) : 0;
  }
  int descriptor() const override {
    return S_ISREG(before_.st_mode) && path_ != "-" ? file_.get() : -1;
  }

 private:
  Status End() const {
    if (!S_ISREG(before_.st_mode) || path_ == "-") return Ok();
    struct stat after {};
    if (::fstat(file_.get(), &after) != 0) return ReadFailure(path_, errno);
    // Some files of the system, of size 0, are made as they are read.
    if (before_.st_size == 0 || SameFile(before_, after, read_)) return Ok();
    return WrittenMeanwhile(path_);
  }

  std::string path_;
  Descriptor file_;
  struct stat before_ {};
  std::size_t read_ = 0;
};

// Of bytes that are there already.
class StreamOfBytes : public ByteStream {
 public:
  explicit StreamOfBytes(std::unique_ptr<Bytes> bytes) : bytes_(std::move(bytes)) {}
  Result<std::size_t> Read(char* to, std::size_t room) override {
    const std::size_t some = bytes_->view().copy(to, room, at_);
    at_ += some;
    return some;
  }
  std::uint64_t size() const override { return bytes_->view().size(); }

 private:
  std::unique_ptr<Bytes> bytes_;
  std::size_t at_ = 0;
};

class SystemFile : public WritableFile {
 public:
  SystemFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  ~SystemFile() override {
    if (fd_ >= 0) ::close(fd_);
  }

  Status Append(std::string_view data) override {
    while (!data.empty()) {
      const ssize_t written = ::write(fd_, data.data(), data.size());
      if (written >= 0) {
        data.remove_prefix(static_cast<std::size_t>(written));
        Hasten(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        return FileError(path_, "write this file", errno);
      }
    }
    return Ok();
  }

  Status Sync() override {
    while (::fsync(fd_) != 0) {
      if (errno != EINTR) return FileError(path_, "bring this file safely to the disk", errno);
    }
    return Ok();
  }

  Status Close() override {
    if (fd_ < 0) return Ok();
    // The descriptor is gone even where close was interrupted: never a second try.
    if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) {
      return FileError(path_, "close this file", errno);
    }
    return Ok();
  }

 private:
  // The disk begins to write while there is more to come, so that Sync has less to wait for. A
  // file system that cannot do so leaves it to Sync, which alone says whether all is well.
  void Hasten(std::size_t written) {
    constexpr off_t kWorthIt = 1 << 23;
    end_ += static_cast<off_t>(written);
    if (end_ - hastened_ < kWorthIt) return;
    (void)::sync_file_range(fd_, hastened_, end_ - hastened_, SYNC_FILE_RANGE_WRITE);
    hastened_ = end_;
  }

  std::string path_;
  int fd_;
  off_t end_ = 0, hastened_ = 0;
};

// Moves without ever replacing, also where the file system has no RENAME_NOREPLACE.
int RenameToFreeName(const Spot& from, const Spot& to) {
  if (::renameat2(from.directory(), from.c_str(), to.directory(), to.c_str(), RENAME_NOREPLACE) ==
      0) {
    return 0;
  }
  if (errno != ENOSYS && errno != EINVAL) return errno;
  if (::linkat(from.directory(), from.c_str(), to.directory(), to.c_str(), 0) != 0) return errno;
  return ::unlinkat(from.directory(), from.c_str(), 0) == 0 ? 0 : errno;
}

class SystemFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<Bytes>> Read(const std::string& path) override {
    const Spot spot = directories_.Locate(path);
    const Descriptor file(path == "-"
                              ? STDIN_FILENO
                              : ::openat(spot.directory(), spot.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) {
      const int error = errno;
      REISSUE_TRY(spot.IsInItsPlace());
      return ReadFailure(path, error);
    }
    return ReadAllOf(file.get(), path);
  }

  Result<std::unique_ptr<ByteStream>> Stream(const std::string& path) override {
    const Spot spot = directories_.Locate(path);
    const int fd =
        path == "-" ? STDIN_FILENO : ::openat(spot.directory(), spot.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
      const int error = errno;
      REISSUE_TRY(spot.IsInItsPlace());
      return ReadFailure(path, error);
    }
    auto stream = std::make_unique<SystemStream>(path, fd);
    REISSUE_TRY(stream->Begin());
    return std::unique_ptr<ByteStream>(std::move(stream));
  }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool owner_only) override {
    const Spot spot = directories_.Locate(path);
    REISSUE_TRY(spot.IsInItsPlace());
    const int fd = ::openat(spot.directory(), spot.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                            owner_only ? 0600 : 0666);
    if (fd < 0) return FileError(path, "create this file", errno);
    return std::unique_ptr<WritableFile>(std::make_unique<SystemFile>(path, fd));
  }

  Status Rename(const std::string& from, const std::string& to, bool replace) override {
    const Spot old_spot = directories_.Locate(from);
    const Spot new_spot = directories_.Locate(to);
    REISSUE_TRY(new_spot.IsInItsPlace());
    int error = 0;
    if (!replace) {
      error = RenameToFreeName(old_spot, new_spot);
    } else if (::renameat(old_spot.directory(), old_spot.c_str(), new_spot.directory(),
                          new_spot.c_str()) != 0) {
      error = errno;
    }
    if (error == 0) return Ok();
    if (error == EEXIST && !replace) {
      return MachineError({.file = to, .line = {}, .byte = {}, .column = {}},
                          "this file exists already; it was left as it is",
                          "Choose another name, or move the old file away.");
    }
    return FileError(to, fmt::format("give {} this name", from), error);
  }

  Status Remove(const std::string& path) override {
    const Spot spot = directories_.Locate(path);
    if (::unlinkat(spot.directory(), spot.c_str(), 0) == 0 || errno == ENOENT || errno == ENOTDIR)
      return Ok();
    return FileError(path, "remove this file", errno);
  }

  Status MakePublic(const std::string& path) override {
    static const mode_t mask = [] {  // there is no way to ask without setting
      const mode_t old = ::umask(077);
      ::umask(old);
      return old;
    }();
    const Spot spot = directories_.Locate(path);
    if (::fchmodat(spot.directory(), spot.c_str(), 0666 & ~mask, 0) == 0) return Ok();
    return FileError(path, "let others read this file", errno);
  }

  Status SyncDirectory(const std::string& directory) override {
    constexpr std::string_view kAttempt = "bring this directory safely to the disk";
    if (const auto held = directories_.Find(directory)) REISSUE_TRY(held->IsInItsPlace());
    const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.get() < 0) return FileError(directory, kAttempt, errno);
    while (::fsync(opened.get()) != 0) {
      // Some network file systems cannot sync directories and need not.
      if (errno == EINVAL) return Ok();
      if (errno != EINTR) return FileError(directory, kAttempt, errno);
    }
    return Ok();
  }

  Status CreateDirectory(const std::string& path, bool owner_only) override {
    if (::mkdir(path.c_str(), owner_only ? 0700 : 0777) == 0) return Ok();
    return FileError(path, "create this directory", errno);
  }

  bool Exists(const std::string& path) override {
    struct stat info {};
    if (const auto held = directories_.Find(path)) {
      return ::fstat(held->descriptor.get(), &info) == 0 && info.st_nlink > 0;
    }
    const Spot spot = directories_.Locate(path);
    return ::fstatat(spot.directory(), spot.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
  }

  Result<DirectoryHold> HoldDirectory(const std::string& directory) override {
    return DirectoryHold(REISSUE_TRY(directories_.Hold(directory)));
  }

 private:
  internal::Directories directories_;
};

Status WriteTemporary(FileSystem& files, const std::string& temporary, std::string_view content,
                      bool owner_only) {
  const std::unique_ptr<WritableFile> file = REISSUE_TRY(files.Create(temporary, owner_only));
  REISSUE_TRY(file->Append(content));
  REISSUE_TRY(file->Sync());
  return file->Close();
}

}  // namespace

Error FileError(const std::string& path, std::string_view attempt, int error) {
  const Place place{.file = path, .line = {}, .byte = {}, .column = {}};
  if (error == ENOSPC || error == EDQUOT) {
    return MachineError(place,
                        fmt::format("cannot {}: the disk is full ({}); nothing was published",
                                    attempt, Reason(error)),
                        "Free space on this disk, or choose a place on another one; then run the "
                        "same command again.");
  }
  std::string remedy;
  if (error == EACCES || error == EPERM) {
    remedy = "Check who owns the file and its directory, and their permissions.";
  } else if (error == EROFS) {
    remedy = "This disk is mounted read-only; choose a place on another one.";
  } else if (error == ENOENT || error == ENOTDIR) {
    remedy = "Check the path: a directory in it does not exist.";
  }
  return MachineError(place, fmt::format("cannot {}: {}", attempt, Reason(error)), remedy);
}

Error DirectoryChanged(const std::string& directory) {
  return MachineError({.file = directory, .line = {}, .byte = {}, .column = {}},
                      "this directory was removed, moved or replaced while the command ran; "
                      "nothing was published",
                      "See to it that the directory stays where it is, and run the command again.");
}

Result<std::unique_ptr<ByteStream>> FileSystem::Stream(const std::string& path) {
  std::unique_ptr<Bytes> bytes = REISSUE_TRY(Read(path));
  return std::unique_ptr<ByteStream>(std::make_unique<StreamOfBytes>(std::move(bytes)));
}

FileSystem& SystemFiles() {
  static SystemFileSystem files;
  return files;
}

Result<std::string> Absolute(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path directory = std::filesystem::canonical(DirectoryOf(path), failed);
  if (failed) {
    return MachineError(
        {.file = DirectoryOf(path), .line = {}, .byte = {}, .column = {}},
        fmt::format("cannot find this directory: {}; nothing was published", failed.message()),
        "Make it again, or choose another place; then run the command again.");
  }
  return (directory / std::filesystem::path(path).filename()).string();
}

std::string DirectoryOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string TemporaryNameFor(const std::string& path) {
  // Names have at most 255 bytes; the temporary one is longer than its target.
  constexpr std::size_t kLongestName = 220;
  const std::size_t slash = path.find_last_of('/');
  const std::size_t name_at = slash == std::string::npos ? 0 : slash + 1;
  return fmt::format("{}.{}.reissue-{:08x}.tmp", path.substr(0, name_at),
                     path.substr(name_at, kLongestName),
                     static_cast<std::uint32_t>(Random::FromSystem().Next()));
}

bool IsTemporaryName(const std::string& path) {
  constexpr std::string_view kMiddle = ".reissue-", kEnd = ".tmp";
  constexpr std::size_t kDigits = 8;
  std::string_view name = std::string_view(path).substr(path.find_last_of('/') + 1);
  if (!name.starts_with('.') || !name.ends_with(kEnd)) return false;
  name.remove_suffix(kEnd.size());
  if (name.size() < 1 + kMiddle.size() + kDigits) return false;
  const std::string_view digits = name.substr(name.size() - kDigits);
  name.remove_suffix(kDigits);
  return name.ends_with(kMiddle) &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Status WriteAtomically(FileSystem& files, const std::string& path, std::string_view content,
                       bool owner_only, bool replace) {
  const std::string temporary = TemporaryNameFor(path);
  Status done = WriteTemporary(files, temporary, content, owner_only);
  if (done) done = files.Rename(temporary, path, replace);
  if (!done) {
    // The first failure is the one to tell; a temporary that cannot be removed is its consequence.
    (void)files.Remove(temporary);
    return done;
  }
  return files.SyncDirectory(DirectoryOf(path));
}

}  // namespace reissue::io
