#pragma once
// Signals that end programs, waited for instead.

#include <chrono>
#include <csignal>

namespace reissue::cli::studio {

// While it is there, SIGINT, SIGTERM and SIGHUP are only remembered. There is one at a time.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Whether one has come.
  static bool Wait(std::chrono::milliseconds patience);

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[3] = {};
};

}  // namespace reissue::cli::studio
