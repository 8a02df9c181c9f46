// A library for LD_PRELOAD that writes down what a program does to files, so that a power failure
// can be played afterwards (power_loss).
//
//   RECORD_FILE=path   every change is appended there: a line "OP INODE OFFSET SIZE PATH PATH2" and
//                      SIZE bytes; paths are from the root, with %XX for bytes that are not plain
//
// OP: create, write, truncate (OFFSET: the new size), sync, syncdir, rename, unlink, mkdir. Changes
// of permissions and of mapped memory (of SQLite, worth nothing after a crash) are not written
// down.

#include <limits.h>
#include <pthread.h>
#include <sys/uio.h>

#include "preload.h"

static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

AT_START { record = SettingFile("RECORD_FILE", O_APPEND); }

static void Plain(const char* path, char* out, size_t room) {
  size_t used = 0;
  for (; *path != 0 && used + 4 < room; ++path) {
    const unsigned char c = (unsigned char)*path;
    if (c > 32 && c < 127 && c != '%') {
      out[used++] = (char)c;
    } else {
      used += (size_t)sprintf(out + used, "%%%02x", c);
    }
  }
  out[used] = 0;
}

// From the root, whatever the directory is that it is relative to.
static void FromRoot(int directory, const char* path, char* out) {
  char link[64], base[PATH_MAX];
  if (path[0] == '/') {
    snprintf(out, PATH_MAX, "%s", path);
    return;
  }
  if (directory == AT_FDCWD) {
    if (getcwd(base, sizeof(base)) == NULL) abort();
  } else {
    snprintf(link, sizeof(link), "/proc/self/fd/%d", directory);
    const ssize_t size = readlink(link, base, sizeof(base) - 1);
    if (size < 0) abort();
    base[size] = 0;
  }
  while (path[0] == '.' && path[1] == '/') path += 2;
  if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) abort();
}

static void Tell(const char* op, unsigned long inode, long long offset, const void* bytes,
                 size_t size, const char* path, const char* path2) {
  if (record < 0) return;
  char a[3 * PATH_MAX], b[3 * PATH_MAX], line[7 * PATH_MAX];
  Plain(path[0] != 0 ? path : "-", a, sizeof(a));
  Plain(path2[0] != 0 ? path2 : "-", b, sizeof(b));
  const int length =
      snprintf(line, sizeof(line), "%s %lu %lld %zu %s %s\n", op, inode, offset, size, a, b);
  pthread_mutex_lock(&lock);
  WriteAll(record, line, (size_t)length);
  WriteAll(record, bytes, size);
  pthread_mutex_unlock(&lock);
}

static unsigned long InodeOf(int file, int* directory) {
  struct stat info;
  *directory = 0;
  if (file <= STDERR_FILENO || file == record || fstat(file, &info) != 0) return 0;
  *directory = S_ISDIR(info.st_mode);
  return S_ISREG(info.st_mode) || S_ISDIR(info.st_mode) ? (unsigned long)info.st_ino : 0;
}

static void TellFile(const char* op, int file, long long offset, const void* bytes, size_t size) {
  const int saved = errno;
  int directory = 0;
  const unsigned long inode = InodeOf(file, &directory);
  if (inode != 0 && record >= 0) {
    char link[64], path[PATH_MAX] = "";
    snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof(path) - 1);
    path[length < 0 ? 0 : length] = 0;
    Tell(directory && strcmp(op, "sync") == 0 ? "syncdir" : op, inode, offset, bytes, size, path,
         "");
  }
  errno = saved;
}

ssize_t write(int file, const void* data, size_t size) {
  REAL(ssize_t, write, (int, const void*, size_t));
  const off_t at = lseek(file, 0, SEEK_CUR);
  const ssize_t done = real(file, data, size);
  if (done > 0) TellFile("write", file, at, data, (size_t)done);
  return done;
}

