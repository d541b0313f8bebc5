"""Does the command work through third-party HTTP proxies, and report a misbehaving one?"""

import socket
import struct
import time

import pytest

from support.command import GROWING, PATIENT, assert_failed, get, tripwire
from peers.tls.certificates import OTHER_HOST
from peers.proxies.http_proxies import ScriptedProxy, proxy_py, response_script, tinyproxy

UNAVAILABLE = 78
DEADLINE = 68
SECRET = "hunter2"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    with tinyproxy(tmp_path_factory.mktemp("tinyproxy")) as address:
        yield address


@pytest.fixture(scope="module")
def with_password(tmp_path_factory):
    """A proxy whose user name and password contain characters that a URL must percent-encode."""
    folder = tmp_path_factory.mktemp("proxy.py")
    with proxy_py(folder, "--basic-auth", f"us%er:{SECRET}@:/") as running:
        yield running


def get_over_tls(server, certificates, *arguments, host="localhost", name="trips/t1", **more):
    return tripwire(
        "get", f"providers/p/{name}", "--endpoint", f"{host}:{server.port}",
        "--cacert", certificates.authority, *arguments, **more)


# Third-party proxies

def test_tls_through_tinyproxy(tiny, tls_server, certificates, server):
    result = get_over_tls(tls_server, certificates, "--proxy", f"http://{tiny}")
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout == get(server, "trips/t1").stdout


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_plaintext_through_tinyproxy(tiny, server, host):
    result = tripwire("get", "providers/p/trips/t1", "--plaintext", "--endpoint",
                      f"{host}:{server.port}", "--proxy", tiny)
    assert (result.code, result.stderr) == (0, "")


def test_large_trip_through_tinyproxy(tiny, tls_server, certificates):
    result = get_over_tls(tls_server, certificates, "--proxy", tiny, "--max-message-size", "8MiB",
                          name="trips/large")
    assert result.code == 0, result.stderr


def test_trace_shows_the_proxy(tiny, tls_server, certificates):
    result = get_over_tls(tls_server, certificates, "--proxy", tiny, "-v")
    assert result.code == 0
    lines = [line for line in result.stderr.splitlines() if line.startswith("* ")]
    for begin in ["* connecting to " + tiny, "* connected to " + tiny,
                  f"* the proxy opened a tunnel to localhost:{tls_server.port} in ", "* TLSv1.3"]:
        assert [line for line in lines if line.startswith(begin)], (begin, result.stderr)


def test_port_forbidden_by_tinyproxy_is_reported(tls_server, certificates, tmp_path):
    with tinyproxy(tmp_path, "ConnectPort 443") as address:
        result = get_over_tls(tls_server, certificates, "--proxy", address)
    assert_failed(result, UNAVAILABLE, "UNAVAILABLE", "proxy", address, "403",
                  hint="ask the operator of the proxy")


def test_server_unreachable_for_tinyproxy_is_reported(tiny, certificates):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    result = tripwire("get", "providers/p/trips/t1", "--endpoint", f"127.0.0.1:{port}",
                      "--proxy", tiny)
    assert_failed(result, UNAVAILABLE, f"127.0.0.1:{port} through the proxy {tiny}", "HTTP status 50")


def test_tinyproxy_password_is_checked_and_masked(tls_server, certificates, tmp_path):
    with tinyproxy(tmp_path, f"BasicAuth user {SECRET}") as address:
        good = get_over_tls(
            tls_server, certificates, "-v", "--proxy", f"http://user:{SECRET}@{address}")
        wrong = get_over_tls(
            tls_server, certificates, "-v", "--proxy", f"http://user:not-{SECRET}@{address}")
        none = get_over_tls(tls_server, certificates, "--proxy", f"http://{address}")
    assert good.code == 0, good.stderr
    assert_failed(wrong, UNAVAILABLE, address, "the proxy rejected the user name and password")
    assert_failed(none, UNAVAILABLE, address, "the proxy requires a user name and password")
    for result in (good, wrong, none):
        assert SECRET not in result.stderr


