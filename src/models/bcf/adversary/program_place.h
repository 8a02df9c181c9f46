#pragma once
// Which of many programs one is. Internal to the adversary.

#include <atomic>
#include <cstddef>
#include <memory>

namespace reissue::models::bcf::internal {

// Which of the programs it is that its thread has made and that are still there. Programs of one
// question are made by one thread, so numbers do not depend on how many threads there are.
struct ProgramPlace {
  using Count = std::atomic<std::size_t>;
  static std::shared_ptr<Count> OfThread() {
    thread_local const auto count = std::make_shared<Count>(0);
    return count;
  }
  const std::shared_ptr<Count> among = OfThread();
  const std::size_t number = among->fetch_add(1);
  ~ProgramPlace() { among->fetch_sub(1); }
};

}  // namespace reissue::models::bcf::internal
