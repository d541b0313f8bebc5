// Publishes to the streams of a relay as fast as its nodes store, with as little work as possible: plain sockets, one to
// each node, and a number of messages whose acknowledgements are awaited. Each message names the last one of its subject.
// Prints a line when all trips have a state, and after SECONDS more the number of states stored a second, and how many
// were refused.
//
//     states PARTITIONS TRIPS BYTES OPEN SECONDS PORT...

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_NODES 8

struct node {
  int socket;
  char input[1 << 16], *output;
  size_t received, sent, waiting, room;
  // The next of its trips, which are index, index + nodes, ….
  int next, open;
};

static struct node nodes[MOST_NODES];
static int node_count, partitions, trips, most_open;
static long long *last, stored, refused;
static char *state;
static size_t size;

static void check(bool is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void queue(struct node *node, const char *data, size_t length) {
  if (node->waiting + length > node->room) {
    node->room = 2 * (node->waiting + length);
    node->output = realloc(node->output, node->room);
    check(node->output, "memory");
  }
  memcpy(node->output + node->waiting, data, length);
  node->waiting += length;
}

static void publish(struct node *node) {
  char line[256], subject[128], header[96];
  int trip = node->next;
  node->next = trip + node_count < trips ? trip + node_count : (int)(node - nodes);
  node->open++;
  if (partitions == 1) {
    snprintf(subject, sizeof subject, "tripwire.v1.trips.p.t%d", trip);
  } else {
    snprintf(subject, sizeof subject, "tripwire.v1.partitions.trips.%d.%d.p.t%d", partitions, trip % partitions, trip);
  }
  int head = snprintf(header, sizeof header, "NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: %lld\r\n\r\n", last[trip]);
  queue(node, line, snprintf(line, sizeof line, "HPUB %s s.%d.%d %d %zu\r\n", subject, (int)(node - nodes), trip, head, head + size));
  queue(node, header, head);
  queue(node, state, size);
  queue(node, "\r\n", 2);
}

// Takes an acknowledgement such as {"stream":"TRIPWIRE_TRIPS","seq":5}.
static void acknowledged(struct node *node, int trip, const char *text) {
  const char *sequence = strstr(text, "\"seq\":");
  node->open--;
  if (strstr(text, "\"error\"") || !sequence) {
    if (!refused++) fprintf(stderr, "%s\n", text);
  } else {
    last[trip] = atoll(sequence + 6);
    stored++;
  }
}

// Takes the complete messages that were received.
static void take(struct node *node) {
  char *start = node->input, *end = start + node->received, *line;
  while ((line = memchr(start, '\n', end - start))) {
    char *next = line + 1;
    int trip, length;
    if (sscanf(start, "MSG s.%*d.%d 1 %d", &trip, &length) == 2) {
      if (end - next < length + 2) break;
      next[length] = 0;
      acknowledged(node, trip, next);
      next += length + 2;
    } else if (!strncmp(start, "PING", 4)) {
      queue(node, "PONG\r\n", 6);
    } else if (!strncmp(start, "-ERR", 4)) {
      check(false, start);
    }
    start = next;
  }
  node->received = end - start;
  memmove(node->input, start, node->received);
}

static void open_node(struct node *node, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  check((node->socket = socket(AF_INET, SOCK_STREAM, 0)) >= 0, "socket");
  check(!connect(node->socket, (struct sockaddr *)&address, sizeof address), "connect");
  setsockopt(node->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  char line[128];
  queue(node, line, snprintf(line, sizeof line, "CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB s.%d.* 1\r\n", (int)(node - nodes)));
  node->next = node - nodes;
}

static void exchange(void) {
  struct pollfd waits[MOST_NODES];
  for (int i = 0; i < node_count; i++) {
    struct node *node = &nodes[i];
    // Half of them together, so that each packet has many.
    if (node->open <= most_open / 2) while (node->open < most_open) publish(node);
    waits[i] = (struct pollfd){node->socket, POLLIN | (node->waiting > node->sent ? POLLOUT : 0), 0};
  }
  check(poll(waits, node_count, 1000) >= 0, "poll");
  for (int i = 0; i < node_count; i++) {
    struct node *node = &nodes[i];
    if (waits[i].revents & POLLOUT) {
      ssize_t count = send(node->socket, node->output + node->sent, node->waiting - node->sent, MSG_DONTWAIT);
      check(count >= 0 || errno == EAGAIN, "send");
      if (count > 0 && (node->sent += count) == node->waiting) node->sent = node->waiting = 0;
    }
    if (waits[i].revents & ~POLLOUT) {
      ssize_t count = recv(node->socket, node->input + node->received, sizeof node->input - node->received, 0);
      check(count > 0, "receive");
      node->received += count;
      take(node);
    }
  }
}

int main(int count, char **words) {
  if (count < 7) return fprintf(stderr, "usage: states PARTITIONS TRIPS BYTES OPEN SECONDS PORT...\n"), 2;
  partitions = atoi(words[1]), trips = atoi(words[2]), size = atoi(words[3]);
  double seconds = atof(words[5]);
  node_count = count - 6 < MOST_NODES ? count - 6 : MOST_NODES;
  most_open = atoi(words[4]) / node_count;
  last = calloc(trips, sizeof *last);
  memset(state = malloc(size), 'x', size);
  for (int i = 0; i < node_count; i++) open_node(&nodes[i], atoi(words[6 + i]));
  while (stored < trips) exchange();
  printf("counting\n");
  fflush(stdout);
  long long before = stored;
  double start = now();
  while (now() < start + seconds) exchange();
  printf("%.0f %lld\n", (stored - before) / (now() - start), refused);
}
