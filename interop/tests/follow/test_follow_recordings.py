"""Does `tripwire follow` report a recorded trip the same from grpcio and from `--replay`?"""

import collections
import contextlib
import re

import pytest

from support.capture import screens
from support.command import at, binary, replayed, replaying
from support.following import following, trip_of
from peers.recordings.player import Player
from support.paths import RECORDINGS

STATUSES = [
    "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP",
    *["ENROUTE_TO_INTERMEDIATE_DESTINATION", "ARRIVED_AT_INTERMEDIATE_DESTINATION"] * 2,
    "ENROUTE_TO_DROPOFF", "COMPLETE"]
TRIP = "providers/demo/trips/t1"

Outcome = collections.namedtuple("Outcome", "follow code")


@pytest.fixture(scope="module")
def outcomes():
    """The outcome of following each trip, live and recorded. All run in parallel to save time."""
    with contextlib.ExitStack() as stack:
        running = {}
        for name in "trip", "canceled", "quota", "flapping":
            player = stack.enter_context(Player(name))
            for kind, options in ("live", at(player.address)), ("recorded", replayed(name)):
                running[name, kind] = stack.enter_context(following(None, TRIP, options=options))
        yield {key: Outcome(follow, follow.end()) for key, follow in running.items()}


@pytest.fixture(params=["live", "recorded"])
def outcome(request, outcomes):
    return lambda name: outcomes[name, request.param]


def changes(follow):
    """Returns the lines that report a change, without the time.

    Lines that only report a stale trip, as on a slow machine, are left out.
    """
    return [{key: line[key] for key in line if key not in ("time", "stale")}
            for line in follow.lines if line.get("changed") != []]


def trips(follow):
    return [trip_of(line) for line in changes(follow) if "trip" in line]


def test_whole_trip_is_followed(outcome):
    follow, code = outcome("trip")
    assert code == 0
    assert follow.statuses == STATUSES
    assert not follow.errors


def test_changed_fields_are_reported(outcome):
    follow, _ = outcome("trip")
    places = {trip.last_location.location.SerializeToString() for trip in trips(follow)}
    assert len(places) > 40
    changed = {field for line in follow.lines for field in line.get("changed", [])}
    assert {"vehicleId", "route", "currentRouteSegmentTraffic", "remainingWaypoints",
            "intermediateDestinationIndex", "remainingDistanceMeters"} <= changed


def test_every_reported_trip_is_complete(outcome):
    """Most responses omit unchanged fields."""
    follow, _ = outcome("trip")
    for trip in trips(follow)[1:-1]:
        assert len(trip.route) == 12 and trip.remaining_waypoints
        assert trip.remaining_distance_meters.value <= 600
        for waypoint in trip.remaining_waypoints[1:]:
            assert len(waypoint.path_to_waypoint) == 12


def test_changed_vehicle_is_reported(outcome):
    follow, _ = outcome("trip")
    assert list(dict.fromkeys(trip.vehicle_id for trip in trips(follow))) == ["", "v1", "v2"]


def test_canceled_trip_exits_with_3(outcome):
    follow, code = outcome("canceled")
    assert code == 3
    assert follow.statuses == ["NEW", "ENROUTE_TO_PICKUP", "CANCELED"]
    assert not follow.errors


def test_exceeded_quota_is_reported_with_details(outcome):
    follow, code = outcome("quota")
    assert code == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "COMPLETE"]
    [error] = [line["error"] for line in follow.lines if "error" in line]
    assert error["code"] == "RESOURCE_EXHAUSTED"
    kinds = {detail["@type"].rpartition(".")[2]: detail for detail in error["details"]}
    assert kinds["RetryInfo"]["retryDelay"] == "1.500s"
    [violation] = kinds["QuotaFailure"]["violations"]
    assert violation["quotaId"] == "GetTripPerMinute"


def test_flapping_server_is_reported(outcome):
    follow, code = outcome("flapping")
    assert code == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "COMPLETE"]
    assert set(follow.errors) == {"UNAVAILABLE"}
    succeeded = ["trip" in line for line in changes(follow)]
    transitions = [now for now, before in zip(succeeded, [None, *succeeded]) if now != before]
    assert transitions == [True, False, True, False, True]


@pytest.mark.parametrize("name", ["trip", "canceled", "quota"])
def test_live_and_recorded_lines_are_equal(outcomes, name):
    live, recorded = (
        [line for line in changes(outcomes[name, kind].follow) if "trip" in line]
        for kind in ("live", "recorded"))
    assert live == recorded


def test_terminal_is_updated():
    """Runs `make demo-trip` at a higher speed."""
    shown, code = screens(
        [binary(), "follow", TRIP, *map(str, replayed("trip")), "--interval", "100ms"])
    assert code == 0
    screens_shown = ["\n".join(screen) for screen in shown]
    assert len(set(screens_shown)) > 20
    assert "complete" in screens_shown[-1]
    assert "ETA at next stop  —" in screens_shown[-1]
    # The remaining time is that of the recording. A busy machine skips some screens.
    on_the_way = [screen for screen in screens_shown if "to dropoff" in screen]
    assert any(re.search(r"ETA at next stop +\d\d:35:29 \(in (1 min )?\d+ s\)", screen)
               for screen in on_the_way)


def test_replay_by_the_clock_ends_with_a_complete_trip():
    """The recorded client polled every 5 s and this one polls about every 15 s, so it skips most of
    the responses."""
    with replaying(RECORDINGS / "trip.binlog", "--speed", "60") as (_, address):
        with following(address, TRIP, interval="250ms") as follow:
            assert follow.end() == 0
    steps = [STATUSES.index(status) for status in dict.fromkeys(follow.statuses)]
    assert steps == sorted(steps) and follow.statuses[-1] == "COMPLETE"
    on_the_way = [trip for trip in trips(follow) if trip.HasField("last_location")]
    assert on_the_way and len(on_the_way) < 30
    for trip in on_the_way:
        assert len(trip.route) == 12 and trip.remaining_waypoints
