// The least that the calls of rpc-benchmark can cost: the same calls, whose responses are read but not decoded.
//
//     floor-call port=50051 calls=100000 in-flight=100 [cacert=FILE] [rate=2000] [record=FILE record-size=BYTES]
//
// `record` writes this many bytes to a file for each call, in writes of 64 KiB.
//
// Prints seconds, and the median and 99th percentile of a call's time in microseconds.

#include "client.h"

struct timed {
  struct call call;
  long begun;
  int is_busy;
};

static struct timed *calls;
static uint32_t *times;
static long total, started, done;
static int is_paced;
static int file = -1;
static size_t record_size, recorded;

static void record(const uint8_t *message, size_t size) {
  static uint8_t page[64 << 10];
  for (size_t left = record_size; left > 0;) {
    size_t count = left < size ? left : size;
    if (recorded + count > sizeof page) {
      if (write(file, page, recorded) < 0) fail("write");
      recorded = 0;
    }
    memcpy(page + recorded, message, count);
    recorded += count;
    left -= count;
  }
}

static void start(struct timed *timed) {
  started++;
  timed->is_busy = 1;
  timed->begun = nanoseconds(CLOCK_MONOTONIC);
  begin(&timed->call);
}

static void ended(struct call *call) {
  struct timed *timed = (struct timed *)call;
  times[done++] = nanoseconds(CLOCK_MONOTONIC) - timed->begun;
  timed->is_busy = 0;
  if (file >= 0) record(call->response, call->size);
  if (!is_paced && started < total) start(timed);
}

static int compare(const void *one, const void *other) {
  return (*(uint32_t *)one > *(uint32_t *)other) - (*(uint32_t *)one < *(uint32_t *)other);
}

int main(int, char **arguments) {
  total = number(arguments, "calls", 0);
  long in_flight = number(arguments, "in-flight", 0), rate = number(arguments, "rate", 0);
  if (!total || !in_flight) {
    fprintf(stderr, "usage: floor-call port=N calls=N in-flight=N [cacert=FILE] [rate=N]"
                    " [record=FILE record-size=N]\n");
    return 2;
  }
  const char *name = option(arguments, "record");
  if (name && (file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0) fail(name);
  record_size = number(arguments, "record-size", 0);
  is_paced = rate > 0;
  calls = calloc(in_flight, sizeof *calls);
  times = calloc(total, sizeof *times);
  for (long index = 0; index < in_flight; index++) set_name(&calls[index].call, "providers/demo/trips/t1");
  open_connection(arguments);
  long first = nanoseconds(CLOCK_MONOTONIC);
  for (long index = 0; !is_paced && index < in_flight; index++) start(&calls[index]);
  while (done < total) {
    long wait = -1;
    while (is_paced && started < total && !calls[started % in_flight].is_busy) {
      wait = first + started * 1000000000L / rate - nanoseconds(CLOCK_MONOTONIC);
      if (wait > 0) break;
      start(&calls[started % in_flight]);
      wait = -1;
    }
    flush();
    receive(wait < 0 ? -1 : (wait + 999999) / 1000000);
  }
  double seconds = (nanoseconds(CLOCK_MONOTONIC) - first) / 1e9;
  qsort(times, total, sizeof *times, compare);
  printf("%g %g %g\n", seconds, times[total / 2] / 1e3, times[total * 99 / 100] / 1e3);
}
