"""Does `tripwire replay` keep the recorded timing and order of messages, with grpcio as client?"""

import contextlib
import queue
import time

import grpc
import pytest

from support.command import GROWING, LONGEST, assert_failed, replaying, tripwire
from peers.recordings.binary_log import GrpcLogEntry, write
from support.paths import RECORDINGS

METHOD = "/test.Echo/Talk"


def entry(call_id, event, milliseconds):
    entry = GrpcLogEntry(
        call_id=call_id, type=f"EVENT_TYPE_{event}", logger="LOGGER_CLIENT")
    entry.timestamp.FromMilliseconds(1_700_000_000_000 + milliseconds)
    return entry


def call(call_id, *events):
    """Returns the entries of a call, given its events with their times and contents."""
    entries = []
    for event, milliseconds, *about in events:
        entries.append(entry(call_id, event, milliseconds))
        last = entries[-1]
        match event, about:
            case "CLIENT_HEADER", _:
                last.client_header.method_name = METHOD
            case "SERVER_HEADER", _:
                last.server_header.metadata.entry.add(key="x-first", value=b"a")
            case "CLIENT_MESSAGE" | "SERVER_MESSAGE", (data,):
                last.message.data, last.message.length = data, len(data)
            case "SERVER_TRAILER", (code, message):
                last.trailer.status_code, last.trailer.status_message = code, message
                last.trailer.metadata.entry.add(key="x-last-bin", value=b"\0\xff")
    return entries


STREAM = call(
    1, ("CLIENT_HEADER", 0), ("CLIENT_MESSAGE", 0, b"go"), ("CLIENT_HALF_CLOSE", 0),
    ("SERVER_HEADER", 100), ("SERVER_MESSAGE", 200, b"one"), ("SERVER_MESSAGE", 400, b"two"),
    ("SERVER_TRAILER", 600, 8, "that is \u2713 all"))
CHAT = call(
    1, ("CLIENT_HEADER", 0), ("SERVER_HEADER", 0), ("CLIENT_MESSAGE", 0, b"a"),
    ("SERVER_MESSAGE", 0, b"A"), ("CLIENT_MESSAGE", 0, b"b"), ("SERVER_MESSAGE", 0, b"B"),
    ("SERVER_MESSAGE", 0, b"B!"), ("CLIENT_HALF_CLOSE", 0), ("SERVER_TRAILER", 0, 0, ""))


def answer(call_id, second, data):
    at = 1000 * second
    return call(
        call_id, ("CLIENT_HEADER", at), ("CLIENT_MESSAGE", at, b"?"), ("CLIENT_HALF_CLOSE", at),
        ("SERVER_HEADER", at), ("SERVER_MESSAGE", at, data), ("SERVER_TRAILER", at, 0, ""))


@pytest.fixture
def channel(tmp_path):
    """Makes a channel to a replay of entries, with options."""
    with contextlib.ExitStack() as stack:
        def make(entries, *options):
            write(tmp_path / "made.binlog", entries)
            _, address = stack.enter_context(replaying(tmp_path / "made.binlog", *options))
            return stack.enter_context(grpc.insecure_channel(address))

        yield make


def test_stream_is_replayed_with_headers_status_and_trailers(channel):
    call = channel(STREAM).unary_stream(METHOD)(b"go", timeout=LONGEST)
    messages = []
    with pytest.raises(grpc.RpcError):
        messages.extend(call)
    # The messages before the error are kept.
    assert dict(call.initial_metadata()) == {"x-first": "a"}
    assert (call.code(), call.details()) == (
        grpc.StatusCode.RESOURCE_EXHAUSTED, "that is \u2713 all")
    assert dict(call.trailing_metadata())["x-last-bin"] == b"\0\xff"


@pytest.mark.parametrize("speed, seconds", [("1", 0.6), ("10", 0.06)])
def test_stream_keeps_its_recorded_duration(channel, speed, seconds):
    call = channel(STREAM, "--speed", speed).unary_stream(METHOD)
    started = time.monotonic()
    talk = call(b"go", timeout=LONGEST, wait_for_ready=True)
    messages = [next(talk), next(talk)]
    with pytest.raises(grpc.RpcError):
        next(talk)
    assert messages == [b"one", b"two"]
    assert time.monotonic() - started >= seconds


