"""Does the simulated fleet respond as the documentation of google-maps-fleetengine says?

The tests of `tripwire follow` depend on it.
"""

import base64
import random
import time

import pytest
import s2geometry
from google.maps.fleetengine_v1 import types

from support.command import LONGEST
from support.fleet_client import connected_client
from peers.fleet import Fleet
from peers.fleet.road import s2
from peers.fleet.road.paths import Path
from peers.fleet.road.traffic import Traffic
from support.paths import INTEROP

Status, Kind = types.TripStatus, types.WaypointType
ENCODED = types.PolylineFormatType.ENCODED_POLYLINE_TYPE
V1S = types.TripView.JOURNEY_SHARING_V1S

STATUSES = [
    "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]
POLYLINES = INTEROP / "polylines" / "vectors.txt"


def status(trip):
    return Status(trip.trip_status).name


def points(path):
    return [(point.latitude, point.longitude) for point in path]


def test_trip_passes_every_status_over_time(fleet, client):
    trip = fleet.add_trip("t1", intermediates=2, begins=30)
    seen = []
    for _ in range(400):
        if (now := status(client.get(trip))) not in seen[-1:]:
            seen.append(now)
        fleet.advance(5)
    assert seen == [*STATUSES[:5], *STATUSES[3:]]


def test_trip_can_be_moved_to_a_status(fleet, client):
    trip = fleet.add_trip("t1")
    for wanted in STATUSES:
        trip.go(wanted)
        assert status(client.get(trip)) == wanted == trip.status
    with pytest.raises(ValueError):
        trip.go("ARRIVED_AT_PICKUP")


def test_trip_cannot_be_moved_to_an_unreachable_status(fleet):
    trip = fleet.add_trip("t1", intermediates=0)
    trip.go("ARRIVED_AT_PICKUP")
    for wanted in ("NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_INTERMEDIATE_DESTINATION"):
        with pytest.raises(ValueError, match="cannot change from ARRIVED_AT_PICKUP to"):
            trip.go(wanted)
        assert trip.status == "ARRIVED_AT_PICKUP"


@pytest.mark.parametrize("before", STATUSES[:-1])
def test_trip_can_be_canceled_in_any_status(fleet, client, before):
    trip = fleet.add_trip("t1")
    trip.go(before)
    trip.cancel()
    answer = client.get(trip)
    assert status(answer) == "CANCELED"
    assert not answer.route and not answer.remaining_waypoints
    assert not answer.HasField("eta_to_first_waypoint")
    fleet.advance(3600)
    assert status(client.get(trip)) == "CANCELED"


def test_trip_completes_in_real_time():
    begin, last = time.time(), 0
    with Fleet(trips=1, speed=1000) as fleet, connected_client(fleet) as client:
        answer = client.get(fleet.trips["t1"])
        while status(answer) != "COMPLETE":
            assert STATUSES.index(status(answer)) >= last
            last = STATUSES.index(status(answer))
            assert time.time() < begin + LONGEST
            answer = client.get(fleet.trips["t1"])
        assert begin < answer.dropoff_time.ToMicroseconds() / 1e6 <= time.time()


def test_vehicle_approaches_the_waypoint(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    first = client.get(trip)
    left = first.remaining_time_to_first_waypoint.ToMilliseconds() / 1000
    fleet.advance(left / 2)
    half = client.get(trip)
    assert half.remaining_distance_meters.value == pytest.approx(
        first.remaining_distance_meters.value / 2, abs=20)
    assert half.eta_to_first_waypoint == first.eta_to_first_waypoint == half.pickup_time
    assert half.last_location.location != first.last_location.location
    assert half.last_location.update_time.seconds == pytest.approx(fleet.now, abs=3)
    fleet.advance(left / 2 + 1)
    there = client.get(trip)
    assert status(there) == "ARRIVED_AT_PICKUP"
    assert there.HasField("remaining_distance_meters")
    assert there.remaining_distance_meters.value == 0
    assert there.last_location.location == there.pickup_point.point


def test_next_leg_begins_where_the_last_one_ended(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_INTERMEDIATE_DESTINATION")
    answer = client.get(trip)
    assert answer.route[0] == answer.pickup_point.point
    assert answer.route[-1] == answer.intermediate_destinations[0].point
    assert [each.waypoint_type for each in answer.remaining_waypoints] == [
        Kind.INTERMEDIATE_DESTINATION_WAYPOINT_TYPE, Kind.DROP_OFF_WAYPOINT_TYPE]
    assert answer.remaining_waypoints[1].path_to_waypoint[0] == answer.route[-1]
    assert answer.remaining_waypoints[1].path_to_waypoint[-1] == answer.dropoff_point.point
    assert answer.remaining_waypoints[1].eta == answer.dropoff_time


def test_stops_of_a_back_to_back_trip_follow_the_earlier_trip(fleet, client):
    first, second = (fleet.add_trip(each, vehicle_id="v", intermediates=0) for each in "ab")
    first.go("ENROUTE_TO_DROPOFF")
    second.go("ENROUTE_TO_PICKUP")
    stops = [(each.trip_id, Kind(each.waypoint_type).name.split("_")[0])
             for each in client.get(second).remaining_waypoints]
    assert stops == [("a", "DROP"), ("b", "PICKUP"), ("b", "DROP")]
    assert [each.trip_id for each in client.get(first).remaining_waypoints] == ["a"]
    second.go("ARRIVED_AT_PICKUP")
    assert first.status == "COMPLETE"


def test_later_trip_does_not_change_the_earlier_one(fleet, client):
    first = fleet.add_trip("a", vehicle_id="v")
    first.go("ENROUTE_TO_PICKUP")
    fleet.advance(30)
    before = client.get(first)
    second = fleet.add_trip("b", vehicle_id="v")
    second.go("ENROUTE_TO_PICKUP")
    assert client.get(first) == before
    second.cancel()
    assert client.get(first) == before


def test_stops_of_shared_trips_are_interleaved(fleet, client):
    first = fleet.add_trip("a", vehicle_id="v", intermediates=0)
    second = fleet.add_trip("b", vehicle_id="v", intermediates=0, shared=True)
    first.go("ENROUTE_TO_PICKUP")
    second.go("ENROUTE_TO_PICKUP")
    answer = client.get(second)
    assert [each.trip_id for each in answer.remaining_waypoints] == ["a", "b", "a", "b"]
    assert [each.trip_id for each in client.get(first).remaining_waypoints] == ["a", "b", "a"]
    assert answer.trip_type == types.TripType.SHARED
    second.cancel()
    assert [each.trip_id for each in client.get(first).remaining_waypoints] == ["a", "a"]


def test_vehicle_can_be_changed(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_DROPOFF")
    before = client.get(trip)
    trip.change_vehicle("v9")
    after = client.get(trip)
    assert (before.vehicle_id, after.vehicle_id) == ("v1", "v9")
    assert status(after) == "ENROUTE_TO_DROPOFF"
    assert after.route[0] != before.route[0] and after.route[-1] == before.route[-1]


def test_stale_vehicle_location_is_reported(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    trip.stop_reports()
    before = client.get(trip).last_location
    fleet.advance(60)
    after = client.get(trip).last_location
    assert after.update_time == before.update_time and after.time_since_update.value == 60
    trip.go("ENROUTE_TO_DROPOFF")
    assert client.get(trip).last_location.location == before.location
    trip.resume_reports()
    assert client.get(trip).last_location.time_since_update.value < 3


def test_fields_are_cleared_and_come_back(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    fields = ["eta_to_first_waypoint", "remaining_distance_meters", "last_location", "pickup_time"]
    trip.hide(*fields, "remaining_waypoints")
    answer = client.get(trip)
    assert not any(map(answer.HasField, fields)) and not answer.remaining_waypoints
    trip.show(*fields, "remaining_waypoints")
    answer = client.get(trip)
    assert all(map(answer.HasField, fields)) and answer.remaining_waypoints


# Formats and views


def test_route_format_is_points_or_a_polyline(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    as_list, as_text = client.get(trip), client.get(trip, route_format_type=ENCODED)
    assert len(as_list.route) == 40 and not as_list.current_route_segment
    assert not as_text.route
    assert_close(decoded(as_text.current_route_segment), points(as_list.route))
    for one, other in zip(as_list.remaining_waypoints[1:], as_text.remaining_waypoints[1:]):
        assert not one.encoded_path_to_waypoint and not other.path_to_waypoint
        assert_close(decoded(other.encoded_path_to_waypoint), points(one.path_to_waypoint))


def test_traffic_intervals_refer_to_the_route(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    trip.set_traffic([(0, 12, "NORMAL"), (12, 40, "TRAFFIC_JAM")])
    answer = client.get(trip)
    traffic = answer.current_route_segment_traffic
    assert_close(decoded(traffic.encoded_path_to_waypoint), points(answer.route))
    assert [(each.start_polyline_point_index, each.end_polyline_point_index, each.speed)
            for each in traffic.speed_reading_interval] == [(0, 12, 1), (12, 40, 3)]


def test_random_traffic_adds_a_point_where_the_speed_changes():
    path, changes = Path([(37.7 + step * 1e-4, -122.4) for step in range(9)]), 0
    for seed in range(50):
        traffic, before = Traffic.randomized(path, random.Random(seed)), 0
        along = traffic.path.points
        assert [point for point in along if point in path.points] == list(path.points)
        for start, end, _ in traffic.intervals:
            assert before <= start < end <= len(along)
            if end < len(along):
                assert along[end - 1] not in path.points
                changes += 1
            before = end
    assert changes > 20


def decoded(text):
    polyline = s2geometry.S2Polyline()
    assert polyline.Decode(s2geometry.Decoder(base64.urlsafe_b64decode(text)))
    places = (s2geometry.S2LatLng(polyline.vertex(i)) for i in range(polyline.num_vertices()))
    return [(place.lat().degrees(), place.lng().degrees()) for place in places]


def assert_close(found, expected):
    """Checks that the points are equal within a level 22 cell."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one == pytest.approx(other, abs=3e-5)


def test_encoded_polylines_equal_those_of_s2():
    lines = [line.split() for line in POLYLINES.read_text().splitlines()]
    # The vectors of level 22 whose points are all at the centers of their cells.
    vectors = [(text, places) for text, *places in lines if text.startswith("AhY")
               and base64.urlsafe_b64decode(text)[-1] == 0]
    vectors += [
        ("AhYFIvrYXZ6GALkBlQK2AYQNAA==", [
            "37.344146,-122.068486", "37.344249,-122.068331", "37.344578,-122.068176",
            "37.344803,-122.068176", "37.34479,-122.067909"]),
        ("AhYCECPlXZ6GAJABAA==", ["37.3448,-122.067998", "37.34479,-122.067909"])]
    assert len(vectors) > 5
    for text, places in vectors:
        assert s2.encoded([tuple(map(float, place.split(","))) for place in places]) == text


COMMON = {"name", "trip_status", "trip_type", "number_of_passengers", "pickup_point",
          "dropoff_point", "intermediate_destinations", "intermediate_destinations_version", "view"}
UNDERWAY = COMMON | {"vehicle_id", "pickup_time", "dropoff_time", "remaining_waypoints",
                     "last_location"}


@pytest.mark.parametrize("wanted, fields", [
    ("NEW", COMMON),
    ("ENROUTE_TO_PICKUP", UNDERWAY),
    ("ENROUTE_TO_DROPOFF", UNDERWAY | {"actual_pickup_point", "intermediate_destination_index"}),
    ("COMPLETE", UNDERWAY - {"remaining_waypoints", "last_location"}
     | {"actual_pickup_point", "actual_dropoff_point", "intermediate_destination_index"}),
])
def test_journey_sharing_view_has_its_own_fields(fleet, client, wanted, fields):
    trip = fleet.add_trip("t1", intermediates=2)
    trip.go(wanted)
    answer = client.get(trip, view=V1S)
    assert {field.name for field, _ in answer.ListFields()} == fields


def test_journey_sharing_path_begins_at_the_vehicle(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    fleet.advance(60)
    answer, sdk = client.get(trip, view=V1S), client.get(trip)
    first = answer.remaining_waypoints[0]
    assert first.path_to_waypoint[0] == answer.last_location.location
    assert first.distance_meters == sdk.remaining_distance_meters
    assert first.eta == sdk.eta_to_first_waypoint
    assert first.duration == sdk.remaining_time_to_first_waypoint
    assert first.HasField("traffic_to_waypoint")
    assert answer.remaining_waypoints[1] == sdk.remaining_waypoints[1]
