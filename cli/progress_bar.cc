#include "cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "cli/render/json.h"
#include "cli/style.h"

namespace reissue::cli {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::milliseconds(200);
constexpr std::size_t kWidth = 30;
constexpr std::string_view kClearLine = "\r\x1b[K";

std::int64_t Nanoseconds(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

// How long the rest of a stage takes if it goes on as it began; nothing where that cannot be told.
std::string TimeLeft(double share, double seconds) {
  if (share < 0.02 || seconds < 1 || share >= 1) return "";
  const double left = seconds / share - seconds;
  if (left < 90) return "  about " + std::to_string(static_cast<int>(left + 1)) + " s left";
  if (left < 5400)
    return "  about " + std::to_string(static_cast<int>(left / 60 + 1)) + " min left";
  return "  about " + std::to_string(static_cast<int>(left / 3600 + 1)) + " h left";
}

// How long a stage has taken of which nobody knows how much there is.
std::string Spent(double seconds) {
  if (seconds < 1) return "";
  return "  " + std::to_string(static_cast<int>(seconds)) + " s";
}

// A bar that cannot be drawn is no reason to stop.
void WriteQuietly(int descriptor, std::string_view text) {
  if (write(descriptor, text.data(), text.size()) < 0) return;
}

}  // namespace

ProgressBar::Shape ProgressBar::ShapeFor(int descriptor) {
  const char* const asked = std::getenv("REISSUE_PROGRESS");
  if (asked != nullptr && std::string_view(asked) == "json") return Shape::kLines;
  return isatty(descriptor) == 1 ? Shape::kBar : Shape::kNothing;
}

ProgressBar::ProgressBar(int descriptor)
    : descriptor_(descriptor),
      shape_(ShapeFor(descriptor)),
      start_(Clock::now()),
      next_draw_(Nanoseconds(shape_ == Shape::kLines ? start_ : start_ + kPatience)) {
  if (shape_ == Shape::kNothing) return;
  try {
    ticker_ = std::thread([this] { Tick(); });
  } catch (const std::system_error&) {  // then whoever advances draws
  }
}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  if (ticker_.joinable()) ticker_.join();
  Clear();
}

void ProgressBar::Tick() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, kInterval, [this] { return ended_; })) {
    const auto now = Clock::now();
    if (working_ && Nanoseconds(now) >= next_draw_) Draw(now);
  }
}

void ProgressBar::Begin(std::string_view stage, std::uint64_t total) {
  if (shape_ == Shape::kNothing) return;
  const std::lock_guard lock(mutex_);
  stage_ = Printable(stage);
  stage_start_ = Clock::now();
  total_ = total;
  done_ = 0;
  working_ = true;
}

void ProgressBar::Advance(std::uint64_t done) {
  if (shape_ == Shape::kNothing) return;
  done_ += done;
  const auto now = Clock::now();
  if (Nanoseconds(now) < next_draw_) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock()) {
    working_ = true;
    Draw(now);
  }
}

void ProgressBar::Draw(Clock::time_point now) {
  if (shape_ == Shape::kLines) {
    next_draw_ = Nanoseconds(now + kLineInterval);
    DrawLine(now);
  } else {
    next_draw_ = Nanoseconds(now + kInterval);
    DrawBar(now);
  }
}

// One write, so that no other line comes between.
void ProgressBar::DrawLine(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  Json json;
  json["stage"] = stage_;
  json["done"] = total_ > 0 ? std::min(done_.load(), total_) : done_.load();
  json["total"] = total_;
  json["seconds"] = std::round(seconds * 10) / 10;
  WriteQuietly(descriptor_, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void ProgressBar::DrawBar(Clock::time_point now) {
  std::string line(kClearLine);
  line += stage_;
  if (total_ > 0) {
    const double share =
        std::min(1.0, static_cast<double>(done_.load()) / static_cast<double>(total_));
    const auto filled = static_cast<std::size_t>(share * kWidth);
    char percent[8];
    std::snprintf(percent, sizeof(percent), "%3.0f %%", share * 100);
    line += "  [" + std::string(filled, '#') + std::string(kWidth - filled, ' ') + "] " + percent +
            TimeLeft(share, std::chrono::duration<double>(now - stage_start_).count());
  } else {
    line += ForLocale(" …") + Spent(std::chrono::duration<double>(now - stage_start_).count());
  }
  WriteQuietly(descriptor_, line);
  on_screen_ = true;
}

void ProgressBar::Clear() {
  const std::lock_guard lock(mutex_);
  if (on_screen_) WriteQuietly(descriptor_, kClearLine);
  on_screen_ = false;
  working_ = false;
}

}  // namespace reissue::cli
