#pragma once
// What becomes of unfinished files when SIGINT, SIGTERM or SIGHUP ends the program: they are
// removed first. A program that never calls InstallInterrupts is ended by signals as ever.
// Thread-safe.

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

// While one of these is there, signals are too late: what has begun is finished and reported.
class HoldInterrupts {
 public:
  HoldInterrupts();
  ~HoldInterrupts();
  HoldInterrupts(const HoldInterrupts&) = delete;
  HoldInterrupts& operator=(const HoldInterrupts&) = delete;
};

}  // namespace reissue::io
