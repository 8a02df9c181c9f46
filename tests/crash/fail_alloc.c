// A library for LD_PRELOAD that lets memory run out at a chosen moment.
//
// It counts what asks for memory: malloc, calloc, realloc, and the aligned ones. `new` is among
// them.
//
//   FAIL_AT=n         the n-th call fails
//   FAIL_TIMES=k      and those behind it, k together (default 1)
//   COUNT_FILE=path   at a regular exit, the number of calls is written there
//
// Numbers count from 1, from where this library is started; calls of child processes count on their
// own.

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "preload.h"

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_long calls;
static atomic_int started;
static long fail_at, fail_times;

__attribute__((constructor)) static void Start(void) {
  fail_at = Setting("FAIL_AT", 0);
  fail_times = Setting("FAIL_TIMES", 1);
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
