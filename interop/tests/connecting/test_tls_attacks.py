"""Does the client survive servers with unusual and malicious TLS, and report the cause?

One client process runs all cases. None may cost much time or memory, or leak anything.
"""

import time
from typing import NamedTuple

import pytest

from support.interop_client import command
from peers.tls.certificates import Certificate
from peers.negative.driver import Driver
from peers.negative.run import SLACK, wait
from peers.tls.openssl_peer import (
    CTRL_SET_MAX_VERSION, CTRL_SET_MIN_VERSION, TLS_1_2, openssl_server)
from peers.tls.tls_peers import SETTINGS, Relay

pytestmark = pytest.mark.interop("scripted tls")


# Server bytes

def frame(kind, flags, payload):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + b"\0\0\0\x01" + payload


# :status 200, content-type application/grpc; an empty message; grpc-status 0.
HEADERS = frame(1, 4, b"\x88\x0f\x10\x10application/grpc")
MESSAGE = frame(0, 0, bytes(5))
TRAILERS = frame(1, 5, b"\x00\x0bgrpc-status\x010")
GOOD = HEADERS + MESSAGE + TRAILERS
HALF = HEADERS + frame(0, 0, b"\0\0\0\0\x09hal")


def await_request(peer):
    """Completes the handshake, sends SETTINGS, and reads a whole request."""
    peer.handshake()
    greet(peer)


def greet(peer):
    peer.write(SETTINGS)
    seen = b""
    while not ends_stream(seen):
        seen += peer.read()


def ends_stream(data):
    """Whether a client's bytes contain a DATA frame with END_STREAM."""
    start = len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    while start + 9 <= len(data):
        if data[start + 3:start + 5] == b"\0\1":
            return True
        start += 9 + int.from_bytes(data[start:start + 3], "big")
    return False


def good(peer):
    await_request(peer)
    peer.write(GOOD)
    peer.until_gone()


def key_updates(asks, times=100_000):
    """Returns a server that updates its keys repeatedly and then responds."""
    def script(peer):
        peer.handshake()
        for index in range(times):
            peer.update_keys(asks)
            if index % 100 == 99:
                peer.send()
        greet(peer)
        peer.write(GOOD)
        peer.until_gone()

    return script


def endless_key_updates(peer):
    """Updates the keys repeatedly in the middle of a response."""
    for _ in range(1_000):
        for _ in range(100):
            peer.update_keys(False)
        peer.send()


def endless_hello_requests(peer):
    """Asks the client repeatedly to renegotiate."""
    for _ in range(1_000):
        for _ in range(100):
            peer.renegotiate()
        peer.send()


def answered(*steps):
    """Returns a server that runs the steps after the request."""
    def script(peer):
        await_request(peer)
        for step in steps:
            step(peer)
        peer.until_gone()

    return script


def sends(data):
    return lambda peer: peer.write(data)


def sends_raw(data):
    return lambda peer: peer.sock.sendall(data)


def cut(data, stays):
    """Returns a step that sends a record without its last byte."""
    def step(peer):
        peer.sock.sendall(peer.seal(data)[:-1])
        if not stays:
            peer.sock.close()

    return step


def fails(record):
    return lambda peer: peer.fail(bytes.fromhex(record))


def closes(peer):
    peer.close()


def endless(record, after=b""):
    """Returns a server that sends one record endlessly instead of a handshake."""
    def script(peer):
        peer.receive()
        peer.sock.sendall(after)
        while True:
            peer.sock.sendall(bytes.fromhex(record) * 1000)

    return script


def tickets(count):
    return lambda lib, context: lib.SSL_CTX_set_num_tickets(context, count)


def only_1_2(lib, context):
    for kind in (CTRL_SET_MIN_VERSION, CTRL_SET_MAX_VERSION):
        assert lib.SSL_CTX_ctrl(context, kind, TLS_1_2, None) == 1


# Cases

