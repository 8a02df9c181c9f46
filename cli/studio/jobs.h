#pragma once
// The commands that the studio has started: two at once, a few that wait, and what became of the
// others. Thread-safe.

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/studio/process.h"

namespace reissue::cli::studio {

enum class JobState { kWaiting, kRunning, kDone, kCancelled };

struct JobView {
  std::uint64_t id = 0;
  std::string command;  // to copy
  JobState state = JobState::kWaiting;
  std::optional<int> exit;         // once it has ended; 128 + the signal that ended it
  std::string progress;            // a JSON object; empty: it has said nothing yet
  std::vector<std::string> notes;  // what else it said on standard error
  std::string output;              // once it has ended
  bool output_left_out = false;    // it was too long, or of a job too long ago
};

class Jobs {
 public:
  static constexpr std::size_t kAtOnce = 2, kMostWaiting = 8, kMostKept = 200;
  static constexpr std::size_t kLongestOutput = std::size_t{64} << 20;
  static constexpr std::size_t kMostKeptOutput = std::size_t{128} << 20;

  explicit Jobs(int directory);
  ~Jobs() { Stop(); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Nothing where too many wait already.
  std::optional<std::uint64_t> Add(std::vector<std::string> words, std::string command,
                                   Descriptor passphrase);
  // Waits until something has changed, it has ended, or the time is up.
  std::optional<JobView> Get(std::uint64_t id, std::chrono::milliseconds patience);
  std::vector<JobView> All() const;  // newest first, without outputs
  // False where there is none. One that has ended stays as it is.
  bool Cancel(std::uint64_t id);
  bool Busy() const;
  // Ends all of them and waits for that. Nobody waits in Get any more.
  void Stop();

 private:
  struct Job {
    JobView view;
    std::vector<std::string> words;
    Descriptor passphrase;
    pid_t pid = 0;  // while it can be signalled
    bool asked_to_end = false;
    std::uint64_t version = 0;
  };
  using JobPtr = std::shared_ptr<Job>;

  void Work();
  void RunJob(const JobPtr& job);
  void Listen(const JobPtr& job, const Child& child);
  void Hear(const JobPtr& job, const std::string& line);
  void End(const JobPtr& job, int status);
  void Forget();
  JobPtr Find(std::uint64_t id) const;
  void Touch(Job& job);
  static bool Ended(const Job& job);

  const int directory_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<JobPtr> jobs_;  // oldest first
  std::deque<JobPtr> waiting_;
  std::size_t running_ = 0;
  std::uint64_t next_ = 1;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace reissue::cli::studio
