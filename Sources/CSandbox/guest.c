#define _GNU_SOURCE
#include "CSandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter.h"

int vetnet_refuse_sockets_but_tcp(void) {
#ifdef VETNET_AUDIT_ARCH
  const struct sock_filter filter[] = {
      VETNET_OWN_CALLS,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 0, 1),
      BPF_JUMP(BPF_JMP | BPF_JA, 5, 0, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      // socket: the family, then the protocol, then as a pair's.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 0, 9),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 16),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 2),
      // socketpair: the family.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 5),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_TCP, 0, 4),
      // The kind, without what is set beside it.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
  };
  return vetnet_install_filter(filter, sizeof filter / sizeof *filter);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Keeps a program in its group, so that all of it can be ended, and from the memory and descriptors of others. Returns 0, or -1.
static int vetnet_hold_in_group(void) {
#ifdef VETNET_AUDIT_ARCH
  const struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      VETNET_REFUSE(SYS_setsid, EPERM),
      VETNET_REFUSE(SYS_setpgid, EPERM),
      VETNET_REFUSE(SYS_ptrace, EPERM),
      VETNET_REFUSE(SYS_process_vm_readv, EPERM),
      VETNET_REFUSE(SYS_process_vm_writev, EPERM),
      VETNET_REFUSE(438 /* pidfd_getfd */, EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return vetnet_install_filter(filter, sizeof filter / sizeof *filter);
#else
  errno = ENOSYS;
  return -1;
#endif
}

void vetnet_allow_only_tcp_port(uint16_t port, int binds, int is_guest) {
  const int version = vetnet_landlock_version();
  if (version < 4) return;
  const struct {
    uint64_t files, network, scopes;
  } ruleset = {0, 3, is_guest && version >= 6 ? 3 : 0};
  const int descriptor = (int)syscall(SYS_landlock_create_ruleset, &ruleset, version >= 6 ? 24u : 16u, 0u);
  if (descriptor < 0) return;
  if (port != 0) {
    const struct {
      uint64_t allowed, port;
    } rule = {binds ? 3 : 2, port};
    syscall(SYS_landlock_add_rule, descriptor, 2, &rule, 0u);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(SYS_landlock_restrict_self, descriptor, 0u);
  close(descriptor);
}

static int vetnet_write_file(const char *path, const char *text) {
  const int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  const size_t length = strlen(text);
  const int result = write(descriptor, text, length) == (ssize_t)length ? 0 : -1;
  close(descriptor);
  return result;
}

// Moves this process, which has one thread, into a network of its own where nobody else is, in a user namespace in which its account
// is itself. Returns 0, or -1 with errno.
static int vetnet_leave_network(void) {
  char user[48], group[48];
  snprintf(user, sizeof user, "%u %u 1\n", (unsigned)geteuid(), (unsigned)geteuid());
  snprintf(group, sizeof group, "%u %u 1\n", (unsigned)getegid(), (unsigned)getegid());
  // CLONE_NEWUSER and CLONE_NEWNET.
  if (syscall(SYS_unshare, 0x10000000 | 0x40000000) != 0) return -1;
  if (vetnet_write_file("/proc/self/setgroups", "deny") != 0 && errno != ENOENT) return -1;
  return vetnet_write_file("/proc/self/uid_map", user) == 0 && vetnet_write_file("/proc/self/gid_map", group) == 0
             ? 0
             : -1;
}

int vetnet_can_leave_network(void) {
  const pid_t child = fork();
  if (child == 0) _exit(vetnet_leave_network() == 0 ? 0 : 1);
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && status == 0;
}

// A message of one byte with room for a descriptor.
struct vetnet_handover {
  struct msghdr message;
  struct iovec bytes;
  char byte;
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
};

static struct msghdr *vetnet_prepare(struct vetnet_handover *handover) {
  memset(handover, 0, sizeof *handover);
  handover->bytes = (struct iovec){&handover->byte, 1};
  handover->message.msg_iov = &handover->bytes;
  handover->message.msg_iovlen = 1;
  handover->message.msg_control = handover->control.space;
  handover->message.msg_controllen = sizeof handover->control.space;
  return &handover->message;
}

// Listens on the only address there is, and hands the listener out. Returns 0, or -1 with errno.
static int vetnet_open_gate(const struct vetnet_guest *guest) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  struct ifreq loopback;
  memset(&loopback, 0, sizeof loopback);
  memcpy(loopback.ifr_name, "lo", 3);
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  if (ioctl(listener, SIOCSIFFLAGS, &loopback) != 0) return -1;
  struct sockaddr_in place;
  memset(&place, 0, sizeof place);
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(guest->address);
  place.sin_port = htons(guest->port);
  if (bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 16) != 0) return -1;
  struct vetnet_handover handover;
  struct msghdr *message = vetnet_prepare(&handover);
  struct cmsghdr *header = CMSG_FIRSTHDR(message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &listener, sizeof listener);
  if (sendmsg(guest->gate, message, MSG_NOSIGNAL) != 1) return -1;
  return close(listener);
}

int vetnet_take_gate(int gate) {
  struct vetnet_handover handover;
  struct msghdr *message = vetnet_prepare(&handover);
  if (recvmsg(gate, message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != 1) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(message);
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) return -1;
  int listener;
  memcpy(&listener, CMSG_DATA(header), sizeof listener);
  return listener;
}

static int vetnet_limit(int resource, uint64_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  // Never above what was allowed before.
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

static int vetnet_place_files(const struct vetnet_guest *guest, int *gate, int *report) {
  // Out of the way of 0 to 4 first.
  int files[4] = {guest->input, guest->output, guest->gate, *report};
  for (int index = 0; index < 4; index++)
    if (files[index] >= 0 && (files[index] = fcntl(files[index], F_DUPFD_CLOEXEC, 10)) < 0) return -1;
  const int nothing = open("/dev/null", O_WRONLY);
  if (nothing < 0 || dup2(nothing, 2) < 0 || dup2(files[0], 0) < 0 || dup2(files[1], 1) < 0) return -1;
  if (syscall(SYS_dup3, files[3], 3, O_CLOEXEC) < 0) return -1;
  if (guest->gate >= 0 && syscall(SYS_dup3, files[2], 4, O_CLOEXEC) < 0) return -1;
  *report = 3;
  *gate = guest->gate >= 0 ? 4 : -1;
  const unsigned first = guest->gate >= 0 ? 5 : 4;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return 0;
#endif
  struct rlimit limit;
  const int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1 << 20 ? (int)limit.rlim_cur : 1 << 20;
  for (int descriptor = (int)first; descriptor < end; descriptor++) close(descriptor);
  return 0;
}

// In the child: all that comes before the program itself. Returns what failed, or never.
static int vetnet_become_guest(const struct vetnet_guest *wanted, char *const words[], char *variables[], int *report) {
  struct vetnet_guest guest = *wanted;
  // It doesn't outlive the thread that started it, however that ends.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || setpgid(0, 0) != 0) return VETNET_GUEST_FILES;
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < 32; number++) sigaction(number, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (vetnet_place_files(wanted, &guest.gate, report) != 0) return VETNET_GUEST_FILES;
  if (vetnet_limit(RLIMIT_AS, guest.memory_bytes) != 0 || vetnet_limit(RLIMIT_CPU, guest.processor_seconds) != 0 ||
      vetnet_limit(RLIMIT_CORE, 0) != 0 || vetnet_limit(RLIMIT_NOFILE, 256) != 0 ||
      vetnet_limit(RLIMIT_FSIZE, 1 << 30) != 0)
    return VETNET_GUEST_LIMITS;
  // Without an address the filter alone keeps every socket from it; a network of its own is more than is needed, where it can be had.
  const int has_left = vetnet_leave_network() == 0;
  if (guest.gate >= 0) {
    if (!has_left) return VETNET_GUEST_NETWORK;
    if (vetnet_open_gate(&guest) != 0) return VETNET_GUEST_LISTENER;
    close(guest.gate);
  }
  // Rights in the namespace are for nothing else.
  for (int capability = 0; has_left && capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  vetnet_allow_only_tcp_port(guest.gate >= 0 ? guest.port : 0, 0, 1);
  if ((guest.gate >= 0 ? vetnet_refuse_sockets_but_tcp() : vetnet_refuse_sockets(0)) != 0) return VETNET_GUEST_SOCKETS;
  if (vetnet_hold_in_group() != 0) return VETNET_GUEST_SOCKETS;
  environ = variables;
  execvp(words[0], words);
  return VETNET_GUEST_PROGRAM;
}

int32_t vetnet_start_guest(
    const struct vetnet_guest *guest, char *const words[], char *variables[], struct vetnet_guest_failure *failure) {
  failure->stage = VETNET_GUEST_FILES;
  int report[2];
  if (syscall(SYS_pipe2, report, O_CLOEXEC) != 0) {
    failure->error = errno;
    return -1;
  }
  const pid_t child = fork();
  if (child == 0) {
    int end = report[1];
    struct vetnet_guest_failure own;
    own.stage = vetnet_become_guest(guest, words, variables, &end);
    own.error = errno;
    if (write(end, &own, sizeof own) != sizeof own) _exit(126);
    _exit(127);
  }
  failure->error = errno;
  close(report[1]);
  ssize_t count = 0;
  if (child > 0) {
    // Also here, so that it is done whoever comes first.
    setpgid(child, child);
    do count = read(report[0], failure, sizeof *failure);
    while (count < 0 && errno == EINTR);
  }
  close(report[0]);
  if (child > 0 && count == 0) return child;
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  return -1;
}
