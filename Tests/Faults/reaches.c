// A guest that tries what it may not, and says of each what came of it, in the text of a reply that is none.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *name, const char *what) { printf("%s %s\n", name, what); }

// Connects, asks, and says what was answered.
static void try_tcp(const char *name, const char *address, int port, int is_fast) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) return say(name, "refused");
  struct timeval patience = {3, 0};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  inet_pton(AF_INET, address, &place.sin_addr);
  char answer[5] = "";
  int is_connected = is_fast
                         ? sendto(descriptor, "ping", 4, MSG_FASTOPEN, (struct sockaddr *)&place, sizeof place) == 4
                         : connect(descriptor, (struct sockaddr *)&place, sizeof place) == 0 && write(descriptor, "ping", 4) == 4;
  if (is_connected && read(descriptor, answer, 4) == 4 && strcmp(answer, "pong") == 0) say(name, "reached");
  else say(name, "not reached");
  close(descriptor);
}

static void try_socket(const char *name, int family, int type, int protocol) {
  int descriptor = socket(family, type, protocol);
  say(name, descriptor >= 0 ? "opened" : errno == EACCES ? "refused" : "failed");
  if (descriptor >= 0) close(descriptor);
}

// A datagram's socket of a pair could be sent to a name.
static void try_name(const char *path) {
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  strncpy(place.sun_path, path, sizeof place.sun_path - 1);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) say("name", "refused");
  else say("name", sendto(pair[0], "ping", 4, 0, (struct sockaddr *)&place, sizeof place) == 4 ? "reached" : "failed");
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) say("stream", "refused");
  else say("stream", connect(pair[0], (struct sockaddr *)&place, sizeof place) == 0 ? "reached" : "failed");
}

int main(int count, char **words) {
  (void)count;
  const int port = atoi(words[1]), other = atoi(words[2]);
  // What is open beside standard input, output and error.
  int open_count = 0;
  for (int descriptor = 3; descriptor < 1024; descriptor++) open_count += fcntl(descriptor, F_GETFD) != -1;
  say("descriptors", open_count == 0 ? "none" : "some");
  try_tcp("allowed", "127.0.0.1", port, 0);
  try_tcp("again", "127.0.0.1", port, 0);
  try_tcp("port", "127.0.0.1", other, 0);
  try_tcp("fast", "127.0.0.1", other, 1);
  try_tcp("address", "127.0.0.2", port, 0);
  try_tcp("outside", words[4], port, 0);
  try_socket("udp", AF_INET, SOCK_DGRAM, 0);
  try_socket("raw", AF_INET, SOCK_RAW, IPPROTO_TCP);
  try_socket("mptcp", AF_INET, SOCK_STREAM, 262);
  try_socket("inet6", AF_INET6, SOCK_STREAM, 0);
  try_socket("unix", AF_UNIX, SOCK_STREAM, 0);
  try_socket("netlink", AF_NETLINK, SOCK_RAW, 0);
  try_name(words[3]);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/ns/net", getppid());
  int network = open(path, O_RDONLY);
  say("network", network >= 0 && setns(network, CLONE_NEWNET) == 0 ? "entered" : "closed");
  say("ring", syscall(SYS_io_uring_setup, 1, (void *)0) < 0 && errno == ENOSYS ? "refused" : "opened");
  fflush(stdout);
  if (fork() == 0) {
    say("session", setsid() < 0 && setpgid(0, 0) < 0 ? "kept" : "left");
    return 0;
  }
  wait(NULL);
  return 0;
}
