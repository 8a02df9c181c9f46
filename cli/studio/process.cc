#include "cli/studio/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

extern char** environ;

namespace reissue::cli::studio {
namespace {

constexpr int kPassphrase = 3;  // the number of its descriptor in the child

Error Failed(const char* what) {
  return MachineError(std::string("cannot ") + what + ": " + std::strerror(errno));
}

// What is ours is not inherited.
std::vector<std::string> EnvironmentFor(bool passphrase) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("REISSUE_PASSPHRASE_FILE=") || text.starts_with("REISSUE_PROGRESS=") ||
        text.starts_with("REISSUE_NEW_PASSPHRASE_FILE=")) {
      continue;
    }
    variables.emplace_back(text);
  }
  variables.emplace_back("REISSUE_PROGRESS=json");
  if (passphrase) {
    variables.push_back("REISSUE_PASSPHRASE_FILE=/dev/fd/" + std::to_string(kPassphrase));
  }
  return variables;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Between fork and exec: takes no memory and no lock.
struct Launch {
  const char* program;
  char* const* words;
  char* const* variables;
  int directory, in, out, err, passphrase;
  pid_t parent;

  [[noreturn]] void Run() const {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(126);  // it has gone already
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::fchdir(directory) != 0) ::_exit(126);
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    if (passphrase == kPassphrase) {
      ::fcntl(kPassphrase, F_SETFD, 0);
    } else if (passphrase >= 0) {
      ::dup2(passphrase, kPassphrase);
    }
    const int first = passphrase >= 0 ? kPassphrase + 1 : kPassphrase;
    if (::syscall(SYS_close_range, first, ~0U, 0) != 0) {
      const long most = ::sysconf(_SC_OPEN_MAX);
      for (int number = first; number < most; ++number) ::close(number);
    }
    ::execve(program, words, variables);
    ::_exit(127);
  }
};

// Both ends are beyond those that a child gets.
Status MakePipe(Descriptor& read, Descriptor& write) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Failed("make a pipe");
  read = Descriptor(ends[0]);
  write = Descriptor(ends[1]);
  return Ok();
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    Close();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Descriptor::Close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

Result<Child> StartProgram(const std::vector<std::string>& words, int directory,
                           const Descriptor& passphrase) {
  Child child;
  Descriptor out, err;
  REISSUE_TRY(MakePipe(child.out, out));
  REISSUE_TRY(MakePipe(child.err, err));
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing) return Failed("open /dev/null");
  std::vector<std::string> named = {"reissue"};
  named.insert(named.end(), words.begin(), words.end());
  std::vector<std::string> variables = EnvironmentFor(static_cast<bool>(passphrase));
  const std::vector<char*> word_pointers = Pointers(named);
  const std::vector<char*> variable_pointers = Pointers(variables);
  const Launch launch{"/proc/self/exe", word_pointers.data(), variable_pointers.data(),
                      directory,        nothing.get(),        out.get(),
                      err.get(),        passphrase.get(),     ::getpid()};
  child.pid = ::fork();
  if (child.pid == 0) launch.Run();
  if (child.pid < 0) return Failed("start a process");
  return child;
}

Result<Descriptor> PipeWith(std::string_view line) {
  Descriptor read, write;
  REISSUE_TRY(MakePipe(read, write));
  // An empty pipe has room for more than the longest passphrase.
  const auto size = static_cast<ssize_t>(line.size());
  if (::write(write.get(), line.data(), line.size()) != size ||
      ::write(write.get(), "\n", 1) != 1) {
    return Failed("write to a pipe");
  }
  return read;
}

void StartAlone(const std::string& program, const std::string& argument) {
  std::vector<std::string> words = {program, argument};
  const std::vector<char*> pointers = Pointers(words);
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const pid_t between = ::fork();
  if (between == 0) {  // so that nobody has to wait for it
    if (::fork() != 0) ::_exit(0);
    ::setsid();
    ::dup2(nothing.get(), 0);
    ::dup2(nothing.get(), 1);
    ::dup2(nothing.get(), 2);
    ::syscall(SYS_close_range, 3, ~0U, 0);
    ::execvp(words[0].c_str(), pointers.data());
    ::_exit(127);
  }
  if (between > 0) ::waitpid(between, nullptr, 0);
}

}  // namespace reissue::cli::studio
