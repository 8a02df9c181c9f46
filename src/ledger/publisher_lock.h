#pragma once
// One publisher at a time: an exclusive flock(2) on DIR/lock, with the holder's process id in the
// file. The kernel lets go of it when the holder dies, so a file without a holder is no obstacle;
// the file itself stays. For src/ledger only. Move-only; lets go when destroyed.

#include <string>
#include <utility>

#include "reissue/core/result.h"

namespace reissue::ledger {

class PublisherLock {
 public:
  // kMachine, with the holder's process id, where another publisher has it. Never waits.
  static Result<PublisherLock> Take(const std::string& file);

  PublisherLock(PublisherLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  PublisherLock& operator=(PublisherLock&&) = delete;
  ~PublisherLock();

 private:
  explicit PublisherLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace reissue::ledger
