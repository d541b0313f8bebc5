"""Is a replayed recording recorded again equally, and does it equal that of grpcio?"""

import contextlib
import itertools
import math

import pytest

from support.command import at, replayed
from support.following import following
from peers.recordings import binary_log
from peers.servers.fleet_server import FleetServer
from peers.recordings.player import Player
from peers.servers.protosets import compiled
from peers.servers.reflecting import serving
from peers.servers.test_service import Log, TestService
from support.paths import INTEROP, RECORDINGS

AUTHORITY = ["--authority", "fleetengine.googleapis.com"]


@contextlib.contextmanager
def peer(name):
    """Runs the peer that was recorded and yields the options to call it."""
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
            # The recorded timeout is what was left of it, so it is rounded up.
            timeout = entry.client_header.timeout
            timeout.FromSeconds(math.ceil(timeout.ToNanoseconds() / 1e9))
            kept = [e for e in entry.client_header.metadata.entry if e.key != "x-goog-api-client"]
            del entry.client_header.metadata.entry[:]
            entry.client_header.metadata.entry.extend(kept)
    return entries


def assert_same(path, other):
    """Compares two recordings entry by entry."""
    for entry, its in zip(ours := comparable(path), theirs := comparable(other)):
        assert entry == its
    assert len(ours) == len(theirs)


@pytest.mark.parametrize("name", ["demo", "methods", "statuses", "streams"])
def test_calls_round_trip(repeater, tmp_path, name):
    recording = RECORDINGS / f"{name}.binlog"
    live, again = tmp_path / "live.binlog", tmp_path / "again.binlog"
    with peer(name) as options:
        results = repeater.repeat(binary_log.read(recording), *options, "--record", live)
    assert_same(live, recording)
    assert repeater.repeat(binary_log.read(live), "--replay", live, "--record", again) == results
    assert_same(again, live)


@pytest.mark.parametrize("name", ["demo", "methods", "statuses", "streams"])
def test_replays_equal_the_recording(repeater, tmp_path, name):
    recording, replay = RECORDINGS / f"{name}.binlog", tmp_path / "replay.binlog"
    repeater.repeat(binary_log.read(recording), *replayed(name), "--record", replay)
    assert_same(replay, recording)


@pytest.mark.parametrize("name", ["trip", "canceled", "quota"])
def test_followed_trips_round_trip(tmp_path, name):
    """The client polls a server of grpcio."""
    assert_same(polled(tmp_path, name), RECORDINGS / f"{name}.binlog")


def test_followed_trip_with_an_outage_round_trips(tmp_path):
    """The number of failed calls, their messages and the progress of the trip after them vary, so these
    are not compared."""
    ours, theirs = (
        around_the_outage(path)
        for path in (polled(tmp_path, "flapping"), RECORDINGS / "flapping.binlog"))
    assert ours == theirs


def around_the_outage(path):
    """Returns the calls before the outage, and the events and status codes of the calls after it.

    The requests of the failed calls must equal that of the first call after the outage.
    """
    calls = {}
    for entry in comparable(path):
        calls.setdefault(entry.call_id, []).append(entry)
        entry.ClearField("call_id")
    calls = list(calls.values())
    failed = [call for call in calls if call[-1].trailer.status_code == 14
            and call[-1].trailer.status_message != "the backend restarts"]
    assert failed
    start = calls.index(failed[0])
    assert calls[start:start + len(failed)] == failed
    after = calls[start + len(failed):]
    for call in failed:
        assert call[:-1] == after[0][:len(call) - 1]
    return calls[:start], [[(e.type, e.trailer.status_code) for e in call] for call in after]


def polled(folder, name):
    """Records the polls of a recording that grpcio serves, and checks that a replay is recorded equally."""
    logs = [folder / f"{number}.binlog" for number in range(3)]
    with Player(name) as player:
        follow(logs[0], *at(player.address))
    for before, after in itertools.pairwise(logs):
        follow(after, "--replay", before)
        assert_same(after, before)
    return logs[0]


def follow(log, *options):
    with following(None, "providers/demo/trips/t1", options=[*AUTHORITY, *options, "--record", log]) as follow:
        follow.end()
