// A library for LD_PRELOAD that lets memory run out at a chosen moment.
//
// It counts what asks for memory: malloc, calloc, realloc, and the aligned ones. `new` is among
// them.
//
//   FAIL_AT=n         the n-th call fails
//   FAIL_TIMES=k      and those behind it, k together (default 1)
//   COUNT_FILE=path   at a regular exit, the number of calls is written there
//   SERVE=m           the program is loaded once and run again and again, which is most of the time
//                     of a small run. It is halted where it asks for memory. For each line
//                     `n DIRECTORY` of standard input it goes on to the n-th call, or to the m-th
//                     if that comes first; there a copy of it goes on as if FAIL_AT were n, in
//                     DIRECTORY if m is 0, with its output in DIRECTORY.out and DIRECTORY.err; how
//                     the copy ended (as in waitpid) goes to standard output. Up to m, which must
//                     come before a second thread does, the n never fall. Random numbers are the
//                     same in all runs, so that two runs that do the same leave the same bytes.
//
// Numbers count from 1, from where this library is started; calls of child processes count on their
// own.

#include <sys/wait.h>

#define PRELOAD_COUNTS
#include "preload.h"

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

enum { kRequests = 198, kAnswers = 199 };  // where requests come from and answers go

static atomic_int started;
static long fail_at, fail_times;
static long halt_at = -1;  // the server halts at this call, and at `last_halt`
static long last_halt = -1;
static int still;  // random numbers are the same every time

// Output to a file beside the directory, or the end.
static void Redirect(int to, const char* directory, const char* suffix) {
  char path[4096];
  snprintf(path, sizeof(path), "%s%s", directory, suffix);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || dup2(file, to) < 0) _exit(99);
}

static void Become(long n, const char* directory) {
  fail_at = n;
  halt_at = last_halt = -1;
  alarm(120);
  Redirect(1, directory, ".out");
  Redirect(2, directory, ".err");
}

// Serves requests as long as they are about the call that is being made, number `here`, or, at the
// last halt, about any later one. Returns in the copies, and to go on to the next halt.
static void Serve(long here) {
  static char line[4096];
  static int again;  // the line is still to be done
  while (1) {
    for (size_t size = 0; !again;) {
      if (read(kRequests, line + size, 1) != 1 || size + 2 > sizeof(line)) _exit(0);
      if (line[size++] != '\n') continue;
      line[size - 1] = '\0';
      break;
    }
    again = 0;
    const long n = atol(line);
    const char* directory = strchr(line, ' ');
    if (directory++ == NULL || n < here) _exit(99);
    if (n > here && here < last_halt) {
      halt_at = n < last_halt ? n : last_halt;
      again = 1;
      return;
    }
    const pid_t child = fork();
    if (child == 0) {
      if (last_halt == 0 && chdir(directory) != 0) _exit(99);
      Become(n, directory);
      return;
    }
    int ended = 0;
    if (child < 0 || waitpid(child, &ended, 0) != child) _exit(99);
    char text[32];
    const int length = snprintf(text, sizeof(text), "%d\n", ended);
    if (write(kAnswers, text, (size_t)length) != length) _exit(99);
  }
}

static void BecomeServer(long last) {
  last_halt = last;
  still = 1;
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || dup3(0, kRequests, O_CLOEXEC) < 0 || dup3(1, kAnswers, O_CLOEXEC) < 0)
    _exit(99);
  for (int standard = 0; standard <= 2; ++standard) {
    if (dup2(nothing, standard) < 0) _exit(99);
  }
  Serve(0);
}

AT_START {
  fail_at = Setting("FAIL_AT", 0);
  fail_times = Setting("FAIL_TIMES", 1);
  const long last = Setting("SERVE", -1);
  if (last >= 0) BecomeServer(last);
  started = 1;
}

// Counts a call; whether it is to fail.
static int Fails(void) {
  if (!started) return 0;
  const long number = NextCall();
  if (number == halt_at) {
    started = 0;
    Serve(number);
    started = 1;
  }
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

// Random bytes, or, where they are the same every time, those of a plain generator.
ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  static unsigned long state = 1;
  if (!still) return syscall(SYS_getrandom, buffer, size, flags);
  for (size_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    ((unsigned char*)buffer)[i] = (unsigned char)(state >> 56);
  }
  return (ssize_t)size;
}

// SQLite takes its random numbers from a file.
int open(const char* path, int flags, ...) {
  MODE_OF_OPEN(flags);
  if (still && strcmp(path, "/dev/urandom") == 0) path = "/dev/zero";
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
