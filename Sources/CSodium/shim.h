#ifndef VETNET_CSODIUM_SHIM_H
#define VETNET_CSODIUM_SHIM_H
#include <linux/keyctl.h>
#include <sodium.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's keyring has no functions in the C library, and `syscall` is variadic. Keys are held in the user's keyring, which
// all sessions of the user share; a session that isn't linked to it may add a key and not read it.

static inline void vetnet_keyring_join(void) {
  syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_SESSION_KEYRING);
}

// The key's number, or -1 with errno. Its owner may read it, nobody else anything.
static inline long vetnet_keyring_add(const char *name, const void *bytes, size_t count, unsigned seconds) {
  long key = syscall(SYS_add_key, "user", name, bytes, count, KEY_SPEC_USER_KEYRING);
  if (key < 0) return key;
  if (syscall(SYS_keyctl, KEYCTL_SETPERM, key, 0x3f3f0000) < 0 || syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) < 0) {
    syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
    return -1;
  }
  return key;
}

static inline long vetnet_keyring_find(const char *name) {
  return syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", name, 0);
}

static inline long vetnet_keyring_read(long key, void *bytes, size_t count) {
  return syscall(SYS_keyctl, KEYCTL_READ, key, bytes, count);
}

static inline long vetnet_keyring_remove(long key) {
  return syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
}

// No core dump of this process, neither a file nor to a program, and no debugger but root's.
static inline void vetnet_never_dump(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
#endif
