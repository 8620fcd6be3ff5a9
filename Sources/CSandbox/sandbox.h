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

#ifndef MSG_FASTOPEN
#define MSG_FASTOPEN 0x20000000
#endif

// Leaves a server what it needs, sockets that listen for TCP, and refuses the rest with EACCES: connecting, also by the first
// bytes sent, other kinds of sockets, and bytes to an address. For the calling thread and what it starts. Returns 0, or -1 with
// errno.
static inline int vetnet_refuse_connections(void) {
#ifdef VETNET_AUDIT_ARCH
  enum { argument = offsetof(struct seccomp_data, args) };
  const struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VETNET_AUDIT_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_connect, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 8),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 8),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      // sendto: no address, neither half of one.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 0, 8),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 24),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MSG_FASTOPEN, 5, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 32),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 36),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 16),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MSG_FASTOPEN, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmmsg, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 24),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MSG_FASTOPEN, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#else
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

struct vetnet_landlock_port {
  uint64_t allowed_access;
  uint64_t port;
};

// Refuses to bind to and connect with any TCP port, but to bind to the one that is named unless that is negative; 0 is any that is
// free. For the calling thread and what it starts. Returns 0, or -1 with errno.
static inline int vetnet_refuse_tcp(int listening_port) {
  const struct vetnet_landlock_ruleset ruleset = {0, 3};
  long descriptor = syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0u);
  if (descriptor < 0) return -1;
  if (listening_port >= 0) {
    const struct vetnet_landlock_port rule = {1, (uint64_t)listening_port};
    if (syscall(SYS_landlock_add_rule, (int)descriptor, 2u, &rule, 0u) != 0) {
      close((int)descriptor);
      return -1;
    }
  }
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
