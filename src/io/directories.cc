#include "reissue/io/directories.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "reissue/io/file_system.h"

namespace reissue::io::internal {

Descriptor::~Descriptor() {
  if (fd_ > STDERR_FILENO) ::close(fd_);
}

Status HeldDirectory::IsInItsPlace() const {
  struct stat held {};
  struct stat named {};
  if (::fstat(descriptor.get(), &held) == 0 && ::stat(name.c_str(), &named) == 0 &&
      held.st_dev == named.st_dev && held.st_ino == named.st_ino) {
    return Ok();
  }
  return DirectoryChanged(name);
}

int Spot::directory() const { return held == nullptr ? AT_FDCWD : held->descriptor.get(); }

Result<std::shared_ptr<const HeldDirectory>> Directories::Hold(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  std::erase_if(held_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = held_.find(directory); found != held_.end()) {
    if (auto held = found->second.lock()) {
      REISSUE_TRY(held->IsInItsPlace());
      return held;
    }
  }
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return FileError(directory, "open this directory", errno);
  // The inode of a directory that is held is not given to another one.
  std::shared_ptr<const HeldDirectory> held(new HeldDirectory{directory, Descriptor(fd)});
  held_[directory] = held;
  return held;
}

std::shared_ptr<const HeldDirectory> Directories::Find(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(directory);
  return found == held_.end() ? nullptr : found->second.lock();
}

Spot Directories::Locate(const std::string& path) {
  auto held = Find(DirectoryOf(path));
  if (held == nullptr) return {nullptr, path};
  return {std::move(held), path.substr(path.find_last_of('/') + 1)};
}

}  // namespace reissue::io::internal
