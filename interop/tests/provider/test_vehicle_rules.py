"""Does the emulator serve VehicleService by its rules?"""

import pytest
from google.maps.fleetengine_v1 import types

from support.rules import rule

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


def attributes(message):
    return {each.key: each.value for each in message.attributes}


@rule("CreateVehicleRequest.vehicle", "the fields that the server manages are ignored")
@rule("VehicleLocation.server_time", "is the time when the server received the location")
@rule("VehicleAttribute.string_value", "both forms of a text are in responses")
def test_created_vehicle_has_the_given_fields(create, services):
    created = create(
        last_location={"location": {"latitude": 37.7, "longitude": -122.4}},
        attributes=[{"key": "color", "value": "red"}, {"key": "size", "number_value": 2}],
        license_plate={"country_code": "US", "last_character": "X"}, back_to_back_enabled=True,
        current_trips=["t9"], remaining_distance_meters=7)
    assert created == services.get_vehicle(name=NAME)
    assert created.vehicle_type.category == types.Vehicle.VehicleType.Category.TAXI
    assert created.maximum_capacity == 3 and created.back_to_back_enabled
    assert created.last_location.location.latitude == 37.7
    assert created.last_location.HasField("server_time")
    assert created.attributes[0].string_value == "red"
    assert not created.current_trips and not created.HasField("remaining_distance_meters")


@rule("CreateVehicleRequest.vehicle", "needs vehicle_state, supported_trip_types, maximum_capacity and vehicle_type")
@rule("CreateVehicleRequest.vehicle_id", "follows the rules for IDs")
@rule("Vehicle.attributes", "are at most 100, with unique keys")
@rule("VehicleAttribute.key", "has no colon")
@rule("VehicleAttribute.value", "is not longer than 256 characters with its key")
def test_invalid_vehicles_are_refused(create, services, invalid, failure):
    assert invalid(services.create_vehicle, parent="x", vehicle_id="a:b", vehicle={}) == [
        "parent", "vehicle_id", "vehicle.vehicle_state", "vehicle.supported_trip_types",
        "vehicle.maximum_capacity", "vehicle.vehicle_type"]
    assert {each.partition("[")[0] for each in invalid(create, attributes=[
        {"key": "a:b"}, {"key": "a:b"}, {"key": "k", "value": "v" * 256},
        {"key": "m", "value": "1", "string_value": "2"}])} == {"vehicle.attributes"}
    assert invalid(create, attributes=[{"key": str(each)} for each in range(101)]) == [
        "vehicle.attributes"]
    create()
    found = failure(create)
    assert found.code == "ALREADY_EXISTS"
    assert found.details["ResourceInfo"].resource_name == NAME


@rule("GetVehicleRequest.name", "has the form providers/{provider}/vehicles/{vehicle}")
def test_missing_vehicles_are_reported(services, missing, invalid):
    for method in (services.get_vehicle, services.delete_vehicle):
        missing(method, "Vehicle", NAME, name=NAME)
        assert invalid(method, name="v1") == ["name"]
    missing(services.update_vehicle, "Vehicle", NAME, name=NAME, update_mask={"paths": ["vehicle_state"]})
    missing(services.update_vehicle_attributes, "Vehicle", NAME, name=NAME, attributes=[{"key": "a"}])


@rule("UpdateVehicleRequest.update_mask", "has at least one field")
@rule("UpdateVehicleRequest.vehicle", "fields that the server manages may not be updated")
@rule("UpdateVehicleRequest.vehicle", "all attributes are replaced")
def test_vehicle_is_updated_by_its_mask(create, update, invalid):
    create(attributes=[{"key": "color", "value": "red"}])
    updated = update(
        mask=["vehicle_state", "attributes"], vehicle_state="OFFLINE", maximum_capacity=9,
        attributes=[{"key": "size", "value": "big"}])
    assert updated.vehicle_state == types.VehicleState.OFFLINE
    assert updated.maximum_capacity == 3
    assert attributes(updated) == {"size": "big"}
    assert invalid(update, mask=[]) == ["update_mask"]
    for field in ("name", "current_trips", "waypoints_version", "current_route_segment_version"):
        assert invalid(update, mask=[field]) == ["update_mask"]
    assert invalid(update, mask=["wings"]) == ["update_mask"]
    assert sorted(invalid(update, mask=["maximum_capacity", "vehicle_state"])) == [
        "vehicle.maximum_capacity", "vehicle.vehicle_state"]