def test_call_ends_at_its_deadline(channel):
    hour = 3_600_000
    stream = call(
        1, ("CLIENT_HEADER", 0), ("CLIENT_MESSAGE", 0, b"go"), ("CLIENT_HALF_CLOSE", 0),
        ("SERVER_HEADER", 0), ("SERVER_MESSAGE", 0, b"one"), ("SERVER_MESSAGE", hour, b"two"),
        ("SERVER_TRAILER", hour, 0, ""))
    ask = channel(stream, "--speed", "1").unary_stream(METHOD)
    for seconds in GROWING:
        messages = []
        with pytest.raises(grpc.RpcError) as ended:
            messages.extend(ask(b"go", timeout=seconds))
        assert ended.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        if messages:
            break
    assert messages == [b"one"]


def test_messages_alternate_as_recorded(channel):
    turns = queue.SimpleQueue()
    talk = channel(CHAT).stream_stream(METHOD)(iter(turns.get, None), timeout=LONGEST)
    turns.put(b"a")
    assert next(talk) == b"A"
    turns.put(b"b")
    assert [next(talk), next(talk)] == [b"B", b"B!"]
    turns.put(None)
    assert list(talk) == []
    assert talk.code() == grpc.StatusCode.OK


def test_unrecorded_message_is_not_found(channel):
    turns = queue.SimpleQueue()
    talk = channel(CHAT).stream_stream(METHOD)(iter(turns.get, None), timeout=LONGEST)
    turns.put(b"a")
    assert next(talk) == b"A"
    turns.put(b"c")
    with pytest.raises(grpc.RpcError):
        next(talk)
    turns.put(None)
    assert (talk.code(), "message 2" in talk.details()) == (grpc.StatusCode.NOT_FOUND, True)


ANSWERS = answer(1, 0, b"one") + answer(2, 10, b"two") + answer(3, 100_000, b"three")


def test_responses_come_in_order_and_the_last_repeats(channel):
    ask = channel(ANSWERS).unary_unary(METHOD)
    assert [ask(b"?", timeout=LONGEST) for _ in range(5)] == [
        b"one", b"two", b"three", b"three", b"three"]


def test_loop_restarts_the_responses(channel):
    ask = channel(ANSWERS, "--loop").unary_unary(METHOD)
    assert [ask(b"?", timeout=LONGEST) for _ in range(5)] == [
        b"one", b"two", b"three", b"one", b"two"]


def test_speed_selects_the_response_by_time(channel):
    ask = channel(ANSWERS, "--speed", "100").unary_unary(METHOD)
    assert ask(b"?", timeout=LONGEST) == b"one"
    started, seen = time.monotonic(), [b"one"]
    while len(set(seen)) < 2:
        seen.append(ask(b"?", timeout=LONGEST))
    # Ten recorded seconds take 0.1 s at this speed. The third response is 90 s away.
    assert time.monotonic() - started >= 0.09
    assert set(seen) == {b"one", b"two"}


def test_follow_replays_by_the_recorded_times():
    """330 s are replayed at 100 times the speed, and polled every 25 recorded seconds."""
    started = time.monotonic()
    result = tripwire(
        "follow", "providers/demo/trips/t1", "--replay", RECORDINGS / "trip.binlog", "--speed", "100",
        "--interval", "250ms", "--until", "complete")
    assert result.code == 0, result.stderr
    assert time.monotonic() - started >= 3
    assert len(result.stdout.splitlines()) < 30


def test_clock_step_back_is_reported(tmp_path):
    write(tmp_path / "made.binlog", answer(1, 400, b"one") + answer(2, 300, b"two"))
    with replaying(tmp_path / "made.binlog", "--speed", "1") as (process, _):
        process.terminate()
    result = tripwire("get", "providers/p/trips/t", "--replay", tmp_path / "made.binlog",
                      "--speed", "1")
    assert "times go back in the recording: " in result.stderr


@pytest.mark.parametrize("speed", ["0", "-1", "+1", "fast", "1001", ""])
def test_invalid_speed_is_rejected(tmp_path, speed):
    assert_failed(
        tripwire("replay", tmp_path / "x.binlog", "--speed", speed), 2, "--speed", "max")
