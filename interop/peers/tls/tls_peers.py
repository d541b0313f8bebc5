"""Other TLS servers than grpcio: the openssl command and Python's ssl; and a relay."""

import contextlib
import re
import socket
import ssl
import subprocess
import threading
import time

from peers.tls.openssl_peer import openssl_server

SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


class OpenSSLServer:
    """`openssl s_server` on a free loopback port while it is entered.

    `send` passes bytes to the client unchanged, or executes a command of s_server, such as K for a key
    update, that is alone on a line.
    """

    def __init__(self, certificate, *arguments, alpn="h2"):
        self._arguments = ["-cert", certificate.chain, "-cert_chain", certificate.chain,
                           "-key", certificate.key, *arguments]
        if alpn:
            self._arguments += ["-alpn", alpn]

    def __enter__(self):
        self._process = subprocess.Popen(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", *map(str, self._arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.output = b""
        while not (found := re.search(rb"ACCEPT \S*:(\d+)\n", self.output)):
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError(f"openssl s_server does not start: {self.output}")
            self.output += line
        self.port = int(found[1])
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdin.close()
        self._process.stdout.close()

    def _read(self):
        while data := self._process.stdout.read1(65536):
            self.output += data

    def wait_for(self, pattern):
        deadline = time.monotonic() + 300
        while not re.search(pattern, self.output):
            if time.monotonic() > deadline:
                raise AssertionError(f"no {pattern} in {self.output}")
            time.sleep(0.01)

    def send(self, data):
        self._process.stdin.write(data)
        self._process.stdin.flush()
        # s_server recognizes a command only at the start of a read.
        time.sleep(0.2)


@contextlib.contextmanager
def python_server(script, certificate, change=lambda context: None, alpn=("h2",)):
    """Runs `script(tls)` for the first connection; yields the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.chain, certificate.key)
    if alpn:
        context.set_alpn_protocols(list(alpn))
    change(context)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def serve():
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                connection.settimeout(300)
                with connection:
                    script(context.wrap_socket(connection, server_side=True))

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            with contextlib.suppress(OSError):
                socket.create_connection(listener.getsockname()).close()
            thread.join()


class Relay:
    """A relay to a loopback port.

    `down(data)` returns the pieces in which bytes of the server are passed on; None closes the
    connection, ... stalls it.
    """

    def __init__(self, port, down):
        self._port = port
        self._down = down

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._done = threading.Event()
        self._threads = [threading.Thread(target=self._serve)]
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._port))
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                pair = [threading.Thread(target=self._pump, args=arguments)
                        for arguments in [(client, server, lambda data: [data]),
                                          (server, client, self._down)]]
                self._threads += pair
                for thread in pair:
                    thread.start()

    def _pump(self, source, sink, pieces):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                for piece in pieces(data):
                    if piece is None:
                        source.shutdown(socket.SHUT_RDWR)
                        break
                    if piece is ...:
                        self._done.wait(300)
                        break
                    sink.sendall(piece)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


def early_writing_server(certificate, client_authority, first):
    """Runs a TLS 1.3 server that sends `first` before it verifies the client's certificate, as RFC 8446
    section 4.4.1 allows; yields its port."""
    def set_up(lib, context):
        assert lib.SSL_CTX_load_verify_locations(context, bytes(client_authority), None) == 1
        verify_peer_and_fail_without = 3
        lib.SSL_CTX_set_verify(context, verify_peer_and_fail_without, None)

    def script(peer):
        peer.write_early(first)
        peer.handshake()

    return openssl_server(script, certificate, set_up)