def test_percent_encoded_password_is_decoded(with_password, tls_server, certificates):
    address, seen = with_password
    result = get_over_tls(
        tls_server, certificates, "--proxy", f"http://us%25er:{SECRET}%40%3A%2F@{address}")
    assert result.code == 0, result.stderr
    seen(f"localhost:{tls_server.port}")


def test_missing_proxy_password_is_reported(with_password, tls_server, certificates):
    result = get_over_tls(tls_server, certificates, "--proxy", with_password[0])
    assert_failed(result, UNAVAILABLE, "407", hint="put the percent-encoded user name and password into the URL: --proxy http://USER:PASSWORD@HOST:PORT")


def test_tls_through_a_tls_proxy(tls_server, certificates, tmp_path):
    with proxy_py(tmp_path, "--cert-file", certificates.good.chain, "--key-file",
                  certificates.good.key) as (address, seen):
        port = address.split(":")[1]
        good = get_over_tls(
            tls_server, certificates, "-v", "--proxy", f"https://localhost:{port}")
        untrusted = tripwire("get", "providers/p/trips/t1", "--endpoint",
                             f"localhost:{tls_server.port}", "--proxy", f"https://{address}")
        plain = get_over_tls(tls_server, certificates, "--proxy", f"http://{address}")
    assert good.code == 0, good.stderr
    assert good.stderr.count("* TLSv1.") == 2
    seen(f"localhost:{tls_server.port}")
    assert_failed(untrusted, UNAVAILABLE, "TLS with the proxy failed", "not trusted",
                  hint="trust the CA of the proxy with --cacert FILE")
    assert_failed(plain, UNAVAILABLE, "proxy")


def test_tls_to_a_plaintext_proxy_is_reported(tls_server, certificates):
    def script(_, connection):
        connection.sendall(b"HTTP/1.1 400 Bad request\r\n\r\n")
        connection.recv(1)
    with ScriptedProxy(script) as proxy:
        result = get_over_tls(
            tls_server, certificates, "--proxy", f"https://{proxy.address}", "--timeout", PATIENT)
    assert_failed(result, UNAVAILABLE, "TLS with the proxy failed", "does not use TLS",
                  hint="use http:// in place of https:// in --proxy")


# The environment

def relaying(port):
    """Returns a script that relays every connection to a loopback port, whatever its target."""
    def script(proxy, connection):
        proxy.head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        proxy.relay(connection, port)
    return script


@pytest.fixture
def behind_proxy(tls_servers, certificates):
    """A server whose name only the proxy can resolve."""
    port = tls_servers("wrong_host").port
    with ScriptedProxy(relaying(port)) as proxy:
        yield proxy, lambda **variables: tripwire(
            "get", "providers/p/trips/t1", "--endpoint", f"{OTHER_HOST}:443", "--cacert",
            certificates.authority, "--timeout", PATIENT, **variables)


@pytest.mark.parametrize("variable", ["grpc_proxy", "https_proxy", "http_proxy", "HTTPS_PROXY"])
def test_environment_sets_a_proxy_that_resolves_the_name(behind_proxy, variable):
    proxy, get_trip = behind_proxy
    result = get_trip(**{variable: f"http://u:{SECRET}@{proxy.address}"})
    assert result.code == 0, result.stderr
    head = proxy.requests[0]
    assert head.startswith(f"CONNECT {OTHER_HOST}:443 HTTP/1.1\r\nHost: {OTHER_HOST}:443\r\n")
    assert "\r\nProxy-Authorization: Basic dTpodW50ZXIy\r\n" in head
    assert "\r\nUser-Agent: tripwire-cli/" in head


