"""Does `tripwire replay` respond to our client and others as the recorded server did?"""

import gzip
import json
import os
import re
import signal

import h2.events
import pytest

from support.command import LONGEST, TOOLS, assert_failed, exactly, replaying, run, running, tripwire
from peers.recordings import binary_log
from support.paths import PROTOS, RECORDINGS
from tests.replay.test_replay_frames import Peer

DEMO = RECORDINGS / "demo.binlog"
TRIP, VEHICLE, MISSING = (
    ("TripService/GetTrip", "providers/demo/trips/t1"),
    ("VehicleService/GetVehicle", "providers/demo/vehicles/v1"),
    ("TripService/GetTrip", "providers/demo/trips/missing"),
)
RECORDED = pytest.mark.parametrize(
    "call", [TRIP, VEHICLE, MISSING], ids=["trip", "vehicle", "missing"])


@pytest.fixture(scope="module")
def replay():
    """The address of a running `tripwire replay` of the demo."""
    with replaying(DEMO) as (_, address):
        yield address


def grpcurl(address, call, protoset):
    method, name = call
    return run(TOOLS / "grpcurl", "-plaintext", "-protoset", protoset, "-format-error", "-d",
               json.dumps({"name": name}), address, f"maps.fleetengine.v1.{method}")


def buf_curl(address, call):
    method, name = call
    return run(TOOLS / "buf", "curl", "--protocol", "grpc", "--http2-prior-knowledge", "--schema",
               PROTOS, "-d", json.dumps({"name": name}),
               f"http://{address}/maps.fleetengine.v1.{method}")


def assert_same(ours, theirs):
    assert (ours.returncode, ours.stdout, ours.stderr) == (
        theirs.returncode, theirs.stdout, theirs.stderr)


@RECORDED
def test_grpcurl_output_equals_that_with_grpcio(replay, server, protoset, call):
    ours = grpcurl(replay, call, protoset)
    assert_same(ours, grpcurl(server.address, call, protoset))
    assert ours.returncode == (69 if call is MISSING else 0)


@RECORDED
def test_buf_curl_output_equals_that_with_grpcio(replay, server, call):
    ours = buf_curl(replay, call)
    assert_same(ours, buf_curl(server.address, call))
    assert ours.returncode == (5 << 3 if call is MISSING else 0)


@RECORDED
def test_get_output_equals_that_with_grpcio(replay, server, call):
    def get(address):
        result = tripwire("get", call[1], "--plaintext", "--endpoint", address)
        result.stderr = result.stderr.replace(address, "HOST:PORT")
        return result

    assert get(replay) == get(server.address)


@RECORDED
def test_get_replays_without_a_server(server, call):
    theirs = tripwire("get", call[1], "--plaintext", "--endpoint", server.address)
    ours = tripwire("get", call[1], "--replay", DEMO)
    assert (ours.code, ours.stdout) == (theirs.code, theirs.stdout)


def test_recorded_error_keeps_its_details():
    result = tripwire("get", MISSING[1], "--replay", DEMO)
    assert_failed(result, 69, "NOT_FOUND", "providers/demo/trips/missing does not exist",
                  lines=["it was never created", "a1b2c3d4"])


def test_unrecorded_request_is_not_found_and_recorded_ones_are_listed():
    result = tripwire("get", "providers/demo/trips/t2", "--replay", DEMO)
    assert_failed(result, 69, "NOT_FOUND", "providers/demo/trips/t2", "providers/demo/trips/t1")


def test_unrecorded_method_fails_and_the_server_continues(replay, protoset):
    for _ in range(2):
        result = run(
            TOOLS / "grpcurl", "-plaintext", "-protoset", protoset, "-d",
            '{"parent": "providers/demo"}', replay, "maps.fleetengine.v1.TripService/SearchTrips")
        assert result.returncode in (69, 76), result.stderr
        assert result.stdout == ""


def test_different_request_for_the_same_trip_is_not_found(replay):
    result = tripwire("get", TRIP[1], "--replay", DEMO, "--view", "sdk")
    assert_failed(result, 69, 'view: unset in the recording, "SDK" in this request')


def test_request_header_and_version_stamps_are_ignored(replay):
    plain = tripwire("get", TRIP[1], "--replay", DEMO)
    request = {"name": TRIP[1], "header": {"languageCode": "fr"},
               "currentRouteSegmentVersion": "2026-11-21T09:00:00Z",
               "remainingWaypointsVersion": "2026-11-21T09:00:00Z"}
    result = tripwire("call", TRIP[0], "-d", json.dumps(request), "--replay", DEMO)
    assert (result.code, exactly(result.stdout)) == (0, exactly(plain.stdout))


def test_option_requires_a_token(server, tmp_path):
    token = "one.that-is.not-checked"
    (tmp_path / "token").write_text(token)
    with replaying(DEMO, "--require-token") as (process, address):
        at = ["--endpoint", address, "--plaintext"]
        refused = tripwire("get", TRIP[1], *at, "--error-format", "json")
        accepted = tripwire("get", TRIP[1], *at, "--token-file", tmp_path / "token")
        reflected = run(TOOLS / "grpcurl", "-plaintext", address, "list")
        process.terminate()
        log = process.stdout.read().decode()
    error = json.loads(refused.stderr)
    assert (error["code"], error["details"][0]["reason"]) == (
        "UNAUTHENTICATED", "CREDENTIALS_MISSING")
    assert (accepted.code, reflected.returncode) == (0, 0)
    assert token not in log + accepted.stdout + accepted.stderr


