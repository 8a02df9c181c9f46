// A library for LD_PRELOAD that lets a program die, or its disk fill up, at a chosen moment.
//
// It counts the calls that change files: write, pwrite, writev, fsync, fdatasync, rename, renameat,
// renameat2, link, linkat, unlink, unlinkat, ftruncate, mkdir, mkdirat, and open/openat/creat that
// may create. Writes to standard output and standard error, and to pipes and sockets, do not count.
//
//   KILL_AT=n         SIGKILL instead of the n-th counted call
//   KILL_AFTER=n      SIGKILL right after the n-th counted call
//   KILL_WITHIN=n     the n-th counted call, if it writes, writes half of its bytes; then SIGKILL
//   TERM_AT=n         SIGTERM before the n-th counted call, which is then made
//   CALL_AT=n         before the n-th counted call, which is then made, the shell runs CALL
//   CALL_AFTER=n      the same right after it
//   SENDS=1           what is sent to a server is counted, too
//   FULL_FROM=n       from the n-th counted call on, writes and creations fail with ENOSPC
//   COUNT_FILE=path   at a regular exit, the number of counted calls is written there
//
// Numbers count from 1; calls of child processes count on their own. Mapped memory is not counted.

#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define PRELOAD_COUNTS
#include "preload.h"

static long kill_at, kill_after, kill_within, term_at, full_from, call_at, call_after, sends;

AT_START {
  kill_at = Setting("KILL_AT", 0);
  kill_after = Setting("KILL_AFTER", 0);
  kill_within = Setting("KILL_WITHIN", 0);
  term_at = Setting("TERM_AT", 0);
  full_from = Setting("FULL_FROM", 0);
  call_at = Setting("CALL_AT", 0);
  call_after = Setting("CALL_AFTER", 0);
  sends = Setting("SENDS", 0);
}

// Something that happens to others meanwhile. What they do is not counted.
static void Call(void) {
  const char* command = getenv("CALL");
  if (command == NULL) abort();
  unsetenv("LD_PRELOAD");
  if (system(command) != 0) abort();
}

static void Die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

enum Kind { kPlain, kTakesRoom };

// Counts a call and returns its number. Dies, or sets *full, if its time has come.
static long Count(enum Kind kind, int* full) {
  const long number = NextCall();
  if (number == kill_at) Die();
  if (number == term_at) raise(SIGTERM);
  if (number == call_at) Call();
  *full = kind == kTakesRoom && full_from > 0 && number >= full_from;
  if (*full) errno = ENOSPC;
  return number;
}

static void Done(long number) {
  if (number == call_after) Call();
  if (number == kill_after || number == kill_within) Die();
}

// A regular file, or a directory: not the terminal, not a pipe.
static int Matters(int file) {
  struct stat info;
  return file > STDERR_FILENO && fstat(file, &info) == 0 &&
         (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

// Half of the bytes where the process is to die within this call, otherwise all.
static size_t Portion(long number, size_t size) { return number == kill_within ? size / 2 : size; }

// Defines `name` for a call that is counted where `relevant` holds.
#define COUNTED(type, name, parameters, arguments, kind, relevant) \
  type name parameters {                                           \
    REAL(type, name, parameters);                                  \
    if (!(relevant)) return real arguments;                        \
    int full = 0;                                                  \
    const long number = Count(kind, &full);                        \
    if (full) return -1;                                           \
    const type outcome = real arguments;                           \
    const int saved = errno;                                       \
    Done(number);                                                  \
    errno = saved;                                                 \
    return outcome;                                                \
  }

// The same for writes; the arguments may use Portion(number, size).
#define COUNTED_WRITE(name, parameters, plain, portioned) \
  ssize_t name parameters {                               \
    REAL(ssize_t, name, parameters);                      \
    if (!Matters(file)) return real plain;                \
    int full = 0;                                         \
    const long number = Count(kTakesRoom, &full);         \
    if (full) return -1;                                  \
    const ssize_t outcome = real portioned;               \
    const int saved = errno;                              \
    Done(number);                                         \
    errno = saved;                                        \
    return outcome;                                       \
  }

COUNTED_WRITE(write, (int file, const void* data, size_t size), (file, data, size),
              (file, data, Portion(number, size)))
COUNTED_WRITE(pwrite, (int file, const void* data, size_t size, off_t at), (file, data, size, at),
              (file, data, Portion(number, size), at))
COUNTED_WRITE(pwrite64, (int file, const void* data, size_t size, off64_t at),
              (file, data, size, at), (file, data, Portion(number, size), at))
COUNTED_WRITE(writev, (int file, const struct iovec* parts, int count), (file, parts, count),
              (file, parts, number == kill_within && count > 1 ? count / 2 : count))

ssize_t send(int socket, const void* data, size_t size, int flags) {
  REAL(ssize_t, send, (int socket, const void* data, size_t size, int flags));
  if (!sends) return real(socket, data, size, flags);
  int full = 0;
  const long number = Count(kPlain, &full);
  const ssize_t outcome = real(socket, data, size, flags);
  const int saved = errno;
  Done(number);
  errno = saved;
  return outcome;
}

COUNTED(int, fsync, (int file), (file), kPlain, Matters(file))
COUNTED(int, fdatasync, (int file), (file), kPlain, Matters(file))
COUNTED(int, ftruncate, (int file, off_t size), (file, size), kPlain, Matters(file))
COUNTED(int, ftruncate64, (int file, off64_t size), (file, size), kPlain, Matters(file))
COUNTED(int, rename, (const char* from, const char* to), (from, to), kPlain, 1)
COUNTED(int, renameat, (int a, const char* from, int b, const char* to), (a, from, b, to), kPlain,
        1)
COUNTED(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
        (a, from, b, to, flags), kPlain, 1)
COUNTED(int, link, (const char* from, const char* to), (from, to), kTakesRoom, 1)
COUNTED(int, linkat, (int a, const char* from, int b, const char* to, int flags),
        (a, from, b, to, flags), kTakesRoom, 1)
COUNTED(int, unlink, (const char* path), (path), kPlain, 1)
COUNTED(int, unlinkat, (int directory, const char* path, int flags), (directory, path, flags),
        kPlain, 1)
COUNTED(int, mkdir, (const char* path, mode_t mode), (path, mode), kTakesRoom, 1)
COUNTED(int, mkdirat, (int directory, const char* path, mode_t mode), (directory, path, mode),
        kTakesRoom, 1)
COUNTED(int, creat, (const char* path, mode_t mode), (path, mode), kTakesRoom, 1)

#define COUNTED_OPEN(name, before, arguments)      \
  int name before {                                \
    MODE_OF_OPEN(flags);                           \
    REAL(int, name, before);                       \
    if (!(flags & O_CREAT)) return real arguments; \
    int full = 0;                                  \
    const long number = Count(kTakesRoom, &full);  \
    if (full) return -1;                           \
    const int outcome = real arguments;            \
    const int saved = errno;                       \
    Done(number);                                  \
    errno = saved;                                 \
    return outcome;                                \
  }

COUNTED_OPEN(open, (const char* path, int flags, ...), (path, flags, mode))
COUNTED_OPEN(open64, (const char* path, int flags, ...), (path, flags, mode))
COUNTED_OPEN(openat, (int directory, const char* path, int flags, ...),
             (directory, path, flags, mode))
COUNTED_OPEN(openat64, (int directory, const char* path, int flags, ...),
             (directory, path, flags, mode))
