// Asks a server on this machine, for `make bench-web`; nothing of this is in the program.
//
//   load PORT ask SECONDS CLIENTS METHOD PATH [BODY]   each client on a connection that it keeps, one request after another
//   load PORT mix SECONDS CLIENTS <CALLS               the same, each request drawn from lines of WEIGHT<tab>NAME<tab>METHOD<tab>PATH<tab>BODY;
//                                                      {start} in a body is a quarter of an hour that nobody asked for before
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

struct call {
  char name[32], method[8], path[512], body[4096];
  double weight;
};
static struct call *calls;
static size_t call_count;
static double weight_sum;
static unsigned slots;

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

static void add_call(double weight, const char *name, const char *method, const char *path, const char *body) {
  calls = realloc(calls, (call_count + 1) * sizeof *calls);
  struct call *call = &calls[call_count++];
  call->weight = weight;
  weight_sum += weight;
  snprintf(call->name, sizeof call->name, "%s", name);
  snprintf(call->method, sizeof call->method, "%s", method);
  snprintf(call->path, sizeof call->path, "%s", path);
  snprintf(call->body, sizeof call->body, "%s", body);
}

static const struct call *draw(unsigned *seed) {
  double place = weight_sum * rand_r(seed) / ((double)RAND_MAX + 1);
  for (size_t i = 0; i < call_count; i++) {
    if (place < calls[i].weight) return &calls[i];
    place -= calls[i].weight;
  }
  return &calls[call_count - 1];
}

static size_t compose(const struct call *call, char *request, size_t room) {
  char body[4200];
  const char *mark = strstr(call->body, "{start}");
  if (mark) {
    unsigned slot = __atomic_fetch_add(&slots, 1, __ATOMIC_RELAXED);
    time_t day = 1798761600 + 86400 * (time_t)(slot / 28);  // from 2027-01-01 on, nine to four
    struct tm date;
    gmtime_r(&day, &date);
    unsigned minutes = 540 + 15 * (slot % 28);
    snprintf(body, sizeof body, "%.*s%04d-%02d-%02dT%02u:%02u%s", (int)(mark - call->body), call->body,
        date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, minutes / 60, minutes % 60, mark + 7);
  } else {
    snprintf(body, sizeof body, "%s", call->body);
  }
  return (size_t)snprintf(request, room,
      "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nContent-Type: application/json\r\n"
      "Content-Length: %zu\r\n\r\n%s", call->method, call->path, port, port, strlen(body), body);
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
  const char *chunked = strcasestr(room, "\r\nTransfer-Encoding: chunked");
  if (chunked && chunked < end) {
    // What comes in pieces ends with an empty one.
    while (have < 5 || memcmp(room + have - 5, "0\r\n\r\n", 5)) {
      if (have > size - 2) {
        memmove(room, room + have - 5, 5);
        have = 5;
      }
      ssize_t count = recv(descriptor, room + have, size - 1 - have, 0);
      if (count <= 0) return 0;
      have += (size_t)count;
    }
    return status;
  }
  while (got < body) {
    ssize_t count = recv(descriptor, room, size - 1, 0);
    if (count <= 0) return 0;
    got += (size_t)count;
  }
  return status;
}

struct timing {
  double seconds;
  const struct call *call;
};

struct client {
  pthread_t thread;
  struct timing *timings;
  size_t count, room;
  unsigned seed;
  int failed;
};

static void *work(void *argument) {
  struct client *client = argument;
  char *room = malloc(1 << 20), request[16384];
  int descriptor = dial();
  while (now() < until) {
    const struct call *call = draw(&client->seed);
    size_t size = compose(call, request, sizeof request);
    double began = now();
    send(descriptor, request, size, MSG_NOSIGNAL);
    int status = answer(descriptor, room, 1 << 20);
    // 409: the time that was asked for is on a day off, or taken.
    if ((status < 200 || status > 299) && !(status == 409 && strstr(call->body, "{start}"))) {
      client->failed = status ? status : -1;
      break;
    }
    if (client->count == client->room) {
      client->room = client->room ? 2 * client->room : 1024;
      client->timings = realloc(client->timings, client->room * sizeof *client->timings);
    }
    client->timings[client->count++] = (struct timing){now() - began, call};
  }
  close(descriptor);
  free(room);
  return NULL;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return difference < 0 ? -1 : difference > 0;
}

static double share(const double *times, size_t count, double part) {
  return count ? 1e3 * times[(size_t)((double)(count - 1) * part)] : 0;
}

static int ask(double seconds, int clients, int by_name) {
  struct client *all = calloc((size_t)clients, sizeof *all);
  double began = now();
  until = began + seconds;
  for (int i = 0; i < clients; i++) all[i].seed = (unsigned)i + 1;
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
  for (size_t which = 0; which <= call_count; which++) {
    // Calls of one name are told together, after the first of them; last all of them.
    size_t first = 0, place = 0;
    while (which < call_count && strcmp(calls[first].name, calls[which].name)) first++;
    if (which < call_count && (!by_name || first < which)) continue;
    for (int i = 0; i < clients; i++) {
      for (size_t j = 0; j < all[i].count; j++) {
        const struct timing *timing = &all[i].timings[j];
        if (which == call_count || !strcmp(timing->call->name, calls[which].name)) times[place++] = timing->seconds;
      }
    }
    qsort(times, place, sizeof(double), ascending);
    double rate = (double)place / took;
    if (by_name) {
      printf("%-12s %8.0f a second, p50 %8.2f ms, p95 %8.2f ms, p99 %8.2f ms\n",
          which < call_count ? calls[which].name : "all", rate, share(times, place, 0.5), share(times, place, 0.95),
          share(times, place, 0.99));
    } else {
      printf("%.0f %.3f %.3f\n", rate, share(times, place, 0.5), share(times, place, 0.99));
    }
  }
  return 0;
}

static int streams(int count, const char *body) {
  struct rlimit limit = {4096, 4096};
  setrlimit(RLIMIT_NOFILE, &limit);
  struct pollfd *all = calloc((size_t)count, sizeof *all);
  char *texts = calloc((size_t)count, 8192);
  char request[16384];
  add_call(1, "", "GET", "/api/v1/events", "");
  size_t request_size = compose(&calls[0], request, sizeof request);
  for (int i = 0; i < count; i++) {
    all[i] = (struct pollfd){.fd = dial(), .events = POLLIN};
    send(all[i].fd, request, request_size, MSG_NOSIGNAL);
  }
  double told = 0;
  for (int phase = 0; phase < 2; phase++) {
    const char *mark = phase == 0 ? "event: here" : "event: change";
    if (phase == 1) {
      add_call(1, "", "POST", "/api/v1/appointments", body);
      request_size = compose(&calls[1], request, sizeof request);
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
  if (!strcmp(words[2], "mix") && count == 5) {
    char line[8192];
    while (fgets(line, sizeof line, stdin)) {
      line[strcspn(line, "\n")] = 0;
      char *rest = line, *parts[5] = {"", "", "", "", ""};
      for (int i = 0; i < 5 && rest; i++) parts[i] = strsep(&rest, "\t");
      add_call(atof(parts[0]), parts[1], parts[2], parts[3], parts[4] ? parts[4] : "");
    }
    return call_count ? ask(atof(words[3]), atoi(words[4]), 1) : 64;
  }
  if (strcmp(words[2], "ask") || count < 7) return 64;
  add_call(1, "", words[5], words[6], count > 7 ? words[7] : "");
  return ask(atof(words[3]), atoi(words[4]), 0);
}