@pytest.mark.parametrize("variables", [
    {"HTTP_PROXY": "PROXY"}, {}, {"https_proxy": "PROXY", "no_proxy": ".example"},
    {"https_proxy": "PROXY", "no_grpc_proxy": OTHER_HOST}, {"grpc_proxy": "", "https_proxy": "PROXY"},
])
def test_environment_disables_the_proxy(behind_proxy, variables):
    proxy, get_trip = behind_proxy
    result = get_trip(**{key: value and proxy.address for key, value in variables.items()}
                    | {key: value for key, value in variables.items() if "no_" in key})
    assert_failed(result, UNAVAILABLE, f"the name {OTHER_HOST} cannot be resolved")
    assert not proxy.requests


def test_loopback_bypasses_the_proxy(server):
    assert get(server, "trips/t1", https_proxy="http://127.0.0.1:9").code == 0


def test_proxy_option_overrides_the_environment(tiny, tls_server, certificates):
    assert get_over_tls(tls_server, certificates, "--proxy", tiny,
                        https_proxy="http://127.0.0.1:9", no_proxy="*").code == 0


def test_proxy_none_disables_the_proxy(behind_proxy, certificates):
    proxy, _ = behind_proxy
    result = tripwire("get", "providers/p/trips/t1", "--endpoint", f"{OTHER_HOST}:443",
                      "--proxy", "none", https_proxy=proxy.address)
    assert_failed(result, UNAVAILABLE, "cannot be resolved")


def test_invalid_proxy_variable_is_reported_without_the_password():
    result = tripwire("get", "providers/p/trips/t1", https_proxy=f"socks5://u:{SECRET}@h")
    assert_failed(result, 1, "https_proxy", "http://")
    assert SECRET not in result.stderr


def test_invalid_proxy_option_is_reported_without_the_password():
    result = tripwire("get", "providers/p/trips/t1", "--proxy", f"socks5://u:{SECRET}@h")
    assert_failed(result, 2, "--proxy", "http://")
    assert SECRET not in result.stderr


def test_proxy_conflicts_with_replay():
    assert_failed(tripwire("get", "providers/p/trips/t1", "--replay", "x", "--proxy", "h"), 2,
                  "--proxy", "--replay")


# Proxies that misbehave

def get_through_scripted(script, *arguments, timeout=PATIENT):
    with ScriptedProxy(script) as proxy:
        result = tripwire("get", "providers/p/trips/t1", "--endpoint", f"{OTHER_HOST}:443",
                          "--proxy", proxy.address, "--timeout", timeout, "--retries", 0,
                          *arguments)
        return result, proxy


@pytest.mark.parametrize("script, words", [
    (response_script(b"SSH-2.0-OpenSSH_9.2\r\n"), ["not HTTP", "SSH-2.0"]),
    (response_script(bytes.fromhex("15030300020246")), ["a TLS record"]),
    (response_script(bytes.fromhex("000000040000000000")), ["not HTTP"]),
    (response_script(b"HTTP/1.1 abc\r\n\r\n"), ["HTTP/1.1 abc"]),
    (response_script(stays=False), ["closed the connection before it responded"]),
    (response_script(b"HTTP/1.1 200 O", stays=False), ["closed the connection before it responded"]),
    (response_script(b"HTTP/1.1 403 No\r\nContent-Length: 1000\r\n\r\n<b>bad host</b>"),
     ["403", "<b>bad host</b>"]),
    (response_script(b"HTTP/1.1 502 Bad\r\n\r\n", b"why", stays=False), ["502", "why"]),
    (response_script(b"HTTP/1.1 503 Busy\r\n\r\n"), ["503 Busy"]),
    (response_script(b"HTTP/1.1 407 Auth\r\nContent-Length: 0\r\n\r\n"), ["407"]),
    (response_script(
        b"HTTP/1.1 301 Moved\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n"),
     ["301 Moved"]),
])
def test_invalid_proxy_response_is_reported_immediately(script, words):
    result, proxy = get_through_scripted(script)
    assert_failed(result, UNAVAILABLE, f"{OTHER_HOST}:443 through the proxy {proxy.address}", *words)


