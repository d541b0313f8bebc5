// Publishes to a stream of NATS as a worker of the relay does, without polling, encoding or comparing anything: in
// groups every 10 ms, each message after the last one of its subject. Prints the CPU time in percent of a core.
//
//     publications URL SUBJECT RATE BYTES SECONDS
//
// RATE is messages a second, and also the number of subjects, which are SUBJECT.0, SUBJECT.1, ….

#include <string.h>

#include "nats_program.h"

#define INBOX "_INBOX.publications"
#define GROUP 64

// Frees messages in groups, because libnats wakes a thread for it.
static void discard(natsMsg *message) {
  static natsMsg *messages[GROUP];
  static int count;
  messages[count++] = message;
  if (count < GROUP) return;
  while (count) natsMsg_Destroy(messages[--count]);
}

static void take_replies(natsSubscription *replies, long long *last) {
  uint64_t count;
  while (natsSubscription_QueuedMsgs(replies, &count) == NATS_OK && count > 0) {
    natsMsg *reply;
    check(natsSubscription_NextMsg(&reply, replies, 0), "receive");
    const char *sequence = strstr(natsMsg_GetData(reply), "\"seq\":");
    if (!sequence) check(NATS_ERR, natsMsg_GetData(reply));
    last[atoi(strrchr(natsMsg_GetSubject(reply), '.') + 1)] = atoll(sequence + strlen("\"seq\":"));
    discard(reply);
  }
}

static void publish(natsConnection *connection, const char *name, int index, long long last, const char *data, int size) {
  char subject[256], reply[64], number[32];
  natsMsg *message;
  snprintf(subject, sizeof subject, "%s.%d", name, index);
  snprintf(reply, sizeof reply, INBOX ".%d", index);
  snprintf(number, sizeof number, "%lld", last);
  check(natsMsg_Create(&message, subject, reply, data, size), "message");
  check(natsMsgHeader_Set(message, "Nats-Expected-Last-Subject-Sequence", number), "header");
  check(natsConnection_PublishMsg(connection, message), "publish");
  discard(message);
}

int main(int count, char **words) {
  if (count != 6) return fprintf(stderr, "usage: publications URL SUBJECT RATE BYTES SECONDS\n"), 2;
  int rate = atoi(words[3]), size = atoi(words[4]);
  double seconds = atof(words[5]);
  natsConnection *connection = connected(words[1]);
  natsSubscription *replies;
  check(natsConnection_SubscribeSync(&replies, connection, INBOX ".*"), "subscribe");
  long long *last = calloc(rate, sizeof *last);
  char *data = calloc(1, size);
  double start = now(CLOCK_MONOTONIC), processor = 0;
  // Two seconds pass before it counts.
  for (long long sent = 0; now(CLOCK_MONOTONIC) < start + 2 + seconds;) {
    take_replies(replies, last);
    for (; sent < (now(CLOCK_MONOTONIC) - start) * rate; sent++) {
      publish(connection, words[2], sent % rate, last[sent % rate], data, size);
    }
    if (!processor && now(CLOCK_MONOTONIC) > start + 2) processor = now(CLOCK_PROCESS_CPUTIME_ID);
    nats_Sleep(10);
  }
  printf("%.2f\n", (now(CLOCK_PROCESS_CPUTIME_ID) - processor) / seconds * 100);
  fflush(stdout);
  _Exit(0);
}
