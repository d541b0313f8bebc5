"""Does `tripwire replay -v` report each call without delaying any?"""

import re
import signal

import grpc
import pytest

from support.command import LONGEST, start
from support.paths import RECORDINGS
from tests.replay.test_replay_record import GET_TRIP, T1, TOKEN, request

LINE = r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z 127\.0\.0\.1:\d+ "
TIME = r"\d+\.\d m?s"


def serving(*options):
    process = start("replay", RECORDINGS / "demo.binlog", *options)
    return process, re.search(r"127\.0\.0\.1:\d+", process.stdout.readline().decode())[0]


def error_lines(process):
    """Ends a server and returns its lines on stderr."""
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=LONGEST)
    assert process.returncode == 0
    return errors.decode().splitlines()


def code(channel, method, name):
    try:
        channel.unary_unary(method)(request(name), timeout=LONGEST)
        return 0
    except grpc.RpcError as error:
        return error.code().value[0]


def test_each_call_is_reported_in_one_line():
    process, address = serving("-v")
    with grpc.insecure_channel(address) as channel:
        assert [code(channel, *call) for call in [
            (GET_TRIP, T1), (GET_TRIP, "providers/demo/trips/missing"),
            (GET_TRIP, "providers/demo/trips/\x1b[2J \u202e"), ("/a.B/C", T1)]] == [0, 5, 5, 12]
    lines = error_lines(process)
    ends = [
        f"{GET_TRIP} {T1} OK {TIME}: call 1, same request",
        f"{GET_TRIP} providers/demo/trips/missing NOT_FOUND {TIME}: call 3, same request",
        re.escape(f"{GET_TRIP} providers/demo/trips/\\u{{1b}}[2J\\u{{20}}\\u{{202e}} NOT_FOUND ")
        + rf"{TIME}: providers/demo/trips/.* is not in this recording, which has {T1}",
        f"/a.B/C — UNIMPLEMENTED {TIME}: /a.B/C is not in this recording, which has .*"]
    assert len(lines) == len(ends)
    for line, end in zip(lines, ends):
        assert re.fullmatch(LINE + end, line), line


def test_reported_token_is_masked():
    process, address = serving("-v")
    with grpc.insecure_channel(address) as channel:
        with pytest.raises(grpc.RpcError):
            channel.unary_unary(GET_TRIP)(
                request(f"providers/demo/trips/{TOKEN}"), timeout=LONGEST,
                metadata=[("authorization", f"Bearer {TOKEN}")])
    line, = error_lines(process)
    assert f"trips/{'*' * len(TOKEN)} NOT_FOUND" in line and TOKEN[:16] not in line


def test_stderr_is_empty_without_options():
    process, address = serving()
    with grpc.insecure_channel(address) as channel:
        assert code(channel, "/a.B/C", T1) == 12
    assert error_lines(process) == []


def test_unread_stderr_does_not_delay_calls():
    process, address = serving("--verbose")
    name = "providers/demo/trips/" + "x" * 80
    with grpc.insecure_channel(address) as channel:
        for _ in range(50):
            talks = [channel.unary_unary(GET_TRIP).future(request(name), timeout=LONGEST)
                     for _ in range(100)]
            assert {talk.code().value[0] for talk in talks} == {5}
    lines = 0
    while not (found := re.match(rb"warning: (\d+) lines dropped", process.stderr.readline())):
        lines += 1
    assert lines + int(found[1]) == 5000
    assert error_lines(process) == []


def test_replay_ends_while_stderr_is_unread():
    process, address = serving("-v")
    name = "providers/demo/trips/" + "x" * 80
    with grpc.insecure_channel(address) as channel:
        for _ in range(1000):
            assert code(channel, GET_TRIP, name) == 5
    process.send_signal(signal.SIGTERM)
    try:
        assert process.wait(LONGEST) == 0
    finally:
        process.kill()
        process.communicate()
