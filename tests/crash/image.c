// A library for LD_PRELOAD that writes down the memory of a program, so that a test can look for
// what should not be there (secrets.py).
//
//   IMAGE=path   all memory that can be read goes to path.open, when the program gives a file its
//                name for the first time, and to path.exit at a regular exit
//
// An image begins with a line "CORE DUMPABLE": the limit of core files, and whether the process can
// be dumped. Then, for each mapping, a line "BEGIN SIZE FLAGS NAME", as in /proc/self/smaps, and
// SIZE bytes; what cannot be read is zero. Code and constants of libraries are left out. Nothing
// here asks for memory: what was freed stays as it was left.

#include <sys/prctl.h>
#include <sys/resource.h>

#include "preload.h"

static const char* path;
static char maps[4 << 20];
static const char zeros[4096];

// /proc/self/smaps, as a text.
static void ReadMaps(void) {
  const int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/smaps", O_RDONLY | O_CLOEXEC);
  if (file < 0) abort();
  size_t size = 0;
  for (ssize_t more = 1; more > 0; size += (size_t)more) {
    if (size + 1 >= sizeof(maps)) abort();
    more = syscall(SYS_read, file, maps + size, sizeof(maps) - 1 - size);
    if (more < 0) abort();
  }
  maps[size] = '\0';
  syscall(SYS_close, file);
}

static void WriteMapping(int file, const char* begin, const char* end, const char* flags,
                         const char* name) {
  static char line[8192];
  const int length =
      snprintf(line, sizeof(line), "%p %zu %s %s\n", begin, (size_t)(end - begin), flags, name);
  WriteAll(file, line, (size_t)length);
  for (const char* page = begin; page < end;) {
    const ssize_t done = syscall(SYS_write, file, page, (size_t)(end - page));
    if (done > 0) {
      page += done;
    } else {  // cannot be read after all
      WriteAll(file, zeros, sizeof(zeros));
      page += sizeof(zeros);
    }
  }
}

// A mapping is a line "BEGIN-END PERMISSIONS …  NAME", and further ones, the last "VmFlags: …".
static void WriteMappings(int file) {
  static char name[4096], flags[256];
  for (char* at = maps; *at != '\0';) {
    char *after, *end = strstr(at, "VmFlags:");
    if (end == NULL) abort();
    const char* begin = (const char*)strtoul(at, &after, 16);
    const char* stop = (const char*)strtoul(after + 1, &after, 16);
    const int readable = after[1] == 'r', writable = after[2] == 'w', runs = after[3] == 'x';
    name[0] = '\0';
    sscanf(after, " %*s %*s %*s %*s%*[ ]%4095[^\n]", name);
    size_t used = 0;
    for (end += 8; *end != '\n' && *end != '\0'; ++end) {
      if (*end != ' ' && used + 2 < sizeof(flags)) {
        flags[used++] = *end;
        if (end[1] == ' ') flags[used++] = ',';
      }
    }
    flags[used] = '\0';
    const int library = !writable && strstr(name, ".so") != NULL;
    if (readable && !runs && !library && strncmp(name, "[v", 2) != 0) {
      WriteMapping(file, begin, stop, flags, name);
    }
    at = *end == '\0' ? end : end + 1;
  }
}

static void Write(const char* suffix) {
  static char to[4096], line[64];
  snprintf(to, sizeof(to), "%s.%s", path, suffix);
  const int file =
      (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) abort();
  struct rlimit core;
  if (getrlimit(RLIMIT_CORE, &core) != 0) abort();
  const int length = snprintf(line, sizeof(line), "%lld %d\n", (long long)core.rlim_max,
                              prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
  WriteAll(file, line, (size_t)length);
  ReadMaps();
  WriteMappings(file);
  syscall(SYS_close, file);
}

AT_START { path = getenv("IMAGE"); }

AT_EXIT {
  if (path != NULL) Write("exit");
}

static void WriteOnce(void) {
  static atomic_int done;
  if (path != NULL && atomic_fetch_add(&done, 1) == 0) Write("open");
}

#define AT_RENAME(name, parameters, arguments) \
  int name parameters {                        \
    REAL(int, name, parameters);               \
    WriteOnce();                               \
    return real arguments;                     \
  }
AT_RENAME(rename, (const char* from, const char* to), (from, to))
AT_RENAME(renameat, (int a, const char* from, int b, const char* to), (a, from, b, to))
AT_RENAME(renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
          (a, from, b, to, flags))
