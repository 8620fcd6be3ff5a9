// Loaded before the C library by tests (LD_PRELOAD), never linked: counts what a process writes below one folder, and at the
// n-th such step kills it, or has the step fail. Nothing of this is in the program.
//
//   VETNET_FAULT_FOLDER  steps at files below this folder count
//   VETNET_FAULT_AT      the step, from 1; 0 only counts; -1, with power, the end of the process
//   VETNET_FAULT_MODE    kill (before the step), tear (half of a write, then kill), eio, enospc, short, busy, power (see below)
//   VETNET_FAULT_STAYS   1: the step and all after it; otherwise once
//   VETNET_FAULT_KIND    the kinds that count, letters of: w write, s sync, t truncate, n names (rename, unlink, link), o open,
//                        l lock, r read
//   VETNET_FAULT_COUNT   a file for the number of steps, rewritten as they come (8 bytes, mapped)
//   VETNET_FAULT_SEED    with power: which of what was not yet brought to the disk is there
//   VETNET_FAULT_LIES    with power, 1: the disk says that it synced and didn't, to see that the model takes something away
//
// power: the process ends, and each sector of 512 bytes that was written and not synced since holds, by chance, what it held when the
// file was last synced, or what any later write made of it; files that grew or shrank without a sync have either length, or one between.
// That names were given to files, changed or taken away is taken as kept, and the index of a write-ahead log (-shm) as it is: whoever opens
// the file first makes it anew.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX];
static size_t folderLength;
static long target;
static int stays;
static int lies;
static const char *kinds = "wstn";
static enum { KILL, TEAR, EIO_, ENOSPC_, SHORT, BUSY, POWER } mode;
static atomic_long ownCount;
static atomic_long *count = &ownCount;

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("VETNET_FAULT_FOLDER");
  if (!text || !realpath(text, folder)) return;
  folderLength = strlen(folder);
  if ((text = getenv("VETNET_FAULT_AT"))) target = atol(text);
  if ((text = getenv("VETNET_FAULT_STAYS"))) stays = atoi(text);
  if ((text = getenv("VETNET_FAULT_LIES"))) lies = atoi(text);
  if ((text = getenv("VETNET_FAULT_KIND"))) kinds = text;
  if ((text = getenv("VETNET_FAULT_MODE"))) {
    const char *names[] = {"kill", "tear", "eio", "enospc", "short", "busy", "power"};
    for (int i = 0; i < 7; i++) if (!strcmp(text, names[i])) mode = i;
  }
  if ((text = getenv("VETNET_FAULT_COUNT"))) {
    int (*openFile)(const char *, int, ...) = real("open");
    int descriptor = openFile(text, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
      int (*resize)(int, off_t) = real("ftruncate");
      if (resize(descriptor, 8) == 0) {
        void *page = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (page != MAP_FAILED) count = page;
      }
      close(descriptor);
    }
  }
}

static int isBelow(const char *path) {
  return folderLength && !strncmp(path, folder, folderLength) && (path[folderLength] == '/' || !path[folderLength]);
}

static int isWatched(int descriptor) {
  if (!folderLength) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return isBelow(path);
}

static int isWatchedName(const char *name) {
  if (!folderLength || !name) return 0;
  if (name[0] == '/') return isBelow(name);
  char path[PATH_MAX];
  return getcwd(path, sizeof path) && isBelow(path);
}

// Whether the step that comes now is the one.
static int isDue(char kind) {
  if (!strchr(kinds, kind)) return 0;
  long number = atomic_fetch_add(count, 1) + 1;
  return target > 0 && (number == target || (stays && number > target));
}

#include "power.h"

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// For steps that are done or not: kills, or sets errno.
static void fail(void) {
  if (mode == POWER) cutPower();
  if (mode == KILL || mode == TEAR || mode == POWER) die();
  errno = mode == ENOSPC_ ? ENOSPC : mode == BUSY ? EAGAIN : EIO;
}

