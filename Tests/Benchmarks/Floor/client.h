// What the floor programs share: an HTTP/2 client with one connection on one thread, on libnghttp2 and OpenSSL, with
// the settings and headers of tripwire. Any failure ends the program.

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIELD(name, value, length) \
  {(uint8_t *)name, (uint8_t *)value, sizeof name - 1, length, \
   NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE}
#define CONSTANT(name, value) FIELD(name, value, sizeof value - 1)

// A call and its response. The programs begin their own structures with it.
struct call {
  uint8_t request[128];  // After the five-byte gRPC prefix.
  size_t request_size;
  uint8_t *response;  // Also with the prefix.
  size_t size, capacity;
  int is_ok;
};

static int connection;
static SSL *tls;
static nghttp2_session *session;
static const char *scheme = "http";
static void ended(struct call *call);  // Defined by each program.

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static long nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

// The value of the argument `name=value`; null without one.
static const char *option(char **arguments, const char *name) {
  size_t length = strlen(name);
  for (; *arguments; arguments++)
    if (!strncmp(*arguments, name, length) && (*arguments)[length] == '=') return *arguments + length + 1;
  return NULL;
}

static long number(char **arguments, const char *name, long otherwise) {
  const char *value = option(arguments, name);
  return value ? atol(value) : otherwise;
}

static ssize_t read_request(nghttp2_session *, int32_t, uint8_t *buffer, size_t, uint32_t *flags,
                            nghttp2_data_source *source, void *) {
  struct call *call = source->ptr;
  *flags |= NGHTTP2_DATA_FLAG_EOF;
  memcpy(buffer, call->request, call->request_size);
  return call->request_size;
}

static int on_data(nghttp2_session *session, uint8_t, int32_t stream, const uint8_t *data, size_t length, void *) {
  struct call *call = nghttp2_session_get_stream_user_data(session, stream);
  if (call->size + length > call->capacity)
    call->response = realloc(call->response, call->capacity = 2 * (call->size + length));
  memcpy(call->response + call->size, data, length);
  call->size += length;
  return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t length,
                     const uint8_t *value, size_t value_length, uint8_t, void *) {
  if (length == 11 && !memcmp(name, "grpc-status", 11)) {
    struct call *call = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    call->is_ok = value_length == 1 && *value == '0';
  }
  return 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t, void *) {
  struct call *call = nghttp2_session_get_stream_user_data(session, stream);
  if (!call->is_ok || call->size < 5) fail("a call");
  ended(call);
  return 0;
}

// Sets the request to GetTripRequest{name}.
static void set_name(struct call *call, const char *name) {
  size_t length = strlen(name);
  uint8_t head[] = {0, 0, 0, 0, length + 2, 0x1a, length};
  memcpy(call->request, head, sizeof head);
  memcpy(call->request + sizeof head, name, length);
  call->request_size = sizeof head + length;
}

static void begin(struct call *call) {
  nghttp2_nv headers[] = {
      CONSTANT(":method", "POST"), FIELD(":scheme", scheme, strlen(scheme)),
      CONSTANT(":path", "/maps.fleetengine.v1.TripService/GetTrip"), CONSTANT(":authority", "localhost:50051"),
      CONSTANT("grpc-timeout", "60000m"), CONSTANT("te", "trailers"), CONSTANT("content-type", "application/grpc"),
      CONSTANT("grpc-accept-encoding", "identity,gzip,deflate"),
      CONSTANT("user-agent", "grpc-swift-tripwire/0.1.0 (nghttp2)"),
      CONSTANT("x-goog-request-params", "provider_id=demo")};
  nghttp2_data_provider provider = {{.ptr = call}, read_request};
  call->size = call->is_ok = 0;
  if (nghttp2_submit_request(session, NULL, headers, sizeof headers / sizeof *headers, &provider, call) < 0)
    fail("nghttp2_submit_request");
}

static int can_read(ssize_t count) {
  if (count > 0) return 1;
  if (tls ? SSL_get_error(tls, count) != SSL_ERROR_WANT_READ : errno != EAGAIN) fail("read");
  return 0;
}

// Waits for at most this many milliseconds and handles what has arrived.
static void receive(int milliseconds) {
  static uint8_t buffer[64 << 10];
  struct pollfd wanted = {connection, POLLIN, 0};
  if (poll(&wanted, 1, milliseconds) <= 0) return;
  for (;;) {
    ssize_t count = tls ? SSL_read(tls, buffer, sizeof buffer) : read(connection, buffer, sizeof buffer);
    if (!can_read(count)) return;
    if (nghttp2_session_mem_recv(session, buffer, count) < 0) fail("nghttp2_session_mem_recv");
    if (!tls && count < (ssize_t)sizeof buffer) return;
  }
}

// Sends all in one write for 64 KiB.
static void flush(void) {
  static uint8_t buffer[128 << 10];
  ssize_t count = 0;
  size_t size = 0;
  const uint8_t *bytes;
  do {
    count = nghttp2_session_mem_send(session, &bytes);
    if (count < 0) fail("nghttp2_session_mem_send");
    memcpy(buffer + size, bytes, count);
    size += count;
    if (size < (64 << 10) && count > 0) continue;
    for (size_t sent = 0; sent < size;) {
      ssize_t written = tls ? SSL_write(tls, buffer + sent, size - sent)
                            : write(connection, buffer + sent, size - sent);
      if (written > 0) {
        sent += written;
      } else {
        struct pollfd wanted = {connection, POLLOUT, 0};
        poll(&wanted, 1, -1);
      }
    }
    size = 0;
  } while (count > 0);
}

static void open_connection(char **arguments) {
  struct sockaddr_in address = {AF_INET, htons(number(arguments, "port", 0)), {htonl(INADDR_LOOPBACK)}, {0}};
  connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr *)&address, sizeof address)) fail("connect");
  int one = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  const char *authority = option(arguments, "cacert");
  if (authority) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_load_verify_locations(context, authority, NULL);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_alpn_protos(context, (const uint8_t *)"\x02h2", 3);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    tls = SSL_new(context);
    SSL_set1_host(tls, "localhost");
    SSL_set_tlsext_host_name(tls, "localhost");
    SSL_set_fd(tls, connection);
    if (SSL_connect(tls) != 1) fail("SSL_connect");
    scheme = "https";
  }
  fcntl(connection, F_SETFL, O_NONBLOCK);
  nghttp2_session_callbacks *callbacks;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  nghttp2_session_client_new(&session, callbacks, NULL);
  nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
                                       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20},
                                       {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, 16 << 10}};
  nghttp2_submit_settings(session, 0, settings, 3);
  nghttp2_session_set_local_window_size(session, 0, 0, 4 << 20);
}