class Case(NamedTuple):
    script: object
    code: str
    words: tuple = ()
    set_up: object = lambda lib, context: None
    more: dict = {}
    timeout: float = 60
    # Maximum CPU time in seconds. OpenSSL needs some for every record of the server.
    cost: float = 0.8


FLOOD = ("too many TLS messages after the handshake",)
UNAVAILABLE, LATE = "UNAVAILABLE", "DEADLINE_EXCEEDED"
GARBAGE = "1703030020" + "00" * 32
CASES = {
    "10,000 session tickets": Case(good, UNAVAILABLE, FLOOD, set_up=tickets(10_000)),
    "8 session tickets": Case(good, "OK", set_up=tickets(8)),
    "no session ticket": Case(good, "OK", set_up=tickets(0)),
    "100,000 key updates": Case(key_updates(False), UNAVAILABLE, FLOOD),
    "100,000 key updates that request ours": Case(key_updates(True), UNAVAILABLE, FLOOD),
    "100,000 key updates in the response": Case(
        answered(sends(HEADERS), endless_key_updates), UNAVAILABLE, FLOOD),
    "20 key updates": Case(key_updates(True, times=20), "OK"),
    "endless HelloRequest after the request, TLS 1.2": Case(
        answered(endless_hello_requests), UNAVAILABLE, FLOOD, set_up=only_1_2),
    "an ALPN protocol that was not offered": Case(
        good, UNAVAILABLE, ("TLS", "extension"), more={"alpn": b"h3"}),
    "endless HelloRequest": Case(
        endless("160303000400000000"), (UNAVAILABLE, LATE), timeout=2, cost=3),
    "endless empty records": Case(endless("1603030000"), UNAVAILABLE, ("TLS",), timeout=60),
    "endless ChangeCipherSpec": Case(
        endless("140303000101"), UNAVAILABLE, ("TLS",), timeout=60),
    "endless warning alerts": Case(endless("15030300020100"), UNAVAILABLE, timeout=60),
    "endless unknown warning alerts": Case(
        endless("15030300020129"), UNAVAILABLE, ("TLS",), timeout=60),
    "an endless handshake message": Case(
        endless("1603034000" + "00" * 16384, bytes.fromhex("160303000402ffffff")), UNAVAILABLE,
        ("TLS",), timeout=60),
    "the alert bad_record_mac after the request": Case(
        answered(fails(GARBAGE)), UNAVAILABLE, ("bad_record_mac",)),
    "the alert unexpected_message after the headers": Case(
        answered(sends(HEADERS), fails("6303030001" + "00")), UNAVAILABLE, ("alert",)),
    "the alert record_overflow in a message": Case(
        answered(sends(HALF), fails("170303ffff")), UNAVAILABLE, ("record_overflow",)),
    "an alert in plaintext after the request": Case(
        answered(sends_raw(bytes.fromhex("15030300020250"))), UNAVAILABLE, ("TLS",)),
    "plaintext after the request": Case(
        answered(sends_raw(b"HTTP/1.1 400 Bad Request\r\n\r\n")), UNAVAILABLE, ("TLS",)),
    "a truncated record": Case(
        answered(cut(GOOD, stays=False)), UNAVAILABLE, ("without a TLS close_notify",)),
    "an incomplete record": Case(answered(cut(GOOD, stays=True)), LATE, timeout=0.5),
    "close_notify instead of a response": Case(answered(closes), UNAVAILABLE, ("closed",)),
    "close_notify in a message": Case(answered(sends(HALF), closes), UNAVAILABLE, ("closed",)),
    "close_notify after the response": Case(answered(sends(GOOD), closes), "OK"),
    "close_notify instead of SETTINGS": Case(
        lambda peer: (peer.handshake(), peer.close(), peer.until_gone()), UNAVAILABLE,
        ("closed",)),
}
CASES |= {f"{name}, TLS 1.2": CASES[name]._replace(set_up=only_1_2) for name in (
    "the alert bad_record_mac after the request", "a truncated record",
    "close_notify in a message", "close_notify instead of SETTINGS")}


