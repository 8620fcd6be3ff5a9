#ifndef VETNET_CSANDBOX_H
#define VETNET_CSANDBOX_H
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the kernel can take from a process for good, in a few calls without a library: seccomp with a filter of some twenty
// instructions, and Landlock's rules for TCP (since Linux 6.7), which Debian 12's headers don't have.

#if defined(__x86_64__)
#define VETNET_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define VETNET_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

// Refuses sockets with EACCES: all, or all but those between programs of one machine. Calls of another kind than the program's own
// (32 bit, x32) and io_uring, which would be ways around, are refused too. It is inherited by threads and programs that are
// started later, and can't be taken back. Returns 0, or -1 with errno.
static inline int vetnet_refuse_sockets(int allows_local) {
#ifdef VETNET_AUDIT_ARCH
  const struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VETNET_AUDIT_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // x32 numbers; no others are so large.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      // No family is 0xffff: none is let through then.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allows_local ? AF_UNIX : 0xffff, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
  };
  const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#else
  (void)allows_local;
  errno = ENOSYS;
  return -1;
#endif
}

struct vetnet_landlock_ruleset {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
};

// The version of Landlock that the kernel has; 0 for none.
static inline int vetnet_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
  return version > 0 ? (int)version : 0;
}

// Refuses to bind to and connect with any TCP port, for the calling thread and what it starts. Returns 0, or -1 with errno.
static inline int vetnet_refuse_tcp(void) {
  const struct vetnet_landlock_ruleset ruleset = {0, 3};
  long descriptor = syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0u);
  if (descriptor < 0) return -1;
  int result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, (int)descriptor, 0u);
  int error = errno;
  close((int)descriptor);
  errno = error;
  return result;
}

// Whether a socket of a family is refused to this process, by trying: 1 refused for want of right, 0 opened or failed otherwise.
static inline int vetnet_socket_is_refused(int family) {
  int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor >= 0) {
    close(descriptor);
    return 0;
  }
  return errno == EACCES || errno == EPERM;
}
#endif
