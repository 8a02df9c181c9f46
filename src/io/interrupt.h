#pragma once
// What becomes of unfinished files when SIGINT, SIGTERM or SIGHUP ends the program: they are
// removed first. A program that never calls InstallInterrupts is ended by signals as ever.
// Thread-safe.

#include <cstddef>
#include <string>

namespace reissue::io {

// For main(). A signal that was ignored stays so.
void InstallInterrupts();

// Names of files that a signal is to remove; as many as a release has, and names that do not fit
// are left to recovery.
void RemoveOnInterrupt(const std::string& path);
// None of them any more.
void KeepOnInterrupt();
// What a signal would remove is removed now: for whoever ends the process without going back. Takes
// no memory and no lock.
void RemoveUnfinished();

// What a signal that ends the program tells standard error while this is there: one line, a
// literal. The innermost counts.
class SayOnInterrupt {
 public:
  explicit SayOnInterrupt(const char* line);
  ~SayOnInterrupt();
  SayOnInterrupt(const SayOnInterrupt&) = delete;
  SayOnInterrupt& operator=(const SayOnInterrupt&) = delete;

 private:
  const char* const outer_;
};

// What a signal that ends the program does besides, such as telling a server: `act` is called with
// `what` by the handler, and must keep to what handlers may do. All of them together have a few
// seconds. At most kMostActs are there at once; more are not called.
class ActOnInterrupt {
 public:
  using Act = void (*)(void* what);
  static constexpr std::size_t kMostActs = 64;
  ActOnInterrupt(Act act, void* what);
  ~ActOnInterrupt() { Withdraw(); }
  ActOnInterrupt(const ActOnInterrupt&) = delete;
  ActOnInterrupt& operator=(const ActOnInterrupt&) = delete;
  // From now on it is not called. False: a signal is at it, and `what` must be left as it is.
  bool Withdraw();

 private:
  std::size_t slot_;
};

// While one of these is there, signals are too late: what has begun is finished and reported.
class HoldInterrupts {
 public:
  HoldInterrupts();
  ~HoldInterrupts();
  HoldInterrupts(const HoldInterrupts&) = delete;
  HoldInterrupts& operator=(const HoldInterrupts&) = delete;
};

}  // namespace reissue::io
