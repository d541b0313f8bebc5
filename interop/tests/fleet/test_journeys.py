"""Does `tripwire follow` tell a trip's story, of a moving fleet as of a recording of it?"""

import collections
import contextlib
import re

import pytest

from support.capture import screens
from support.command import at, binary, replayed, replaying
from support.following import following, trip_of
from peers.recordings.journeys import STORIES, Journey
from support.places import RECORDINGS

WAY = [
    "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP",
    *["ENROUTE_TO_INTERMEDIATE_DESTINATION", "ARRIVED_AT_INTERMEDIATE_DESTINATION"] * 2,
    "ENROUTE_TO_DROPOFF", "COMPLETE"]
TRIP = "providers/demo/trips/t1"

Told = collections.namedtuple("Told", "follow code")


@pytest.fixture(scope="module")
def told():
    """What came of following each trip, live and recorded: all at once, as it takes some time."""
    with contextlib.ExitStack() as stack:
        running = {}
        for name, story in STORIES.items():
            fleet = stack.enter_context(Journey(story))
            for kind, options in ("live", at(fleet.address)), ("recorded", replayed(name)):
                running[name, kind] = stack.enter_context(following(None, TRIP, options=options))
        yield {key: Told(follow, follow.end()) for key, follow in running.items()}


@pytest.fixture(params=["live", "recorded"])
def story(request, told):
    return lambda name: told[name, request.param]


def news(follow):
    """The lines in which something has changed, but for time: those about a trip that is stale, as
    on a machine that is slow, say nothing else."""
    return [{key: line[key] for key in line if key not in ("time", "stale")}
            for line in follow.lines if line.get("changed") != []]


def trips(follow):
    return [trip_of(line) for line in news(follow) if "trip" in line]


def test_a_whole_trip(story):
    follow, code = story("trip")
    assert code == 0
    assert follow.statuses == WAY
    assert not follow.errors


def test_it_moves(story):
    follow, _ = story("trip")
    places = {trip.last_location.location.SerializeToString() for trip in trips(follow)}
    assert len(places) > 40
    changed = {field for line in follow.lines for field in line.get("changed", [])}
    assert {"vehicleId", "route", "currentRouteSegmentTraffic", "remainingWaypoints",
            "intermediateDestinationIndex", "remainingDistanceMeters"} <= changed


def test_it_is_whole_all_the_way(story):
    """Most answers leave out what is as it was."""
    follow, _ = story("trip")
    for trip in trips(follow)[1:-1]:
        assert len(trip.route) == 12 and trip.remaining_waypoints
        assert trip.remaining_distance_meters.value <= 600
        for waypoint in trip.remaining_waypoints[1:]:
            assert len(waypoint.path_to_waypoint) == 12


def test_another_vehicle_takes_over(story):
    follow, _ = story("trip")
    assert list(dict.fromkeys(trip.vehicle_id for trip in trips(follow))) == ["", "v1", "v2"]


def test_a_canceled_trip(story):
    follow, code = story("canceled")
    assert code == 3
    assert follow.statuses == ["NEW", "ENROUTE_TO_PICKUP", "CANCELED"]
    assert not follow.errors


def test_a_quota_that_is_exceeded(story):
    follow, code = story("quota")
    assert code == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "COMPLETE"]
    [error] = [line["error"] for line in follow.lines if "error" in line]
    assert error["code"] == "RESOURCE_EXHAUSTED"
    kinds = {detail["@type"].rpartition(".")[2]: detail for detail in error["details"]}
    assert kinds["RetryInfo"]["retryDelay"] == "1.500s"
    [violation] = kinds["QuotaFailure"]["violations"]
    assert violation["quotaId"] == "GetTripPerMinute"


def test_a_server_that_flaps(story):
    follow, code = story("flapping")
    assert code == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "COMPLETE"]
    assert set(follow.errors) == {"UNAVAILABLE"}
    well = ["trip" in line for line in news(follow)]
    changes = [now for now, before in zip(well, [None, *well]) if now != before]
    assert changes == [True, False, True, False, True]


@pytest.mark.parametrize("name", ["trip", "canceled", "quota"])
def test_descriptors_are_the_same(told, name):
    live, recorded = (
        [line for line in news(told[name, kind].follow) if "trip" in line]
        for kind in ("live", "recorded"))
    assert live == recorded


def test_a_terminal_is_kept_up_to_date():
    """As in `make demo-trip`, faster."""
    shown, code = screens(
        [binary(), "follow", TRIP, *map(str, replayed("trip")), "--interval", "100ms"])
    assert code == 0
    told = ["\n".join(screen) for screen in shown]
    assert len(set(told)) > 20
    assert "complete" in told[-1] and "ETA at next stop  —" in told[-1]
    # The time left is that of the recording. A busy machine skips some of the screens.
    on_the_way = [screen for screen in told if "to dropoff" in screen]
    assert any(re.search(r"ETA at next stop +\d\d:35:29 \(in (1 min )?\d+ s\)", screen)
               for screen in on_the_way)


def test_trip_is_complete_with_the_clock():
    """Most of the answers are skipped: who was recorded asked every five seconds, this asks every
    fifteen or so."""
    with replaying(RECORDINGS / "trip.binlog", "--speed", "60") as (_, address):
        with following(address, TRIP, interval="250ms") as follow:
            assert follow.end() == 0
    steps = [WAY.index(status) for status in dict.fromkeys(follow.statuses)]
    assert steps == sorted(steps) and follow.statuses[-1] == "COMPLETE"
    on_the_way = [trip for trip in trips(follow) if trip.HasField("last_location")]
    assert on_the_way and len(on_the_way) < 30
    for trip in on_the_way:
        assert len(trip.route) == 12 and trip.remaining_waypoints
