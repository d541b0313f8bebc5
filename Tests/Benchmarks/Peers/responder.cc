// A gRPC server that is never the bottleneck: it answers every call with the same message, or with
// several in turn.
//
//     responder MESSAGE-FILE[,MESSAGE-FILE...] [CERTIFICATE KEY]
//
// Listens on a free port on loopback, with TLS if a certificate is given, and prints the port. It uses
// one thread and one write per round of epoll. Exits at the end of standard input.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> answers;  // The messages, each after the five-byte gRPC prefix.
size_t next_answer;
SSL_CTX *tls;
int poller;

[[noreturn]] void fail(const char *what) {
  perror(what);
  exit(1);
}

struct Connection {
  int socket;
  SSL *ssl = nullptr;
  nghttp2_session *session = nullptr;
  std::string outgoing;
  bool wants_write = false;
};

nghttp2_nv field(const char *name, const char *value) {
  return {(uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value),
          NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE};
}

ssize_t read_answer(nghttp2_session *session, int32_t stream, uint8_t *buffer, size_t length,
                    uint32_t *flags, nghttp2_data_source *source, void *) {
  auto &answer = *(const std::string *)source->ptr;
  auto sent = (size_t)(uintptr_t)nghttp2_session_get_stream_user_data(session, stream);
  auto count = std::min(length, answer.size() - sent);
  memcpy(buffer, answer.data() + sent, count);
  nghttp2_session_set_stream_user_data(session, stream, (void *)(uintptr_t)(sent + count));
  if (sent + count == answer.size()) {
    *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
    static const nghttp2_nv trailers[] = {field("grpc-status", "0"), field("grpc-message", "")};
    nghttp2_submit_trailer(session, stream, trailers, 1);
  }
  return count;
}

int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *) {
  if (!(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return 0;
  if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
  static const nghttp2_nv headers[] = {
      field(":status", "200"), field("content-type", "application/grpc")};
  nghttp2_data_provider provider = {{0}, read_answer};
  provider.source.ptr = &answers[next_answer++ % answers.size()];
  nghttp2_submit_response(session, frame->hd.stream_id, headers, 2, &provider);
  return 0;
}

void watch(Connection *connection, bool write) {
  epoll_event event = {EPOLLIN | (write ? (uint32_t)EPOLLOUT : 0), {connection}};
  epoll_ctl(poller, EPOLL_CTL_MOD, connection->socket, &event);
  connection->wants_write = write;
}

void close(Connection *connection) {
  nghttp2_session_del(connection->session);
  if (connection->ssl) SSL_free(connection->ssl);
  ::close(connection->socket);
  delete connection;
}

/// Returns false if the connection has failed.
bool flush(Connection *connection) {
  auto &outgoing = connection->outgoing;
  if (connection->ssl && !SSL_is_init_finished(connection->ssl)) return true;
  for (;;) {
    while (outgoing.size() < 64 * 1024) {
      const uint8_t *bytes;
      auto count = nghttp2_session_mem_send(connection->session, &bytes);
      if (count < 0) return false;
      if (count == 0) break;
      outgoing.append((const char *)bytes, count);
    }
    if (outgoing.empty()) break;
    auto count = connection->ssl
                     ? SSL_write(connection->ssl, outgoing.data(), outgoing.size())
                     : write(connection->socket, outgoing.data(), outgoing.size());
    if (count <= 0) {
      bool waits = connection->ssl
                       ? SSL_get_error(connection->ssl, count) == SSL_ERROR_WANT_WRITE
                       : errno == EAGAIN;
      if (!waits) return false;
      if (!connection->wants_write) watch(connection, true);
      return true;
    }
    outgoing.erase(0, count);
  }
  if (connection->wants_write) watch(connection, false);
  return true;
}

/// Returns false if the connection has ended.
bool receive(Connection *connection) {
  static uint8_t buffer[256 * 1024];
  for (;;) {
    auto count = connection->ssl ? SSL_read(connection->ssl, buffer, sizeof buffer)
                                 : read(connection->socket, buffer, sizeof buffer);
    if (count <= 0) {
      if (!connection->ssl) return count < 0 && errno == EAGAIN;
      int error = SSL_get_error(connection->ssl, count);
      ERR_clear_error();
      return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    }
    if (nghttp2_session_mem_recv(connection->session, buffer, count) < 0) return false;
    if (!connection->ssl && (size_t)count < sizeof buffer) return true;
  }
}

void accept(int listener, nghttp2_session_callbacks *callbacks) {
  int socket = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
  if (socket < 0) return;
  int one = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  auto connection = new Connection{socket, nullptr, nullptr, {}, false};
  if (tls) {
    connection->ssl = SSL_new(tls);
    SSL_set_fd(connection->ssl, socket);
    SSL_set_accept_state(connection->ssl);
  }
  nghttp2_session_server_new(&connection->session, callbacks, connection);
  nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 1000},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20}};
  nghttp2_submit_settings(connection->session, 0, settings, 2);
  nghttp2_session_set_local_window_size(connection->session, 0, 0, 1 << 24);
  epoll_event event = {EPOLLIN, {connection}};
  epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
}

int prefer_h2(SSL *, const unsigned char **out, unsigned char *length, const unsigned char *offered,
              unsigned int count, void *) {
  static const unsigned char mine[] = "\x02h2";
  return SSL_select_next_proto((unsigned char **)out, length, mine, 3, offered, count) ==
                 OPENSSL_NPN_NEGOTIATED
             ? SSL_TLSEXT_ERR_OK
             : SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 2 && count != 4) {
    fprintf(stderr, "usage: responder MESSAGE-FILE[,MESSAGE-FILE...] [CERTIFICATE KEY]\n");
    return 2;
  }
  std::stringstream names(arguments[1]);
  for (std::string name; std::getline(names, name, ',');) {
    std::ifstream file(name, std::ios::binary);
    if (!file) fail(name.c_str());
    std::string message((std::istreambuf_iterator<char>(file)), {});
    uint32_t length = htonl(message.size());
    answers.push_back(std::string(1, '\0') + std::string((char *)&length, 4) + message);
  }
  if (count == 4) {
    tls = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(tls, arguments[2]) != 1 ||
        SSL_CTX_use_PrivateKey_file(tls, arguments[3], SSL_FILETYPE_PEM) != 1) {
      ERR_print_errors_fp(stderr);
      return 1;
    }
    SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_alpn_select_cb(tls, prefer_h2, nullptr);
  }

  nghttp2_session_callbacks *callbacks;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);

  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in address = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}, {}};
  socklen_t size = sizeof address;
  if (bind(listener, (sockaddr *)&address, size) || listen(listener, 128) ||
      getsockname(listener, (sockaddr *)&address, &size))
    fail("listen");
  poller = epoll_create1(0);
  epoll_event listening = {EPOLLIN, {nullptr}}, input = {EPOLLIN, {&poller}};
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &listening);
  if (epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &input)) fail("standard input");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  for (;;) {
    epoll_event events[64];
    int ready = epoll_wait(poller, events, 64, -1);
    for (int i = 0; i < ready; i++) {
      if (events[i].data.ptr == &poller) return 0;
      auto connection = (Connection *)events[i].data.ptr;
      if (!connection) {
        accept(listener, callbacks);
      } else if (!((!(events[i].events & ~(uint32_t)EPOLLOUT) || receive(connection)) &&
                   flush(connection))) {
        close(connection);
      }
    }
  }
}
