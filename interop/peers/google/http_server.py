"""An HTTP/1.1 server in plaintext and over TLS, which records its requests and fails on demand."""

import contextlib
import functools
import http.server
import socket
import ssl
import threading
import urllib.parse

from peers.google.http_faults import Faults
from peers.google.http_messages import Request, unique

PATIENCE = 300
"""The longest time in seconds that a connection stays idle."""


class HTTPServer:
    """Listens while it is entered: on `plain_port`, and with a certificate on `port` too.

    Subclasses define `answer(request)`. `faults` precede it.
    """

    def __init__(self, certificate=None):
        self.faults = Faults()
        self._requests, self._lock = [], threading.Lock()
        self._plain = Listener(self)
        self._secure = certificate and Listener(self, certificate)
        self.plain_port = self._plain.port
        self.port = self._secure.port if certificate else None

    @property
    def address(self):
        """The address in plaintext."""
        return f"127.0.0.1:{self.plain_port}"

    @property
    def requests(self):
        """All requests in order of arrival."""
        with self._lock:
            return [*self._requests]

    def clear(self):
        """Forgets the requests so far."""
        with self._lock:
            self._requests.clear()

    def record(self, request):
        with self._lock:
            self._requests.append(request)

    def __enter__(self):
        for listener in self._listeners:
            threading.Thread(target=listener.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.faults.withdraw()
        for listener in self._listeners:
            listener.shutdown()
            listener.server_close()

    @property
    def _listeners(self):
        return [self._plain, *([self._secure] if self._secure else [])]


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, server, certificate=None):
        self._context = None
        if certificate:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate.chain, certificate.key)
            self._context.set_alpn_protocols(["http/1.1"])
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, server, bool(certificate)))
        self.port = self.server_address[1]

    def finish_request(self, request, client_address):
        request.settimeout(PATIENCE)
        # A client may close the connection at any time, for example when it does not trust the certificate.
        with contextlib.suppress(OSError):
            if self._context:
                # In the thread of the connection, so that a slow handshake does not delay others.
                with self._context.wrap_socket(request, server_side=True) as secure:
                    self.RequestHandlerClass(secure, client_address, self)
            else:
                self.RequestHandlerClass(request, client_address, self)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, server, is_secure, *arguments):
        self._server, self._is_secure = server, is_secure
        super().__init__(*arguments)

    def _handle(self):
        target = urllib.parse.urlsplit(self.path)
        request = Request(
            self.command, target.path, unique(urllib.parse.parse_qsl(target.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(int(self.headers.get("content-length", 0))), self._is_secure)
        self._server.record(request)
        fault = self._server.faults.next(request)
        if fault:
            fault.pause()
        if fault and fault.is_dropped:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        answer = fault and fault.answer or self._server.answer(request)
        if fault and fault.change:
            answer = fault.change(answer)
        request.status = answer.status
        self._send(answer, cut=fault.cut if fault else None)

    def _send(self, answer, cut):
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body[:cut])
        if cut is not None:
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = do_PATCH = _handle

    def log_message(self, *_):
        pass