@pytest.fixture(scope="module")
def driver(certificates):
    with Driver(["env", f"SSL_CERT_FILE={certificates.authority}", *command("drive")]) as driver:
        yield driver


@pytest.fixture(scope="module")
def good_port(driver, certificates):
    with openssl_server(good, certificates.good) as port:
        # The first connection allocates memory that stays allocated.
        [outcome] = driver.calls(port, tls=True, timeoutMs=60_000)
        assert outcome["code"] == "OK", outcome
        driver.close(port)
        yield port


def run(driver, *arguments):
    """Returns the errors in the outcome of a case.

    Other processes may increase its cost, so a case that costs too much is run again.
    """
    *_, case = arguments
    for _ in range(3):
        spent = driver.cpu_time
        wrong = list(once(driver, *arguments))
        cost = driver.cpu_time - spent
        if wrong or cost <= case.cost:
            return wrong
    return [f"it took {cost:.2f} s of CPU time"]


def once(driver, good_port, certificate, case):
    """Yields the errors in the outcome of a case, except its cost."""
    descriptors, memory = driver.descriptors, driver.memory
    with openssl_server(case.script, certificate, case.set_up, **case.more) as port:
        [outcome] = driver.calls(port, tls=True, timeoutMs=int(case.timeout * 1000))
        driver.close(port)
    codes = (case.code,) if isinstance(case.code, str) else case.code
    if outcome["code"] not in codes:
        yield f"it ended with {outcome} instead of {codes}"
    for word in case.words:
        if word.lower() not in outcome["message"].lower():
            yield f"the message does not say {word!r}: {outcome['message']!r}"
    if outcome["seconds"] > case.timeout + SLACK:
        yield f"it took {outcome['seconds']} s with a deadline of {case.timeout} s"
    if (growth := driver.memory - memory) > 4 << 20:
        yield f"memory grew by {growth} bytes"
    [outcome] = driver.calls(good_port, tls=True, timeoutMs=60_000)
    if outcome["code"] != "OK":
        yield f"the next call to a good server ended with {outcome}"
    driver.close(good_port)
    if not wait(lambda: driver.descriptors <= descriptors):
        yield f"{driver.descriptors} descriptors are open, {descriptors} before the case"


def assert_survives(*arguments):
    wrong = run(*arguments)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("case", CASES)
def test_case(case, driver, good_port, certificates):
    assert_survives(driver, good_port, certificates.good, CASES[case])


@pytest.mark.parametrize("kib", [80, 200])
def test_certificate_chain_is_limited(kib, driver, good_port, certificates, tmp_path):
    """OpenSSL accepts up to 100 KiB of certificates."""
    chain, ours = tmp_path / "chain.pem", certificates.good.chain.read_bytes()
    other = certificates.self_signed.chain.read_bytes()
    # PEM is a third longer than DER.
    chain.write_bytes(ours + other * (kib * 1024 * 4 // 3 // len(other)))
    case = Case(good, "OK") if kib < 100 else Case(good, UNAVAILABLE, ("TLS", "size"))
    assert_survives(driver, good_port, Certificate(certificates.good.key, chain), case)


# After each record of a server's first flight.
@pytest.mark.parametrize("version", ["1.2", "1.3"])
@pytest.mark.parametrize("place", range(5))
def test_alert_in_the_handshake_is_reported(place, version, driver, good_port, certificates):
    seen, set_up = [], only_1_2 if version == "1.2" else tickets(2)

    def down(data):
        # The server's flight is one write.
        if seen:
            return [data]
        seen.append(data)
        end = 0
        for _ in range(place):
            end += 5 + int.from_bytes(data[end + 3:end + 5], "big") if end < len(data) else 0
        return [data[:end] + bytes.fromhex("15030300020250"), ...]

    with openssl_server(good, certificates.good, set_up) as port, Relay(port, down) as relay:
        [outcome] = driver.calls(relay.port, tls=True, timeoutMs=5000)
        driver.close(relay.port)
    assert outcome["code"] == UNAVAILABLE, outcome
    assert "TLS" in outcome["message"], outcome
