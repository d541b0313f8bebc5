"""Recorded by our client, replayed, and recorded again: is it the same, and what grpcio recorded?"""

import contextlib
import itertools
import math

import pytest

from support.command import at, replayed
from support.following import following
from peers.recordings import binary_log
from peers.servers.fleet_server import FleetServer
from peers.recordings.journeys import STORIES, Journey
from peers.servers.protosets import compiled
from peers.servers.reflecting import serving
from peers.servers.test_service import Log, TestService
from support.places import INTEROP, RECORDINGS
from support.retelling import Retelling

AUTHORITY = ["--authority", "fleetengine.googleapis.com"]


@pytest.fixture(scope="module")
def retelling(tmp_path_factory):
    return Retelling(tmp_path_factory.mktemp("retelling"))


@contextlib.contextmanager
def peer(name):
    """The options to call the one that the recording was made of."""
    if name == "streams":
        service = TestService(compiled(INTEROP / "protos", "grpc/testing/test.proto"), Log(None))
        with serving(service.handlers()) as address:
            yield at(address)
    else:
        with FleetServer() as server:
            yield at(server.address)


def comparable(path):
    """Returns the entries without their times, peers, and the client's own headers."""
    entries = binary_log.read(path)
    for entry in entries:
        entry.ClearField("timestamp")
        entry.ClearField("peer")
        if entry.HasField("client_header"):
            # The rest of the timeout when the call is made.
            timeout = entry.client_header.timeout
            timeout.FromSeconds(math.ceil(timeout.ToNanoseconds() / 1e9))
            kept = [e for e in entry.client_header.metadata.entry if e.key != "x-goog-api-client"]
            del entry.client_header.metadata.entry[:]
            entry.client_header.metadata.entry.extend(kept)
    return entries


def assert_same(path, other):
    """Entry by entry."""
    for entry, its in zip(ours := comparable(path), theirs := comparable(other)):
        assert entry == its
    assert len(ours) == len(theirs)


@pytest.mark.parametrize("name", ["demo", "methods", "statuses", "streams"])
def test_calls(retelling, tmp_path, name):
    recording = RECORDINGS / f"{name}.binlog"
    live, again = tmp_path / "live.binlog", tmp_path / "again.binlog"
    with peer(name) as options:
        said = retelling.tell(binary_log.read(recording), *options, "--record", live)
    assert_same(live, recording)
    assert retelling.tell(binary_log.read(live), "--replay", live, "--record", again) == said
    assert_same(again, live)


@pytest.mark.parametrize("name", ["demo", "methods", "statuses", "streams"])
def test_replays(retelling, tmp_path, name):
    recording, replay = RECORDINGS / f"{name}.binlog", tmp_path / "replay.binlog"
    retelling.tell(binary_log.read(recording), *replayed(name), "--record", replay)
    assert_same(replay, recording)


@pytest.mark.parametrize("name", ["trip", "canceled", "quota"])
def test_trips(tmp_path, name):
    """The responses of a moving fleet to polling."""
    assert_same(polled(tmp_path, name), RECORDINGS / f"{name}.binlog")


def test_a_trip_whose_server_vanishes(tmp_path):
    """How often it is asked in vain then, in which words that fails, and how far the trip has come
    when it is back, is another each time."""
    ours, theirs = (
        around_the_gap(path)
        for path in (polled(tmp_path, "flapping"), RECORDINGS / "flapping.binlog"))
    assert ours == theirs


def around_the_gap(path):
    """The calls before those that nobody answered, which were made as the one after them, and how those
    went that were answered again."""
    calls = {}
    for entry in comparable(path):
        calls.setdefault(entry.call_id, []).append(entry)
        entry.ClearField("call_id")
    calls = list(calls.values())
    vain = [call for call in calls if call[-1].trailer.status_code == 14
            and call[-1].trailer.status_message != "the backend restarts"]
    assert vain
    start = calls.index(vain[0])
    assert calls[start:start + len(vain)] == vain
    after = calls[start + len(vain):]
    for call in vain:
        assert call[:-1] == after[0][:len(call) - 1]
    return calls[:start], [[(e.type, e.trailer.status_code) for e in call] for call in after]


def polled(folder, name):
    """A recording of what is polled of a moving fleet; when that is replayed, the same is recorded."""
    logs = [folder / f"{number}.binlog" for number in range(3)]
    with Journey(STORIES[name]) as fleet:
        follow(fleet.trip, logs[0], *at(fleet.address))
    for before, after in itertools.pairwise(logs):
        follow(fleet.trip, after, "--replay", before)
        assert_same(after, before)
    return logs[0]


def follow(trip, log, *options):
    with following(None, trip, options=[*AUTHORITY, *options, "--record", log]) as follow:
        follow.end()