def endless(line):
    def script(proxy, connection):
        proxy.head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(line)
    return script


@pytest.mark.parametrize("line", [b"X-More: of it\r\n", b"x" * 4096])
def test_endless_headers_are_rejected(line):
    result, _ = get_through_scripted(endless(line))
    assert_failed(result, UNAVAILABLE, "proxy", "16384 bytes")


def test_endless_interim_responses_are_rejected():
    def script(proxy, connection):
        proxy.head(connection)
        while True:
            connection.sendall(b"HTTP/1.1 102 Processing\r\n\r\n")
    result, _ = get_through_scripted(script)
    assert_failed(result, UNAVAILABLE, "proxy", "16384 bytes")


def reset(proxy, connection):
    proxy.head(connection)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_connection_reset_by_the_proxy_is_reported():
    result, _ = get_through_scripted(reset)
    assert_failed(result, UNAVAILABLE, "the proxy closed the connection")


def silent(proxy, connection):
    proxy.head(connection)
    connection.recv(1)


def drip(proxy, connection):
    """Sends a header line every 0.2 s without end."""
    proxy.head(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X: y\r\n")
        time.sleep(0.2)


@pytest.mark.parametrize("script", [silent, drip])
def test_slow_proxy_exceeds_the_deadline(script):
    for seconds in GROWING:
        result, _ = get_through_scripted(script, timeout=f"{seconds}s")
        if "did not connect to the server" in result.stderr:
            break
    assert_failed(result, DEADLINE, "DEADLINE_EXCEEDED", "did not connect to the server",
                  hint="check that the proxy works and reaches")


def test_refused_proxy_connection_is_reported():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    result = tripwire("get", "providers/p/trips/t1", "--proxy", f"127.0.0.1:{port}")
    assert_failed(result, UNAVAILABLE, f"through the proxy 127.0.0.1:{port}",
                  "the proxy cannot be reached: connection refused", hint="--proxy")


def test_unresolvable_proxy_is_reported():
    result = tripwire("get", "providers/p/trips/t1", "--proxy", "no-such-proxy.invalid:3128")
    assert_failed(result, UNAVAILABLE, "the proxy's name no-such-proxy.invalid cannot be resolved")


@pytest.mark.parametrize("pause", [0, 0.01])
def test_proxy_response_arrives_byte_by_byte_after_interim_responses(tls_server, certificates, pause):
    text = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: </>\r\n\r\nHTTP/1.0 200\r\n\r\n"

    def script(proxy, connection):
        proxy.head(connection)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in text:
            connection.sendall(bytes([byte]))
            time.sleep(pause)
        proxy.relay(connection, tls_server.port)
    with ScriptedProxy(script) as proxy:
        result = get_over_tls(tls_server, certificates, "--proxy", proxy.address)
    assert result.code == 0, result.stderr


def test_server_bytes_follow_the_proxy_response_in_one_segment(server):
    """A plaintext gRPC server sends first: its SETTINGS follow the proxy's 200."""
    def script(proxy, connection):
        proxy.head(connection)
        proxy.relay(connection, server.port, first=b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
    with ScriptedProxy(script) as proxy:
        result = tripwire("get", "providers/p/trips/t1", "--plaintext", "--endpoint",
                          f"{OTHER_HOST}:80", "--proxy", proxy.address)
    assert result.code == 0, result.stderr


def test_lost_proxy_connection_is_reported(server):
    def script(proxy, connection):
        proxy.head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        with socket.create_connection(("127.0.0.1", server.port)) as upstream:
            connection.sendall(upstream.recv(65536))
            connection.recv(24)
    result, _ = get_through_scripted(script, "--plaintext")
    # The loss is a FIN, or a RST if more bytes of the client arrived.
    assert_failed(result, UNAVAILABLE, "the connection was lost")