#define WRITE(name, parameters, arguments, half, place)                                                  \
  ssize_t name parameters {                                                                       \
    static ssize_t(*next) parameters;                                                             \
    if (!next) next = real(#name);                                                                \
    if (isWatched(descriptor) && isDue('w')) {                                                    \
      if ((mode == TEAR || mode == SHORT) && length > 1) {                                        \
        ssize_t done = next half;                                                                 \
        if (mode == TEAR) die();                                                                  \
        if (!stays || done < 0) return done;                                                      \
        errno = ENOSPC;                                                                           \
        return -1;                                                                                \
      }                                                                                           \
      fail();                                                                                     \
      return -1;                                                                                  \
    }                                                                                             \
    if (mode == POWER && isWatched(descriptor)) remember(descriptor, place, length);              \
    return next arguments;                                                                        \
  }

WRITE(write, (int descriptor, const void *bytes, size_t length), (descriptor, bytes, length), (descriptor, bytes, length / 2),
      placeOf(descriptor))
WRITE(pwrite, (int descriptor, const void *bytes, size_t length, off_t offset), (descriptor, bytes, length, offset),
      (descriptor, bytes, length / 2, offset), offset)
WRITE(pwrite64, (int descriptor, const void *bytes, size_t length, off64_t offset), (descriptor, bytes, length, offset),
      (descriptor, bytes, length / 2, offset), offset)

#define STEP(type, name, parameters, arguments, watched, kind)                                    \
  type name parameters {                                                                          \
    static type(*next) parameters;                                                                \
    if (!next) next = real(#name);                                                                \
    if (watched && isDue(kind)) {                                                                 \
      fail();                                                                                     \
      return -1;                                                                                  \
    }                                                                                             \
    return next arguments;                                                                        \
  }

#define SYNC(name)                                                                                \
  int name(int descriptor) {                                                                      \
    static int (*next)(int);                                                                      \
    if (!next) next = real(#name);                                                                \
    if (isWatched(descriptor) && isDue('s')) {                                                    \
      fail();                                                                                     \
      return -1;                                                                                  \
    }                                                                                             \
    int result = next(descriptor);                                                                \
    if (!result && mode == POWER && !lies && isWatched(descriptor)) forget(descriptor);           \
    return result;                                                                                \
  }

SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, type)                                                                      \
  int name(int descriptor, type length) {                                                         \
    static int (*next)(int, type);                                                                \
    if (!next) next = real(#name);                                                                \
    if (isWatched(descriptor) && isDue('t')) {                                                    \
      fail();                                                                                     \
      return -1;                                                                                  \
    }                                                                                             \
    if (mode == POWER && isWatched(descriptor)) rememberCut(descriptor, length);                  \
    return next(descriptor, length);                                                              \
  }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)
STEP(int, unlink, (const char *name), (name), isWatchedName(name), 'n')
STEP(int, rename, (const char *from, const char *to), (from, to), isWatchedName(to), 'n')
STEP(ssize_t, pread64, (int descriptor, void *bytes, size_t length, off64_t offset), (descriptor, bytes, length, offset),
     isWatched(descriptor), 'r')
STEP(ssize_t, pread, (int descriptor, void *bytes, size_t length, off_t offset), (descriptor, bytes, length, offset),
     isWatched(descriptor), 'r')

#define OPEN(name)                                                                                \
  int name(const char *path, int flags, ...) {                                                    \
    static int (*next)(const char *, int, ...);                                                   \
    if (!next) next = real(#name);                                                                \
    va_list rest;                                                                                 \
    va_start(rest, flags);                                                                        \
    int rights = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;                         \
    va_end(rest);                                                                                 \
    if (isWatchedName(path) && isDue('o')) {                                                      \
      fail();                                                                                     \
      return -1;                                                                                  \
    }                                                                                             \
    if (mode == POWER && (flags & O_TRUNC) && isWatchedName(path)) rememberEmptying(path);         \
    return next(path, flags, rights);                                                             \
  }

OPEN(open)
OPEN(open64)

#define LOCK(name)                                                                                \
  int name(int descriptor, int command, ...) {                                                    \
    static int (*next)(int, int, ...);                                                            \
    if (!next) next = real(#name);                                                                \
    va_list rest;                                                                                 \
    va_start(rest, command);                                                                      \
    void *argument = va_arg(rest, void *);                                                        \
    va_end(rest);                                                                                 \
    if (command == F_SETLK && ((struct flock *)argument)->l_type != F_UNLCK && isWatched(descriptor) && isDue('l')) {  \
      fail();                                                                                     \
      return -1;                                                                                  \
    }                                                                                             \
    return next(descriptor, command, argument);                                                   \
  }

LOCK(fcntl)
LOCK(fcntl64)
