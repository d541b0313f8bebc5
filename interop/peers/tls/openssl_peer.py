"""TLS peers on the OpenSSL library, for features that Python's ssl lacks."""

import contextlib
import ctypes
import functools
import socket
import threading

PEM = 1
BIO_PENDING = 10
KEY_UPDATE_NOT_REQUESTED, KEY_UPDATE_REQUESTED = 0, 1
TLS_1_2, CTRL_SET_MIN_VERSION, CTRL_SET_MAX_VERSION = 0x303, 123, 124


@functools.cache
def library():
    lib = ctypes.CDLL("libssl.so.3")
    for name in ("TLS_server_method", "TLS_client_method", "SSL_CTX_new", "SSL_new", "BIO_s_mem", "BIO_new"):
        getattr(lib, name).restype = ctypes.c_void_p
    lib.SSL_CTX_ctrl.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    lib.SSL_CTX_set_num_tickets.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    lib.BIO_ctrl.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    return lib


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p),
                  ctypes.POINTER(ctypes.c_ubyte), ctypes.c_void_p, ctypes.c_uint,
                  ctypes.c_void_p)
def choose(_ssl, chosen, count, _offer, _offered, protocol):
    chosen[0], count[0] = protocol, len(ctypes.string_at(protocol))
    return 0


@contextlib.contextmanager
def server_context(certificate, alpn=b"h2"):
    """Yields an SSL_CTX that chooses the protocol `alpn` regardless of the client's offer."""
    lib = library()
    context = ctypes.c_void_p(lib.SSL_CTX_new(ctypes.c_void_p(lib.TLS_server_method())))
    assert lib.SSL_CTX_use_certificate_chain_file(context, bytes(certificate.chain)) == 1
    assert lib.SSL_CTX_use_PrivateKey_file(context, bytes(certificate.key), PEM) == 1
    protocol = ctypes.create_string_buffer(alpn)
    lib.SSL_CTX_set_alpn_select_cb(context, choose, protocol)
    yield context
    lib.SSL_CTX_free(context)


@contextlib.contextmanager
def openssl_client(port, alpn=b"h2"):
    """Yields a client of a loopback server after the handshake, without verification."""
    lib = library()
    context = ctypes.c_void_p(lib.SSL_CTX_new(ctypes.c_void_p(lib.TLS_client_method())))
    offer = bytes([len(alpn)]) + alpn
    assert lib.SSL_CTX_set_alpn_protos(context, offer, len(offer)) == 0
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sock:
        peer = OpenSSLPeer(sock, context, is_client=True)
        peer.handshake()
        yield peer
        peer.free()
    lib.SSL_CTX_free(context)


class OpenSSLPeer:
    """One connection, by default of a server, with OpenSSL on memory buffers."""

    def __init__(self, sock, context, is_client=False):
        self.sock = sock
        self.over = threading.Event()
        self._lib = lib = library()
        self._tls = ctypes.c_void_p(lib.SSL_new(context))
        self._in, self._out = (
            ctypes.c_void_p(lib.BIO_new(ctypes.c_void_p(lib.BIO_s_mem()))) for _ in range(2))
        lib.SSL_set_bio(self._tls, self._in, self._out)
        if is_client:
            lib.SSL_set_connect_state(self._tls)
        else:
            lib.SSL_set_accept_state(self._tls)

    def free(self):
        self._lib.SSL_free(self._tls)

    def pending_output(self):
        """Returns the records to send."""
        count = self._lib.BIO_ctrl(self._out, BIO_PENDING, 0, None)
        buffer = ctypes.create_string_buffer(count)
        self._lib.BIO_read(self._out, buffer, count)
        return buffer.raw

    def send(self):
        self.sock.sendall(self.pending_output())

    def receive(self):
        """Reads the next bytes; raises OSError at the end."""
        data = self.sock.recv(1 << 16)
        if not data:
            raise ConnectionResetError
        self._lib.BIO_write(self._in, data, len(data))

    def handshake(self):
        while self._lib.SSL_do_handshake(self._tls) != 1:
            self.send()
            self.receive()
        self.send()

    def write_early(self, data):
        """Sends data after the first bytes of the client, before the handshake is complete."""
        buffer, count = ctypes.create_string_buffer(1 << 12), ctypes.c_size_t()
        self.receive()
        self._lib.SSL_read_early_data(self._tls, buffer, 1 << 12, ctypes.byref(count))
        assert self._lib.SSL_write_early_data(
            self._tls, data, len(data), ctypes.byref(count)) == 1
        self.send()

    def seal(self, data):
        """Returns the records with these bytes."""
        assert self._lib.SSL_write(self._tls, data, len(data)) == len(data)
        return self.pending_output()

    def write(self, data):
        self.sock.sendall(self.seal(data))

    def read(self):
        """Returns the next bytes, decrypted."""
        buffer = ctypes.create_string_buffer(1 << 14)
        while (count := self._lib.SSL_read(self._tls, buffer, 1 << 14)) <= 0:
            self.send()
            self.receive()
        return buffer.raw[:count]

    def update_keys(self, asks):
        """Creates a KeyUpdate, which may request one from the client."""
        kind = KEY_UPDATE_REQUESTED if asks else KEY_UPDATE_NOT_REQUESTED
        assert self._lib.SSL_key_update(self._tls, kind) == 1
        assert self._lib.SSL_do_handshake(self._tls) == 1

    def renegotiate(self):
        """Creates a HelloRequest, which asks a TLS 1.2 client for another handshake."""
        assert self._lib.SSL_renegotiate(self._tls) == 1
        assert self._lib.SSL_do_handshake(self._tls) == 1

    def fail(self, record):
        """Sends the alert that OpenSSL generates for a record."""
        self._lib.BIO_write(self._in, record, len(record))
        assert self._lib.SSL_read(self._tls, ctypes.create_string_buffer(1), 1) < 0
        self.send()

    def close(self):
        """Sends close_notify."""
        self._lib.SSL_shutdown(self._tls)
        self.send()

    def until_gone(self):
        while self.sock.recv(1 << 16):
            pass


@contextlib.contextmanager
def openssl_server(script, certificate, set_up=lambda lib, context: None, alpn=b"h2"):
    """Runs `script(peer)` for each connection; yields the port."""
    threads, peers = [], []
    with (server_context(certificate, alpn) as context,
          socket.create_server(("127.0.0.1", 0)) as listener):
        set_up(library(), context)

        def serve(peer):
            with peer.sock, contextlib.suppress(OSError):
                script(peer)

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    sock, _ = listener.accept()
                    sock.settimeout(300)
                    peers.append(OpenSSLPeer(sock, context))
                    threads.append(threading.Thread(target=serve, args=peers[-1:]))
                    threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            accepting.join()
            for peer in peers:
                peer.over.set()
                with contextlib.suppress(OSError):
                    peer.sock.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()
            for peer in peers:
                peer.free()
