"""Are TLS faults of third-party servers reported with their cause?"""

import contextlib
import socket
import threading

import pytest

from support.command import GROWING, assert_failed
from peers.tls.tls_peers import SETTINGS, OpenSSLServer, Relay, python_server
from support.tls import get

UNAVAILABLE = 78
DEADLINE = 68


@contextlib.contextmanager
def sending_after_handshake(server, *data):
    """Makes the openssl command send these pieces in order after its handshake."""
    def send_data():
        server.wait_for(b"CIPHER")
        for piece in data:
            server.send(piece)
    thread = threading.Thread(target=send_data)
    thread.start()
    yield
    thread.join()


@contextlib.contextmanager
def answering(data):
    """Runs a server that answers the client's first bytes with these and closes; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def serve():
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(65536)
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


# Names

@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_common_name_is_ignored(tls_servers, certificates, host):
    result = get(tls_servers("common_name_only").port, certificates, host=host)
    assert_failed(result, UNAVAILABLE, f"not for {host}", "names no host", "common name",
                  hint=f"give the server a certificate with a subjectAltName for {host} (")


@pytest.mark.parametrize("name", ["eu.fleet.example", "EU.Fleet.Example", "eu.fleet.example."])
def test_wildcard_matches_the_first_label(tls_servers, certificates, name):
    result = get(tls_servers("wildcard").port, certificates, "--authority", name)
    assert result.code == 0, result.stderr


@pytest.mark.parametrize("name", [
    "fleet.example", "a.b.fleet.example", "foo.part.example", "one.example", "127.0.0.1", "::1"])
def test_wildcard_matches_nothing_else(tls_servers, certificates, name):
    result = get(tls_servers("wildcard").port, certificates, "--authority", f"[{name}]"
                 if ":" in name else name)
    assert_failed(result, UNAVAILABLE, f"not for {name}", "*.fleet.example")


def test_sni_is_not_sent_for_an_address(certificates):
    names = []

    def change(context):
        context.sni_callback = lambda tls, name, _: names.append(name)
    for host in ("127.0.0.1", "localhost"):
        with python_server(lambda tls: tls.recv(1), certificates.good, change) as port:
            get(port, certificates, host=host)
    assert names == [None, "localhost"]


# Versions, ALPN and ciphers

def ready_until_the_deadline(certificate, certificates, *options):
    """Returns the outcome of a call to an openssl command that sends only SETTINGS."""
    for seconds in GROWING:
        with OpenSSLServer(certificate, *options) as server, sending_after_handshake(server, SETTINGS):
            result = get(server.port, certificates, "-v", timeout=f"{seconds}s")
        if "HTTP/2 ready" in result.stderr:
            break
    return result


@pytest.mark.parametrize("option, version", [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
def test_tls_1_2_and_1_3_are_supported(certificates, option, version):
    result = ready_until_the_deadline(certificates.good, certificates, option)
    assert f"* {version}, " in result.stderr
    assert_failed(result, DEADLINE, lines=["HTTP/2 ready"])


@pytest.mark.parametrize("option", ["-tls1_1", "-tls1"])
def test_older_tls_versions_are_refused(certificates, option):
    with OpenSSLServer(certificates.good, option, "-cipher", "ALL:@SECLEVEL=0") as server:
        result = get(server.port, certificates)
    assert_failed(result, UNAVAILABLE, "the peer supports neither TLS 1.2 nor TLS 1.3")


@pytest.mark.parametrize("alpn", [None, "http/1.1"])
def test_server_without_http2_is_reported(certificates, alpn):
    with OpenSSLServer(certificates.good, alpn=alpn) as server:
        result = get(server.port, certificates)
    assert_failed(result, UNAVAILABLE, "h2", "ALPN")


def test_server_that_chooses_http1_is_reported(certificates):
    with python_server(lambda tls: tls.recv(1), certificates.good, alpn=None) as port:
        result = get(port, certificates)
    assert_failed(result, UNAVAILABLE, "h2", "ALPN")


def test_missing_common_cipher_is_reported(certificates):
    with OpenSSLServer(certificates.good, "-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"
                       ) as server:
        result = get(server.port, certificates)
    assert_failed(result, UNAVAILABLE, "handshake_failure", "no acceptable cipher suite",
                  hint="enable TLS 1.3 on the server")


@pytest.mark.parametrize("name, cipher", [
    # Static RSA, CBC with ECDHE, CBC with DHE.
    ("rsa", "AES128-SHA"), ("rsa", "AES128-GCM-SHA256"), ("rsa", "ECDHE-RSA-AES128-SHA"),
    ("rsa", "ECDHE-RSA-AES256-SHA384"), ("rsa", "DHE-RSA-AES128-SHA"),
    ("good", "ECDHE-ECDSA-AES256-SHA"),
])
def test_prohibited_cipher_suites_are_refused(certificates, name, cipher):
    """RFC 9113 appendix A."""
    with OpenSSLServer(getattr(certificates, name), "-tls1_2", "-cipher", cipher) as server:
        result = get(server.port, certificates)
    assert_failed(result, UNAVAILABLE, "no acceptable cipher suite", "ECDHE", "AES-GCM",
                  hint="enable TLS 1.3 on the server, or TLS 1.2 with ECDHE and AES-GCM")


@pytest.mark.parametrize("name, cipher", [
    ("rsa", "ECDHE-RSA-AES128-GCM-SHA256"), ("rsa", "ECDHE-RSA-CHACHA20-POLY1305"),
    ("good", "ECDHE-ECDSA-AES256-GCM-SHA384"), ("good", "ECDHE-ECDSA-CHACHA20-POLY1305"),
])
def test_allowed_cipher_suites_are_offered(certificates, name, cipher):
    result = ready_until_the_deadline(
        getattr(certificates, name), certificates, "-tls1_2", "-cipher", cipher)
    assert_failed(result, DEADLINE, lines=[f"* TLSv1.2, {cipher}", "HTTP/2 ready"])


# On the wire

def test_tls_records_may_arrive_byte_by_byte(tls_server, certificates):
    def drip(data):
        return (bytes([byte]) for byte in data)
    with Relay(tls_server.port, drip) as relay:
        result = get(relay.port, certificates)
    assert result.code == 0, result.stderr


def test_large_tls_records_are_read(tls_server, certificates):
    result = get(tls_server.port, certificates, "--max-message-size", "8MiB", name="trips/large")
    assert result.code == 0, result.stderr


@pytest.mark.parametrize("count", [0, 1, 5, 60, 130, 700])
def test_stalled_handshake_exceeds_the_deadline(tls_server, certificates, count):
    for seconds in GROWING:
        with Relay(tls_server.port, lambda data: [data[:count], ...]) as relay:
            result = get(relay.port, certificates, timeout=f"{seconds}s")
        if "did not finish the TLS handshake" in result.stderr:
            break
    assert_failed(result, DEADLINE, "did not finish the TLS handshake")


@pytest.mark.parametrize("count", [0, 1, 5, 60, 130, 700])
def test_truncated_handshake_is_reported(tls_server, certificates, count):
    with Relay(tls_server.port, lambda data: [data[:count], None]) as relay:
        result = get(relay.port, certificates)
    assert_failed(result, UNAVAILABLE, "closed the connection during the TLS handshake")


@pytest.mark.parametrize("first", ["16030300", "1603030004990000", "1703030003000000",
                                   "14030300010116030300040e000000", "160303ffff" + "00" * 300])
def test_malformed_tls_records_are_reported(certificates, first):
    with answering(bytes.fromhex(first)) as port:
        result = get(port, certificates)
    assert_failed(result, UNAVAILABLE, "TLS")


ALERTS = {40: "handshake_failure", 70: "supports neither TLS 1.2 nor TLS 1.3", 80: "internal_error",
          112: "unrecognized_name", 120: "ALPN"}


@pytest.mark.parametrize("number", ALERTS)
def test_alert_instead_of_a_handshake_is_reported(certificates, number):
    with answering(bytes([21, 3, 3, 0, 2, 2, number])) as port:
        result = get(port, certificates)
    assert_failed(result, UNAVAILABLE, ALERTS[number])


def ready(tls):
    """Sends SETTINGS and reads the client's request."""
    tls.sendall(SETTINGS)
    seen = b""
    while b"GetTrip" not in seen and len(seen) < 300:
        seen += tls.recv(65536)