#define PWRITE(name, offset)                                                  \
  ssize_t name(int file, const void* data, size_t size, offset at) {          \
    REAL(ssize_t, name, (int, const void*, size_t, offset));                  \
    const ssize_t done = real(file, data, size, at);                          \
    if (done > 0) TellFile("write", file, (long long)at, data, (size_t)done); \
    return done;                                                              \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int file, const struct iovec* parts, int count) {
  ssize_t all = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t done = write(file, parts[i].iov_base, parts[i].iov_len);
    if (done < 0) return all > 0 ? all : done;
    all += done;
    if ((size_t)done < parts[i].iov_len) break;
  }
  return all;
}

#define ON_FILE(name, op, parameters, arguments, offset) \
  int name parameters {                                  \
    REAL(int, name, parameters);                         \
    const int done = real arguments;                     \
    if (done == 0) TellFile(op, file, offset, "", 0);    \
    return done;                                         \
  }
ON_FILE(fsync, "sync", (int file), (file), 0)
ON_FILE(fdatasync, "sync", (int file), (file), 0)
ON_FILE(ftruncate, "truncate", (int file, off_t size), (file, size), (long long)size)
ON_FILE(ftruncate64, "truncate", (int file, off64_t size), (file, size), (long long)size)

static void TellNames(const char* op, int a, const char* from, int b, const char* to) {
  const int saved = errno;
  char first[PATH_MAX], second[PATH_MAX] = "";
  FromRoot(a, from, first);
  if (to != NULL) FromRoot(b, to, second);
  Tell(op, 0, 0, "", 0, first, second);
  errno = saved;
}

#define ON_NAMES(name, op, parameters, arguments, a, from, b, to) \
  int name parameters {                                           \
    REAL(int, name, parameters);                                  \
    const int done = real arguments;                              \
    if (done == 0) TellNames(op, a, from, b, to);                 \
    return done;                                                  \
  }
ON_NAMES(rename, "rename", (const char* from, const char* to), (from, to), AT_FDCWD, from, AT_FDCWD,
         to)
ON_NAMES(renameat, "rename", (int a, const char* from, int b, const char* to), (a, from, b, to), a,
         from, b, to)
ON_NAMES(renameat2, "rename", (int a, const char* from, int b, const char* to, unsigned flags),
         (a, from, b, to, flags), a, from, b, to)
ON_NAMES(unlink, "unlink", (const char* path), (path), AT_FDCWD, path, AT_FDCWD, NULL)
ON_NAMES(unlinkat, "unlink", (int directory, const char* path, int flags), (directory, path, flags),
         directory, path, AT_FDCWD, NULL)
ON_NAMES(mkdir, "mkdir", (const char* path, mode_t mode), (path, mode), AT_FDCWD, path, AT_FDCWD,
         NULL)
ON_NAMES(mkdirat, "mkdir", (int directory, const char* path, mode_t mode), (directory, path, mode),
         directory, path, AT_FDCWD, NULL)

// A file that was not there before, or that is emptied.
#define ON_OPEN(name, before, arguments, directory)                                     \
  int name before {                                                                     \
    MODE_OF_OPEN(flags);                                                                \
    REAL(int, name, before);                                                            \
    const int fresh = (flags & O_CREAT) && faccessat(directory, path, F_OK, 0) != 0;    \
    const int file = real arguments;                                                    \
    if (file >= 0 && fresh) TellFile("create", file, 0, "", 0);                         \
    if (file >= 0 && !fresh && (flags & O_TRUNC)) TellFile("truncate", file, 0, "", 0); \
    return file;                                                                        \
  }
ON_OPEN(open, (const char* path, int flags, ...), (path, flags, mode), AT_FDCWD)
ON_OPEN(open64, (const char* path, int flags, ...), (path, flags, mode), AT_FDCWD)
ON_OPEN(openat, (int directory, const char* path, int flags, ...), (directory, path, flags, mode),
        directory)
ON_OPEN(openat64, (int directory, const char* path, int flags, ...), (directory, path, flags, mode),
        directory)
