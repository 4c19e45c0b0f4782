// Makes one call into the file system fail, for a program that loads this library by LD_PRELOAD.
//
// FAILING_CALL names a kind of call (see `CALLS`), FAILING_NUMBER counts from 1 among those of that kind,
// FAILING_ERRNO is the error, and with FAILING_EVER=1 every later call of the kind fails too. The number of calls of each
// kind goes to the file FAILING_COUNTS, if that is set.
//
// Some calls never fail: those about standard error, which names the failure, and opening files of the system. In /proc,
// Swift's runtime reads the arguments and libdispatch the state of its threads, and stops the program if it cannot; from
// /usr come fonts.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *const CALLS[] = {
    "open", "read", "write", "seek",   "truncate", "sync",   "flock",   "times",  "duplicate",
    "fcntl", "stat", "mkdir", "link", "rename",   "unlink", "opendir", "readdir",
};
enum { KINDS = sizeof CALLS / sizeof *CALLS };
static atomic_long counts[KINDS];
static int kind = -1;
static long number;
static int error;
static int ever;

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("FAILING_CALL");
  for (int index = 0; text && index < KINDS; index++) {
    if (strcmp(text, CALLS[index]) == 0) kind = index;
  }
  text = getenv("FAILING_NUMBER");
  number = text ? atol(text) : 0;
  text = getenv("FAILING_ERRNO");
  error = text ? atoi(text) : EIO;
  text = getenv("FAILING_EVER");
  ever = text && text[0] == '1';
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAILING_COUNTS");
  if (!path) return;
  int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int file = next(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int index = 0; file >= 0 && index < KINDS; index++) {
    dprintf(file, "%s %ld\n", CALLS[index], atomic_load(&counts[index]));
  }
}

// True if this call has to fail; errno is set then.
static int fails(const char *name) {
  int index = 0;
  while (strcmp(CALLS[index], name) != 0) index++;
  long now = atomic_fetch_add(&counts[index], 1) + 1;
  if (index != kind || now < number || (now > number && !ever)) return 0;
  errno = error;
  return 1;
}

// True for a path of the system's own files.
static int is_system(const char *path) {
  static const char *const FOLDERS[] = {"/proc/", "/sys/", "/etc/", "/usr/", "/var/cache/"};
  for (size_t index = 0; index < sizeof FOLDERS / sizeof *FOLDERS; index++) {
    if (strncmp(path, FOLDERS[index], strlen(FOLDERS[index])) == 0) return 1;
  }
  return 0;
}

