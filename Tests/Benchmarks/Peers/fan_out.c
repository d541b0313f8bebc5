// A publisher and subscribers of NATS without anything else, as the peer of a relay.
//
//     fan_out publish URL SUBJECT BYTES SECONDS        publishes as fast as NATS accepts; prints messages a second
//     fan_out subscribe URL SUBJECT READERS SECONDS    READERS connections; prints "ready", and later the messages a
//                                                      second that reached all readers together, and their mean size
//
// Subscribers begin to count two seconds after the first message.

#include <stdatomic.h>
#include <string.h>

#include "nats_program.h"

static atomic_llong messages, bytes;

static void received(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
  (void)connection, (void)subscription, (void)closure;
  atomic_fetch_add_explicit(&messages, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&bytes, natsMsg_GetDataLength(message), memory_order_relaxed);
  natsMsg_Destroy(message);
}

static void publish(const char *url, const char *subject, int size, double seconds) {
  natsConnection *connection = connected(url);
  char *data = calloc(1, size);
  double start = now(CLOCK_MONOTONIC), end = start + seconds;
  long long count = 0;
  while (now(CLOCK_MONOTONIC) < end) {
    check(natsConnection_Publish(connection, subject, data, size), "publish");
    // Without a reply from time to time, the library's buffer hides the speed of the server.
    if (++count % 100 == 0) check(natsConnection_Flush(connection), "flush");
  }
  check(natsConnection_Flush(connection), "flush");
  printf("%.1f\n", count / (now(CLOCK_MONOTONIC) - start));
}

static void subscribe(const char *url, const char *subject, int readers, double seconds) {
  for (int reader = 0; reader < readers; reader++) {
    natsConnection *connection = connected(url);
    natsSubscription *subscription;
    check(natsConnection_Subscribe(&subscription, connection, subject, received, NULL), "subscribe");
    check(natsConnection_Flush(connection), "flush");
  }
  printf("ready\n");
  fflush(stdout);
  while (!atomic_load(&messages)) nats_Sleep(1);
  nats_Sleep(2000);
  long long first = atomic_load(&messages), first_bytes = atomic_load(&bytes);
  double start = now(CLOCK_MONOTONIC);
  nats_Sleep(seconds * 1000);
  long long count = atomic_load(&messages) - first;
  double took = now(CLOCK_MONOTONIC) - start;
  printf("%.1f %.1f\n", count / took, (double)(atomic_load(&bytes) - first_bytes) / (count ? count : 1));
  fflush(stdout);
  _Exit(0);
}

int main(int count, char **words) {
  if (count != 6) return fprintf(stderr, "usage: fan_out publish|subscribe URL SUBJECT NUMBER SECONDS\n"), 2;
  nats_SetMessageDeliveryPoolSize(2);
  if (strcmp(words[1], "publish") == 0) {
    publish(words[2], words[3], atoi(words[4]), atof(words[5]));
  } else {
    subscribe(words[2], words[3], atoi(words[4]), atof(words[5]));
  }
}
