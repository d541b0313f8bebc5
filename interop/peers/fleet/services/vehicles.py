"""VehicleService, except ListVehicles and SearchVehicles."""

from google.maps.fleetengine_v1 import types
from google.protobuf import empty_pb2

from peers.fleet.road.drive import Report
from peers.fleet.services import names
from peers.fleet.services.errors import (
    Violations, already_exists, failed_precondition, invalid, not_found,
)
from peers.fleet.services.masks import copy_fields, fields_of
from peers.fleet.services.vehicle_answer import Vehicle, current_trips, vehicle_message
from peers.fleet.serving.answer import set_time

IGNORED = {
    "name", "current_trips", "current_route_segment", "current_route_segment_end_point",
    "current_route_segment_version", "current_route_segment_traffic", "route", "waypoints",
    "waypoints_version", "remaining_distance_meters", "remaining_time_seconds",
    "eta_to_first_waypoint", "navigation_status", "past_locations", "device_settings",
}
"""The fields that CreateVehicle ignores, and those that are input only."""
SERVER_OWNED = {
    "current_route_segment_version", "current_trips", "name", "waypoints_version",
}
INPUT_ONLY = {
    "past_locations", "device_settings", "current_route_segment_traffic", "remaining_time_seconds",
}
MAX_METERS_PER_SECOND, METERS_PER_DEGREE = 100.0, 111_195.0
MAX_ATTRIBUTES, MAX_ATTRIBUTE = 100, 256
"""The maximum number of attributes, and the maximum length of "key:value" in characters."""


def vehicle_of(fleet, request):
    """Returns the vehicle with the name in a request."""
    vehicle_id = names.resource_id(fleet, request.name, "vehicles", "VEHICLE")
    if not (vehicle := fleet.vehicles.get(vehicle_id)):
        raise not_found("Vehicle", request.name)
    fleet.catch_up()
    return vehicle


def get_vehicle(fleet, request):
    return vehicle_message(fleet, vehicle_of(fleet, request), request)


def create_vehicle(fleet, request):
    given, violations = request.vehicle, Violations()
    names.check_parent(fleet, violations, request.parent)
    names.check_id(violations, "vehicle_id", request.vehicle_id)
    violations.require(given.vehicle_state, "vehicle.vehicle_state")
    check(violations, given, {"supported_trip_types", "maximum_capacity", "vehicle_type"})
    check_attributes(violations, given.attributes, "vehicle.attributes")
    violations.raise_any()
    name = names.name(fleet, "vehicles", request.vehicle_id)
    if request.vehicle_id in fleet.vehicles:
        raise already_exists("Vehicle", name)
    vehicle = fleet.vehicle(request.vehicle_id)
    kept = [field.name for field, _ in given.ListFields()
            if field.name not in IGNORED | {"last_location"}]
    vehicle.details = Vehicle()
    copy_fields(kept, given, vehicle.details)
    fill_attributes(vehicle.details.attributes)
    report_location(fleet, vehicle, given, "vehicle")
    return vehicle_message(fleet, vehicle)


def check(violations, given, fields):
    """Adds violations for these fields of a Vehicle."""
    if "supported_trip_types" in fields:
        violations.require(
            given.supported_trip_types and types.TripType.UNKNOWN_TRIP_TYPE
            not in given.supported_trip_types, "vehicle.supported_trip_types")
    if "maximum_capacity" in fields:
        violations.require(
            given.maximum_capacity >= 1, "vehicle.maximum_capacity", "must be at least 1")
    if "vehicle_type" in fields:
        violations.require(given.vehicle_type.category, "vehicle.vehicle_type")


def check_attributes(violations, attributes, field):
    violations.require(
        len(attributes) <= MAX_ATTRIBUTES, field, f"has more than {MAX_ATTRIBUTES} attributes")
    keys = [each.key for each in attributes]
    violations.require(len(set(keys)) == len(keys), field, "has a key twice")
    for each in attributes:
        violations.require(each.key, field, "has an attribute without a key")
        violations.require(":" not in each.key, field, f"has the key {each.key!r} with a colon")
        text = getattr(each, "value", "") or each.string_value
        violations.require(
            len(f"{each.key}:{text}") <= MAX_ATTRIBUTE, field,
            f"has an attribute of more than {MAX_ATTRIBUTE} characters")
        if "value" in each.DESCRIPTOR.fields_by_name and each.value:
            violations.require(
                each.string_value in ("", each.value), field,
                "has an attribute whose value and string_value differ")


