"""UpdateTrip."""

from google.maps.fleetengine_v1 import types

from peers.fleet.facts import Status
from peers.fleet.services.errors import Violations, failed_precondition, invalid
from peers.fleet.services.masks import copy_fields, fields_of
from peers.fleet.services.trips import (
    check_points, message_of, stops_of, trip_of, vehicle_of,
)

SERVER_OWNED = {
    "current_route_segment", "current_route_segment_end_point", "current_route_segment_traffic",
    "current_route_segment_traffic_version", "current_route_segment_version", "dropoff_time",
    "eta_to_first_waypoint", "intermediate_destinations_version", "last_location",
    "last_location_snappable", "name", "number_of_passengers", "pickup_time",
    "remaining_distance_meters", "remaining_time_to_first_waypoint", "remaining_waypoints",
    "remaining_waypoints_route_version", "remaining_waypoints_version", "route", "view",
}
STOPS = {"pickup_point", "intermediate_destinations", "dropoff_point"}
PROVIDED = {
    "attributes", "actual_pickup_point", "actual_pickup_arrival_point", "actual_dropoff_point",
    "actual_intermediate_destination_arrival_points", "actual_intermediate_destinations",
}


def update_trip(fleet, request):
    trip = trip_of(fleet, request)
    given = request.trip
    fields = fields_of(request.update_mask, given, SERVER_OWNED)
    check(trip, given, fields)
    vehicle = vehicle_of(fleet, given.vehicle_id) if given.vehicle_id else None
    name = request.name
    try:
        if "trip_type" in fields:
            trip.shared = given.trip_type == types.TripType.SHARED
        if STOPS & set(fields):
            moved = message_of(fleet, trip)
            copy_fields(STOPS & set(fields), given, moved)
            trip.move_stops(*stops_of(moved))
        if "vehicle_id" in fields:
            change_vehicle(trip, vehicle)
        if "trip_status" in fields:
            trip.go(Status(given.trip_status).name)
    except ValueError as error:
        raise failed_precondition("TRIP_STATUS", name, str(error)) from None
    copy_fields(PROVIDED & set(fields), given, trip.provided)
    trip.provide()
    updated = message_of(fleet, trip)
    if "vehicle_waypoints" in fields:
        updated.vehicle_waypoints.extend(given.vehicle_waypoints)
    return updated


def check(trip, given, fields):
    """Raises the error of an update that is invalid or does not suit the trip."""
    violations = Violations()
    if "trip_type" in fields:
        violations.require(given.trip_type, "trip.trip_type")
    if "trip_status" in fields:
        violations.require(
            given.trip_status in set(Status) - {Status.UNKNOWN_TRIP_STATUS}, "trip.trip_status",
            "must be a known status")
    if STOPS & set(fields):
        check_points(violations, given)
    if "pickup_point" in fields:
        violations.require(given.HasField("pickup_point"), "trip.pickup_point")
    if "intermediate_destinations" in fields:
        violations.require(
            not given.intermediate_destinations or not trip.shared,
            "trip.intermediate_destinations", "is only for EXCLUSIVE trips")
    violations.raise_any()
    if ("trip_status" in fields and given.HasField("intermediate_destinations_version")
            and given.trip_status == Status.ENROUTE_TO_INTERMEDIATE_DESTINATION):
        now = round(trip.destinations_changed * 1e6)
        if given.intermediate_destinations_version.ToMicroseconds() != now:
            raise failed_precondition(
                "INTERMEDIATE_DESTINATIONS_VERSION", trip.name,
                "intermediate_destinations_version is not that of Fleet Engine")
    if "intermediate_destination_index" in fields and not (
            0 <= given.intermediate_destination_index < max(len(trip.intermediates), 1)):
        raise invalid("trip.intermediate_destination_index", "is not the index of a destination")


def change_vehicle(trip, vehicle):
    if vehicle is trip.vehicle:
        trip.assigned = bool(vehicle)
    elif vehicle and trip.status != "NEW":
        trip.change_vehicle(vehicle.id)
    else:
        trip.assign(vehicle)
