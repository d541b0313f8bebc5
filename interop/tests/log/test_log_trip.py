"""Does `tripwire log --trip` show the timeline of a trip, as merged from its responses?"""

import json
from datetime import UTC, datetime

import pytest
from google.maps.fleetengine_v1 import types

from support.command import assert_failed, tripwire
from support.fleet_client import connected_client
from support.merging import OVER, Follower
from support.paths import RECORDINGS
from peers.fleet import Fleet
from peers.recordings.log_writer import GET_TRIP, SERVICE, TRIP, request, trip


def stamped(second):
    return {"seconds": 1795253400 + second}


def drive(log):
    """Logs a trip polled every five seconds: it changes, is sent in part, fails and recovers."""
    answers = [
        trip(trip_status="NEW"),
        trip(trip_status="NEW"),
        trip(trip_status="ENROUTE_TO_PICKUP", vehicle_id="v1", eta_to_first_waypoint=stamped(600),
             current_route_segment="_p~iF~ps|U_ulLnnqC", current_route_segment_version=stamped(9),
             last_location={"location": {"latitude": 1}, "update_time": stamped(1)}),
    ]
    for answer in answers:
        log.call(GET_TRIP, request(), answer)
        log.wait(4.965)
    since = {"current_route_segment_version": stamped(9)}
    rest = {"vehicle_id": "v1", "current_route_segment_version": stamped(9),
            "last_location": {"location": {"latitude": 1}, "update_time": stamped(1)}}
    # The response omits the unchanged route.
    log.call(GET_TRIP, request(**since), trip(
        trip_status="ENROUTE_TO_PICKUP", eta_to_first_waypoint=stamped(630), **rest))
    log.wait(4.965)
    for _ in range(3):
        log.call(GET_TRIP, request(**since), code=14, message="backend\x1b is away")
        log.wait(9.965)
    log.wait(60)
    rest["last_location"] = {"location": {"latitude": 2}, "update_time": stamped(100)}
    log.call(GET_TRIP, request(**since), trip(
        trip_status="ARRIVED_AT_PICKUP", eta_to_first_waypoint=stamped(480), **rest))
    log.wait(1)
    log.call(f"{SERVICE}TripService/UpdateTrip", types.UpdateTripRequest.pb(
        types.UpdateTripRequest(name=TRIP)), code=7, message="no")


TIMELINE = """\
2026-11-21, times in UTC
09:30:00.000  call 1    requested the whole trip
09:30:00.035  call 1    status: new
09:30:10.035  call 3    status: enroute to pickup
09:30:10.035  call 3    vehicle: v1
09:30:10.035  call 3    ETA at next stop: 09:40:00
09:30:10.035  call 3    route: 2 points, 253 km
09:30:15.000  call 4    requested changes since 09:30:09 (route)
09:30:20.035  call 5    error: UNAVAILABLE: backend\\u{1b} is away
09:31:50.035  call 8    recovered after 1 min 35 s without a successful response, 3 errors
09:31:50.035  call 8    status: arrived at pickup
09:31:50.035  call 8    ETA at next stop: 09:38:00, 2 min earlier
09:31:50.035  call 8    new vehicle location after 1 min 40 s
09:31:50.035  call 8    check jump: 111 km in 1 min 39 s (4043 km/h)
09:31:51.070  call 9    UpdateTrip: PERMISSION_DENIED: no
"""


@pytest.mark.parametrize("name", [TRIP, "t1"])
def test_timeline_shows_the_merged_trip(log, shown, name):
    drive(log)
    result = shown("--trip", name)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout == TIMELINE


