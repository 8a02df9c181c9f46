#include "cli/passphrase.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace reissue::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
volatile std::sig_atomic_t interrupted_by = 0;
int wake_up[2] = {-1, -1};

// A signal may come just before the wait for input begins, or to another thread: neither would
// interrupt a read. A byte in the pipe ends the wait in both cases.
void Remember(int signal) {
  const int saved = errno;
  interrupted_by = signal;
  if (write(wake_up[1], "", 1) < 0) interrupted_by = signal;  // full: it wakes up anyway
  errno = saved;
}

// The terminal without echo; everything is as before once it is gone.
class SilentTerminal {
 public:
  SilentTerminal() : descriptor_(open("/dev/tty", O_RDWR | O_CLOEXEC)) {
    if (descriptor_ < 0) return;
    usable_ = tcgetattr(descriptor_, &before_) == 0 && pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) == 0;
    if (!usable_) return;
    struct sigaction remember {};
    remember.sa_handler = Remember;
    sigemptyset(&remember.sa_mask);
    interrupted_by = 0;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      sigaction(kSignals[i], &remember, &handlers_[i]);
    }
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    silent.c_lflag |= ICANON | ECHONL;
    tcsetattr(descriptor_, TCSAFLUSH, &silent);
  }
  ~SilentTerminal() {
    if (usable_) {
      tcsetattr(descriptor_, TCSAFLUSH, &before_);
      for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        sigaction(kSignals[i], &handlers_[i], nullptr);
      }
      for (int& end : wake_up) {
        close(end);
        end = -1;
      }
    }
    if (descriptor_ >= 0) close(descriptor_);
    if (usable_ && interrupted_by != 0) raise(interrupted_by);
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;

  bool usable() const { return usable_; }

  Result<std::string> Ask(std::string_view prompt) {
    if (write(descriptor_, prompt.data(), prompt.size()) < 0) return NoAnswer();
    std::string line;
    char byte = 0;
    while (WaitForInput() && read(descriptor_, &byte, 1) == 1) {
      if (byte == '\n') return line;
      line += byte;
    }
    return NoAnswer();  // end of file, an error, or a signal that is raised again afterwards
  }

 private:
  // False where a signal came first.
  bool WaitForInput() const {
    pollfd sources[] = {{descriptor_, POLLIN, 0}, {wake_up[0], POLLIN, 0}};
    while (poll(sources, std::size(sources), -1) < 0) {
      if (errno != EINTR) return false;
    }
    return sources[1].revents == 0;
  }
  static Error NoAnswer() { return UsageError("no passphrase was given"); }

  int descriptor_;
  bool usable_ = false;
  termios before_{};
  struct sigaction handlers_[std::size(kSignals)] = {};
};

Result<ledger::Passphrase> FromFile(io::FileSystem& files, const std::string& path) {
  const auto bytes = REISSUE_TRY(files.Read(path));
  const std::string_view text = bytes->view();
  std::string_view line = text.substr(0, text.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.empty()) {
    return InputError(Place{path, 1, std::nullopt, ""}, "the first line is empty",
                      "REISSUE_PASSPHRASE_FILE names a file whose first line is the passphrase.");
  }
  return ledger::Passphrase{false, std::string(line)};
}

Result<ledger::Passphrase> FromTerminal(const std::string& directory, bool creating) {
  SilentTerminal terminal;
  if (!terminal.usable()) {
    return UsageError(
        "the vault " + directory + " needs a passphrase, and there is no terminal to ask on",
        "Name a file whose first line is the passphrase in REISSUE_PASSPHRASE_FILE, run the "
        "program on a terminal, or" +
            std::string(creating ? "" : " (for a new vault only)") + " use --no-passphrase.");
  }
  std::string first =
      REISSUE_TRY(terminal.Ask(creating ? "Passphrase for the new vault " + directory + ": "
                                        : "Passphrase of the vault " + directory + ": "));
  if (first.empty()) {
    return UsageError("the passphrase is empty",
                      "Type one, or use --no-passphrase if the disk is encrypted.");
  }
  if (creating) {
    const std::string second = REISSUE_TRY(terminal.Ask("The same once more: "));
    if (first != second) {
      return UsageError("the two passphrases differ", "Nothing was written; try again.");
    }
  }
  return ledger::Passphrase{false, std::move(first)};
}

}  // namespace

Result<ledger::Passphrase> AskPassphrase(io::FileSystem& files, const std::string& directory,
                                         bool refused) {
  const bool creating = !ledger::Vault::Exists(files, directory);
  bool needed = !refused;
  if (!creating) needed = REISSUE_TRY(ledger::Vault::NeedsPassphrase(files, directory));
  if (!needed) return ledger::Passphrase{true, ""};
  if (refused) {
    return UsageError("the vault " + directory + " has a passphrase",
                      "Leave --no-passphrase out, and give the passphrase.");
  }
  const char* file = std::getenv("REISSUE_PASSPHRASE_FILE");
  if (file != nullptr && *file != '\0') return FromFile(files, file);
  return FromTerminal(directory, creating);
}

}  // namespace reissue::cli
