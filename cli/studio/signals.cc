#include "cli/studio/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <iterator>
#include <utility>

namespace reissue::cli::studio {
namespace {

int wake_up = -1;  // an eventfd

void RememberSignal(int) {
  const int saved = errno;
  const std::uint64_t one = 1;
  if (::write(wake_up, &one, sizeof(one)) < 0) errno = saved;
  errno = saved;
}

}  // namespace

Signals::Signals() {
  wake_up = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction ours {};
  ours.sa_handler = RememberSignal;
  ::sigfillset(&ours.sa_mask);
  ours.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], &ours, &before_[i]);
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  ::close(std::exchange(wake_up, -1));
}

bool Signals::Wait(std::chrono::milliseconds patience) {
  pollfd source{wake_up, POLLIN, 0};
  return ::poll(&source, 1, static_cast<int>(patience.count())) > 0;
}

}  // namespace reissue::cli::studio
