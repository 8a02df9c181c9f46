// The program `reissue`.

#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/memory.h"
#include "cli/session.h"
#include "reissue/io/interrupt.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

// Memory holds personal data: it must not end up in a core file or with another process.
void KeepMemoryPrivate() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef REISSUE_SANITIZED  // the leak checker must be able to look at its own process
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

// What is large is given back to the system as soon as it is not needed: by default glibc keeps
// blocks of up to 32 MB once one of them was freed, and phases of a publication add up.
void GiveMemoryBack() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 18);
#endif
}

}  // namespace

int main(int count, char** words) {
  KeepMemoryPrivate();
  GiveMemoryBack();
  reissue::cli::PrepareForLittleMemory(count, words);
  std::signal(SIGPIPE, SIG_IGN);
  reissue::io::InstallInterrupts();
  try {
    reissue::cli::Session session;
    try {
      return reissue::cli::RunProgram(std::vector<std::string>(words + 1, words + count), session);
    } catch (const std::bad_alloc&) {
      session.progress().Clear();
      throw;
    } catch (const std::exception& problem) {
      const auto* system = dynamic_cast<const std::system_error*>(&problem);
      if (system != nullptr && reissue::cli::IsShortage(*system)) throw std::bad_alloc();
      session.Report(
          reissue::MachineError(std::string("something unforeseen went wrong: ") + problem.what()));
    }
  } catch (const std::bad_alloc&) {
    reissue::cli::TellOutOfMemory();
  }
  return reissue::cli::kMachineStatus;
}