def test_connection_with_much_decompressed_data_yields():
    """One connection sends 15 messages of 4 MB, compressed into one read. A call of another connection,
    which arrives right after them, is answered before the last of them is rejected."""
    bomb = gzip.compress(bytes(4_000_000), 9)
    framed = b"\1" + len(bomb).to_bytes(4, "big") + bomb

    path = f"/maps.fleetengine.v1.{TRIP[0]}"
    with replaying(DEMO, "-v") as (process, address):
        greedy, other = Peer(address), Peer(address)
        for peer in greedy, other:
            peer.until(h2.events.SettingsAcknowledged)
        for _ in range(15):
            greedy.ask(framed, path, ("grpc-encoding", "gzip"))
        name = TRIP[1].encode()
        other.ask(b"\0\0\0\0" + bytes([len(name) + 2, 0x1a, len(name)]) + name, path)
        # Both arrive before the server continues.
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        for peer in greedy, other:
            peer.socket.sendall(peer.connection.data_to_send())
        process.send_signal(signal.SIGCONT)
        other.until(h2.events.StreamEnded)
        for _ in range(15):
            greedy.until(h2.events.StreamEnded)
        process.terminate()
        lines = process.communicate(timeout=LONGEST)[0].decode().splitlines()
    calls = [line for line in lines if TRIP[0] in line]
    [place] = [place for place, line in enumerate(calls) if f" {TRIP[1]} OK " in line]
    assert len(calls) == 16 and place < 15, lines


@pytest.mark.parametrize("secure", [False, True])
def test_first_line_has_address_protocol_and_content(certificates, secure):
    files = ["--tls-cert", certificates.good.chain, "--tls-key", certificates.good.key]
    with running("replay", DEMO, *(files if secure else [])) as process:
        line = process.stdout.readline().decode()
    name = "TLS" if secure else "plaintext"
    assert re.fullmatch(
        rf"listening on 127\.0\.0\.1:\d+ \({name}\): 3 calls of 2 methods of .*demo\.binlog\n",
        line), line


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_replay_with_0(end):
    with replaying(DEMO) as (process, _):
        process.send_signal(end)
        assert process.wait(LONGEST) == 0


@pytest.mark.parametrize("command", [["replay"], ["get", TRIP[1], "--replay"]])
def test_missing_recording_is_reported(command):
    assert_failed(tripwire(*command, "absent.binlog"), 1, "absent.binlog")


@pytest.mark.parametrize("damage", [
    lambda data: data[:4] + b"\xff" * 40,
    lambda data: b"not a recording", lambda data: b"\x00\x00", lambda data: b"",
], ids=["overwritten", "another-file", "two-bytes", "empty"])
@pytest.mark.parametrize("command", [["replay"], ["get", TRIP[1], "--replay"]])
def test_damaged_recording_is_reported(tmp_path, command, damage):
    path = tmp_path / "damaged.binlog"
    path.write_bytes(damage(DEMO.read_bytes()))
    assert_failed(tripwire(*command, path), 1, "damaged.binlog")


@pytest.mark.parametrize("damage", [
    lambda data: b"\xff" + data, lambda data: data + b"\xff" * 40 + data,
    lambda data: data[:-30] + data,
], ids=["shifted", "garbage-between", "appended-after-truncated"])
def test_readable_part_of_a_damaged_recording_is_replayed(tmp_path, damage):
    path = tmp_path / "damaged.binlog"
    path.write_bytes(damage(DEMO.read_bytes()))
    whole = tripwire("get", TRIP[1], "--replay", DEMO)
    result = tripwire("get", TRIP[1], "--replay", path)
    assert (result.code, result.stdout) == (0, whole.stdout)
    assert re.match(r"warning: .*damaged\.binlog: entry \d+ at byte \d+ is damaged .* skipped", result.stderr)


def test_truncated_recording_is_replayed_up_to_its_end(tmp_path):
    path = tmp_path / "cut.binlog"
    path.write_bytes(DEMO.read_bytes()[:-1])
    whole = tripwire("get", TRIP[1], "--replay", DEMO)
    result = tripwire("get", TRIP[1], "--replay", path)
    assert (result.code, result.stdout) == (0, whole.stdout)
    assert "cut.binlog" in result.stderr
    assert_failed(tripwire("get", MISSING[1], "--replay", path), 69, lines=["cut.binlog"])


def test_truncated_message_is_not_replayed(tmp_path):
    entries = binary_log.read(DEMO)
    for entry in entries:
        if entry.message.data:
            entry.message.data, entry.payload_truncated = entry.message.data[:20], True
    binary_log.write(tmp_path / "truncated.binlog", entries)
    result = tripwire("get", TRIP[1], "--replay", tmp_path / "truncated.binlog")
    assert result.code != 0
    assert result.stdout == ""
    assert "truncated" in result.stderr
