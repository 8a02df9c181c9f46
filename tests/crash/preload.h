#pragma once
// What the libraries for LD_PRELOAD have in common.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// A number from the environment, or another.
static inline long Setting(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : atol(text);
}

// Writes a count to COUNT_FILE, by calls that nobody counts.
static inline void WriteCount(long count) {
  const char* path = getenv("COUNT_FILE");
  if (path == NULL) return;
  char text[32];
  const int size = snprintf(text, sizeof(text), "%ld\n", count);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  if (syscall(SYS_write, file, text, (size_t)size) != size) _exit(99);
  syscall(SYS_close, file);
}

// The function of that name that would have been called.
static inline void* Next(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == NULL) abort();
  return function;
}
