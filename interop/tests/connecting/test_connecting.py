"""Is a failed connection reported immediately and with its cause?"""

import contextlib
import http.server
import json
import socket
import ssl
import threading
import time

import pytest

from peers.servers.fleet_server import FleetServer
from support.command import PATIENT, assert_failed, tripwire

NAME = "providers/p/trips/t1"
TRANSPORTS = pytest.mark.parametrize("transport", [[], ["--plaintext"]], ids=["tls", "plaintext"])


@pytest.fixture
def refusing():
    """A loopback address without a listener, which no other process can use."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield "127.0.0.1:%d" % bound.getsockname()[1]


@pytest.fixture
def silent():
    """An address that accepts connections and never sends anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield "127.0.0.1:%d" % listener.getsockname()[1]


@pytest.fixture
def talking():
    """Creates servers that send these bytes to each client, then close; returns the address."""
    listeners = []

    def address(greeting):
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def talk():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    try:
                        connection.sendall(greeting)
                        connection.shutdown(socket.SHUT_WR)
                        while connection.recv(4096):
                            pass
                    except OSError:
                        pass

        threading.Thread(target=talk, daemon=True).start()
        return "127.0.0.1:%d" % listener.getsockname()[1]

    yield address
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@TRANSPORTS
def test_refused_port_is_reported_immediately(refusing, transport):
    result = tripwire("get", NAME, "--endpoint", refusing, "--timeout", PATIENT, *transport)
    assert_failed(result, 78, "UNAVAILABLE", "refused", refusing)


@TRANSPORTS
def test_unresolvable_host_is_reported(transport):
    result = tripwire("get", NAME, "--endpoint", "nonexistent.invalid:443", *transport)
    assert_failed(result, 78, "UNAVAILABLE", "nonexistent.invalid", "resolve")


def test_failed_connection_is_a_json_object(refusing):
    result = tripwire("get", NAME, "--endpoint", refusing, "--error-format", "json")
    assert result.code == 78
    error = json.loads(result.stderr)
    assert (error["code"], error["number"]) == ("UNAVAILABLE", 14)
    assert "refused" in error["message"]
    assert error["details"] == []
    assert "server" in error["kind"]


@TRANSPORTS
def test_silent_server_exceeds_the_deadline(silent, transport):
    begin = time.monotonic()
    result = tripwire("get", NAME, "--endpoint", silent, "--timeout", "1s", *transport)
    assert time.monotonic() - begin >= 1
    assert_failed(result, 68, "DEADLINE_EXCEEDED")


@pytest.mark.parametrize("greeting", [
    b"", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n",
    b"\x00\x00\x00\x04\x00\x00\x00\x00\x00",
], ids=["closes", "http1", "ssh", "settings-then-closes"])
@TRANSPORTS
def test_server_of_another_protocol_is_unavailable(talking, transport, greeting):
    result = tripwire("get", NAME, "--endpoint", talking(greeting), "--timeout", PATIENT,
                      "--retries", 0, *transport)
    assert_failed(result, 78, "UNAVAILABLE")


@pytest.mark.parametrize("endpoint", ["", ":443", "host:port", "host:0", "host:65536", "a b:443"])
def test_malformed_endpoint_is_a_usage_error(endpoint):
    assert_failed(tripwire("get", NAME, "--endpoint", endpoint), 2, "--endpoint")


def test_endpoint_is_read_from_the_environment(server):
    result = tripwire("get", NAME, "--plaintext", TRIPWIRE_ENDPOINT=server.address)
    assert result.code == 0, result.stderr


def test_endpoint_option_overrides_the_environment(server, refusing):
    result = tripwire(
        "get", NAME, "--plaintext", "--endpoint", server.address, TRIPWIRE_ENDPOINT=refusing)
    assert result.code == 0, result.stderr


# Servers of HTTP/1.1

@contextlib.contextmanager
def http1_server(certificate=None):
    """Runs Python's http.server on loopback and yields its address."""
    with http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler) as listener:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.chain, certificate.key)
            listener.socket = context.wrap_socket(listener.socket, server_side=True)
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        yield "127.0.0.1:%d" % listener.server_address[1]
        listener.shutdown()
        thread.join()


