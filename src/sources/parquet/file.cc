#include "reissue/sources/parquet/file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "reissue/sources/parquet/errors.h"

namespace reissue::sources::parquet {
namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 20;
constexpr std::string_view kMark = "PAR1";           // the first and the last bytes
constexpr std::string_view kEncryptedMark = "PARE";  // of files whose footer is encrypted
constexpr std::size_t kSmallest = 12;

// The first and the last bytes of whatever goes by.
struct Ends {
  std::string first, last;
  std::uint64_t size = 0;
  void Add(std::string_view bytes) {
    size += bytes.size();
    if (first.size() < kMark.size()) first += bytes.substr(0, kMark.size() - first.size());
    last += bytes.substr(bytes.size() - std::min(bytes.size(), kMark.size()));
    if (last.size() > kMark.size()) last.erase(0, last.size() - kMark.size());
  }
};

Status LooksLikeParquet(const Ends& ends, const std::string& name) {
  const Place place{name, {}, {}, ""};
  if (ends.size == 0) return InputError(place, "the file is empty", kDamagedRemedy);
  if (ends.first == kEncryptedMark) {
    return InputError(place, "the file is encrypted", "Decrypt it first.");
  }
  if (ends.first != kMark) {
    return InputError(place, "this is no Parquet file",
                      "A table in another format needs a name that does not end in .parquet: CSV "
                      "is read whatever its name is.");
  }
  if (ends.size < kSmallest || ends.last != kMark) {
    return InputError(place, "the file is cut off: the end of a Parquet file is missing",
                      kDamagedRemedy);
  }
  return Ok();
}

bool SameState(const struct stat& before, const struct stat& after) {
  const auto same = [](const timespec& a, const timespec& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
  };
  return before.st_size == after.st_size && same(before.st_mtim, after.st_mtim) &&
         same(before.st_ctim, after.st_ctim);
}

}  // namespace

ReadableFile::~ReadableFile() {
  if (memory_ >= 0) ::close(memory_);
}

Status ReadableFile::Copy(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(memory_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return MachineError({name_, {}, {}, ""}, "there is no memory for a copy of this file",
                          "Name a file on the disk instead: it is read where it is.");
    }
  }
  return Ok();
}

Status ReadableFile::ReadThrough(io::ByteStream& stream) {
  std::string buffer(kAtOnce, '\0');
  io::RunningDigest digest;
  Ends ends;
  while (true) {
    const std::size_t got = REISSUE_TRY(stream.Read(buffer.data(), buffer.size()));
    if (got == 0) break;
    const std::string_view bytes(buffer.data(), got);
    ends.Add(bytes);
    digest.Add(bytes);
    if (memory_ >= 0) REISSUE_TRY(Copy(bytes));
  }
  std::tie(digest_, fingerprint_) = digest.Finish();
  return LooksLikeParquet(ends, name_);
}

Result<std::unique_ptr<ReadableFile>> ReadableFile::Open(io::FileSystem& files,
                                                         const std::string& path) {
  std::unique_ptr<ReadableFile> file(new ReadableFile);
  file->name_ = path == "-" ? "standard input" : path;
  file->stream_ = REISSUE_TRY(files.Stream(path));
  int descriptor = file->stream_->descriptor();
  if (descriptor < 0) {
    file->memory_ = ::memfd_create("reissue-parquet", MFD_CLOEXEC);
    if (file->memory_ < 0) return io::FileError(path, "make a copy of this file in memory", errno);
    descriptor = file->memory_;
  }
  if (::fstat(descriptor, &file->before_) != 0) return io::FileError(path, "read this file", errno);
  REISSUE_TRY(file->ReadThrough(*file->stream_));
  if (file->memory_ >= 0 && ::fstat(file->memory_, &file->before_) != 0) {
    return io::FileError(path, "read this file", errno);
  }
  file->opened_as_ = fmt::format("/proc/self/fd/{}", descriptor);
  if (::access(file->opened_as_.c_str(), R_OK) != 0) {
    return MachineError({path, {}, {}, ""}, "/proc is not there, and Parquet is read through it",
                        "Mount it, or convert the table to CSV.");
  }
  return file;
}

Status ReadableFile::IsUnchanged() const {
  struct stat now {};
  const int descriptor = memory_ >= 0 ? memory_ : stream_->descriptor();
  if (::fstat(descriptor, &now) == 0 && SameState(before_, now)) return Ok();
  return InputError({name_, {}, {}, ""}, "somebody wrote to this file while it was read",
                    "Wait until it is complete, and run the command again.");
}

}  // namespace reissue::sources::parquet
