#define _GNU_SOURCE
#include "CSandbox.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter.h"

int vetnet_refuse_sockets(int allows_local) {
#ifdef VETNET_AUDIT_ARCH
  const struct sock_filter filter[] = {
      VETNET_OWN_CALLS,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      // No family is 0xffff: none is let through then.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allows_local ? AF_UNIX : 0xffff, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
  };
  return vetnet_install_filter(filter, sizeof filter / sizeof *filter);
#else
  (void)allows_local;
  errno = ENOSYS;
  return -1;
#endif
}

#ifndef MSG_FASTOPEN
#define MSG_FASTOPEN 0x20000000
#endif

int vetnet_refuse_connections(void) {
#ifdef VETNET_AUDIT_ARCH
  enum { argument = offsetof(struct seccomp_data, args) };
  const struct sock_filter filter[] = {
      VETNET_OWN_CALLS,
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
  return vetnet_install_filter(filter, sizeof filter / sizeof *filter);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int vetnet_leave_sockets_to_dialer(void) {
#ifdef VETNET_AUDIT_ARCH
  enum { argument = offsetof(struct seccomp_data, args) };
  const struct sock_filter filter[] = {
      VETNET_OWN_CALLS,
      // As if it were done: what the dialer gave is connected, and nothing else becomes so.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_connect, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
      VETNET_REFUSE(SYS_socket, EACCES),
      VETNET_REFUSE(SYS_socketpair, EACCES),
      // Nor by the first bytes that are sent.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmmsg, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 2, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 24),
      BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument + 16),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MSG_FASTOPEN, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return vetnet_install_filter(filter, sizeof filter / sizeof *filter);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int vetnet_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
  return version > 0 ? (int)version : 0;
}

struct vetnet_landlock_ruleset {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
};

struct vetnet_landlock_path {
  uint64_t allowed_access;
  int32_t parent;
} __attribute__((packed));

struct vetnet_landlock_port {
  uint64_t allowed_access;
  uint64_t port;
};

// O_PATH, which headers give only to who asks for GNU's additions before anything else.
#define VETNET_O_PATH 010000000

#define VETNET_MAY_BIND 1u
#define VETNET_ABOUT_FILES 0x4007u   // the rights that a rule for one file can have

// All rights of files that a version knows and that are refused unless a rule allows them.
static uint64_t vetnet_landlock_rights(int version) {
  return (1u << (version >= 3 ? 15 : version == 2 ? 14 : 13)) - 1;
}

int vetnet_landlock_begin(int version, int restricts_files, int restricts_tcp) {
  struct vetnet_landlock_ruleset ruleset = {0, 0};
  if (restricts_files) ruleset.handled_access_fs = vetnet_landlock_rights(version);
  if (restricts_tcp && version >= 4) ruleset.handled_access_net = 3;
  if (ruleset.handled_access_fs == 0 && ruleset.handled_access_net == 0) {
    errno = ENOSYS;
    return -1;
  }
  size_t size = version >= 4 ? sizeof ruleset : sizeof ruleset.handled_access_fs;
  return (int)syscall(SYS_landlock_create_ruleset, &ruleset, size, 0u);
}

int vetnet_landlock_allow_path(int rules, int version, const char *path, uint64_t access) {
  struct stat status;
  struct vetnet_landlock_path rule = {0, open(path, VETNET_O_PATH | O_CLOEXEC)};
  if (rule.parent < 0) return errno == ENOENT ? 0 : -1;
  int result = fstat(rule.parent, &status);
  if (result == 0) {
    uint64_t possible = S_ISDIR(status.st_mode) ? ~(uint64_t)0 : VETNET_ABOUT_FILES;
    rule.allowed_access = access & vetnet_landlock_rights(version) & possible;
    result = (int)syscall(SYS_landlock_add_rule, rules, 1, &rule, 0u);
  }
  int error = errno;
  close(rule.parent);
  errno = error;
  return result;
}

int vetnet_landlock_allow_port(int rules, uint64_t port) {
  const struct vetnet_landlock_port rule = {VETNET_MAY_BIND, port};
  return (int)syscall(SYS_landlock_add_rule, rules, 2, &rule, 0u);
}

int vetnet_landlock_enforce(int rules) {
  int result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, rules, 0u);
  int error = errno;
  close(rules);
  errno = error;
  return result;
}

int vetnet_folder_is_refused(const char *path) {
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    close(descriptor);
    return 0;
  }
  return errno == EACCES;
}

int vetnet_calling_is_refused(void) { return connect(-1, NULL, 0) != 0 && errno == EACCES; }

int vetnet_socket_is_refused(int family) {
  int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor >= 0) {
    close(descriptor);
    return 0;
  }
  return errno == EACCES || errno == EPERM;
}
