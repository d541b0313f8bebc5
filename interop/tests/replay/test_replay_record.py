"""Does `tripwire replay --record` write the same calls as clients, without credentials?"""

import json
import signal
import time

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from support.command import LONGEST, assert_failed, at, replaying, tripwire
from peers.recordings import binary_log
from peers.servers import demo
from peers.recordings.recorder import Recorder
from support.paths import RECORDINGS

DEMO = RECORDINGS / "demo.binlog"
GET_TRIP = "/maps.fleetengine.v1.TripService/GetTrip"
T1 = "providers/demo/trips/t1"
TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
KINDS = ["demo", "methods", "statuses", "streams"]


@pytest.fixture
def log(tmp_path):
    return tmp_path / "server.binlog"


def end_server(process):
    """Ends a server, so that everything is written."""
    process.send_signal(signal.SIGTERM)
    assert process.wait(LONGEST) == 0


def event(entry):
    return entry.EventType.Name(entry.type).removeprefix("EVENT_TYPE_")


def calls(entries):
    """Returns the entries of each call, in the order in which the calls begin."""
    found = {}
    for entry in entries:
        found.setdefault(entry.call_id, []).append(entry)
    return list(found.values())


def side_of_call(entries, side):
    """Returns the entries of one side of a call without times, peers and their order among both sides.

    The value of a timeout is left out, because it depends on the load of the machine.
    """
    kept = []
    for entry in entries:
        if event(entry).startswith(side) or side == "CLIENT_" and event(entry) == "CANCEL":
            for field in ("timestamp", "peer", "logger", "sequence_id_within_call"):
                entry.ClearField(field)
            if entry.HasField("client_header"):
                timeout = entry.client_header.timeout
                timeout.FromSeconds(min(1, timeout.ToNanoseconds()))
            kept.append(entry)
    return kept


def assert_agree(ours, theirs):
    ours, theirs = calls(ours), calls(theirs)
    assert len(ours) == len(theirs)
    for mine, its in zip(ours, theirs):
        for side in ("CLIENT_", "SERVER_"):
            assert side_of_call(mine, side) == side_of_call(its, side)


# Content


@pytest.mark.parametrize("name", KINDS)
def test_client_and_server_record_the_same(repeater, log, tmp_path, name):
    recording = RECORDINGS / f"{name}.binlog"
    client = tmp_path / "client.binlog"
    with replaying(recording, "--record", log) as (process, address):
        repeater.repeat(binary_log.read(recording), *at(address), "--record", client)
        end_server(process)
    assert_agree(binary_log.read(log), binary_log.read(client))


@pytest.mark.parametrize("name", KINDS)
def test_server_recording_equals_that_of_grpcio(log, name):
    """grpcio repeats the calls of a recording."""
    recording = RECORDINGS / f"{name}.binlog"
    with replaying(recording, "--record", log) as (process, address):
        with Recorder(address, calls(binary_log.read(recording))[0][0].client_header.authority,
                      demo.NOW) as recorder:
            for call in calls(binary_log.read(recording)):
                repeat_call(call, recorder)
        end_server(process)
    assert_agree(binary_log.read(log), recorder.entries)
    assert_agree(recorder.entries, binary_log.read(recording))


def repeat_call(call, recorder):
    turns, end = [], "TRAILER"
    for entry in call:
        match event(entry):
            case "CLIENT_MESSAGE": turns.append((entry.message.data, 0))
            case "SERVER_MESSAGE" if end == "TRAILER":
                turns[-1] = (turns[-1][0], turns[-1][1] + 1)
            case "CLIENT_HALF_CLOSE": end = "HALF_CLOSE"
            case "CANCEL": end = "CANCEL"
    header = call[0].client_header
    metadata = [
        (each.key, each.value if each.key.endswith("-bin") else each.value.decode())
        for each in header.metadata.entry]
    recorder.converse(header.method_name, turns, metadata, end=end)


def test_first_entry_has_the_peer_and_all_have_times(log):
    before = time.time_ns()
    with replaying(DEMO, "--record", log) as (process, address):
        with Recorder(address, "localhost", demo.NOW) as recorder:
            call, = calls(binary_log.read(DEMO))[:1]
            repeat_call(call, recorder)
        end_server(process)
    entries = binary_log.read(log)
    assert [event(e) for e in entries] == [
        "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_HEADER",
        "SERVER_MESSAGE", "SERVER_TRAILER"]
    assert {e.Logger.Name(e.logger) for e in entries} == {"LOGGER_SERVER"}
    assert [e.sequence_id_within_call for e in entries] == [1, 2, 3, 4, 5, 6]
    assert [e for e in entries if e.HasField("peer")] == entries[:1]
    peer = entries[0].peer
    assert peer.type == peer.TYPE_IPV4 and peer.address == "127.0.0.1"
    assert peer.ip_port not in (0, int(address.split(":")[1]))
    times = [before, *(e.timestamp.ToNanoseconds() for e in entries), time.time_ns()]
    assert times == sorted(times)
    assert oct(log.stat().st_mode)[-3:] == "600"


@pytest.mark.parametrize("name", ["authorization", "cookie", "x-api-key", "x-other"])
def test_token_is_not_recorded(log, name):
    value = {"authorization": f"Bearer {TOKEN}", "cookie": f"a={TOKEN}"}.get(name, TOKEN)
    with replaying(DEMO, "--record", log) as (process, address):
        with grpc.insecure_channel(address) as channel:
            channel.unary_unary(GET_TRIP)(
                request(T1), timeout=LONGEST, metadata=[(name, value), ("x-user", "anna")])
            with pytest.raises(grpc.RpcError):
                # The token is also in the request, and in the response that echoes it.
                channel.unary_unary(GET_TRIP)(
                    request(f"providers/demo/trips/{TOKEN}"), timeout=LONGEST,
                    metadata=[(name, value)])
        end_server(process)
    data = log.read_bytes()
    pieces = {TOKEN[i:i + 16].encode() for i in range(len(TOKEN) - 15)}
    assert b"anna" in data and name.encode() not in data
    assert not [piece for piece in pieces if piece in data]
    assert binary_log.read(log)[-1].trailer.status_code == 5


