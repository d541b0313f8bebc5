"""Are deadlines and message size limits enforced?"""

import json
import time

import pytest

from support.command import GROWING, LONGEST, assert_failed, at, get, tripwire
from peers.servers import demo
from peers.servers.reflecting import V1, reflecting_test_service

MEBIBYTE = 1 << 20


def test_slow_response_exceeds_the_deadline(own_server):
    for seconds in GROWING:
        begin = time.monotonic()
        result = get(own_server, "trips/slow", "--timeout", f"{seconds}s")
        assert time.monotonic() - begin >= seconds
        assert_failed(result, 68, "DEADLINE_EXCEEDED", hint="--timeout")
        if not own_server.arrived.empty():
            break
    assert own_server.ended.get(timeout=LONGEST) == "providers/p/trips/slow"


@pytest.mark.parametrize("timeout, seconds", [("15s", 15), ("90s", 90), ("2m", 120)])
def test_deadline_is_sent_to_the_server(server, timeout, seconds):
    assert_timeout_arrives(server, seconds, "--timeout", timeout)


def test_default_deadline_is_15_seconds(server):
    assert_timeout_arrives(server, 15)


def assert_timeout_arrives(server, seconds, *options):
    """Checks that the server gets this timeout minus the run time of the command."""
    begin = time.monotonic()
    result = get(server, "trips/echo", *options)
    taken = time.monotonic() - begin
    assert result.code == 0, result.stderr
    [remaining] = result.attributes["time remaining"]
    assert seconds - taken - 0.1 < remaining <= seconds + 0.1


@pytest.mark.parametrize("timeout", ["", "soon", "-1s", "0s", "1x", "nan", "1e999s"])
def test_malformed_timeout_is_a_usage_error(server, timeout):
    assert_failed(get(server, "trips/t1", f"--timeout={timeout}"), 2, "--timeout")


def test_message_over_4_mib_is_rejected(server):
    result = get(server, "trips/large")
    assert_failed(result, 72, "RESOURCE_EXHAUSTED", hint="--max-message-size")


def test_limit_of_the_server_is_reported(test_protoset, tmp_path):
    """The limit of grpcio is 4 MiB, the usual default."""
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"payload": {"body": "A" * (4 * 5 * MEBIBYTE // 3)}}))
    with reflecting_test_service(test_protoset.read_bytes(), V1) as address:
        result = tripwire("call", "UnaryCall", "-d", f"@{request}", *at(address),
                          "--protoset", test_protoset)
    assert_failed(result, 72, hint=["send a smaller request, or raise the limit of the server: this request is",
                                    "; the limit is 4194304 bytes"])
    assert "quota" not in result.stderr


def test_request_over_64_mib_is_rejected(test_protoset, tmp_path):
    request = tmp_path / "request.json"
    request.write_bytes(b'\n  {"payload": {"body": "' + b"A" * (64 * MEBIBYTE))
    for data, name, stdin in (f"@{request}", request, b""), ("-", "stdin", request.read_bytes()):
        result = tripwire("call", "UnaryCall", "-d", data, *at("localhost:1"), "--protoset", test_protoset,
                          stdin=stdin)
        assert_failed(result, 1, error=f"-d: {name}:2:3: the request is longer than 64 MiB",
                      hint="send a smaller request")


def test_message_size_limit_can_be_raised(server):
    result = get(server, "trips/large", "--max-message-size", 6 * MEBIBYTE)
    assert result.code == 0, result.stderr
    assert result.json["currentRouteSegment"] == "A" * (5 * MEBIBYTE)


def test_message_size_limit_can_be_lowered(server):
    result = get(server, "trips/t1", "--max-message-size", 100)
    assert_failed(result, 72, "RESOURCE_EXHAUSTED", "100")


def test_message_size_limit_is_in_bytes(server):
    size = demo.trip("providers/p/trips/t1").ByteSize()
    assert get(server, "trips/t1", "--max-message-size", size).code == 0
    assert get(server, "trips/t1", "--max-message-size", size - 1).code == 72


@pytest.mark.parametrize("size", ["", "many", "-1", "1.5"])
def test_malformed_message_size_is_a_usage_error(server, size):
    assert_failed(get(server, "trips/t1", f"--max-message-size={size}"), 2, "--max-message-size")
