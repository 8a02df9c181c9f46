#pragma once
// A bar on standard error for work that takes longer than a second; nothing where standard error is
// no terminal. With REISSUE_PROGRESS=json, lines for programs instead, from the beginning and
// wherever standard error leads. A thread of its own draws it anew, so that also work that cannot
// say how far it is is seen to go on. Thread-safe.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "reissue/core/progress.h"

namespace reissue::cli {

class ProgressBar : public Progress {
 public:
  explicit ProgressBar(int descriptor);
  ~ProgressBar() override;

  void Begin(std::string_view stage, std::uint64_t total) override;
  void Advance(std::uint64_t done) override;
  // Takes the bar off the screen; later calls of the others draw it again.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Shape { kNothing, kBar, kLines };
  static Shape ShapeFor(int descriptor);
  void Draw(Clock::time_point now);
  void DrawBar(Clock::time_point now);
  void DrawLine(Clock::time_point now);
  void Tick();

  const int descriptor_;
  const Shape shape_;
  const Clock::time_point start_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::int64_t> next_draw_;  // nanoseconds of the clock
  std::mutex mutex_;
  std::string stage_;
  Clock::time_point stage_start_;
  std::uint64_t total_ = 0;
  bool working_ = false;  // since the last Begin or Advance nothing was cleared
  bool on_screen_ = false;
  bool ended_ = false;
  std::condition_variable end_;
  std::thread ticker_;
};

}  // namespace reissue::cli
