"""Do the recordings in git match grpcio and the rules of gRPC's binary logs?"""

import re

import pytest

import make_recordings
from peers.recordings import binary_log
from support.paths import RECORDINGS
from support.recordings.recording import events

PORT = 50051
READ = {path.stem: binary_log.read(path) for path in RECORDINGS.glob("*.binlog")}
EACH = pytest.mark.parametrize("name", sorted(READ))
REQUEST = ["CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE"]
ANSWER = ["SERVER_HEADER", "SERVER_MESSAGE", "SERVER_TRAILER"]
# The maximum total size in bytes, because the files are in git.
LARGEST = 350_000


def calls(name):
    """Returns the entries of each call."""
    found = {}
    for entry in READ[name]:
        found.setdefault(entry.call_id, []).append(entry)
    return list(found.values())


@pytest.mark.parametrize("name", make_recordings.MAKERS)
def test_regeneration_changes_only_the_port(name):
    made = make_recordings.MAKERS[name]()
    [port] = {entry.peer.ip_port for entry in made if entry.HasField("peer")}
    assert len(made) == len(READ[name])
    for new, old in zip(made, READ[name]):
        if new.HasField("peer"):
            new.peer.ip_port = PORT
        # The error message of a lost connection differs each time.
        for entry in (new, old):
            if entry.HasField("trailer"):
                entry.trailer.status_message = re.sub(
                    r"(recv|send)msg: ?", "", entry.trailer.status_message).replace(
                        f":{port}", f":{PORT}")
        assert new == old


def test_recordings_are_small():
    assert sum(path.stat().st_size for path in RECORDINGS.glob("*.binlog")) < LARGEST


@EACH
def test_calls_and_entries_are_numbered_from_one(name):
    assert [call[0].call_id for call in calls(name)] == list(range(1, len(calls(name)) + 1))
    for call in calls(name):
        assert [e.sequence_id_within_call for e in call] == list(range(1, len(call) + 1))


@EACH
def test_timestamps_increase(name):
    times = [entry.timestamp.ToNanoseconds() for entry in READ[name]]
    assert times == sorted(set(times))


def test_events_are_in_order():
    assert [events(READ["demo"], call_id) for call_id in (1, 2, 3)] == [
        REQUEST + ANSWER, REQUEST + ANSWER, REQUEST + ["SERVER_TRAILER"]]


@EACH
def test_first_server_entry_has_the_peer(name):
    for call in calls(name):
        from_server = [e for e in call if e.EventType.Name(e.type).startswith("EVENT_TYPE_SERVER")]
        with_peer = [e for e in call if e.HasField("peer")]
        assert with_peer == from_server[:1] or not with_peer and is_lost(call)


def is_lost(call):
    return [e.trailer.status_code for e in call if e.HasField("trailer")] == [14]


@EACH
def test_recording_has_no_credentials_and_no_grpc_headers(name):
    data = (RECORDINGS / f"{name}.binlog").read_bytes()
    assert b"authorization" not in data and b"Bearer" not in data
    for entry in READ[name]:
        for event in (entry.client_header, entry.server_header, entry.trailer):
            keys = [each.key for each in event.metadata.entry]
            assert not [k for k in keys if k.startswith("grpc-") or k == "user-agent"]


# Content


def test_every_method_is_recorded():
    methods = {call[0].client_header.method_name for call in calls("methods")}
    assert len(methods) == 13
    assert all(events(call, call[0].call_id) == REQUEST + ANSWER for call in calls("methods"))


def test_every_status_is_recorded_with_and_without_details():
    trailers = [call[-1].trailer for call in calls("statuses")]
    for details in (False, True):
        assert {t.status_code for t in trailers if bool(t.status_details) is details} == set(
            range(17))
    first = {call[3].type for call in calls("statuses")}
    assert len(first) == 2, "with headers, and trailers alone"


@pytest.mark.parametrize("name, local", [("quota", 0), ("flapping", 2), ("trip", 0)])
def test_network_and_server_failures_are_distinguished(name, local):
    ends = [call for call in calls(name) if call[-1].trailer.status_code]
    assert len([call for call in ends if not any(e.HasField("peer") for e in call)]) == local


def test_all_kinds_of_calls_are_recorded():
    assert {e.client_header.method_name.rpartition("/")[2] for e in READ["streams"]
            if e.HasField("client_header")} == {
        "EmptyCall", "UnaryCall", "StreamingOutputCall", "StreamingInputCall", "FullDuplexCall"}
    assert "CANCEL" in events(READ["streams"], len(calls("streams")))


def test_trip_is_polled_every_5_seconds_of_fleet_time():
    begins = [call[0].timestamp.ToSeconds() for call in calls("trip")]
    assert {after - before for before, after in zip(begins, begins[1:])} == {5}
