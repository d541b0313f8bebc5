"""Does `tripwire replay` serve many clients, slow clients and gRPC's C++ library?"""

import json
import os
import re
import socket
import struct
import subprocess

import grpc
import h2.connection
import pytest

from support.command import LONGEST, replaying
from peers.recordings.binary_log import read, write
from support.paths import RECORDINGS
from tests.replay.test_replay_course import CHAT, METHOD, STREAM, call

DEMO = RECORDINGS / "demo.binlog"
GET_TRIP = "/maps.fleetengine.v1.TripService/GetTrip"


def client(address, method, *messages):
    """Makes a call with gRPC's C++ library; returns the messages, and the status as text."""
    path = os.environ.get("GENERIC_CLIENT")
    if not path:
        pytest.fail("GENERIC_CLIENT must name the client on libgrpc++")
    done = subprocess.run(
        [path, address, method, *(message.hex() for message in messages)], capture_output=True,
        text=True, timeout=LONGEST)
    *answers, status = done.stdout.splitlines()
    return [bytes.fromhex(answer) for answer in answers], status


def test_libgrpc_receives_the_recorded_calls():
    entries = read(DEMO)
    with replaying(DEMO) as (_, address):
        for call_id in {entry.call_id for entry in entries}:
            mine = [entry for entry in entries if entry.call_id == call_id]
            by_type = {entry.type: entry for entry in mine}
            method = mine[0].client_header.method_name
            request, end = by_type[3].message.data, by_type[6].trailer
            answers = [by_type[4].message.data] if 4 in by_type else []
            assert client(address, method, request) == (
                answers, f"{end.status_code} {end.status_message}")


def test_libgrpc_receives_recorded_streams(tmp_path):
    write(tmp_path / "stream.binlog", STREAM)
    with replaying(tmp_path / "stream.binlog") as (_, address):
        assert client(address, METHOD, b"go") == ([b"one", b"two"], "8 that is \u2713 all")
    write(tmp_path / "chat.binlog", CHAT)
    with replaying(tmp_path / "chat.binlog") as (_, address):
        assert client(address, METHOD, b"a", b"b") == ([b"A", b"B", b"B!"], "0 ")


def test_libgrpc_gets_unimplemented_for_an_unrecorded_method():
    with replaying(DEMO) as (_, address):
        answers, status = client(address, "/a.B/C")
        assert answers == [] and status.startswith("12 /a.B/C is not in this recording")


# Many clients


def h2load(address, request, *options):
    with open(request, "rb"):
        done = subprocess.run(
            ["h2load", *options, "-d", request, "-H", "content-type: application/grpc", "-H",
             "te: trailers", f"http://{address}{GET_TRIP}"], capture_output=True, text=True,
            timeout=LONGEST)
    return done.stdout


@pytest.mark.parametrize("options", [
    ("-n", "20000", "-c", "1", "-m", "100"), ("-n", "5000", "-c", "1000", "-m", "5"),
], ids=["one", "thousand"])
def test_h2load_succeeds(tmp_path, options):
    request = next(entry for entry in read(DEMO) if entry.message.data).message.data
    (tmp_path / "request").write_bytes(struct.pack(">BI", 0, len(request)) + request)
    with replaying(DEMO) as (process, address):
        output = h2load(address, tmp_path / "request", *options)
        assert resident(process) < 200 << 20
    count = options[1]
    assert f"{count} succeeded, 0 failed, 0 errored, 0 timeout" in output
    # Each response is complete.
    data = int(re.search(r"\((\d+)\) data", output)[1])
    assert data > 0 and data % int(count) == 0


def resident(process):
    """Returns the resident memory of a process in bytes."""
    with open(f"/proc/{process.pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_call_succeeds_beside_3000_idle_clients():
    idle = []
    with replaying(DEMO) as (process, address):
        host, port = address.rsplit(":", 1)
        before = resident(process)
        for _ in range(3000):
            one = socket.create_connection((host, int(port)))
            one.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
            idle.append(one)
        for one in idle:
            assert one.recv(9)[3] == 4
        with grpc.insecure_channel(address) as channel:
            request = next(entry for entry in read(DEMO) if entry.message.data).message.data
            assert channel.unary_unary(GET_TRIP)(request, timeout=LONGEST)
        assert resident(process) - before < 3000 * (64 << 10)
        for one in idle:
            one.close()


# Slow clients


def test_slow_reader_uses_little_memory(tmp_path):
    """The client has 100 streams of 32 MiB each and reads only the first message."""
    big = bytes(8 << 20)
    write(tmp_path / "big.binlog", call(
        1, ("CLIENT_HEADER", 0), ("CLIENT_MESSAGE", 0, b""), ("CLIENT_HALF_CLOSE", 0),
        *[("SERVER_MESSAGE", 0, big)] * 4, ("SERVER_TRAILER", 0, 0, "")))
    with replaying(tmp_path / "big.binlog") as (process, address):
        before = resident(process)
        options = [("grpc.max_receive_message_length", -1)]
        with grpc.insecure_channel(address, options) as channel:
            talks = [channel.unary_stream(METHOD)(b"") for _ in range(100)]
            assert len(next(talks[0])) == len(big)
            # The server has started to respond to all of them.
            for talk in talks:
                talk.initial_metadata()
            assert resident(process) - before < 32 << 20
            for talk in talks:
                talk.cancel()
            # The next call is served.
            assert sum(map(len, channel.unary_stream(METHOD)(b"", timeout=LONGEST))) == 4 * len(big)


def test_millions_of_empty_frames_use_little_memory(tmp_path):
    """The client has 100 streams of a million empty frames each and reads almost nothing."""
    (tmp_path / "frames.json").write_text(json.dumps({"calls": [{"method": METHOD, "steps": [
        {"message": {"bytes": "aGk=", "split": [0] * 1_000_000}}, {"trailers": {}}]}]}))
    with replaying(tmp_path / "frames.json") as (process, address):
        before = resident(process)
        connection = h2.connection.H2Connection()
        connection.initiate_connection()
        for _ in range(100):
            stream = connection.get_next_available_stream_id()
            connection.send_headers(stream, [
                (":method", "POST"), (":scheme", "http"), (":path", METHOD),
                (":authority", "localhost"), ("te", "trailers"),
                ("content-type", "application/grpc")], end_stream=True)
        host, port = address.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as client:
            client.sendall(connection.data_to_send())
            # The server has read all streams once it responds.
            assert client.recv(1 << 16)
            with grpc.insecure_channel(address) as channel:
                # grpcio rejects so many empty frames.
                assert channel.unary_unary(METHOD).future(b"", timeout=LONGEST).code()
            assert resident(process) - before < 32 << 20
