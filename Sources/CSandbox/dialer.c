#define _GNU_SOURCE
#include "CSandbox.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter.h"

#define VETNET_ALLOW(number) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// What is handed over: an error's number, and, where it is 0, a connection.
struct vetnet_dialed {
  char control[CMSG_SPACE(sizeof(int))];
  struct iovec piece;
  struct msghdr message;
  int32_t error;
};

static struct msghdr *vetnet_dialed_prepare(struct vetnet_dialed *dialed) {
  memset(dialed, 0, sizeof *dialed);
  dialed->piece.iov_base = &dialed->error;
  dialed->piece.iov_len = sizeof dialed->error;
  dialed->message.msg_iov = &dialed->piece;
  dialed->message.msg_iovlen = 1;
  dialed->message.msg_control = dialed->control;
  dialed->message.msg_controllen = sizeof dialed->control;
  return &dialed->message;
}

// The dialer has nothing to do but these: no file, no program, no other thread.
static int vetnet_dialer_filter(void) {
#ifdef VETNET_AUDIT_ARCH
  const struct sock_filter filter[] = {
      VETNET_OWN_CALLS,
      VETNET_ALLOW(SYS_socket),
      VETNET_ALLOW(SYS_connect),
      VETNET_ALLOW(SYS_setsockopt),
      VETNET_ALLOW(SYS_getsockopt),
#ifdef SYS_poll
      VETNET_ALLOW(SYS_poll),
#endif
      VETNET_ALLOW(SYS_ppoll),
      VETNET_ALLOW(SYS_sendmsg),
      VETNET_ALLOW(SYS_read),
      VETNET_ALLOW(SYS_close),
      VETNET_ALLOW(SYS_rt_sigreturn),
      VETNET_ALLOW(SYS_restart_syscall),
      VETNET_ALLOW(SYS_exit),
      VETNET_ALLOW(SYS_exit_group),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  return vetnet_install_filter(filter, sizeof filter / sizeof *filter);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Waits until a connection that was begun is there. Returns 0, or an error's number.
//
// It isn't called on again to ask: whoever gets it may call `connect` once more on what is connected, as libcurl 7.88 does although it
// was told so, and the kernel answers that with success as long as nobody did before.
static int vetnet_await(int descriptor, int seconds) {
  struct pollfd wanted = {descriptor, POLLOUT, 0};
  int ready;
  do ready = poll(&wanted, 1, seconds * 1000);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) return ETIMEDOUT;
  if (ready < 0) return errno;
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

static int vetnet_connect_any(const struct vetnet_address *addresses, int count, int seconds, int32_t *error) {
  *error = EHOSTUNREACH;
  for (int index = 0; index < count; index++) {
    struct sockaddr_storage address;
    memset(&address, 0, sizeof address);
    memcpy(&address, addresses[index].bytes, sizeof addresses[index].bytes);
    int descriptor = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) {
      *error = errno;
      continue;
    }
    int begun = connect(descriptor, (const struct sockaddr *)&address, addresses[index].size);
    *error = begun == 0 ? 0 : errno == EINPROGRESS ? vetnet_await(descriptor, seconds) : errno;
    if (*error == 0) {
      int on = 1;
      setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return descriptor;
    }
    close(descriptor);
  }
  return -1;
}

static void vetnet_serve_dialer(int gate, const struct vetnet_address *addresses, int count, int seconds) {
  for (;;) {
    char wanted;
    ssize_t read_count = read(gate, &wanted, 1);
    if (read_count < 0 && errno == EINTR) continue;
    // Whoever asked is gone.
    if (read_count != 1) _exit(0);
    struct vetnet_dialed dialed;
    struct msghdr *message = vetnet_dialed_prepare(&dialed);
    int descriptor = vetnet_connect_any(addresses, count, seconds, &dialed.error);
    if (descriptor >= 0) {
      struct cmsghdr *header = CMSG_FIRSTHDR(message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof descriptor);
      memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    } else {
      message->msg_control = NULL;
      message->msg_controllen = 0;
    }
    if (sendmsg(gate, message, MSG_NOSIGNAL) < 0) _exit(1);
    if (descriptor >= 0) close(descriptor);
  }
}

int vetnet_start_dialer(const struct vetnet_address *addresses, int count, int seconds) {
  int ends[2];
  if (count < 1 || count > VETNET_MOST_ADDRESSES) {
    errno = EINVAL;
    return -1;
  }
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  const pid_t process = fork();
  if (process < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    return -1;
  }
  if (process > 0) {
    close(ends[1]);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return ends[0];
  }
  // Nobody's child: whoever asked has none to wait for, now or when it ends.
  if (fork() != 0) _exit(0);
  // Nothing that the caller has open stays open here, and a Ctrl-C is the caller's to answer. It ends when the other end is closed.
  if (dup2(ends[1], 3) < 0) _exit(1);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 4u, ~0u, 0u) != 0)
#endif
    for (int descriptor = 4; descriptor < 4096; descriptor++) close(descriptor);
  for (int descriptor = 0; descriptor < 3; descriptor++) close(descriptor);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  if (vetnet_dialer_filter() != 0 && errno != ENOSYS && errno != EINVAL) _exit(1);
  vetnet_serve_dialer(3, addresses, count, seconds);
  _exit(0);
}

int vetnet_dial(int gate) {
  const char wanted = 1;
  if (send(gate, &wanted, 1, MSG_NOSIGNAL) != 1) {
    errno = ECONNABORTED;
    return -1;
  }
  struct vetnet_dialed dialed;
  struct msghdr *message = vetnet_dialed_prepare(&dialed);
  ssize_t count;
  do count = recvmsg(gate, message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count != sizeof dialed.error) {
    errno = ECONNABORTED;
    return -1;
  }
  struct cmsghdr *header = CMSG_FIRSTHDR(message);
  if (dialed.error != 0 || !header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) {
    errno = dialed.error != 0 ? dialed.error : ECONNABORTED;
    return -1;
  }
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}
