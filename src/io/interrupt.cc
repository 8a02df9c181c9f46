#include "reissue/io/interrupt.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

namespace reissue::io {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// What the handler looks at: no memory is taken, nothing is locked.
struct Slot {
  std::atomic<bool> used = false;
  std::array<char, PATH_MAX> path = {};
};
constexpr std::size_t kSlots = 16;
std::array<Slot, kSlots> slots;
std::atomic<std::size_t> filled = 0;
std::atomic<int> holders = 0;
std::atomic<const char*> last_words = nullptr;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<const char*>::is_always_lock_free);

// What is to be done besides.
enum class ActState { kFree, kFilling, kReady, kTaken };
struct ActSlot {
  std::atomic<ActState> state = ActState::kFree;
  ActOnInterrupt::Act act = nullptr;
  void* what = nullptr;
};
std::array<ActSlot, ActOnInterrupt::kMostActs> acts;
std::atomic<int> ending = 0;  // the signal
static_assert(std::atomic<ActState>::is_always_lock_free);
constexpr unsigned kSecondsToAct = 3;

bool Turn(ActSlot& slot, ActState from, ActState to) {
  return slot.state.compare_exchange_strong(from, to);
}

void EndBy(int signal) {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  ::raise(signal);
}

// Nobody waits longer for a server that does not answer.
void OnAlarm(int) {
  const int signal = ending;
  sigset_t its;
  ::sigemptyset(&its);
  ::sigaddset(&its, signal);
  ::sigprocmask(SIG_UNBLOCK, &its, nullptr);
  EndBy(signal);
}

void Act(int signal) {
  bool limited = false;
  for (ActSlot& slot : acts) {
    if (!Turn(slot, ActState::kReady, ActState::kTaken)) continue;
    if (!limited) {
      limited = true;
      ending = signal;
      struct sigaction alarmed {};
      alarmed.sa_handler = OnAlarm;
      ::sigaction(SIGALRM, &alarmed, nullptr);
      sigset_t alarms;
      ::sigemptyset(&alarms);
      ::sigaddset(&alarms, SIGALRM);
      ::sigprocmask(SIG_UNBLOCK, &alarms, nullptr);
      ::alarm(kSecondsToAct);
    }
    slot.act(slot.what);
  }
}

void OnSignal(int signal) {
  const int saved = errno;
  if (holders == 0) {
    RemoveUnfinished();
    if (const char* const line = last_words.load(); line != nullptr) {
      if (::write(STDERR_FILENO, line, std::strlen(line)) < 0) errno = 0;  // nobody is left to tell
    }
    Act(signal);
    EndBy(signal);
  }
  errno = saved;
}

}  // namespace

void InstallInterrupts() {
  for (const int signal : kSignals) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction ours {};
    ours.sa_handler = OnSignal;
    ::sigfillset(&ours.sa_mask);
    ours.sa_flags = SA_RESTART;
    ::sigaction(signal, &ours, nullptr);
  }
}

void RemoveOnInterrupt(const std::string& path) {
  if (path.empty() || path.size() >= PATH_MAX) return;
  const std::size_t index = filled++;
  if (index >= kSlots) return;
  std::memcpy(slots[index].path.data(), path.c_str(), path.size() + 1);
  slots[index].used = true;
}

void KeepOnInterrupt() {
  for (Slot& slot : slots) slot.used = false;
  filled = 0;
}

void RemoveUnfinished() {
  if (holders > 0) return;
  for (const Slot& slot : slots) {
    if (slot.used) ::unlink(slot.path.data());
  }
}

SayOnInterrupt::SayOnInterrupt(const char* line) : outer_(last_words.exchange(line)) {}

SayOnInterrupt::~SayOnInterrupt() { last_words = outer_; }

ActOnInterrupt::ActOnInterrupt(Act act, void* what) : slot_(kMostActs) {
  for (std::size_t i = 0; i < kMostActs && slot_ == kMostActs; ++i) {
    if (!Turn(acts[i], ActState::kFree, ActState::kFilling)) continue;
    acts[i].act = act;
    acts[i].what = what;
    acts[i].state = ActState::kReady;
    slot_ = i;
  }
}

bool ActOnInterrupt::Withdraw() {
  if (slot_ == kMostActs) return true;
  const bool ours = Turn(acts[slot_], ActState::kReady, ActState::kFree);
  slot_ = kMostActs;
  return ours;
}

HoldInterrupts::HoldInterrupts() { ++holders; }

HoldInterrupts::~HoldInterrupts() { --holders; }

}  // namespace reissue::io
