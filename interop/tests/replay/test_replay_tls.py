"""Does `tripwire replay --tls-cert --tls-key` serve TLS to third-party clients?"""

import contextlib
import json
import socket
import ssl
import subprocess

import grpc
import pytest

from support.command import LONGEST, TOOLS, assert_failed, replaying, run, tripwire
from support.fleet_client import FleetClient
from peers.tls.openssl_peer import openssl_client
from support.paths import RECORDINGS
from tests.replay.test_replay_peers import resident

DEMO = RECORDINGS / "demo.binlog"
TRIP = "providers/demo/trips/t1"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
PING = b"\0\0\x08\6\0\0\0\0\0tripwire"
PONG = b"\0\0\x08\6\1\0\0\0\0tripwire"


def options(certificate):
    return "--tls-cert", certificate.chain, "--tls-key", certificate.key


@pytest.fixture(scope="module")
def address(certificates):
    with replaying(DEMO, *options(certificates.good), "--require-token") as (_, address):
        yield address


@contextlib.contextmanager
def channel(address, certificates):
    trusted = grpc.ssl_channel_credentials(certificates.authority.read_bytes())
    with grpc.secure_channel(address, trusted) as channel:
        yield channel


def test_google_client_gets_the_trip(address, certificates):
    with channel(address, certificates) as secure:
        assert FleetClient(secure, "a.b.c").get(TRIP).name == TRIP


def test_google_client_is_refused_without_a_token(address, certificates):
    from google.api_core.exceptions import Unauthenticated

    with channel(address, certificates) as secure:
        with pytest.raises(Unauthenticated) as refused:
            FleetClient(secure).get(TRIP)
    assert refused.value.reason == "CREDENTIALS_MISSING"


def test_grpcurl_gets_the_trip(address, certificates):
    answer = run(
        TOOLS / "grpcurl", "-cacert", certificates.authority, "-H", "authorization: Bearer x", "-d",
        json.dumps({"name": TRIP}), address, "maps.fleetengine.v1.TripService/GetTrip")
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["name"] == TRIP


def test_tripwire_gets_the_trip(address, certificates, tmp_path):
    (tmp_path / "token").write_text("a.b.c")
    result = tripwire("get", TRIP, "--endpoint", address, "--cacert", certificates.authority,
                      "--token-file", tmp_path / "token", "-v")
    assert result.code == 0, result.stderr
    assert "TLSv1.3" in result.stderr and "h2" in result.stderr


def s_client(address, certificates, *arguments):
    """Returns the output of `openssl s_client`, which ends at its empty input."""
    done = subprocess.run(
        ["openssl", "s_client", "-connect", address, "-CAfile", certificates.authority,
         *arguments], input=b"", capture_output=True, timeout=LONGEST)
    return (done.stdout + done.stderr).decode(errors="replace")


@pytest.mark.parametrize("version, accepted", [("1_3", True), ("1_2", True), ("1_1", False)])
def test_openssl_negotiates_h2(address, certificates, version, accepted):
    output = s_client(address, certificates, "-alpn", "h2", f"-tls{version}")
    assert ("ALPN protocol: h2" in output and "Verify return code: 0" in output) == accepted, output


@pytest.mark.parametrize("cipher, accepted", [
    ("AES128-SHA", False), ("AES128-GCM-SHA256", False), ("ECDHE-RSA-AES128-SHA", False),
    ("ECDHE-RSA-AES256-SHA384", False), ("DHE-RSA-AES128-SHA", False),
    ("ECDHE-RSA-AES128-GCM-SHA256", True), ("ECDHE-RSA-CHACHA20-POLY1305", True),
])
def test_prohibited_cipher_suites_are_refused(certificates, cipher, accepted):
    """RFC 9113 appendix A."""
    with replaying(DEMO, *options(certificates.rsa)) as (_, address):
        output = s_client(address, certificates, "-alpn", "h2", "-tls1_2", "-cipher", cipher)
    assert (f"Cipher is {cipher}" in output) == accepted, output
    assert ("handshake failure" in output) == (not accepted), output


@pytest.mark.parametrize("count, accepted", [(20, True), (10_000, False)])
def test_key_updates_are_limited(certificates, count, accepted):
    with replaying(DEMO, *options(certificates.good)) as (process, address):
        before = resident(process)
        with openssl_client(int(address.rsplit(":", 1)[1])) as client:
            try:
                for _ in range(count):
                    client.update_keys(asks=True)
                    client.send()
                client.write(PREFACE + PING)
                output = b""
                while PONG not in output:
                    output += client.read()
            except OSError:
                assert not accepted
            else:
                assert accepted
        with channel(address, certificates) as secure:
            assert FleetClient(secure).get(TRIP).name == TRIP
        assert resident(process) - before < 16 << 20


def test_client_without_h2_is_refused(address, certificates):
    assert "no application protocol" in s_client(address, certificates, "-alpn", "http/1.1")


def test_client_rejects_an_unknown_authority(address, certificates):
    result = tripwire("get", TRIP, "--endpoint", address, "--cacert", certificates.other_authority)
    assert_failed(result, 78, "certificate", "not trusted")


def test_certificate_and_key_may_be_in_one_file(certificates, tmp_path):
    both = tmp_path / "both.pem"
    both.write_bytes(certificates.good.chain.read_bytes() + certificates.good.key.read_bytes())
    with replaying(DEMO, "--tls-cert", both) as (_, address):
        with channel(address, certificates) as secure:
            assert FleetClient(secure).get(TRIP).name == TRIP


def test_invalid_tls_files_are_reported(certificates, tmp_path):
    good, other = certificates.good, certificates.client
    assert_failed(tripwire("replay", DEMO, "--tls-key", good.key), 2, "--tls-cert")
    assert_failed(tripwire("replay", DEMO, "--tls-cert", good.chain), 1, good.chain.name,
                  "--tls-cert: ", "has no PEM private key",
                  hint="pass the private key with --tls-key FILE")
    assert_failed(
        tripwire("replay", DEMO, "--tls-cert", good.chain, "--tls-key", other.key), 1,
        "does not match the first certificate")
    assert_failed(tripwire("replay", DEMO, "--tls-cert", tmp_path / "absent.pem"), 1, "absent.pem")
    assert_failed(
        tripwire("replay", DEMO, "--tls-cert", good.chain, "--tls-key", tmp_path / "absent.key"),
        1, "absent.key")
    assert_failed(
        tripwire("replay", DEMO, "--tls-cert", DEMO, "--tls-key", good.key), 1, "PEM")


def test_stalled_handshakes_use_little_memory(certificates):
    """1,500 clients send only a ClientHello. A call of another client succeeds."""
    hellos, trusting = [], ssl.create_default_context()
    trusting.set_alpn_protocols(["h2"])
    answer = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        trusting.wrap_bio(ssl.MemoryBIO(), answer, server_hostname="localhost").do_handshake()
    hello = answer.read()
    with replaying(DEMO, *options(certificates.good)) as (process, address):
        before = resident(process)
        host, port = address.rsplit(":", 1)
        for _ in range(1500):
            hellos.append(socket.create_connection((host, int(port))))
            hellos[-1].sendall(hello)
        with channel(address, certificates) as secure:
            assert FleetClient(secure).get(TRIP).name == TRIP
        assert resident(process) - before < 64 << 20
        for one in hellos:
            one.close()
