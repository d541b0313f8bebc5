"""Does `--record` write calls in gRPC's binary log format, without credentials?"""

import contextlib
import json
import signal
import subprocess
import time

import pytest

from support.command import LONGEST, assert_failed, binary, environment, replaying, tripwire
from support.emulator import emulating
from support.following import following
from peers.recordings import binary_log
from peers.servers import demo
from peers.tls import echo_server
from peers.fleet import Fleet
from peers.servers.stale_tokens import alternating_command
from support.paths import RECORDINGS
from support.recordings.recording import events, get

DEMO = RECORDINGS / "demo.binlog"
T1 = "providers/demo/trips/t1"
TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"


def test_call_to_grpcio_is_recorded(server, log):
    result = get(server, T1, "--record", log, "-H", "x-user: anna")
    assert result.code == 0 and not result.stderr
    entries = binary_log.read(log)
    assert events(entries, 1) == [
        "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_HEADER",
        "SERVER_MESSAGE", "SERVER_TRAILER"]
    assert [e.sequence_id_within_call for e in entries] == [1, 2, 3, 4, 5, 6]
    header = entries[0].client_header
    assert header.method_name == "/maps.fleetengine.v1.TripService/GetTrip"
    assert header.authority == server.address
    assert header.timeout.ToSeconds() == 15
    metadata = {entry.key: entry.value for entry in header.metadata.entry}
    assert metadata.pop("x-goog-api-client").startswith(b"gl-swift/")
    assert metadata == {
        "x-user": b"anna", "google-cloud-resource-prefix": b"providers/demo",
        "x-goog-request-params": b"provider_id=providers%2Fdemo"}
    assert entries[3].peer.address == "127.0.0.1" and entries[3].peer.ip_port == server.port
    assert [e for e in entries if e.HasField("peer")] == [entries[3]]
    assert entries[4].message.data == demo.trip(T1).SerializeToString()
    times = [e.timestamp.ToNanoseconds() for e in entries]
    assert times == sorted(times)


@pytest.mark.parametrize("source", ["TRIPWIRE_TOKEN", "--token-file", "--token-command", "-H"])
def test_sent_token_is_not_recorded(server, log, tmp_path, source):
    (tmp_path / "token").write_text(TOKEN)
    options, variables = {
        "TRIPWIRE_TOKEN": ([], {"TRIPWIRE_TOKEN": TOKEN}),
        "--token-file": (["--token-file", tmp_path / "token"], {}),
        "--token-command": (["--token-command", f"cat {tmp_path}/token"], {}),
        "-H": (["-H", f"authorization: Bearer {TOKEN}", "-H", f"x-other: {TOKEN}",
                "-H", "cookie: a=hush"], {}),
    }[source]
    result = get(server, "providers/demo/trips/echo", "--record", log, *options, **variables)
    assert result.code == 0
    # The message that echoes the request starts at the name; the headers before it have no token.
    data = log.read_bytes()
    sent = data[:data.index(b"providers/demo/trips/echo")]
    for word in [b"authorization", b"Bearer", b"hush", b"cookie", TOKEN.split(".")[1].encode()]:
        assert word not in sent


@pytest.mark.parametrize("token", [TOKEN, "an-opaque-one-0123456789abcdefghijklmnopqrstuvwxyz"])
def test_echoed_token_is_not_recorded(log, tmp_path, token):
    """The server echoes the token everywhere, both when it refuses it and when it accepts the next."""
    fresh = token.replace("a", "b").replace("e", "c")
    with echo_server.server() as address:
        result = get(
            address, "providers/demo/trips/echo", "--record", log,
            "--token-command", alternating_command(tmp_path, token, fresh))
    assert result.code == 0 and fresh in result.stdout
    data = log.read_bytes()
    for secret in [token, fresh]:
        pieces = {secret[i:i + 16].encode() for i in range(len(secret) - 15)}
        assert not [piece for piece in pieces if piece in data]
    refusal, answer = (
        [e for e in binary_log.read(log) if e.call_id == number] for number in (1, 2))
    assert refusal[-1].trailer.status_message == f"{'*' * len(token)} is stale"
    assert json.dumps({"Authorization": "Bearer " + "*" * len(fresh)}).encode() in data
    assert len(answer) == 6 and answer[-1].trailer.status_code == 0


def test_errors_are_recorded(server, log):
    assert get(server, "providers/demo/trips/missing", "--record", log).code == 69
    assert get("127.0.0.1:1", T1, "--record", log).code == 78
    entries = binary_log.read(log)
    assert [e.call_id for e in entries] == [1, 1, 1, 1, 2, 2, 2, 2]
    trailer = entries[3].trailer
    assert trailer.status_code == 5 and "missing" in trailer.status_message
    assert b"type.googleapis.com/" in trailer.status_details
    assert entries[3].peer.ip_port == server.port
    assert events(entries, 2) == [
        "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_TRAILER"]
    assert [e.message.data for e in entries[1::4]] == [
        b"\x1a" + bytes([len(name)]) + name.encode()
        for name in ["providers/demo/trips/missing", T1]]
    assert entries[7].trailer.status_code == 14 and not entries[7].HasField("peer")


