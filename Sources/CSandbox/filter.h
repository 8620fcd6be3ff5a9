#ifndef VETNET_FILTER_H
#define VETNET_FILTER_H
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// What the filters of this module have in common.

#if defined(__x86_64__)
#define VETNET_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define VETNET_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

#define VETNET_REFUSE(number, code) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))

// The beginning of a filter: calls of another kind than the program's own are refused (32 bit; x32, whose numbers are above all
// others), and io_uring, which would do what others are refused. The call's number is what was loaded last.
#define VETNET_OWN_CALLS \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VETNET_AUDIT_ARCH, 1, 0), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), \
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), VETNET_REFUSE(SYS_io_uring_setup, ENOSYS)

// For the calling thread and what it starts. Returns 0, or -1 with errno.
static inline int vetnet_install_filter(const struct sock_filter *filter, unsigned short length) {
  const struct sock_fprog program = {length, (struct sock_filter *)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#endif