def test_location_needs_a_point(create, update, invalid):
    create()
    for location in ({"heading": 90}, {"location": {"latitude": 91}}):
        assert invalid(update, last_location=location) == ["vehicle.last_location.location"]


@rule("UpdateVehicleAttributesRequest.attributes", "attributes that are not mentioned do not change")
@rule("UpdateVehicleAttributesResponse.attributes", "is the full list")
def test_attributes_are_updated_one_by_one(create, services, invalid):
    create(attributes=[{"key": "color", "value": "red"}, {"key": "size", "value": "big"}])
    response = services.update_vehicle_attributes(
        name=NAME, attributes=[{"key": "size", "string_value": "small"}, {"key": "new"}])
    assert attributes(response) == {"color": "red", "size": "small", "new": ""}
    assert attributes(services.get_vehicle(name=NAME)) == attributes(response)
    assert invalid(services.update_vehicle_attributes, name=NAME) == ["attributes"]
    many = [{"key": str(each)} for each in range(98)]
    assert invalid(services.update_vehicle_attributes, name=NAME, attributes=many) == ["attributes"]


@rule("Vehicle.current_trips", "are the trips that are assigned")
@rule("Vehicle.current_route_segment", "is also that of the trips")
@rule("Vehicle.remaining_distance_meters", "is also that of the trips")
def test_vehicle_of_a_trip_has_its_route(fleet, trip, client, services):
    vehicle, of_trip = services.get_vehicle(name=NAME), client.get(trip)
    assert vehicle.name == NAME and list(vehicle.current_trips) == ["t1"]
    assert vehicle.vehicle_state == types.VehicleState.ONLINE
    assert vehicle.last_location == of_trip.last_location
    assert vehicle.remaining_distance_meters == of_trip.remaining_distance_meters
    assert vehicle.eta_to_first_waypoint == of_trip.eta_to_first_waypoint
    assert [each.eta for each in vehicle.waypoints] == [
        each.eta for each in of_trip.remaining_waypoints]
    assert vehicle.current_route_segment.startswith("AhY")
    assert vehicle.navigation_status == types.NavigationStatus.ENROUTE_TO_DESTINATION


@rule("GetVehicleRequest.current_route_segment_version", "an unchanged route is not sent")
@rule("GetVehicleRequest.waypoints_version", "unchanged waypoints are not sent")
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


@rule("UpdateVehicleRequest.vehicle", "waypoints must be all of the vehicle, and no others")
def test_waypoints_can_be_reordered(fleet, services, update, invalid):
    first, second = (fleet.add_trip(each, vehicle_id="v1", intermediates=0) for each in "ab")
    first.go("ENROUTE_TO_PICKUP"), second.go("ENROUTE_TO_PICKUP")
    waypoints = services.get_vehicle(name=NAME).waypoints
    assert [each.trip_id for each in waypoints] == ["a", "a", "b", "b"]
    reordered = [types.TripWaypoint.wrap(waypoints[index]) for index in (2, 0, 3, 1)]
    assert [each.trip_id for each in update(waypoints=reordered).waypoints] == [
        "b", "a", "b", "a"]
    assert invalid(update, waypoints=reordered[1:]) == ["vehicle.waypoints"]


@rule("VehicleService.DeleteVehicle", "fails if the vehicle has active trips")
def test_vehicle_with_trips_cannot_be_deleted(fleet, trip, services, failure, missing):
    found = failure(services.delete_vehicle, name=NAME)
    assert found.code == "FAILED_PRECONDITION"
    [violation] = found.details["PreconditionFailure"].violations
    assert violation.type == "VEHICLE_HAS_TRIPS" and "t1" in violation.description
    trip.cancel()
    assert services.delete_vehicle(name=NAME) is None
    missing(services.get_vehicle, "Vehicle", NAME, name=NAME)