def hint(result):
    """Returns the hint line."""
    [line] = [line for line in result.stderr.splitlines() if line.startswith("hint: ")]
    return line


@TRANSPORTS
def test_html_page_is_reported(transport):
    """http.server answers an invalid HTTP/1.1 request with a page without headers."""
    with http1_server() as address:
        result = tripwire("get", NAME, "--endpoint", address, *transport)
    assert_failed(result, 78, "an HTML page")
    assert "3c 21" not in result.stderr
    assert f"check the port in --endpoint ({address})" in hint(result)
    assert "--plaintext" not in hint(result)


@TRANSPORTS
def test_http1_server_is_reported(talking, transport):
    address = talking(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
    result = tripwire("get", NAME, "--endpoint", address, *transport)
    assert_failed(result, 78, "HTTP/1.1")
    assert f"check the port in --endpoint ({address})" in hint(result)
    assert "--plaintext" not in hint(result)


@TRANSPORTS
def test_server_of_another_protocol_is_quoted(talking, transport):
    address = talking(b"SSH-2.0-OpenSSH_9.2\r\n")
    result = tripwire("get", NAME, "--endpoint", address, *transport)
    assert_failed(result, 78, "SSH-2.0-OpenSSH_9.2")
    assert "--plaintext" not in hint(result)


@pytest.mark.parametrize("frame, violation", [
    (bytes.fromhex("000006 04 00 00000000 0002 00000007"), "SETTINGS: invalid SETTINGS_EN"),
    (bytes.fromhex("00000a 07 00 00000000 00000000 0000000b") + b"no",
     'GOAWAY before SETTINGS: ENHANCE_YOUR_CALM "no"'),
], ids=["SETTINGS", "GOAWAY"])
def test_http2_server_with_a_defect_is_not_taken_for_another_server(talking, frame, violation):
    result = tripwire("get", NAME, "--endpoint", talking(frame), "--plaintext")
    assert_failed(
        result, 78, f"the server violated HTTP/2: {violation}", hint="check the log of the server")


def test_tls_server_without_alpn_gets_a_proxy_hint(certificates):
    with http1_server(certificates.good) as address:
        result = tripwire("get", NAME, "--endpoint", address, "--cacert", certificates.authority)
    assert_failed(result, 78, "ALPN", "h2", "proxy")
    assert "proxy" in hint(result) and address in hint(result)


# Unix sockets

@TRANSPORTS
def test_missing_unix_socket_is_reported(tmp_path, transport):
    path = tmp_path / "x.sock"
    result = tripwire("get", NAME, "--endpoint", f"unix://{path}", *transport)
    assert_failed(result, 78, f"unix:{path}", "does not exist")
    assert str(path) in hint(result) and "server is running" in hint(result)
    assert "network" not in hint(result)


def test_unix_socket_without_a_listener_is_reported(tmp_path):
    path = tmp_path / "x.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    result = tripwire("get", NAME, "--endpoint", f"unix://{path}", "--plaintext")
    assert_failed(result, 78, "refused")
    assert str(path) in hint(result) and "server is running" in hint(result)
    assert "port" not in hint(result)


@pytest.mark.parametrize("form", ["unix-abstract:{}", "unix-abstract:///{}"])
def test_abstract_unix_socket_is_reached(form, tmp_path):
    """The name is that of a server of grpcio."""
    name = f"tripwire{tmp_path}".replace("/", "-")[-80:]
    slash = "/" if "///" in form else ""
    server = FleetServer()
    server.listen(f"unix-abstract:{slash}{name}")
    with server:
        result = tripwire("get", NAME, "--endpoint", form.format(name), "--plaintext")
    assert result.code == 0, result.stderr


def test_abstract_unix_socket_without_a_listener_is_reported():
    result = tripwire("get", NAME, "--endpoint", "unix-abstract:none", "--plaintext")
    assert_failed(result, 78, "unix-abstract:none: connection refused",
                  hint="check the name in --endpoint (unix-abstract:none)")