# :status 200, content-type (literal without indexing, static name 31)
BLOCK = b"\x88\x0f\x10\x10application/grpc"
HEADERS = len(BLOCK).to_bytes(3, "big") + b"\x01\x04\x00\x00\x00\x01" + BLOCK


@pytest.mark.parametrize("before", [b"", HEADERS, HEADERS + b"\0\0\x06\0\0\0\0\0\x01\0\0\0\0\x09\x0a"])
def test_end_without_close_notify_is_reported(certificates, before):
    def script(tls):
        ready(tls)
        tls.sendall(before)
        tls.shutdown(socket.SHUT_WR)
        tls.recv(1)
    with python_server(script, certificates.good) as port:
        result = get(port, certificates)
    assert_failed(result, UNAVAILABLE, "the connection ended without a TLS close_notify")


def test_changed_tls_record_is_reported(tls_server, certificates):
    """An attacker changes a byte after the handshake."""
    seen = []

    def change(data):
        seen.append(len(data))
        # The handshake is over at the first read that begins with application data.
        if data[0] == 23 and len(seen) > 1:
            data = data[:-1] + bytes([data[-1] ^ 1])
        return [data]
    with Relay(tls_server.port, change) as relay:
        result = get(relay.port, certificates)
    assert_failed(result, UNAVAILABLE, "TLS protocol error", "bad record mac")


PING = b"\x00\x00\x08\x06\x00\x00\x00\x00\x00tripwire"


def test_key_updates_are_followed(certificates):
    for seconds in GROWING[1:]:
        with OpenSSLServer(certificates.good, "-tls1_3") as server:
            with sending_after_handshake(server, SETTINGS, *[b"K\n", PING] * 3):
                result = get(server.port, certificates, "-vv", timeout=f"{seconds}s")
            output = server.output
        answers = [line for line in result.stderr.splitlines() if line.startswith("} PING")]
        if len(answers) == 3 and output.count(b"tripwire") >= 3:
            break
    assert_failed(result, DEADLINE)
    assert len([line for line in result.stderr.splitlines() if line.startswith("{ PING")]) == 3
    assert len(answers) == 3
    # The server read the bytes that the client sent with its own new keys.
    assert output.count(b"tripwire") >= 3, output
    assert b"bad record mac" not in output


def test_renegotiation_is_refused(certificates):
    for seconds in GROWING[1:]:
        with OpenSSLServer(certificates.good, "-tls1_2") as server:
            with sending_after_handshake(server, SETTINGS, b"r\n"):
                result = get(server.port, certificates, "-v", timeout=f"{seconds}s")
        if b"no renegotiation" in server.output:
            break
    assert_failed(result, result.code)
    assert result.code in (UNAVAILABLE, DEADLINE)
    assert b"no renegotiation" in server.output
