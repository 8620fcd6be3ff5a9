// Asks a server on this machine, for `make bench-web`; nothing of this is in the program.
//
//   load PORT ask SECONDS CLIENTS METHOD PATH [BODY]   each client on a connection that it keeps, one request after another
//   load PORT streams COUNT BODY                       COUNT streams of events, and one booking that all are told of
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int port;
static double until;
static char request[16384];
static size_t request_size;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int dial(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    perror("connect");
    exit(1);
  }
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

static void compose(const char *method, const char *path, const char *body) {
  request_size = (size_t)snprintf(request, sizeof request,
      "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nContent-Type: application/json\r\n"
      "Content-Length: %zu\r\n\r\n%s", method, path, port, port, strlen(body), body);
}

// One answer, whole: its status, or 0 where the connection ends.
static int answer(int descriptor, char *room, size_t size) {
  size_t have = 0;
  char *end = NULL;
  while (!end) {
    ssize_t count = recv(descriptor, room + have, size - 1 - have, 0);
    if (count <= 0) return 0;
    have += (size_t)count;
    room[have] = 0;
    end = strstr(room, "\r\n\r\n");
  }
  const char *length = strcasestr(room, "\r\nContent-Length:");
  size_t body = length && length < end ? strtoul(length + 17, NULL, 10) : 0, got = have - (size_t)(end + 4 - room);
  int status = atoi(room + 9);
  while (got < body) {
    ssize_t count = recv(descriptor, room, size - 1, 0);
    if (count <= 0) return 0;
    got += (size_t)count;
  }
  return status;
}

struct client {
  pthread_t thread;
  double *seconds;
  size_t count, room;
  int failed;
};

static void *work(void *argument) {
  struct client *client = argument;
  char *room = malloc(1 << 20);
  int descriptor = dial();
  while (now() < until) {
    double began = now();
    send(descriptor, request, request_size, MSG_NOSIGNAL);
    int status = answer(descriptor, room, 1 << 20);
    if (status < 200 || status > 299) {
      client->failed = status ? status : -1;
      break;
    }
    if (client->count == client->room) {
      client->room = client->room ? 2 * client->room : 1024;
      client->seconds = realloc(client->seconds, client->room * sizeof(double));
    }
    client->seconds[client->count++] = now() - began;
  }
  close(descriptor);
  free(room);
  return NULL;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return difference < 0 ? -1 : difference > 0;
}

static int ask(double seconds, int clients) {
  struct client *all = calloc((size_t)clients, sizeof *all);
  double began = now();
  until = began + seconds;
  for (int i = 0; i < clients; i++) pthread_create(&all[i].thread, NULL, work, &all[i]);
  size_t count = 0;
  for (int i = 0; i < clients; i++) {
    pthread_join(all[i].thread, NULL);
    if (all[i].failed) {
      fprintf(stderr, "answered %d\n", all[i].failed);
      return 1;
    }
    count += all[i].count;
  }
  double took = now() - began, *times = malloc(count * sizeof(double));
  size_t place = 0;
  for (int i = 0; i < clients; i++) {
    memcpy(times + place, all[i].seconds, all[i].count * sizeof(double));
    place += all[i].count;
  }
  qsort(times, count, sizeof(double), ascending);
  printf("%.0f %.3f %.3f\n", (double)count / took, 1e3 * times[count / 2], 1e3 * times[(size_t)((double)count * 0.99)]);
  return 0;
}

static int streams(int count, const char *body) {
  struct rlimit limit = {4096, 4096};
  setrlimit(RLIMIT_NOFILE, &limit);
  struct pollfd *all = calloc((size_t)count, sizeof *all);
  char *texts = calloc((size_t)count, 8192);
  compose("GET", "/api/v1/events", "");
  for (int i = 0; i < count; i++) {
    all[i] = (struct pollfd){.fd = dial(), .events = POLLIN};
    send(all[i].fd, request, request_size, MSG_NOSIGNAL);
  }
  double told = 0;
  for (int phase = 0; phase < 2; phase++) {
    const char *mark = phase == 0 ? "event: here" : "event: change";
    if (phase == 1) {
      compose("POST", "/api/v1/appointments", body);
      int descriptor = dial();
      char *room = malloc(1 << 20);
      send(descriptor, request, request_size, MSG_NOSIGNAL);
      int status = answer(descriptor, room, 1 << 20);
      if (status != 201) {
        fprintf(stderr, "the booking was answered %d\n", status);
        return 1;
      }
      told = now();
      free(room);
      close(descriptor);
    }
    int left = count;
    for (int i = 0; i < count; i++) {
      all[i].events = POLLIN;
      if (phase == 1 && strstr(texts + 8192 * (size_t)i, mark)) all[i].events = 0, left--;
    }
    while (left > 0) {
      if (poll(all, (nfds_t)count, 10000) <= 0) {
        fprintf(stderr, "%d streams were not told\n", left);
        return 1;
      }
      for (int i = 0; i < count; i++) {
        if (!all[i].events || !(all[i].revents & POLLIN)) continue;
        char *text = texts + 8192 * (size_t)i;
        size_t have = strlen(text);
        ssize_t got = recv(all[i].fd, text + have, 8191 - have, 0);
        if (got <= 0) return 1;
        text[have + (size_t)got] = 0;
        if (strstr(text, mark)) all[i].events = 0, left--;
      }
    }
  }
  printf("%.1f\n", 1e3 * (now() - told));
  fflush(stdout);
  // The server's memory is looked at while they are open.
  getchar();
  return 0;
}

int main(int count, char **words) {
  if (count < 4) return 64;
  port = atoi(words[1]);
  if (!strcmp(words[2], "streams") && count == 5) return streams(atoi(words[3]), words[4]);
  if (strcmp(words[2], "ask") || count < 7) return 64;
  compose(words[5], words[6], count > 7 ? words[7] : "");
  return ask(atof(words[3]), atoi(words[4]));
}
