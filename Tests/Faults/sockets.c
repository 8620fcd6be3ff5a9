// Loaded into the program by a test: when it opens its practice file it tries what would reach a network, and says on standard error
// what came of it. Nothing of this is in the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void try_socket(const char *name, int family, int type) {
  int descriptor = socket(family, type, 0);
  fprintf(stderr, "socket %s %s\n", name, descriptor >= 0 ? "opened" : errno == EACCES ? "refused" : "failed");
  if (descriptor >= 0) close(descriptor);
}

// Where a socket is to be had: whether it may be used to reach anybody.
static void try_reaching(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) return;
  struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const struct sockaddr *address = (const struct sockaddr *)&nobody;
  int status = connect(descriptor, address, sizeof nobody);
  fprintf(stderr, "socket connect %s\n", status == 0 ? "opened" : errno == EACCES ? "refused" : "failed");
  status = (int)sendto(descriptor, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, address, sizeof nobody);
  fprintf(stderr, "socket bytes %s\n", status > 0 ? "opened" : errno == EACCES ? "refused" : "failed");
  close(descriptor);
}

static void try_file(const char *name, const char *path, int flags) {
  int descriptor = open(path, flags, 0600);
  fprintf(stderr, "file %s %s\n", name, descriptor >= 0 ? "opened" : errno == EACCES ? "refused" : "failed");
  if (descriptor >= 0) close(descriptor);
}

// What a test asks for beside sockets: files outside, and to call on somebody.
static void try_more(const char *outside) {
  char path[4096];
  try_file("other", outside, O_RDONLY);
  snprintf(path, sizeof path, "%s.new", outside);
  try_file("new", path, O_WRONLY | O_CREAT);
  try_file("system", "/usr", O_RDONLY | O_DIRECTORY);
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0x7f000001)};
  int called = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  fprintf(stderr, "file call %s\n", called != 0 && errno == EACCES ? "refused" : "made");
  address.sin_port = htons(41234);
  int bound = bind(descriptor, (struct sockaddr *)&address, sizeof address);
  fprintf(stderr, "file port %s\n", bound != 0 && errno == EACCES ? "refused" : "bound");
  if (descriptor >= 0) close(descriptor);
}

int sqlite3_open_v2(const char *path, void **handle, int flags, const char *vfs) {
  static int (*real)(const char *, void **, int, const char *);
  if (!real) {
    real = (int (*)(const char *, void **, int, const char *))dlsym(RTLD_NEXT, "sqlite3_open_v2");
    try_socket("inet", AF_INET, SOCK_STREAM);
    try_socket("inet6", AF_INET6, SOCK_DGRAM);
    try_socket("unix", AF_UNIX, SOCK_STREAM);
    try_socket("netlink", AF_NETLINK, SOCK_RAW);
    int pair[2];
    fprintf(stderr, "socket pair %s\n", socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 ? "opened" : "refused");
#ifdef SYS_io_uring_setup
    long ring = syscall(SYS_io_uring_setup, 1, (void *)0);
    fprintf(stderr, "socket ring %s\n", ring < 0 && errno == ENOSYS ? "refused" : "opened");
#endif
    try_reaching();
    if (getenv("TRY_FILE")) try_more(getenv("TRY_FILE"));
  }
  return real(path, handle, flags, vfs);
}