// A call of this kind, by its result, its name, what it returns on failure, its parameters and arguments.
#define CALL(kind, type, name, failure, parameters, arguments) \
  type name parameters {                                       \
    type(*next) parameters = dlsym(RTLD_NEXT, #name);          \
    if (fails(kind)) return failure;                           \
    return next arguments;                                     \
  }

// The same for calls about a descriptor.
#define FILE_CALL(kind, type, name, parameters, arguments) \
  type name parameters {                                   \
    type(*next) parameters = dlsym(RTLD_NEXT, #name);      \
    if (file != 2 && fails(kind)) return -1;               \
    return next arguments;                                 \
  }

// open(2) and its like, with a mode if one is given.
#define OPEN_CALL(name, parameters, ...)                          \
  int name parameters {                                           \
    int(*next) parameters = dlsym(RTLD_NEXT, #name);              \
    mode_t mode = 0;                                              \
    if (flags & (O_CREAT | __O_TMPFILE)) {                        \
      va_list list;                                               \
      va_start(list, flags);                                      \
      mode = va_arg(list, mode_t);                                \
      va_end(list);                                               \
    }                                                             \
    if (!is_system(path) && fails("open")) return -1;             \
    return next(__VA_ARGS__, flags, mode);                        \
  }

OPEN_CALL(open, (const char *path, int flags, ...), path)
OPEN_CALL(open64, (const char *path, int flags, ...), path)
OPEN_CALL(openat, (int folder, const char *path, int flags, ...), folder, path)
OPEN_CALL(openat64, (int folder, const char *path, int flags, ...), folder, path)
CALL("open", int, mkstemps, -1, (char *path, int length), (path, length))

// Opens a stream by fopen(3), or by the same for large files.
#define STREAM_CALL(name)                                                        \
  FILE *name(const char *path, const char *mode) {                               \
    FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, #name);         \
    if (!is_system(path) && fails("open")) return NULL;                          \
    return next(path, mode);                                                     \
  }

STREAM_CALL(fopen)
STREAM_CALL(fopen64)

FILE_CALL("read", ssize_t, read, (int file, void *bytes, size_t size), (file, bytes, size))
FILE_CALL("read", ssize_t, pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
FILE_CALL("read", ssize_t, pread64, (int file, void *bytes, size_t size, off64_t at), (file, bytes, size, at))
FILE_CALL("write", ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size))
FILE_CALL("write", ssize_t, writev, (int file, const struct iovec *parts, int size), (file, parts, size))
FILE_CALL("write", ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
FILE_CALL(
    "write", ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at))
FILE_CALL("seek", off_t, lseek, (int file, off_t at, int from), (file, at, from))
FILE_CALL("seek", off64_t, lseek64, (int file, off64_t at, int from), (file, at, from))
FILE_CALL("truncate", int, ftruncate, (int file, off_t size), (file, size))
FILE_CALL("truncate", int, ftruncate64, (int file, off64_t size), (file, size))
FILE_CALL("sync", int, fsync, (int file), (file))
FILE_CALL("sync", int, fdatasync, (int file), (file))
FILE_CALL("flock", int, flock, (int file, int operation), (file, operation))
FILE_CALL("times", int, futimens, (int file, const struct timespec times[2]), (file, times))
FILE_CALL("duplicate", int, dup, (int file), (file))

#define CONTROL_CALL(NAME)                                          \
  int NAME(int file, int command, ...) {                            \
    int (*next)(int, int, ...) = dlsym(RTLD_NEXT, #NAME);           \
    va_list list;                                                   \
    va_start(list, command);                                        \
    void *argument = va_arg(list, void *);                          \
    va_end(list);                                                   \
    if (file > 2 && fails("fcntl")) return -1;                      \
    return next(file, command, argument);                           \
  }

CONTROL_CALL(fcntl)
CONTROL_CALL(fcntl64)

CALL("stat", int, stat, -1, (const char *restrict path, struct stat *restrict status), (path, status))
CALL("stat", int, lstat, -1, (const char *restrict path, struct stat *restrict status), (path, status))
CALL("stat", int, fstatat, -1,
     (int folder, const char *restrict path, struct stat *restrict status, int flags), (folder, path, status, flags))
FILE_CALL("stat", int, fstat, (int file, struct stat *status), (file, status))
CALL("stat", int, stat64, -1, (const char *restrict path, void *restrict status), (path, status))
CALL("stat", int, lstat64, -1, (const char *restrict path, void *restrict status), (path, status))
FILE_CALL("stat", int, fstat64, (int file, void *status), (file, status))
CALL("stat", int, access, -1, (const char *path, int mode), (path, mode))
CALL("stat", char *, realpath, NULL, (const char *restrict path, char *restrict real), (path, real))

CALL("mkdir", int, mkdir, -1, (const char *path, mode_t mode), (path, mode))
CALL("mkdir", int, mkdirat, -1, (int folder, const char *path, mode_t mode), (folder, path, mode))
CALL("link", int, link, -1, (const char *from, const char *to), (from, to))
CALL("link", int, linkat, -1, (int folder, const char *from, int other, const char *to, int flags),
     (folder, from, other, to, flags))
CALL("rename", int, rename, -1, (const char *from, const char *to), (from, to))
CALL("rename", int, renameat, -1, (int folder, const char *from, int other, const char *to),
     (folder, from, other, to))
CALL("unlink", int, unlink, -1, (const char *path), (path))
CALL("unlink", int, unlinkat, -1, (int folder, const char *path, int flags), (folder, path, flags))
CALL("unlink", int, rmdir, -1, (const char *path), (path))
CALL("opendir", DIR *, opendir, NULL, (const char *path), (path))
CALL("opendir", DIR *, fdopendir, NULL, (int file), (file))
CALL("readdir", struct dirent *, readdir, NULL, (DIR *folder), (folder))
CALL("readdir", struct dirent64 *, readdir64, NULL, (DIR *folder), (folder))