def request(name):
    octets = name.encode()
    return b"\x1a" + bytes([len(octets)]) + octets


def test_unanswered_calls_are_recorded(log):
    with replaying(DEMO, "--require-token", "--record", log) as (process, address):
        for method, name, metadata in [
                ("/a.B/C", T1, []), (GET_TRIP, T1, []),
                (GET_TRIP, "providers/demo/trips/none", [("authorization", "Bearer x")])]:
            with grpc.insecure_channel(address) as channel, pytest.raises(grpc.RpcError):
                channel.unary_unary(method)(request(name), timeout=LONGEST, metadata=metadata)
        end_server(process)
    written = calls(binary_log.read(log))
    assert [call[0].client_header.method_name for call in written] == ["/a.B/C", GET_TRIP, GET_TRIP]
    assert [call[-1].trailer.status_code for call in written] == [12, 16, 5]
    assert b"CREDENTIALS_MISSING" in written[1][-1].trailer.status_details
    assert [event(e) for e in written[2]] == [
        "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_TRAILER"]


def test_canceled_calls_are_recorded(log):
    with replaying(RECORDINGS / "streams.binlog", "--record", log) as (process, address):
        with grpc.insecure_channel(address) as channel:
            watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            assert next(watch).status == 1
            watch.cancel()
            check = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=LONGEST)
            assert check.status == 1
        tripwire("list", *at(address))
        end_server(process)
    watched, checked, reflected = calls(binary_log.read(log))
    assert [event(e) for e in watched] == [
        "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_HEADER",
        "SERVER_MESSAGE", "CANCEL"]
    assert checked[0].client_header.method_name == "/grpc.health.v1.Health/Check"
    assert checked[-1].trailer.status_code == 0 and event(checked[-1]) == "SERVER_TRAILER"
    assert reflected[0].client_header.method_name.endswith("/ServerReflectionInfo")


# Use


def test_server_recording_can_be_listed_and_replayed(log, tmp_path):
    with replaying(DEMO, "--record", log) as (process, address):
        live = [tripwire("get", name, *at(address), "--error-format", "json")
                for name in (T1, "providers/demo/trips/missing")]
        end_server(process)
    again = [tripwire("get", name, "--replay", log, "--error-format", "json")
             for name in (T1, "providers/demo/trips/missing")]
    assert [(a.code, a.stdout) for a in live] == [(a.code, a.stdout) for a in again]
    listed = tripwire("log", log)
    assert listed.code == 0 and not listed.stderr
    for word in ("server", "GetTrip", "NOT_FOUND", "  t1 "):
        assert word in listed.stdout


def test_filters_and_sizes_work_as_for_clients(log):
    options = ["--record", log, "--record-size", "1000",
               "--record-filter", "maps.fleetengine.v1.TripService/*{h;m:8}"]
    with replaying(DEMO, *options) as (process, address):
        for _ in range(4):
            tripwire("get", T1, *at(address))
        tripwire("get", "providers/demo/vehicles/v1", *at(address))
        end_server(process)
    files = sorted(log.parent.iterdir())
    assert len(files) > 1
    entries = [e for path in files for e in binary_log.read(path)]
    assert {e.client_header.method_name for e in entries if e.HasField("client_header")} == {GET_TRIP}
    assert {len(e.message.data) for e in entries if e.HasField("message")} == {8}


def test_conflicting_options_are_reported(log):
    assert_failed(
        tripwire("replay", DEMO, "--record-filter", "*"), 2,
        error="--record-filter requires --record")
    assert_failed(
        tripwire("replay", DEMO, "--record", DEMO), 2,
        error=f"--record {DEMO}: this file is being read", hint="choose another path for --record")
    log.write_text("some notes")
    assert_failed(tripwire("replay", DEMO, "--record", log), 1, "not a gRPC binary log")


def test_scripted_responses_are_recorded_as_clients_see_them(log, tmp_path):
    steps = [
        [{"reset": "REFUSED_STREAM"}], [{"headers": {"status": 503, "endStream": True}}],
        [{"data": {"bytes": "AAAAAA==", "split": [1, 1]}}, {"data": {"bytes": "AmhpAA=="}},
         {"data": {"bytes": "AAAAAA=="}}, {"trailers": {"code": "ABORTED", "message": "é"}}],
    ]
    script = tmp_path / "made.json"
    script.write_text(json.dumps(
        {"calls": [{"method": "/test.Echo/Say", "steps": each} for each in steps]}))
    with replaying(script, "--record", log) as (process, address):
        with grpc.insecure_channel(address, [("grpc.enable_retries", 0)]) as channel:
            codes = []
            for _ in steps:
                call = channel.unary_stream("/test.Echo/Say")(b"?", timeout=LONGEST)
                with pytest.raises(grpc.RpcError):
                    list(call)
                codes.append(call.code().value[0])
        end_server(process)
    written = calls(binary_log.read(log))
    assert [call[-1].trailer.status_code for call in written] == codes == [14, 14, 10]
    assert [e.message.data for e in written[2][3:] if e.HasField("message")] == [b"hi", b""]
    assert written[2][-1].trailer.status_message == "é"
