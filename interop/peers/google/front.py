"""One port for two servers: gRPC and HTTP/1.1, chosen by the protocols that a TLS client offers (ALPN).

iamcredentials.googleapis.com serves SignJwt over gRPC and generateAccessToken over HTTP at one address.
"""

import socket

from peers.proxies.http_proxies import ScriptedProxy

PEEK = socket.MSG_PEEK | socket.MSG_WAITALL


def front(grpc_port, http_port):
    """Returns the server, which listens while it is entered."""
    def script(proxy, connection):
        # The first record of the client stays unread.
        head = connection.recv(5, PEEK)
        hello = connection.recv(5 + int.from_bytes(head[3:5]), PEEK)
        is_grpc = b"\x02h2" in hello and b"\x08http/1.1" not in hello
        proxy.relay(connection, grpc_port if is_grpc else http_port)

    return ScriptedProxy(script)
