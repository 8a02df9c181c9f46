#pragma once
// What the libraries for LD_PRELOAD have in common: how they start, count, and find the calls that
// they stand in for. Each has it for itself. A library that counts defines PRELOAD_COUNTS first.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// What is done before the program begins, and at a regular exit.
#define AT_START __attribute__((constructor)) static void Start(void)
#define AT_EXIT __attribute__((destructor)) static void Finish(void)

// A number from the environment, or another.
static inline long Setting(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : atol(text);
}

// A file that the environment names, opened by a call that nobody counts; -1 where none is named.
static inline int SettingFile(const char* name, int flags) {
  const char* path = getenv(name);
  if (path == NULL) return -1;
  const int file =
      (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (file < 0) abort();
  return file;
}

// Writes all of it, by calls that nobody counts.
static inline void WriteAll(int file, const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    const ssize_t done = syscall(SYS_write, file, at, size);
    if (done <= 0) abort();
    at += done;
    size -= (size_t)done;
  }
}

#ifdef PRELOAD_COUNTS
static atomic_long calls;  // from 1, of this process

static inline long NextCall(void) { return atomic_fetch_add(&calls, 1) + 1; }

// COUNT_FILE=path: at a regular exit, the number of calls is written there.
AT_EXIT {
  const int file = SettingFile("COUNT_FILE", O_TRUNC);
  if (file < 0) return;
  char text[32];
  WriteAll(file, text, (size_t)snprintf(text, sizeof(text), "%ld\n", atomic_load(&calls)));
  syscall(SYS_close, file);
}
#endif

// The function of that name that would have been called.
static inline void* Next(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == NULL) abort();
  return function;
}

// Declares `real`, the call that the one of this name stands in for.
#define REAL(type, name, parameters) \
  static type(*real) parameters;     \
  if (real == NULL) real = (type(*) parameters)Next(#name)

// Declares `mode`, the last argument of a call that opens a file, if it has one.
#define MODE_OF_OPEN(flags)                                                              \
  va_list rest;                                                                          \
  va_start(rest, flags);                                                                 \
  const mode_t mode = ((flags) & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
  va_end(rest)
