"""SearchVehicles."""

import math

from google.maps.fleetengine_v1 import types

from peers.fleet.road.paths import offset
from peers.fleet.services import names
from peers.fleet.services.errors import Violations
from peers.fleet.services.filters import attribute_pairs, lookup, parse_filter
from peers.fleet.services.vehicle_answer import vehicle_message
from peers.fleet.services.vehicle_lists import check_filter, has_attributes, shares, staleness
from peers.fleet.serving.answer import set_time

Order = types.SearchVehiclesRequest.VehicleMatchOrder
Present = types.SearchVehiclesRequest.CurrentTripsPresent
Match = types.VehicleMatch.VehicleMatchType
RADIUS, COUNT = (400, 10_000), (1, 50)
"""The permitted radius in meters and number of vehicles."""
MAX_TRIPS, MAX_STOPS = 5, 10
"""What a vehicle with trips may have, with ANY."""
STALENESS = 300.0
"""The default maximum age of a location, in seconds."""


def search_vehicles(fleet, request):
    check_search(fleet, request)
    matches = parse_filter(request.filter)
    fleet.catch_up()
    pickup = request.pickup_point.point.latitude, request.pickup_point.point.longitude
    longest = (request.maximum_staleness.ToNanoseconds() / 1e9
               if request.HasField("maximum_staleness") else STALENESS)
    found = []
    for vehicle in fleet.vehicles.values():
        message = vehicle_message(fleet, vehicle, paths=False)
        place = message.last_location.location
        meters = math.hypot(*offset((place.latitude, place.longitude), pickup))
        if (meters <= request.pickup_radius_meters
                and message.vehicle_state == types.VehicleState.ONLINE
                and message.maximum_capacity >= request.minimum_capacity
                and shares(request.trip_types, message.supported_trip_types)
                and message.vehicle_type.category in {
                    each.category for each in request.vehicle_types}
                and staleness(message, fleet.now) <= longest
                and permits_trips(fleet, request, message)
                and has_attributes(
                    message, [attribute_pairs(request.required_attributes)],
                    *[[attribute_pairs(one.attributes) for one in lists] for lists in (
                        request.required_one_of_attributes,
                        request.required_one_of_attribute_sets)])
                and matches(lookup(message))):
            found.append(match(request, vehicle, message, meters, fleet.now))
    found.sort(key=lambda each: sort_key(request.order_by, each))
    return types.SearchVehiclesResponse.pb()(matches=found[:request.count])


def check_search(fleet, request):
    violations = Violations()
    names.check_parent(fleet, violations, request.parent)
    violations.require(request.HasField("pickup_point"), "pickup_point")
    violations.require_point(request.pickup_point.point, "pickup_point.point")
    violations.require_point(request.dropoff_point.point, "dropoff_point.point")
    for field, (low, high) in (("pickup_radius_meters", RADIUS), ("count", COUNT)):
        violations.require(
            low <= getattr(request, field) <= high, field, f"must be between {low} and {high}")
    violations.require(request.minimum_capacity >= 1, "minimum_capacity", "must be at least 1")
    violations.require(
        len(request.trip_types) == 1 and request.trip_types[0], "trip_types",
        "must have exactly one type")
    violations.require(
        request.vehicle_types and all(each.category for each in request.vehicle_types),
        "vehicle_types")
    violations.require(request.order_by, "order_by")
    violations.require(
        request.order_by != Order.DROPOFF_POINT_ETA or request.HasField("dropoff_point"),
        "dropoff_point", "is required for the order DROPOFF_POINT_ETA")
    shared = types.TripType.SHARED in request.trip_types
    violations.require(
        not shared or request.HasField("dropoff_point"), "dropoff_point",
        "is required for SHARED trips")
    violations.require(
        not shared or request.current_trips_present, "current_trips_present",
        "is required for SHARED trips")
    violations.require(
        not (request.current_trips_present and request.include_back_to_back),
        "include_back_to_back", "excludes current_trips_present")
    check_filter(violations, request)
    violations.raise_any()


def permits_trips(fleet, request, message):
    """Returns whether the trips of a vehicle permit another one."""
    if request.current_trips_present == Present.NONE:
        return not message.current_trips
    if request.current_trips_present == Present.ANY:
        stops = sum(len(fleet.trips[each].stops_to_come) for each in message.current_trips)
        return len(message.current_trips) <= MAX_TRIPS and stops <= MAX_STOPS
    if not message.current_trips:
        return True
    return (request.include_back_to_back and message.back_to_back_enabled
            and [fleet.trips[each].status for each in message.current_trips]
            == ["ENROUTE_TO_DROPOFF"])


def match(request, vehicle, message, meters, now):
    """Returns a VehicleMatch with estimates along straight lines."""
    found = types.VehicleMatch.pb()(
        vehicle=message, trip_type=request.trip_types[0], requested_ordered_by=request.order_by,
        ordered_by=request.order_by, vehicle_match_type=(
            Match.BACK_TO_BACK if message.current_trips else Match.EXCLUSIVE))
    found.vehicle_pickup_straight_line_distance_meters.value = round(meters)
    before = sum(leg.path.length for leg in vehicle.legs)
    found.vehicle_pickup_distance_meters.value = round(before + meters)
    pickup_at = now + (before + meters) / vehicle.speed
    set_time(found.vehicle_pickup_eta, pickup_at)
    place = found.vehicle_trips_waypoints.add()
    place.lat_lng.CopyFrom(message.last_location.location)
    set_time(place.eta, now)
    pickup = found.vehicle_trips_waypoints.add()
    pickup.lat_lng.CopyFrom(request.pickup_point.point)
    set_time(pickup.eta, pickup_at)
    if request.HasField("dropoff_point"):
        ends = [(each.point.latitude, each.point.longitude)
                for each in (request.pickup_point, request.dropoff_point)]
        ride = math.hypot(*offset(*ends))
        found.vehicle_pickup_to_dropoff_distance_meters.value = round(ride)
        set_time(found.vehicle_dropoff_eta, pickup_at + ride / vehicle.speed)
    return found


def sort_key(order, match):
    if order == Order.PICKUP_POINT_STRAIGHT_DISTANCE:
        return match.vehicle_pickup_straight_line_distance_meters.value
    if order == Order.PICKUP_POINT_DISTANCE:
        return match.vehicle_pickup_distance_meters.value
    if order == Order.DROPOFF_POINT_ETA:
        return match.vehicle_dropoff_eta.ToNanoseconds()
    return match.vehicle_pickup_eta.ToNanoseconds()
