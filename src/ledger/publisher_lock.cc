#include "reissue/ledger/publisher_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "reissue/ledger/place.h"

namespace reissue::ledger {
namespace {

// Who wrote into the file: "process 1234", or "another process" where that cannot be told.
std::string Holder(int descriptor) {
  char text[24] = {};
  const ssize_t size = ::pread(descriptor, text, sizeof(text) - 1, 0);
  long id = 0;
  for (ssize_t i = 0; i < size && text[i] >= '0' && text[i] <= '9' && id < 100000000; ++i) {
    id = id * 10 + (text[i] - '0');
  }
  return id > 0 ? fmt::format("process {}", id) : "another process";
}

Error Refusal(const std::string& file, int descriptor, int cause) {
  if (cause == EWOULDBLOCK) {
    return MachineError(At(file),
                        fmt::format("{} is publishing from this vault", Holder(descriptor)),
                        "Wait until it has finished, then run the command again.");
  }
  return MachineError(At(file),
                      fmt::format("the vault cannot be locked ({})", std::strerror(cause)),
                      "Keep the vault on a local disk, not on a network drive.");
}

}  // namespace

Result<PublisherLock> PublisherLock::Take(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) {
    return MachineError(At(file),
                        fmt::format("the vault cannot be locked ({})", std::strerror(errno)),
                        "Check that you own the vault's directory and may write in it.");
  }
  PublisherLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    Error refusal = Refusal(file, descriptor, errno);
    ::close(std::exchange(lock.descriptor_, -1));
    return refusal;
  }
  // The lock is held; the process id is a courtesy to others, and so are the exact permissions.
  const std::string id = fmt::format("{}\n", ::getpid());
  [[maybe_unused]] const bool told = ::fchmod(descriptor, 0600) == 0 &&
                                     ::ftruncate(descriptor, 0) == 0 &&
                                     ::pwrite(descriptor, id.data(), id.size(), 0) > 0;
  return lock;
}

PublisherLock::~PublisherLock() {
  if (descriptor_ < 0) return;
  [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, 0);
  ::close(descriptor_);
}

}  // namespace reissue::ledger
