"""Are the answers about trips complete, in both views and formats?"""

import base64
import itertools
import math

import pytest
import s2geometry
from google.maps.fleetengine_v1 import types

from peers.fleet.streets import offset
from support.rules import guess, rule

Kind = types.WaypointType
V1S, ENCODED = types.TripView.JOURNEY_SHARING_V1S, types.PolylineFormatType.ENCODED_POLYLINE_TYPE


def points(latlngs):
    return [(each.latitude, each.longitude) for each in latlngs]


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


@rule("TripWaypoint.path_to_waypoint", "begins at the previous waypoint")
@rule("Trip.dropoff_time", "is the estimated time before the drop-off")
def test_next_leg_begins_where_the_last_one_ended(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_INTERMEDIATE_DESTINATION")
    answer = client.get(trip)
    assert_close(points([answer.route[0], answer.route[-1]]),
                 points([answer.pickup_point.point, answer.intermediate_destinations[0].point]))
    assert [each.waypoint_type for each in answer.remaining_waypoints] == [
        Kind.INTERMEDIATE_DESTINATION_WAYPOINT_TYPE, Kind.DROP_OFF_WAYPOINT_TYPE]
    path = answer.remaining_waypoints[1].path_to_waypoint
    assert path[0] == answer.intermediate_destinations[0].point and path[-1] == answer.dropoff_point.point
    assert answer.remaining_waypoints[1].eta == answer.dropoff_time


@rule("Trip.remaining_waypoints", "may have waypoints of other trips")
def test_stops_of_a_back_to_back_trip_follow_the_earlier_trip(fleet, client):
    first, second = (fleet.add_trip(each, vehicle_id="v", intermediates=0) for each in "ab")
    first.go("ENROUTE_TO_DROPOFF")
    second.go("ENROUTE_TO_PICKUP")
    stops = [(each.trip_id, Kind(each.waypoint_type).name.split("_")[0])
             for each in client.get(second).remaining_waypoints]
    assert stops == [("a", "DROP"), ("b", "PICKUP"), ("b", "DROP")]
    assert [each.trip_id for each in client.get(first).remaining_waypoints] == ["a"]


def test_later_trip_does_not_change_the_earlier_one(fleet, client):
    # The vehicle keeps its way.
    fleet.drives = False
    first = fleet.add_trip("a", vehicle_id="v")
    first.go("ENROUTE_TO_PICKUP")
    before = client.get(first)
    second = fleet.add_trip("b", vehicle_id="v")
    second.go("ENROUTE_TO_PICKUP")
    assert client.get(first) == before
    second.cancel()
    assert client.get(first) == before


@rule("GetTripRequest.route_format_type", "is a list of points by default")
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


@guess("traffic of a trip")
def test_traffic_intervals_refer_to_the_route(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    trip.set_traffic((100, 200, "SLOWER_TRAFFIC"), (300, 50, "TRAFFIC_JAM"))
    answer = client.get(trip)
    traffic = answer.current_route_segment_traffic
    path = decoded(traffic.encoded_path_to_waypoint)
    for point in points(answer.route):
        assert point == pytest.approx(min(path, key=lambda each: math.dist(each, point)), abs=3e-5)
    lengths = [sum(math.hypot(*offset(*ends)) for ends in itertools.pairwise(path[:index + 1]))
               for index in range(len(path))]
    assert [(each.speed, lengths[each.start_polyline_point_index])
            for each in traffic.speed_reading_interval] == [
        (2, pytest.approx(100, abs=5)), (3, pytest.approx(300, abs=5))]



COMMON = {"name", "trip_status", "trip_type", "number_of_passengers", "pickup_point",
          "dropoff_point", "intermediate_destinations", "intermediate_destinations_version", "view"}
UNDERWAY = COMMON | {"vehicle_id", "pickup_time", "dropoff_time", "remaining_waypoints",
                     "last_location"}


@rule("GetTripRequest.view", "selects the fields")
@pytest.mark.parametrize("wanted, fields", [
    ("NEW", COMMON),
    ("ENROUTE_TO_PICKUP", UNDERWAY),
    ("ENROUTE_TO_DROPOFF", UNDERWAY),
    ("COMPLETE", UNDERWAY - {"remaining_waypoints", "last_location"}),
])
def test_journey_sharing_view_has_its_own_fields(fleet, client, wanted, fields):
    trip = fleet.add_trip("t1", intermediates=2)
    trip.go(wanted)
    answer = client.get(trip, view=V1S)
    assert {field.name for field, _ in answer.ListFields()} == fields


@guess("first of the remaining waypoints")
def test_journey_sharing_path_begins_at_the_vehicle(fleet, client):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    fleet.advance(60)
    answer, sdk = client.get(trip, view=V1S), client.get(trip)
    first = answer.remaining_waypoints[0]
    assert not sdk.remaining_waypoints[0].path_to_waypoint
    assert not sdk.remaining_waypoints[0].HasField("distance_meters")
    assert not sdk.remaining_waypoints[0].HasField("duration")
    assert first.path_to_waypoint[0] == answer.last_location.location
    assert first.distance_meters == sdk.remaining_distance_meters
    assert first.eta == sdk.eta_to_first_waypoint
    assert first.duration == sdk.remaining_time_to_first_waypoint
    assert answer.remaining_waypoints[1] == sdk.remaining_waypoints[1]
