#pragma once
// A bar on standard error for work that takes longer than a second; nothing where standard error is
// no terminal. Thread-safe.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "reissue/core/progress.h"

namespace reissue::cli {

class ProgressBar : public Progress {
 public:
  explicit ProgressBar(int descriptor);
  ~ProgressBar() override { Clear(); }

  void Begin(std::string_view stage, std::uint64_t total) override;
  void Advance(std::uint64_t done) override;
  // Takes the bar off the screen; later calls draw it again.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  void Draw(Clock::time_point now);

  const int descriptor_;
  const bool shown_;
  const Clock::time_point start_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::int64_t> next_draw_;  // nanoseconds of the clock
  std::mutex mutex_;
  std::string stage_;
  Clock::time_point stage_start_;
  std::uint64_t total_ = 0;
  bool on_screen_ = false;
};

}  // namespace reissue::cli
