"""Is the demo recording what grpcio says, and does it keep the rules of gRPC's binary logs?"""

import make_recordings
from peers import binary_log
from places import RECORDINGS

ENTRIES = binary_log.read(RECORDINGS / "demo.binlog")


def test_making_it_anew_changes_nothing_but_the_port():
    made = make_recordings.demo_entries()
    assert len(made) == len(ENTRIES)
    for new, old in zip(made, ENTRIES):
        if new.HasField("peer"):
            new.peer.ip_port = old.peer.ip_port
        assert new == old


def test_each_call_is_numbered_from_one():
    for call_id in {entry.call_id for entry in ENTRIES}:
        assert call_id > 0
        numbers = [e.sequence_id_within_call for e in ENTRIES if e.call_id == call_id]
        assert numbers == list(range(1, len(numbers) + 1))


def test_events_come_in_order():
    def events(call_id):
        return [e.EventType.Name(e.type).removeprefix("EVENT_TYPE_")
                for e in ENTRIES if e.call_id == call_id]

    request = ["CLIENT_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE"]
    answer = ["SERVER_HEADER", "SERVER_MESSAGE", "SERVER_TRAILER"]
    assert events(1) == request + answer
    assert events(2) == request + answer
    assert events(3) == request + ["SERVER_TRAILER"]


def test_the_first_word_of_the_server_tells_who_it_is():
    with_peer = [(e.call_id, e.EventType.Name(e.type)) for e in ENTRIES if e.HasField("peer")]
    assert with_peer == [
        (1, "EVENT_TYPE_SERVER_HEADER"), (2, "EVENT_TYPE_SERVER_HEADER"),
        (3, "EVENT_TYPE_SERVER_TRAILER")]


def test_no_credentials_and_no_headers_of_grpc_are_in_it():
    data = (RECORDINGS / "demo.binlog").read_bytes()
    for word in [b"authorization", b"Bearer", b"grpc-", b"user-agent"]:
        assert word not in data
