"""TripService, except UpdateTrip."""

import re

from google.maps.fleetengine_v1 import types
from google.protobuf import empty_pb2

from peers.fleet.facts import Status
from peers.fleet.services import names
from peers.fleet.services.errors import (
    Violations, already_exists, failed, Code, failed_precondition, not_found,
)
from peers.fleet.services.masks import copy_fields
from peers.fleet.services.pages import page_of
from peers.fleet.serving.answer import answer, parts_of
from peers.fleet.trip import OVER, Trip

GetTripRequest = types.GetTripRequest.pb()
MAX_RELATED = 50
# The fields that SearchTrips returns only for a vehicle.
OF_A_VEHICLE = (
    "current_route_segment", "route", "remaining_waypoints", "remaining_distance_meters",
    "eta_to_first_waypoint")


def get_trip(fleet, request, ago=0.0):
    trip_id = names.last_segment(request.name)
    if not trip_id or request.name != fleet.trip_name(trip_id):
        raise failed(
            Code.INVALID_ARGUMENT,
            f"{request.name!r} is not providers/{fleet.provider}/trips/TRIP")
    if not (trip := fleet.trips.get(trip_id)):
        raise not_found("Trip", request.name)
    facts, now = trip.facts(ago), fleet.now - ago
    answered = answer(trip, facts, now, request, fleet.always_waypoints)
    if fleet.versions:
        whole = GetTripRequest(view=request.view, route_format_type=request.route_format_type)
        answered += fleet.versions.add(
            trip.name, parts_of(trip, facts, now, whole, fleet.always_waypoints))
    return answered


def trip_of(fleet, request):
    """Returns the trip with the name in a request."""
    trip_id = names.resource_id(fleet, request.name, "trips", "TRIP")
    if not (trip := fleet.trips.get(trip_id)):
        raise not_found("Trip", request.name)
    fleet.catch_up()
    return trip


def message_of(fleet, trip):
    """Returns the Trip as GetTrip does without versions."""
    return types.Trip.pb().FromString(
        answer(trip, trip.facts(), fleet.now, GetTripRequest(), fleet.always_waypoints))


def create_trip(fleet, request):
    given, violations = request.trip, Violations()
    names.check_parent(fleet, violations, request.parent)
    names.check_id(violations, "trip_id", request.trip_id)
    violations.require(given.trip_type, "trip.trip_type")
    violations.require(given.HasField("pickup_point"), "trip.pickup_point")
    check_points(violations, given)
    violations.require(
        not given.intermediate_destinations or given.trip_type == types.TripType.EXCLUSIVE,
        "trip.intermediate_destinations", "is only for EXCLUSIVE trips")
    violations.require(
        given.number_of_passengers >= 0, "trip.number_of_passengers", "must not be negative")
    violations.raise_any()
    if request.trip_id in fleet.trips:
        raise already_exists("Trip", fleet.trip_name(request.trip_id))
    vehicle = vehicle_of(fleet, given.vehicle_id) if given.vehicle_id else None
    points, has_dropoff = stops_of(given)
    trip = fleet.trips[request.trip_id] = Trip(
        fleet, request.trip_id, points, given.trip_type == types.TripType.SHARED,
        given.number_of_passengers, has_dropoff)
    copy_fields(["attributes"], given, trip.provided)
    trip.assign(vehicle)
    created = message_of(fleet, trip)
    created.vehicle_waypoints.extend(given.vehicle_waypoints)
    return created


def check_points(violations, given):
    violations.require_point(given.pickup_point.point, "trip.pickup_point.point")
    violations.require_point(given.dropoff_point.point, "trip.dropoff_point.point")
    for index, each in enumerate(given.intermediate_destinations):
        violations.require_point(each.point, f"trip.intermediate_destinations[{index}].point")


def stops_of(message):
    """Returns the points of the stops in a Trip, and whether the last is the drop-off."""
    has_dropoff = message.HasField("dropoff_point")
    locations = [message.pickup_point, *message.intermediate_destinations]
    if has_dropoff:
        locations.append(message.dropoff_point)
    return [(each.point.latitude, each.point.longitude) for each in locations], has_dropoff


def vehicle_of(fleet, vehicle_id):
    if not (vehicle := fleet.vehicles.get(vehicle_id)):
        raise not_found("Vehicle", names.name(fleet, "vehicles", vehicle_id))
    return vehicle


def delete_trip(fleet, request):
    trip = trip_of(fleet, request)
    if trip.is_active:
        raise failed_precondition(
            "TRIP_ACTIVE", request.name, f"is {trip.status} and assigned to {trip.vehicle.id}")
    if trip.vehicle:
        trip.vehicle.dismiss(trip, fleet.now)
    del fleet.trips[trip.id]
    return empty_pb2.Empty()


def report_billable_trip(fleet, request):
    billed = names.resource_id(fleet, request.name, "billableTrips", "BILLABLE_TRIP")
    violations = Violations()
    names.check_id(violations, "name", billed)
    violations.require(
        re.fullmatch("[A-Z]{2}", request.country_code), "country_code",
        "must have two capital letters")
    violations.require(
        len(request.related_ids) <= MAX_RELATED, "related_ids", f"has more than {MAX_RELATED} IDs")
    violations.raise_any()
    fleet.billed[billed] = request
    return empty_pb2.Empty()


def search_trips(fleet, request):
    violations = Violations()
    names.check_parent(fleet, violations, request.parent)
    staleness = request.minimum_staleness.ToNanoseconds() / 1e9
    violations.require(staleness >= 0, "minimum_staleness", "must not be negative")
    violations.raise_any()
    fleet.catch_up()
    latest = fleet.now - staleness

    def matches(trip):
        status = trip.facts().status
        if request.vehicle_id and trip.facts().vehicle_id != request.vehicle_id:
            return False
        if request.active_trips_only and status in {Status.NEW, *OVER}:
            return False
        return not request.HasField("minimum_staleness") or trip.updated <= latest

    page, token = page_of(filter(matches, fleet.trips.values()), request)
    response = types.SearchTripsResponse.pb()(
        trips=[message_of(fleet, trip) for trip in page], next_page_token=token)
    if not request.vehicle_id:
        for message in response.trips:
            for field in OF_A_VEHICLE:
                message.ClearField(field)
    return response
