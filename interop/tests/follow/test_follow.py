"""Does `tripwire follow` follow trips of a simulated fleet to the end?"""

import collections
import json
import re
import signal

import pytest
from google.maps.fleetengine_v1 import types

from support.command import GROWING, PATIENT, assert_failed, at, tripwire
from support.following import following
from peers.fleet import Fleet

STATUSES = [
    "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]
FORMATS = ["lat-lng-list", "encoded-polyline"]
MANY = 1000


# From the start to the end


def test_trip_is_followed_from_start_to_end(certificates):
    options = ["--cacert", certificates.authority]
    with Fleet(certificate=certificates.good) as fleet:
        trip = fleet.add_trip("t1")
        with following(fleet.address, trip, options=options) as follow:
            for status in STATUSES:
                trip.go(status)
                follow.until_status(status)
            assert follow.end() == 0
    assert follow.statuses == STATUSES
    assert not follow.errors


@pytest.mark.parametrize("format_", FORMATS)
def test_trip_is_followed_in_real_time(format_):
    with Fleet(trips=1, speed=400) as fleet:
        with following(
                fleet.address, fleet.trips["t1"],
                options=["--plaintext", "--route-format", format_]) as follow:
            assert follow.end() == 0
    assert [STATUSES.index(status) for status in follow.statuses] == sorted(
        STATUSES.index(status) for status in follow.statuses)
    assert follow.statuses[-1] == "COMPLETE" and len(follow.lines) > 3


def test_canceled_trip_exits_with_3(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        trip.cancel()
        assert follow.end() == 3
    assert follow.statuses[-1] == "CANCELED"


def test_follow_ends_at_the_status_of_until(fleet, trip):
    with following(
            fleet.address, trip, options=["--plaintext", "--until", "arrived-at-pickup"]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        trip.go("ARRIVED_AT_PICKUP")
        assert follow.end() == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP"]


def test_follow_ends_after_the_time_of_for(fleet, trip):
    for seconds in GROWING:
        options = ["--plaintext", "--for", f"{seconds}s"]
        with following(fleet.address, trip, options=options) as follow:
            code = follow.end()
        if follow.lines:
            break
    assert code == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP"]


@pytest.fixture(scope="module")
def stopped_server():
    """The address of a stopped server."""
    with Fleet() as fleet:
        address = fleet.address
    return address


def until_for(address, *trips, options=()):
    """Returns the result and the value of --for that sufficed to report every trip."""
    for seconds in GROWING:
        result = tripwire(
            "follow", *[trip.name for trip in trips], *at(address), "--interval", "100ms",
            "--until", "arrived-at-pickup", "--for", f"{seconds}s", "-o", "json", *options)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        if {line["name"] for line in lines} == {trip.name for trip in trips}:
            break
    return result, seconds


def test_status_not_reached_in_time_exits_with_4(fleet, trip):
    result, seconds = until_for(fleet.address, trip)
    assert result.code == 4
    assert result.stderr == (
        f"error: timed out after {seconds} s: providers/p/trips/t1 did not reach the status arrived-at-pickup"
        " (status is enroute-to-pickup)\nhint: raise --for to wait longer\n")
    trip.go("ARRIVED_AT_PICKUP")
    assert until_for(fleet.address, trip)[0].code == 0


def test_timeout_names_the_trips_without_the_status(fleet, trip):
    there, failing = fleet.add_trip("t2"), fleet.add_trip("t3")
    there.go("ENROUTE_TO_DROPOFF")
    fleet.faults.fail("NOT_FOUND", trip_id="t3")
    result, seconds = until_for(
        fleet.address, trip, there, failing, options=["--error-format", "json"])
    assert result.code == 4
    error = json.loads(result.stderr)
    assert error["message"] == (
        f"timed out after {seconds} s: providers/p/trips/t1 did not reach the status arrived-at-pickup"
        " (status is enroute-to-pickup); providers/p/trips/t3 did not reach the status arrived-at-pickup"
        " (no response, NOT_FOUND)")
    assert error["code"] is None


@pytest.mark.parametrize("options", [[], ["--until", "arrived-at-pickup"]])
def test_unresponsive_server_is_an_error_after_for(fleet, trip, stopped_server, options):
    other = fleet.add_trip("t2")
    def followed(address, seconds):
        return tripwire("follow", trip.name, other.name, "--for", f"{seconds}s", "--interval",
                        "100ms", *options, *at(address))
    for seconds in GROWING:
        result = followed(stopped_server, seconds)
        if result.code == 78:
            break
    assert result.code == 78
    assert "error: UNAVAILABLE: no connection to " in result.stderr
    assert trip.name in result.stderr and other.name not in result.stderr
    fleet.faults.hang()
    assert_failed(followed(fleet.address, 2), 68, "no response within 2 s", hint="--for")


def test_one_response_suffices_without_until(fleet, trip):
    other = fleet.add_trip("t2")
    fleet.faults.fail("NOT_FOUND", trip_id="t2")
    for seconds in GROWING:
        result = tripwire(
            "follow", trip.name, other.name, *at(fleet.address), "--for", f"{seconds}s")
        if result.code == 0:
            break
    assert (result.code, result.stderr) == (0, "")


def test_ctrl_c_exits_with_130(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        follow.process.send_signal(signal.SIGINT)
        assert follow.end() == 130
    assert follow.process.stderr.read() == b""


def test_follow_ends_when_all_trips_are_over(fleet, trip):
    other = fleet.add_trip("t2")
    with following(fleet.address, trip, other) as follow:
        other.go("COMPLETE")
        follow.until_status("COMPLETE")
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert {line["trip"]["name"] for line in follow.lines} == {trip.name, other.name}


def test_trace_of_several_trips_numbers_the_calls(fleet, trip):
    other = fleet.add_trip("t2")
    with following(fleet.address, trip, other, options=["--plaintext", "-vv"]) as follow:
        for each in trip, other:
            each.go("COMPLETE")
        assert follow.end() == 0
        trace = follow.process.stderr.read().decode()
    calls = {}
    for number, line in re.findall(r"^\[(\d+) GetTrip\] (.*)$", trace, re.MULTILINE):
        calls.setdefault(int(number), []).append(line)
    assert 2 in calls
    # The lines of the first call have no number until there is a second call.
    calls.pop(1, None)
    for call in calls.values():
        assert any(line.startswith("{ HEADERS stream=") for line in call)
        assert "< grpc-status: 0" in call
        assert any(re.match(r"\* OK after .* response ", line) for line in call)


# Changes


def test_changed_lists_the_fields_that_differ(fleet, trip):
    """jq '.trip[.changed[]?]' prints the new values, and null for removed fields."""
    names = {field.json_name for field in types.Trip.pb().DESCRIPTOR.fields}
    # Fields that are not part of the trip model.
    silent = {name for name in names if name.endswith("Version")} | {
        "remainingTimeToFirstWaypoint", "view", "currentRouteSegmentEndPoint"}
    with following(fleet.address, trip) as follow:
        for status in STATUSES[1:]:
            trip.go(status)
            follow.until_status(status)
            fleet.advance(20)
        assert follow.end() == 0
    before = {}
    for line in follow.lines:
        changed, now = line["changed"], line["trip"]
        assert set(changed) <= names and len(set(changed)) == len(changed)
        differ = {name for name in now.keys() | before.keys() if now.get(name) != before.get(name)}
        # The age of a location changes with every response.
        assert set(changed) <= differ
        assert differ - set(changed) <= silent | {"lastLocation"}
        before = now
    gone = {name for line in follow.lines for name in line["changed"] if name not in line["trip"]}
    assert {"etaToFirstWaypoint", "remainingDistanceMeters"} <= gone


# Cost


def test_thousand_trips_share_one_connection():
    place = {"point": {"latitude": 37.77, "longitude": -122.42}}
    with Fleet() as fleet:
        names = [fleet.trip_name(f"t{number}") for number in range(MANY)]
        for name in names:
            fleet.call("CreateTrip", parent=fleet.parent, trip_id=name.rpartition("/")[2],
                       trip={"trip_type": "EXCLUSIVE", "pickup_point": place})
        with following(fleet.address, *names, interval="500ms",
                       options=["--plaintext", "--timeout", PATIENT]) as follow:
            fleet.journal.wait_for_calls(5 * MANY)
            calls = fleet.journal.of()
            for name in names:
                fleet.call("UpdateTrip", name=name, trip={"trip_status": "COMPLETE"},
                           update_mask={"paths": ["trip_status"]})
            assert follow.end() == 0
    # grpcio does not know the peer of a call that was canceled before its handler ran.
    assert len({call.peer for call in calls if call.peer}) == 1
    complete = {line["trip"]["name"] for line in follow.lines
                if line.get("trip", {}).get("tripStatus") == "COMPLETE"}
    assert len(complete) == MANY and not follow.errors
    # All trips were polled about equally often.
    asked = collections.Counter(call.trip_id for call in calls)
    assert min(asked.values()) > max(asked.values()) / 2
    print(f"{len(calls)} calls for {MANY} trips in {calls[-1].time - calls[0].time:.1f} s")
