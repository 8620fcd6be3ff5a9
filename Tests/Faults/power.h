// What has been written and not synced, sector by sector, for a power cut; see faults.c.

enum { SECTOR = 512 };

struct Version {
  struct Version *earlier;
  off_t sector;
  int length;  // of what the file had of it: less than a sector at its end, 0 behind it
  unsigned char bytes[SECTOR];
};

struct Pending {
  struct Pending *next;
  dev_t device;
  ino_t inode;
  int descriptor;  // our own, never closed: closing one would take away the locks of the process
  off_t length;    // when it was last synced
  struct Version *versions;  // the latest first
};

static struct Pending *pending;
static atomic_flag isTaken = ATOMIC_FLAG_INIT;

static void take(void) { while (atomic_flag_test_and_set(&isTaken)) {} }
static void give(void) { atomic_flag_clear(&isTaken); }

static off_t placeOf(int descriptor) {
  struct stat status;
  if (fcntl(descriptor, F_GETFL) & O_APPEND) return fstat(descriptor, &status) ? 0 : status.st_size;
  off_t place = lseek(descriptor, 0, SEEK_CUR);
  return place < 0 ? 0 : place;
}

// The file's entry, with room for what it will lose.
static struct Pending *entry(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) || !S_ISREG(status.st_mode)) return NULL;
  for (struct Pending *file = pending; file; file = file->next)
    if (file->inode == status.st_ino && file->device == status.st_dev) return file;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  int (*openFile)(const char *, int, ...) = real("open");
  struct Pending *file = calloc(1, sizeof *file);
  if (!file) abort();
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->length = status.st_size;
  file->descriptor = openFile(link, O_RDWR | O_CLOEXEC);
  file->next = pending;
  pending = file;
  return file;
}

static void keep(struct Pending *file, off_t offset, off_t length) {
  static ssize_t (*readAt)(int, void *, size_t, off64_t);
  if (!readAt) readAt = real("pread64");
  for (off_t sector = offset / SECTOR; sector * SECTOR < offset + length; sector++) {
    struct Version *version = malloc(sizeof *version);
    if (!version) abort();
    ssize_t count = readAt(file->descriptor, version->bytes, SECTOR, sector * SECTOR);
    version->length = count < 0 ? 0 : (int)count;
    version->sector = sector;
    version->earlier = file->versions;
    file->versions = version;
  }
}

static void remember(int descriptor, off_t offset, size_t length) {
  take();
  struct Pending *file = entry(descriptor);
  if (file && file->descriptor >= 0) keep(file, offset, (off_t)length);
  give();
}

static void rememberCut(int descriptor, off_t length) {
  take();
  struct stat status;
  struct Pending *file = entry(descriptor);
  if (file && file->descriptor >= 0 && !fstat(descriptor, &status) && status.st_size > length)
    keep(file, length, status.st_size - length);
  give();
}

static void rememberEmptying(const char *path) {
  int (*openFile)(const char *, int, ...) = real("open");
  // Not closed, for the locks' sake.
  int descriptor = openFile(path, O_RDWR | O_CLOEXEC);
  if (descriptor >= 0) rememberCut(descriptor, 0);
}

static void forget(int descriptor) {
  take();
  struct stat status;
  struct Pending *file = entry(descriptor);
  if (file && !fstat(descriptor, &status)) {
    file->length = status.st_size;
    while (file->versions) {
      struct Version *version = file->versions;
      file->versions = version->earlier;
      free(version);
    }
  }
  give();
}

static unsigned long long chance(void) {
  static unsigned long long state;
  if (!state) {
    const char *seed = getenv("VETNET_FAULT_SEED");
    state = 0x9E3779B97F4A7C15ull * (1 + (seed ? strtoull(seed, NULL, 10) : 0));
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> 11;
}

static void loseSectors(struct Pending *file) {
  ssize_t (*writeAt)(int, const void *, size_t, off64_t) = real("pwrite64");
  int (*resize)(int, off64_t) = real("ftruncate64");
  struct stat status;
  if (fstat(file->descriptor, &status)) return;
  off_t now = status.st_size, then = file->length, end = now;
  switch (chance() % 3) {
    case 0: end = then; break;
    case 1: end = now; break;
    default: end = (now < then ? now : then) + (off_t)(chance() % (unsigned long long)(1 + llabs((long long)(now - then))));
  }
  // A cut that was lost leaves what was there; as long as it can be again, it is made so first.
  if (end > now && resize(file->descriptor, end)) return;
  for (struct Version *version = file->versions; version; version = version->earlier) {
    if (version->sector < 0) continue;
    // Of all that stood in this sector since the sync, the latest first, and what stands there now.
    int count = 0;
    for (struct Version *other = version; other; other = other->earlier) count += other->sector == version->sector;
    long chosen = (long)(chance() % (unsigned long long)(count + 1));
    off_t sector = version->sector;
    int index = 0;
    for (struct Version *other = version; other; other = other->earlier) {
      if (other->sector != sector) continue;
      if (++index == chosen && other->length > 0) writeAt(file->descriptor, other->bytes, other->length, sector * SECTOR);
      other->sector = -1;
    }
  }
  resize(file->descriptor, end);
}

static void cutPower(void) {
  take();
  for (struct Pending *file = pending; file; file = file->next)
    if (file->descriptor >= 0 && file->versions) loseSectors(file);
  give();
}

// The power goes when the process has said all it had to say.
__attribute__((destructor)) static void end(void) {
  if (mode == POWER && target < 0) cutPower();
}