def timeline(log):
    """Returns the timeline of the trip t1."""
    result = tripwire("log", log, "--trip", "t1", "--json")
    assert result.code == 0 and not result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_outage_is_in_the_timeline(log, tmp_path):
    state = ["--state", tmp_path / "state"]
    with contextlib.ExitStack() as stack:
        with emulating("--seed", "demo", *state) as emulator:
            follow = stack.enter_context(following(emulator.address, T1, options=["--plaintext", "--record", log]))
            follow.until_status("ENROUTE_TO_PICKUP")
        # These calls are never sent.
        follow.until(lambda line: "refused" in line.get("error", {}).get("message", ""))
        stack.enter_context(emulating("--listen", emulator.address, *state))
        follow.until_recovered()
        follow.process.send_signal(signal.SIGINT)
        assert follow.end() == 130
    entries = binary_log.read(log)
    refused = next(e for e in entries if "refused" in e.trailer.status_message)
    assert events(entries, refused.call_id) == [
        "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_TRAILER"]
    reported = [line for line in timeline(log) if line["event"] in ("error", "recovered")]
    assert [line["event"] for line in reported][-1] == "recovered"
    assert {line["code"] for line in reported if line["event"] == "error"} == {"UNAVAILABLE"}


def test_failing_token_command_is_in_the_timeline(server, log):
    options = ["--plaintext", "--record", log, "--token-command", "false"]
    with following(server.address, T1, options=options) as follow:
        follow.until_error("UNAUTHENTICATED")
        follow.process.send_signal(signal.SIGINT)
        follow.process.wait(LONGEST)
    entries = binary_log.read(log)
    assert events(entries, 1) == [
        "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_TRAILER"]
    assert "google-cloud-resource-prefix" in {
        entry.key for entry in entries[0].client_header.metadata.entry}
    assert [line["code"] for line in timeline(log) if line["event"] == "error"] == ["UNAUTHENTICATED"]


def test_every_call_of_follow_is_recorded(log):
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        with following(
                fleet.address, trip,
                options=["--plaintext", "--interval", "100ms", "--record", log]) as follow:
            for status in ["NEW", "ENROUTE_TO_PICKUP", "COMPLETE"]:
                trip.go(status)
                follow.until_status(status)
            assert follow.end() == 0
    entries = binary_log.read(log)
    count = max(e.call_id for e in entries)
    assert count >= 3
    for call_id in range(1, count + 1):
        assert events(entries, call_id) == [
            "CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "SERVER_HEADER",
            "SERVER_MESSAGE", "SERVER_TRAILER"]


def test_interrupted_call_is_recorded_as_canceled(log):
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        fleet.faults.hang(times=1)
        process = subprocess.Popen(
            [binary(), "get", trip.name, "--endpoint", fleet.address, "--plaintext", "--record", log],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
        fleet.journal.wait(lambda calls: calls)
        process.send_signal(signal.SIGINT)
        assert process.wait(LONGEST) == 130 and not process.stderr.read()
    assert events(binary_log.read(log), 1)[-1] == "CANCEL"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_recording_is_complete_at_any_end(log, number):
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        trip.go("ENROUTE_TO_PICKUP")
        options = ["--plaintext", "--interval", "100ms", "--record", log]
        with following(fleet.address, trip, options=options) as follow:
            follow.until_status("ENROUTE_TO_PICKUP")
            end = time.monotonic() + LONGEST
            while log.stat().st_size < 5000:
                assert time.monotonic() < end
                time.sleep(0.01)
            follow.process.send_signal(number)
            follow.process.wait(LONGEST)
        # The next recording is appended.
        assert get(fleet.address, trip.name, "--record", log).code == 0
    entries = binary_log.read(log)
    assert events(entries, 1)[-1] == "SERVER_TRAILER"
    last = max(e.call_id for e in entries)
    assert events(entries, last)[-1] == "SERVER_TRAILER" and last > 1


def test_reflection_calls_are_recorded(log):
    with replaying(DEMO) as (_, address):
        result = tripwire("list", "--endpoint", address, "--plaintext", "--record", log)
    assert result.code == 0 and not result.stderr
    entries = binary_log.read(log)
    assert {e.client_header.method_name for e in entries if e.HasField("client_header")} == {
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"}
    # The client cancels the stream once it has the types.
    assert events(entries, 1)[-1] == "CANCEL"


def test_filters_select_the_recorded_calls(server, log):
    trips = "maps.fleetengine.v1.TripService/"
    for filters in [f"{trips}*{{h;m:8}},-{trips}GetTrip", f"*,-{trips}GetTrip"]:
        result = get(server, T1, "--record", log, "--record-filter", filters)
        assert result.code == 0 and not result.stderr
        assert binary_log.read(log) == []
    filters = "maps.fleetengine.v1.TripService/*{h:0;m:8}"
    assert get(server, T1, "--record", log, "--record-filter", filters).code == 0
    entries = binary_log.read(log)
    assert [e.payload_truncated for e in entries] == [True, True, False, False, True, False]
    assert entries[4].message.data == demo.trip(T1).SerializeToString()[:8]
    assert entries[4].message.length == len(demo.trip(T1).SerializeToString())
    result = get(server, T1, "--record", log, "--record-filter", "GetTrip")
    assert_failed(result, 2, error='--record-filter GetTrip: "GetTrip": expected *, package.Service/* or package.Service/Method')
    result = get(server, T1, "--record-filter", "*")
    assert_failed(result, 2, "--record-filter requires --record")


def test_filter_without_match_is_reported(server, log):
    result = get(server, T1, "--record", log, "--record-filter", "TripService/*")
    assert result.code == 0 and not binary_log.read(log)
    assert "--record-filter matches none of the calls" in result.stderr