def fill_attributes(attributes):
    """Sets both value and string_value where one is set."""
    for each in attributes:
        if each.value and not each.HasField("string_value"):
            each.string_value = each.value
        elif each.HasField("string_value"):
            each.value = each.string_value


def report_location(fleet, vehicle, given, field):
    """Moves the vehicle to the location in a request, if there is one."""
    if not given.HasField("last_location"):
        return
    sent = type(given.last_location)()
    sent.CopyFrom(given.last_location)
    if not sent.HasField("location"):
        raise invalid(f"{field}.last_location.location", "is required")
    violations = Violations()
    violations.require_point(sent.location, f"{field}.last_location.location")
    violations.raise_any()
    set_time(sent.server_time, fleet.now)
    at = sent.update_time.ToMicroseconds() / 1e6 if sent.HasField("update_time") else fleet.now
    place = sent.location.latitude, sent.location.longitude
    if fleet.discards_jumps and is_jump(vehicle, at, place):
        return
    vehicle.report_location(Report(at, place, sent.heading.value), sent)


def is_jump(vehicle, at, place):
    """Returns whether the vehicle is too fast from its last location."""
    if not vehicle.silent:
        return False
    degrees = max(abs(new - old) for new, old in zip(place, vehicle.silent.point))
    return degrees * METERS_PER_DEGREE > MAX_METERS_PER_SECOND * max(at - vehicle.silent.time, 1)


def delete_vehicle(fleet, request):
    vehicle = vehicle_of(fleet, request)
    if trips := current_trips(fleet, vehicle):
        raise failed_precondition(
            "VEHICLE_HAS_TRIPS", request.name, f"has the active trips {', '.join(trips)}")
    for trip in fleet.trips.values():
        if trip.vehicle is vehicle and trip.status == "NEW":
            trip.assign(None)
    del fleet.vehicles[vehicle.id]
    return empty_pb2.Empty()


def update_vehicle(fleet, request):
    vehicle = vehicle_of(fleet, request)
    given, violations = request.vehicle, Violations()
    fields = fields_of(request.update_mask, given, SERVER_OWNED)
    check(violations, given, set(fields))
    if "vehicle_state" in fields:
        violations.require(given.vehicle_state, "vehicle.vehicle_state")
    if "attributes" in fields:
        check_attributes(violations, given.attributes, "vehicle.attributes")
    violations.raise_any()
    if "waypoints" in fields:
        reorder(fleet, vehicle, given.waypoints)
    if "last_location" in fields:
        report_location(fleet, vehicle, given, "vehicle")
    kept = set(fields) - INPUT_ONLY - {"waypoints", "last_location"}
    if vehicle.drive or not given.current_route_segment:
        kept -= {"current_route_segment_end_point"}
    copy_fields(kept, given, vehicle.details)
    fill_attributes(vehicle.details.attributes)
    return vehicle_message(fleet, vehicle)


def reorder(fleet, vehicle, waypoints):
    """Drives to the stops in the order of these waypoints, which must be those of the vehicle."""
    stops = {(stop.trip_id, stop.kind, stop.point): stop for stop in vehicle.stops}
    wanted = [(each.trip_id, each.waypoint_type,
               (each.location.point.latitude, each.location.point.longitude)) for each in waypoints]
    if sorted(stops) != sorted(wanted):
        raise invalid("vehicle.waypoints", "must contain exactly the waypoints of the vehicle")
    vehicle.plan([stops[each] for each in wanted], fleet.now)


def update_vehicle_attributes(fleet, request):
    vehicle, violations = vehicle_of(fleet, request), Violations()
    violations.require(request.attributes, "attributes")
    check_attributes(violations, request.attributes, "attributes")
    attributes = {each.key: each for each in vehicle.details.attributes}
    attributes.update((each.key, each) for each in request.attributes)
    violations.require(
        len(attributes) <= MAX_ATTRIBUTES, "attributes", f"are more than {MAX_ATTRIBUTES}")
    violations.raise_any()
    response = types.UpdateVehicleAttributesResponse.pb()(attributes=attributes.values())
    fill_attributes(response.attributes)
    copy_fields(["attributes"], response, vehicle.details)
    return response
