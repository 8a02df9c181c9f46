#include "cli/passphrase.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
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

Error TooLong() {
  return UsageError("the passphrase is longer than 1,024 bytes", "Take a shorter one.");
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

  Result<ledger::SecretText> Ask(std::string_view prompt) {
    if (write(descriptor_, prompt.data(), prompt.size()) < 0) return NoAnswer();
    ledger::SecretText line;
    char byte = 0;
    while (WaitForInput() && read(descriptor_, &byte, 1) == 1) {
      if (byte == '\n') return line;
      if (!line.Append(byte)) return TooLong();
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

// Read byte by byte into locked memory: no copy stays behind.
Result<ledger::SecretText> FirstLine(const std::string& path, const char* variable,
                                     Session& session) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return InputError(Place{path, std::nullopt, std::nullopt, ""},
                      std::string("cannot read this file: ") + std::strerror(errno),
                      std::string(variable) + " names a file whose first line is the passphrase.");
  }
  struct stat info {};
  if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & 077) != 0) {
    session.Warn(path + " can be read by others than you: chmod 600 it");
  }
  ledger::SecretText line;
  char byte = 0;
  bool room = true;
  while (room && read(descriptor, &byte, 1) == 1 && byte != '\n') {
    if (byte != '\r') room = line.Append(byte);
  }
  close(descriptor);
  if (!room) return TooLong();
  if (line.empty()) {
    return InputError(Place{path, 1, std::nullopt, ""}, "the first line is empty",
                      std::string(variable) + " names a file whose first line is the passphrase.");
  }
  return line;
}

// Argon2id makes a guess cost a second; that is enough only for what is not among the first
// millions that anybody tries.
void WarnOfWeak(const ledger::SecretText& text, Session& session) {
  constexpr std::size_t kShort = 12, kFew = 6;
  const std::string_view view = text.view();
  std::size_t different = 0;  // counted in place: no copy of them stays behind
  for (std::size_t i = 0; i < view.size(); ++i) different += view.find(view[i]) == i ? 1 : 0;
  if (view.size() >= kShort && different >= kFew) return;
  session.Warn(
      "this passphrase is easy to guess for somebody who has the vault; take at least four words "
      "that nobody would expect together (`reissue vault passphrase` changes it)");
}

Result<ledger::Passphrase> FromTerminal(const std::string& what, bool twice,
                                        const std::string& otherwise) {
  SilentTerminal terminal;
  if (!terminal.usable()) {
    return UsageError(what + " needs a passphrase, and there is no terminal to ask on", otherwise);
  }
  ledger::SecretText first =
      REISSUE_TRY(terminal.Ask((twice ? "New passphrase for " : "Passphrase of ") + what + ": "));
  if (first.empty()) {
    return UsageError("the passphrase is empty",
                      "Type one, or use --no-passphrase if the disk is encrypted.");
  }
  if (twice) {
    const ledger::SecretText second = REISSUE_TRY(terminal.Ask("The same once more: "));
    if (!(first == second)) {
      return UsageError("the two passphrases differ", "Nothing was written; try again.");
    }
  }
  return ledger::Passphrase{false, std::move(first)};
}

Result<ledger::Passphrase> FromVariable(const char* variable, Session& session,
                                        const std::string& what, bool creating,
                                        const std::string& otherwise) {
  const char* file = std::getenv(variable);
  ledger::Passphrase passphrase;
  if (file != nullptr && *file != '\0') {
    passphrase.text = REISSUE_TRY(FirstLine(file, variable, session));
  } else {
    passphrase = REISSUE_TRY(FromTerminal(what, creating, otherwise));
  }
  if (creating) WarnOfWeak(passphrase.text, session);
  return passphrase;
}

constexpr char kVariable[] = "REISSUE_PASSPHRASE_FILE";
constexpr char kNewVariable[] = "REISSUE_NEW_PASSPHRASE_FILE";

std::string Otherwise(const char* variable, bool may_refuse) {
  return std::string("Name a file whose first line is the passphrase in ") + variable +
         ", or run the program on a terminal" + (may_refuse ? ", or use --no-passphrase." : ".");
}

}  // namespace

Result<ledger::Passphrase> AskPassphrase(Session& session, const std::string& directory,
                                         bool refused) {
  io::FileSystem& files = session.context().files;
  const bool creating = !ledger::Vault::Exists(files, directory);
  if (!creating) {
    const bool has_one = REISSUE_TRY(ledger::Vault::NeedsPassphrase(files, directory));
    if (has_one && refused) {
      return UsageError("the vault " + directory + " has a passphrase",
                        "Leave --no-passphrase out, and give the passphrase.");
    }
    if (!has_one && !refused) {
      return UsageError("the vault " + directory + " has no passphrase",
                        "Say --no-passphrase if it was made so. If it was made with one, somebody "
                        "has put another vault in its place: do not publish from this one.");
    }
  }
  if (refused) return ledger::Passphrase{true, {}};
  session.progress().Clear();
  return FromVariable(kVariable, session, "the vault " + directory, creating,
                      Otherwise(kVariable, creating));
}

Result<ledger::Passphrase> AskPassphraseOf(Session& session, const std::string& what,
                                           bool refused) {
  if (refused) return ledger::Passphrase{true, {}};
  return FromVariable(kVariable, session, what, false, Otherwise(kVariable, false));
}

Result<ledger::Passphrase> AskNewPassphrase(Session& session, const std::string& directory) {
  return FromVariable(kNewVariable, session, "the vault " + directory, true,
                      Otherwise(kNewVariable, false));
}

}  // namespace reissue::cli
