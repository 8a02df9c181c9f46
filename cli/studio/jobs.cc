#include "cli/studio/jobs.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include "cli/render/json.h"

namespace reissue::cli::studio {
namespace {

constexpr auto kTimeToEnd = std::chrono::seconds(10);
constexpr std::size_t kMostNotes = 50, kLongestLine = 2000;

}  // namespace

Jobs::Jobs(int directory) : directory_(directory) {
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    workers_.emplace_back([this] { Work(); });
  }
}

bool Jobs::Ended(const Job& job) {
  return job.view.state == JobState::kDone || job.view.state == JobState::kCancelled;
}

void Jobs::Touch(Job& job) {
  ++job.version;
  changed_.notify_all();
}

Jobs::JobPtr Jobs::Find(std::uint64_t id) const {
  for (const JobPtr& job : jobs_) {
    if (job->view.id == id) return job;
  }
  return nullptr;
}

std::optional<std::uint64_t> Jobs::Add(std::vector<std::string> words, std::string command,
                                       Descriptor passphrase) {
  const std::lock_guard lock(mutex_);
  const std::size_t free = kAtOnce - std::min(running_, kAtOnce);
  if (stopping_ || waiting_.size() >= kMostWaiting + free) return std::nullopt;
  auto job = std::make_shared<Job>();
  job->view.id = next_++;
  job->view.command = std::move(command);
  job->words = std::move(words);
  job->passphrase = std::move(passphrase);
  jobs_.push_back(job);
  waiting_.push_back(job);
  Forget();
  changed_.notify_all();
  return job->view.id;
}

// The oldest that have ended go first.
void Jobs::Forget() {
  std::size_t outputs = 0;
  for (auto job = jobs_.rbegin(); job != jobs_.rend(); ++job) {
    if (!Ended(**job)) continue;
    outputs += (*job)->view.output.size();
    if (outputs <= kMostKeptOutput) continue;
    outputs -= (*job)->view.output.size();
    std::string().swap((*job)->view.output);
    (*job)->view.output_left_out = true;
  }
  while (jobs_.size() > kMostKept && Ended(*jobs_.front())) jobs_.pop_front();
}

std::optional<JobView> Jobs::Get(std::uint64_t id, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const JobPtr job = Find(id);
  if (!job) return std::nullopt;
  const std::uint64_t version = job->version;
  changed_.wait_for(lock, patience,
                    [&] { return stopping_ || Ended(*job) || job->version != version; });
  return job->view;
}

std::vector<JobView> Jobs::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobView> views;
  for (auto job = jobs_.rbegin(); job != jobs_.rend(); ++job) {
    const JobView& view = (*job)->view;
    views.push_back({view.id, view.command, view.state, view.exit, view.progress, view.notes, "",
                     view.output_left_out});
  }
  return views;
}

bool Jobs::Cancel(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  const JobPtr job = Find(id);
  if (!job) return false;
  if (Ended(*job)) return true;
  job->asked_to_end = true;
  if (job->view.state == JobState::kWaiting) {
    std::erase(waiting_, job);
    job->passphrase.Close();
    job->view.state = JobState::kCancelled;
  } else if (job->pid > 0) {
    ::kill(job->pid, SIGTERM);
  }
  Touch(*job);
  return true;
}

bool Jobs::Busy() const {
  const std::lock_guard lock(mutex_);
  return running_ > 0 || !waiting_.empty();
}

void Jobs::Stop() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  waiting_.clear();
  changed_.notify_all();
  const auto signal_all = [this](int signal) {
    for (const JobPtr& job : jobs_) {
      job->asked_to_end = true;
      if (job->pid > 0) ::kill(job->pid, signal);
    }
  };
  signal_all(SIGTERM);
  changed_.wait_for(lock, kTimeToEnd, [this] { return running_ == 0; });
  signal_all(SIGKILL);
  lock.unlock();
  for (std::thread& worker : workers_) {
    if (worker.joinable()) worker.join();
  }
}

void Jobs::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const JobPtr job = waiting_.front();
    waiting_.pop_front();
    ++running_;
    job->view.state = JobState::kRunning;
    Touch(*job);
    lock.unlock();
    RunJob(job);
    lock.lock();
    --running_;
    Forget();
    changed_.notify_all();
  }
}

void Jobs::RunJob(const JobPtr& job) {
  Result<Child> child = StartProgram(job->words, directory_, job->passphrase);
  job->passphrase.Close();
  if (!child) {
    const std::lock_guard lock(mutex_);
    job->view.notes.push_back(child.error().ToString());
    job->view.state = JobState::kDone;
    job->view.exit = 126;
    return Touch(*job);
  }
  {
    const std::lock_guard lock(mutex_);
    job->pid = child->pid;
    if (job->asked_to_end) ::kill(child->pid, SIGTERM);
  }
  Listen(job, *child);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(child->pid), &info, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
  // Only now does the number belong to nobody: no signal is to reach another process.
  const std::lock_guard lock(mutex_);
  int status = 0;
  while (::waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
  }
  job->pid = 0;
  End(job, status);
}

void Jobs::End(const JobPtr& job, int status) {
  JobView& view = job->view;
  const bool killed = WIFSIGNALED(status);
  view.exit = killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  view.state = killed && job->asked_to_end ? JobState::kCancelled : JobState::kDone;
  Touch(*job);
}

// Reads both until they end. What is too long is read, and not kept.
void Jobs::Listen(const JobPtr& job, const Child& child) {
  pollfd sources[] = {{child.out.get(), POLLIN, 0}, {child.err.get(), POLLIN, 0}};
  std::string output, line;
  bool too_long = false;
  char buffer[1 << 14];
  while (sources[0].fd >= 0 || sources[1].fd >= 0) {
    if (::poll(sources, 2, -1) < 0 && errno != EINTR) break;
    for (pollfd& source : sources) {
      if (source.fd < 0 || source.revents == 0) continue;
      const ssize_t got = ::read(source.fd, buffer, sizeof(buffer));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        source.fd = -1;
        continue;
      }
      const std::string_view piece(buffer, static_cast<std::size_t>(got));
      if (&source == &sources[0]) {
        too_long = too_long || output.size() + piece.size() > kLongestOutput;
        if (!too_long) output += piece;
        continue;
      }
      for (const char c : piece) {
        if (c == '\n') {
          Hear(job, line);
          line.clear();
        } else if (line.size() < kLongestLine) {
          line += c;
        }
      }
    }
  }
  Hear(job, line);
  const std::lock_guard lock(mutex_);
  job->view.output_left_out = too_long;
  if (!too_long) job->view.output = std::move(output);
}

void Jobs::Hear(const JobPtr& job, const std::string& line) {
  if (line.empty()) return;
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const std::lock_guard lock(mutex_);
  if (json.is_object() && json.contains("stage")) {
    job->view.progress = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  } else if (job->view.notes.size() < kMostNotes) {
    job->view.notes.push_back(line);
  }
  Touch(*job);
}

}  // namespace reissue::cli::studio
