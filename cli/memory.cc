#include "cli/memory.h"

#include <gmp.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/session.h"
#include "reissue/io/interrupt.h"

namespace reissue::cli {
namespace {

bool publishes = false;
bool as_json = false;

// What is said, in parts. Once a release is in place there may be too little memory to say so.
#define REISSUE_SHORT_OF_MEMORY "there is not enough memory"
#define REISSUE_UNPUBLISHED "; nothing was published, unless `reissue history` lists it"
#define REISSUE_MORE_MEMORY \
  "Close other programs, use fewer threads (--threads 1), or use a machine with more memory."

constexpr std::string_view AsText(bool publication) {
  return publication ? "reissue: " REISSUE_SHORT_OF_MEMORY REISSUE_UNPUBLISHED
                       "\n  " REISSUE_MORE_MEMORY "\n"
                     : "reissue: " REISSUE_SHORT_OF_MEMORY "\n  " REISSUE_MORE_MEMORY "\n";
}

#define REISSUE_AS_JSON(message)                                                           \
  "{\n  \"error\": {\n    \"code\": \"machine\",\n    \"message\": \"" message             \
  "\",\n    \"file\": null,\n    \"line\": null,\n    \"column\": null,\n    \"remedy\": " \
  "\"" REISSUE_MORE_MEMORY "\"\n  }\n}\n"

constexpr std::string_view AsJson(bool publication) {
  return publication ? REISSUE_AS_JSON(REISSUE_SHORT_OF_MEMORY REISSUE_UNPUBLISHED)
                     : REISSUE_AS_JSON(REISSUE_SHORT_OF_MEMORY);
}

void Say(std::string_view text) {
  // Where standard error itself is broken there is nobody left to tell.
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

[[noreturn]] void EndOutOfMemory() {
  io::RemoveUnfinished();
  TellOutOfMemory();
  ::_exit(kMachineStatus);
}

// Where an exception cannot go any further.
[[noreturn]] void EndUnforeseen() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    EndOutOfMemory();
  } catch (const std::system_error& problem) {
    if (IsShortage(problem)) EndOutOfMemory();
  } catch (...) {
  }
  Say("reissue: something unforeseen went wrong\n");
  std::abort();
}

// The library for large numbers cannot go on without memory: nothing may be thrown through it.
void* TakeForNumber(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) EndOutOfMemory();
  return memory;
}
void* TakeMoreForNumber(void* old, std::size_t, std::size_t size) {
  void* memory = std::realloc(old, size);
  if (memory == nullptr) EndOutOfMemory();
  return memory;
}
void GiveBackNumber(void* memory, std::size_t) { std::free(memory); }

// Before the first object of the program is made.
__attribute__((constructor(101))) void BeforeEverything() {
  // Where memory runs out the program ends at once: libraries that it uses (for JSON, for linear
  // programs, for graphs) do not survive an exception in the midst of their work.
  std::set_new_handler(EndOutOfMemory);
  std::set_terminate(EndUnforeseen);
  mp_set_memory_functions(TakeForNumber, TakeMoreForNumber, GiveBackNumber);
}

}  // namespace

bool IsShortage(const std::system_error& problem) {
  return problem.code() == std::errc::resource_unavailable_try_again ||
         problem.code() == std::errc::not_enough_memory;
}

void PrepareForLittleMemory(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    publishes = publishes || (i == 1 && word == "publish");
    as_json = as_json || word == "--format=json" ||
              (word == "json" && std::string_view(words[i - 1]) == "--format");
  }
}

void TellOutOfMemory() { Say(as_json ? AsJson(publishes) : AsText(publishes)); }

}  // namespace reissue::cli
