// What the programs with libnats share.

#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(natsStatus status, const char *what) {
  if (status == NATS_OK) return;
  fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
  exit(1);
}

// Returns the time of a clock in seconds.
static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static natsConnection *connected(const char *url) {
  natsOptions *options;
  natsConnection *connection;
  check(natsOptions_Create(&options), "options");
  check(natsOptions_SetURL(options, url), "URL");
  check(natsOptions_UseGlobalMessageDelivery(options, true), "options");
  check(natsConnection_Connect(&connection, options), "connect");
  natsOptions_Destroy(options);
  return connection;
}
