"""One port for two servers: gRPC and HTTP/1.1, chosen by the protocols that a TLS client offers (ALPN).

iamcredentials.googleapis.com serves SignJwt over gRPC and generateAccessToken over HTTP at one address.
"""

import contextlib
import socket
import threading
import time

from peers.proxies.http_proxies import pump

PATIENCE = 30
"""The longest time in seconds for a client to send its first record."""


class Front:
    """Listens while it is entered."""

    def __init__(self, grpc_port, http_port):
        self._grpc_port, self._http_port = grpc_port, http_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, contextlib.suppress(OSError):
            hello = first_record(connection)
            is_grpc = b"\x02h2" in hello and b"\x08http/1.1" not in hello
            port = self._grpc_port if is_grpc else self._http_port
            with socket.create_connection(("127.0.0.1", port)) as server:
                up = threading.Thread(target=pump, args=(connection, server), daemon=True)
                up.start()
                pump(server, connection)
                up.join()


def first_record(connection):
    """Returns the first record of a TLS client, which stays unread."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        data = connection.recv(1 << 15, socket.MSG_PEEK)
        if not data or len(data) >= 5 and len(data) >= 5 + int.from_bytes(data[3:5]):
            return data
        time.sleep(0.01)
    raise OSError("the client sent no whole record")
