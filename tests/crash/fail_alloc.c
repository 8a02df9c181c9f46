// A library for LD_PRELOAD that lets memory run out at a chosen moment.
//
// It counts what asks for memory: malloc, calloc, realloc, and the aligned ones. `new` is among
// them.
//
//   FAIL_AT=n         the n-th call fails
//   FAIL_TIMES=k      and those behind it, k together (default 1)
//   COUNT_FILE=path   at a regular exit, the number of calls is written there
//   SERVE=1           the program is loaded once and run again and again: for each line `n DIRECTORY`
//                     of standard input a copy of the process runs in that directory with FAIL_AT=n,
//                     its output goes to DIRECTORY.out and DIRECTORY.err, and how it ended (as in
//                     waitpid) to standard output. Loading is most of the time of a small run.
//
// Numbers count from 1, from where this library is started; calls of child processes count on their
// own.

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include "preload.h"

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_long calls;
static atomic_int started;
static long fail_at, fail_times;

// Output to a file beside the directory, or the end.
static void Redirect(int to, const char* directory, const char* suffix) {
  char path[4096];
  snprintf(path, sizeof(path), "%s%s", directory, suffix);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || dup2(file, to) < 0) _exit(99);
}

// Returns in the copies only.
static void Serve(void) {
  char line[4096];
  for (size_t size = 0;;) {
    const ssize_t got = read(0, line + size, 1);
    if (got != 1 || size + 2 > sizeof(line)) _exit(0);
    if (line[size++] != '\n') continue;
    line[size - 1] = '\0';
    size = 0;
    const pid_t child = fork();
    if (child == 0) {
      char* directory = strchr(line, ' ');
      fail_at = atol(line);
      alarm(120);
      if (directory == NULL || chdir(++directory) != 0) _exit(99);
      const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (nothing < 0 || dup2(nothing, 0) < 0) _exit(99);
      Redirect(1, directory, ".out");
      Redirect(2, directory, ".err");
      return;
    }
    int ended = 0;
    if (child < 0 || waitpid(child, &ended, 0) != child) _exit(99);
    char text[32];
    const int length = snprintf(text, sizeof(text), "%d\n", ended);
    if (write(1, text, (size_t)length) != length) _exit(99);
  }
}

__attribute__((constructor)) static void Start(void) {
  fail_at = Setting("FAIL_AT", 0);
  fail_times = Setting("FAIL_TIMES", 1);
  if (Setting("SERVE", 0) == 1) Serve();
  started = 1;
}

__attribute__((destructor)) static void Finish(void) { WriteCount(calls); }

// Counts a call; whether it is to fail.
static int Fails(void) {
  if (!started) return 0;
  const long number = atomic_fetch_add(&calls, 1) + 1;
  if (fail_at == 0 || number < fail_at || number >= fail_at + fail_times) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return Fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return Fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return Fails() ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) {
  return Fails() ? NULL : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  void* got = memalign(alignment, size);
  if (got == NULL) return ENOMEM;
  *out = got;
  return 0;
}
