// The least that following trips can cost: each is polled at an interval, in batches as those of tripwire, and the last
// response of each is kept and compared with the next one.
//
//     floor-follow port=50051 trips=10000 [interval=5] [seconds=20] [cacert=FILE]
//
// Prints the share of a core in percent after all trips were received, memory in MiB, and the number of trips that are
// late.

#include "client.h"

#define TICK 20000000L  // In nanoseconds.

struct trip {
  struct call call;
  uint8_t *last;
  size_t last_size;
  long refreshed;
  int is_busy;
};

static void ended(struct call *call) {
  struct trip *trip = (struct trip *)call;
  trip->is_busy = 0;
  trip->refreshed = nanoseconds(CLOCK_MONOTONIC);
  if (call->size != trip->last_size || memcmp(call->response, trip->last, call->size)) {
    free(trip->last);
    trip->last = call->response;
    trip->last_size = call->size;
  } else {
    free(call->response);
  }
  call->response = NULL;
  call->capacity = 0;
}

static long resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1) fail("/proc/self/statm");
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

int main(int, char **arguments) {
  long count = number(arguments, "trips", 0), interval = number(arguments, "interval", 5) * 1000000000L;
  if (!count) {
    fprintf(stderr, "usage: floor-follow port=N trips=N [interval=N] [seconds=N] [cacert=FILE]\n");
    return 2;
  }
  long measured = number(arguments, "seconds", 20) * 1000000000L, ticks = interval / TICK;
  struct trip *trips = calloc(count, sizeof *trips);
  for (long index = 0; index < count; index++) {
    char name[64];
    snprintf(name, sizeof name, "providers/demo/trips/t%ld", index);
    set_name(&trips[index].call, name);
  }
  open_connection(arguments);
  // All trips are received after one interval, and polled regularly in the second one.
  long start = nanoseconds(CLOCK_MONOTONIC), begin_of_measure = start + 2 * interval, cpu = 0;
  for (long tick = 0; start + tick * TICK < begin_of_measure + measured; tick++) {
    if (!cpu && start + tick * TICK >= begin_of_measure) cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long index = tick % ticks; index < count; index += ticks) {
      if (trips[index].is_busy) continue;
      trips[index].is_busy = 1;
      begin(&trips[index].call);
    }
    for (long left; flush(), (left = start + (tick + 1) * TICK - nanoseconds(CLOCK_MONOTONIC)) > 0;)
      receive((left + 999999) / 1000000);
  }
  double share = (double)(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / measured;
  long late = 0, now = nanoseconds(CLOCK_MONOTONIC);
  for (long index = 0; index < count; index++) late += now - trips[index].refreshed > interval * 1.2;
  printf("%g %g %ld\n", share * 100, resident() / 1048576.0, late);
}
