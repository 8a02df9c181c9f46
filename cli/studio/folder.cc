#include "cli/studio/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "reissue/io/file_system.h"
#include "reissue/io/utf8.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli::studio {
namespace {

constexpr std::size_t kLongestPart = 200;
constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

std::vector<std::string> Parts(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool IsText(std::string_view text) {
  const char* const end = text.data() + text.size();
  return io::internal::FirstIllFormed(text.data(), end, end) == nullptr;
}

bool IsPart(std::string_view part) {
  if (part.empty() || part.size() > kLongestPart) return false;
  if (part.front() == '.' || part.front() == '-' || part.front() == ' ' || part.back() == ' ') {
    return false;
  }
  return std::all_of(part.begin(), part.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code >= 0x20 && code != 0x7F && c != '/' && c != '\\';
  });
}

std::string_view WithoutPacking(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name;
}

bool EndsInOneOf(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

std::string KindOf(std::string_view name) {
  if (EndsInOneOf(WithoutPacking(name), {".csv", ".tsv", ".txt"}) || name.ends_with(".parquet")) {
    return "table";
  }
  if (name.ends_with(".toml")) return "policy";
  if (name.ends_with(".certificate.json")) return "certificate";
  if (name.ends_with(".html")) return "report";
  if (name.ends_with(".svg")) return "figure";
  return "other";
}

bool MayBeUploaded(std::string_view name) {
  const std::string kind = KindOf(name);
  return kind == "table" || kind == "policy" || name.ends_with(".json");
}

Result<Folder> Folder::Open(const std::string& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return UsageError(directory + ": cannot be opened as a directory: " + std::strerror(errno),
                      "Name the directory with your tables and policies.");
  }
  char* const real = ::realpath(directory.c_str(), nullptr);
  Folder folder(descriptor, real == nullptr ? directory : real);
  std::free(real);
  return folder;
}

Folder::Folder(Folder&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), directory_(std::move(other.directory_)) {}

Folder::~Folder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool Folder::IsName(std::string_view name) {
  if (!IsText(name)) return false;
  const std::vector<std::string> parts = Parts(name);
  return parts.size() <= 2 && std::all_of(parts.begin(), parts.end(), IsPart);
}

bool Folder::Contains(const std::string& path) const {
  int at = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
  bool inside = at >= 0;
  for (const std::string& part : Parts(path)) {
    if (part.empty() || part == ".") continue;
    struct stat info {};
    if (part == ".." || at < 0) {
      inside = false;
      break;
    }
    if (::fstatat(at, part.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      inside = errno == ENOENT || errno == ENAMETOOLONG;  // nothing is there, and nothing below it
      break;
    }
    if (S_ISLNK(info.st_mode)) {
      inside = false;
      break;
    }
    if (!S_ISDIR(info.st_mode)) break;
    const int next = ::openat(at, part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    ::close(at);
    at = next;
    inside = at >= 0;
  }
  if (at >= 0) ::close(at);
  return inside;
}

bool Folder::IsVaulted(const std::string& name) const {
  const std::string first = Parts(name).front();
  return ledger::Vault::Exists(io::SystemFiles(), directory_ + "/" + first) ||
         ledger::Vault::Exists(io::SystemFiles(), directory_ + "/" + name) ||
         ledger::Vault::Exists(io::SystemFiles(), directory_);
}

int Folder::Parent(const std::string& name, std::string& last) const {
  std::vector<std::string> parts = Parts(name);
  last = parts.back();
  if (parts.size() == 1) return ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
  return ::openat(descriptor_, parts[0].c_str(), kDirectory);
}

void Folder::ListIn(int directory, const std::string& prefix,
                    std::vector<FolderEntry>& entries) const {
  DIR* const stream = ::fdopendir(directory);
  if (stream == nullptr) {
    ::close(directory);
    return;
  }
  while (const dirent* found = ::readdir(stream)) {
    const std::string part = found->d_name;
    struct stat info {};
    if (entries.size() >= kMostEntries || !IsPart(part) || !IsText(part) ||
        ::fstatat(directory, part.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    const std::string name = prefix + part;
    if (S_ISREG(info.st_mode)) {
      entries.push_back({name, KindOf(part), static_cast<std::uint64_t>(info.st_size),
                         static_cast<std::int64_t>(info.st_mtime)});
    } else if (S_ISDIR(info.st_mode) &&
               ledger::Vault::Exists(io::SystemFiles(), directory_ + "/" + name)) {
      entries.push_back({name, "vault", 0, static_cast<std::int64_t>(info.st_mtime)});
    } else if (S_ISDIR(info.st_mode) && prefix.empty()) {
      const int below = ::openat(directory, part.c_str(), kDirectory);
      if (below >= 0) ListIn(below, part + "/", entries);
    }
  }
  ::closedir(stream);
}

std::vector<FolderEntry> Folder::List() const {
  std::vector<FolderEntry> entries;
  const int top = ::openat(descriptor_, ".", kDirectory);
  if (top >= 0) ListIn(top, "", entries);
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

std::optional<std::string> Folder::Read(const std::string& name, std::size_t most) const {
  std::string last;
  const int parent = Parent(name, last);
  if (parent < 0) return std::nullopt;
  // Not to wait for whoever writes to a pipe.
  const int file = ::openat(parent, last.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  ::close(parent);
  if (file < 0) return std::nullopt;
  struct stat info {};
  std::optional<std::string> content;
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
      static_cast<std::uint64_t>(info.st_size) <= most) {
    content.emplace();
    char buffer[1 << 16];
    for (ssize_t got = 1; got > 0 && content->size() <= most;) {
      got = ::read(file, buffer, sizeof(buffer));
      if (got > 0) content->append(buffer, static_cast<std::size_t>(got));
      if (got < 0 && errno == EINTR) got = 1;
    }
    if (content->size() > most) content.reset();
  }
  ::close(file);
  return content;
}

Upload::~Upload() {
  if (file_ >= 0) {
    ::close(file_);
    ::unlinkat(parent_, temporary_.c_str(), 0);
  }
  if (parent_ >= 0) ::close(parent_);
}

int Upload::Begin(const std::string& name, bool replace) {
  if (!Folder::IsName(name) || !MayBeUploaded(name) || folder_.IsVaulted(name)) return kBadName;
  replace_ = replace;
  parent_ = folder_.Parent(name, last_);
  if (parent_ < 0) return kNotThere;
  struct stat info {};
  if (::fstatat(parent_, last_.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
    if (!S_ISREG(info.st_mode)) return kBadName;
    if (!replace) return kConflict;
  }
  temporary_ = io::TemporaryNameFor(last_);
  temporary_.erase(0, temporary_.rfind('/') + 1);
  file_ = ::openat(parent_, temporary_.c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  return file_ < 0 ? kBroken : kFine;
}

int Upload::Append(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file_, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == ENOSPC || errno == EDQUOT ? kFull : kBroken;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return kFine;
}

int Upload::Finish() {
  if (::fsync(file_) != 0) return kBroken;
  const unsigned flags = replace_ ? 0 : RENAME_NOREPLACE;
  if (::renameat2(parent_, temporary_.c_str(), parent_, last_.c_str(), flags) != 0) {
    return errno == EEXIST ? kConflict : kBroken;
  }
  ::close(std::exchange(file_, -1));
  (void)::fsync(parent_);
  return kCreated;
}

}  // namespace reissue::cli::studio
