"""Does the simulated fleet serve vehicles of on-demand trips?"""

import pytest
from google.maps.fleetengine_v1 import types

PARENT = "providers/p"
NAME = f"{PARENT}/vehicles/v1"
VERSIONS = ["current_route_segment_version", "waypoints_version"]
VEHICLE = {
    "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 3,
    "vehicle_type": {"category": "TAXI"}}


@pytest.fixture
def create(services):
    def create(vehicle_id="v1", **fields):
        return services.create_vehicle(
            parent=PARENT, vehicle_id=vehicle_id, vehicle=VEHICLE | fields)

    return create


@pytest.fixture
def update(services):
    def update(vehicle_id="v1", mask=None, **fields):
        return services.update_vehicle(
            name=f"{PARENT}/vehicles/{vehicle_id}", vehicle=fields,
            update_mask={"paths": list(fields) if mask is None else mask})

    return update


def test_vehicle_of_a_trip_has_its_route(fleet, trip, client, services):
    vehicle, of_trip = services.get_vehicle(name=NAME), client.get(trip)
    assert vehicle.name == NAME and list(vehicle.current_trips) == ["t1"]
    assert vehicle.vehicle_state == types.VehicleState.ONLINE
    assert vehicle.last_location == of_trip.last_location
    assert vehicle.remaining_distance_meters == of_trip.remaining_distance_meters
    assert vehicle.eta_to_first_waypoint == of_trip.eta_to_first_waypoint
    assert vehicle.current_route_segment_end_point == of_trip.current_route_segment_end_point
    assert [each.eta for each in vehicle.waypoints] == [
        each.eta for each in of_trip.remaining_waypoints]
    assert vehicle.current_route_segment.startswith("AhY")
    assert vehicle.navigation_status == types.NavigationStatus.ENROUTE_TO_DESTINATION


def test_vehicle_moves(fleet, trip, services):
    before = services.get_vehicle(name=NAME)
    fleet.advance(20)
    after = services.get_vehicle(name=NAME)
    assert after.last_location.location != before.last_location.location
    assert after.remaining_distance_meters.value < before.remaining_distance_meters.value
    trip.go("COMPLETE")
    fleet.advance(60)
    idle = services.get_vehicle(name=NAME)
    assert not idle.waypoints and not idle.current_trips and not idle.current_route_segment
    assert idle.HasField("last_location")


def test_unchanged_parts_are_omitted(fleet, trip, services):
    first = services.get_vehicle(name=NAME)
    versions = {field: {"seconds": getattr(first, field).seconds,
                        "nanos": getattr(first, field).nanos} for field in VERSIONS}
    same = services.get_vehicle(name=NAME, **versions)
    assert not same.current_route_segment and not same.waypoints
    assert same.waypoints_version == first.waypoints_version
    fleet.advance(10)
    trip.reroute()
    changed = services.get_vehicle(name=NAME, **versions)
    assert changed.current_route_segment != first.current_route_segment and changed.waypoints
    later = services.get_vehicle(
        name=NAME, waypoints_version=versions["waypoints_version"])
    assert later.current_route_segment and later.waypoints


def test_reported_location_is_that_of_the_trip(fleet, trip, client, update, services):
    updated = update(last_location={
        "location": {"latitude": 37.7, "longitude": -122.4}, "heading": 90})
    assert updated.last_location.location.latitude == 37.7
    assert client.get(trip).last_location.location.latitude == 37.7
    assert client.get(trip).last_location.heading.value == 90
    trip.resume_reports()
    assert services.get_vehicle(name=NAME).last_location.location.latitude != 37.7


def test_idle_vehicle_moves_to_the_reported_location(fleet, create, update, services):
    create()
    update(last_location={"location": {"latitude": 37.7, "longitude": -122.4}})
    trip = fleet.add_trip("t9", vehicle_id="v1")
    trip.go("ENROUTE_TO_PICKUP")
    assert trip.vehicle.drive.path.points[0] == (37.7, -122.4)


def test_waypoints_can_be_reordered(fleet, services, update, invalid):
    first, second = (fleet.add_trip(each, vehicle_id="v1", intermediates=0) for each in "ab")
    first.go("ENROUTE_TO_PICKUP"), second.go("ENROUTE_TO_PICKUP")
    waypoints = services.get_vehicle(name=NAME).waypoints
    assert [each.trip_id for each in waypoints] == ["a", "a", "b", "b"]
    reordered = [types.TripWaypoint.wrap(waypoints[index]) for index in (2, 0, 3, 1)]
    assert [each.trip_id for each in update(waypoints=reordered).waypoints] == [
        "b", "a", "b", "a"]
    assert invalid(update, waypoints=reordered[1:]) == ["vehicle.waypoints"]


def test_vehicle_with_trips_cannot_be_deleted(fleet, trip, services, failure, missing):
    found = failure(services.delete_vehicle, name=NAME)
    assert found.code == "FAILED_PRECONDITION"
    [violation] = found.details["PreconditionFailure"].violations
    assert violation.type == "VEHICLE_HAS_TRIPS" and "t1" in violation.description
    trip.cancel()
    assert services.delete_vehicle(name=NAME) is None
    missing(services.get_vehicle, "Vehicle", NAME, name=NAME)