def test_timeline_is_available_as_json(log, shown):
    drive(log)
    lines = [json.loads(line) for line in shown("--trip", TRIP, "--json").stdout.splitlines()]
    assert {line["name"] for line in lines} == {TRIP}
    checks = [(line["check"], line["call"]) for line in lines if line["event"] == "check"]
    assert checks == [("error", 8), ("stale", 8), ("jump", 8), ("error", 9)]
    lines = [line for line in lines if line["event"] != "check"]
    events = [(line["event"], line["call"]) for line in lines]
    assert events == [
        ("asked", 1), ("changed", 1), ("status", 1), ("changed", 3), ("status", 3), ("vehicle", 3),
        ("eta", 3), ("route", 3), ("asked", 4), ("changed", 4), ("error", 5), ("recovered", 8),
        ("changed", 8), ("status", 8), ("eta", 8), ("location", 8), ("call", 9)]
    by_event = dict(zip(events, lines))
    assert by_event["changed", 1]["changed"] == ["name", "tripStatus"]
    assert {"tripStatus", "vehicleId", "etaToFirstWaypoint"} <= set(by_event["changed", 3]["changed"])
    assert by_event["status", 3]["status"] == "ENROUTE_TO_PICKUP"
    assert by_event["status", 3]["before"] == "NEW"
    assert by_event["asked", 4]["since"] == {"currentRouteSegmentVersion": "2026-11-21T09:30:09Z"}
    assert by_event["error", 5]["code"] == "UNAVAILABLE"
    assert by_event["error", 5]["message"] == "backend\x1b is away"
    assert (by_event["recovered", 8]["seconds"], by_event["recovered", 8]["errors"]) == (95, 3)
    assert by_event["eta", 8]["eta"] == "2026-11-21T09:38:00Z"
    assert by_event["status", 8]["time"] == "2026-11-21T09:31:50.035Z"


def drive_through(fleet, log):
    """Polls a trip of the fleet with version stamps until it is over; returns the number of polls."""
    driven = fleet.add_trip("t1", intermediates=1, begins=20)
    with connected_client(fleet) as client:
        follower = Follower(client, driven)
        for polls in range(1, 1_000):
            log.now = datetime.fromtimestamp(fleet.now, UTC)
            asked = types.GetTripRequest.pb(types.GetTripRequest(
                name=driven.name, **follower.stamps()))
            log.call(GET_TRIP, asked, client.get(driven, **follower.stamps()))
            if follower.refresh().trip_status in OVER:
                return polls
            fleet.advance(5)
    pytest.fail("the trip never ends")


def test_timeline_of_a_whole_trip_is_short(log, shown):
    with Fleet(start=1795253400) as fleet:
        polls = drive_through(fleet, log)
    lines = [json.loads(line) for line in shown("--trip", "t1", "--json").stdout.splitlines()]
    assert [line["status"] for line in lines if line["event"] == "status"] == [
        "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
        "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]
    assert [line["stops"] for line in lines if line["event"] == "stops"] == [3, 2, 1, 0]
    # A field that a response omits as unchanged is not a change.
    assert not {line["event"] for line in lines} & {"partial", "outdated", "gap", "error"}
    # The text is shorter than the JSON, which has every change.
    assert polls > 50 and len([line for line in lines if line["event"] != "changed"]) < polls
    assert all(line["changed"] for line in lines if line["event"] == "changed")


def test_trip_that_fails_at_the_end_is_reported(log, shown):
    log.call(GET_TRIP, request(), trip(trip_status="NEW"))
    for _ in range(4):
        log.wait(10)
        log.call(GET_TRIP, request(), code=14)
    log.begin(GET_TRIP, request())
    assert shown("--trip", "t1").stdout.splitlines()[-2:] == [
        "09:30:40.175            still failing at the end: 4 errors, no successful response for 40.14 s",
        "09:30:40.175  call 6    GetTrip has no end in the recording"]


def test_unknown_trip_is_reported_with_the_known_ones(log, shown):
    log.call(GET_TRIP, request(), trip())
    assert_failed(shown("--trip", "t2"), 1,
                  error=f"--trip t2: not in the recording, which contains {TRIP}")
    assert_failed(shown("--trip", "trips/t1"), 1, TRIP)


def test_truncated_messages_are_the_reason(tmp_path):
    path = tmp_path / "a.binlog"
    assert tripwire("get", "providers/demo/trips/t1", "--replay", RECORDINGS / "demo.binlog", "--record", path,
                    "--record-filter", "*{m:3}").code == 0
    hint = "record without m:BYTES in --record-filter"
    for option in ["--trip", "--resource"]:
        assert_failed(
            tripwire("log", path, option, "t1"), 1,
            f"{option} t1: not found, because messages in the recording are truncated", hint=hint)
    assert_failed(tripwire("replay", path), 1, "nothing to replay: call 1", hint=hint)
    shown = tripwire("log", path, "--map", tmp_path / "map.html")
    assert f"warning: messages in the recording are truncated, so the map is empty; {hint}\n" in shown.stderr
