"""SearchVehicles: which vehicles match a trip, and in which order."""

from google.maps.fleetengine_v1 import types
from google.protobuf import duration_pb2

from support.fleet_model import filters
from support.fleet_model.failure import Invalid
from support.fleet_model.places import SPEED, meters, seconds, timestamp
from support.fleet_model.trips import SHARED, TO_DROPOFF, waypoints as trip_waypoints
from support.fleet_model.vehicles import answer, fresh, pairs_of_messages

Match, Waypoint = types.VehicleMatch.pb(), types.Waypoint.pb()
Kind = types.VehicleMatch.VehicleMatchType
ONLINE, ANY = 2, 2
BY_DISTANCE, BY_DROPOFF, BY_STRAIGHT = 2, 3, 4
FIVE_MINUTES = duration_pb2.Duration(seconds=300)


def search(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    shared = SHARED in request.trip_types
    invalid.place(request.pickup_point, "pickup_point")
    if request.HasField("dropoff_point"):
        invalid.place(request.dropoff_point, "dropoff_point")
    else:
        invalid.unless(not shared and request.order_by != BY_DROPOFF, "dropoff_point")
    invalid.unless(400 <= request.pickup_radius_meters <= 10_000, "pickup_radius_meters")
    invalid.unless(1 <= request.count <= 50, "count")
    invalid.unless(request.minimum_capacity >= 1, "minimum_capacity")
    invalid.unless(len(request.trip_types) == 1 and request.trip_types[0] in (1, 2), "trip_types")
    invalid.unless(request.vehicle_types and all(1 <= each.category <= 6 for each in request.vehicle_types),
                   "vehicle_types")
    invalid.unless(1 <= request.order_by <= 5, "order_by")
    invalid.unless(not shared or request.current_trips_present, "current_trips_present")
    invalid.unless(not request.include_back_to_back or not request.current_trips_present, "include_back_to_back")
    filters.check_required(invalid, request)
    invalid.raise_any()
    filter_ = filters.parsed(request.filter)
    provider, found = model.provider(request.parent), []
    has_attributes = filters.required(request, pairs_of_messages)
    for _, stored in sorted(provider.vehicles.items()):
        vehicle = stored.message
        if not (vehicle.vehicle_state == ONLINE and request.trip_types[0] in vehicle.supported_trip_types
                and vehicle.vehicle_type.category in [each.category for each in request.vehicle_types]
                and fresh(vehicle, request.maximum_staleness if request.HasField("maximum_staleness") else FIVE_MINUTES,
                          model.now)
                and has_attributes(vehicle) and filter_(vehicle)):
            continue
        straight = meters(vehicle.last_location.location, request.pickup_point.point)
        if (straight <= request.pickup_radius_meters and available(provider, stored, request)
                and request.minimum_capacity <= free_seats(provider, stored, shared)):
            found.append(match(provider, stored, request, straight, model.now))
    key = (lambda each: each[0]) if request.order_by == BY_STRAIGHT else (lambda each: each[1])
    return [each[2] for each in sorted(found, key=key)[:request.count]]


def available(provider, stored, request):
    """Whether the present trips of a vehicle allow another one."""
    trips = provider.trips_of(stored)
    if request.current_trips_present == ANY:
        return len(trips) <= 5 and len(stored.stops) <= 10
    if request.include_back_to_back and trips:
        return len(trips) == 1 and trips[0].message.trip_status == TO_DROPOFF and stored.message.back_to_back_enabled
    return not trips


def free_seats(provider, stored, shared):
    taken = sum(trip.message.number_of_passengers for trip in provider.trips_of(stored)
                if trip.message.trip_type == SHARED) if shared else 0
    return stored.message.maximum_capacity - taken


def match(provider, stored, request, straight, now):
    """Returns the keys of both orders, and the match."""
    trips = provider.trips_of(stored)
    way, eta, waypoints = way_to_pickup(provider, stored, request.pickup_point.point, now)
    found = Match(vehicle=answer(provider, stored, now), trip_type=request.trip_types[0],
                  requested_ordered_by=request.order_by, ordered_by=request.order_by)
    found.vehicle_pickup_straight_line_distance_meters.value = round(straight)
    found.vehicle_pickup_distance_meters.value = round(way)
    found.vehicle_pickup_eta.CopyFrom(timestamp(eta))
    found.vehicle_trips_waypoints.extend(waypoints)
    if request.HasField("dropoff_point"):
        ride = meters(request.pickup_point.point, request.dropoff_point.point)
        found.vehicle_pickup_to_dropoff_distance_meters.value = round(ride)
        found.vehicle_dropoff_eta.CopyFrom(timestamp(eta + ride / SPEED))
    found.vehicle_match_type = Kind.EXCLUSIVE if not trips else (
        Kind.BACK_TO_BACK if request.trip_types[0] != SHARED else
        Kind.CARPOOL if all(trip.message.trip_type == SHARED for trip in trips) else Kind.CARPOOL_BACK_TO_BACK)
    return round(straight), round(way) if request.order_by == BY_DISTANCE else eta, found


def way_to_pickup(provider, stored, pickup, now):
    """Returns the distance in meters, the arrival and the waypoints of the way by the present stops to a pickup."""
    last, way, eta = stored.message.last_location.location, 0, now
    waypoints = [Waypoint(lat_lng=last, eta=timestamp(now))]
    for stop in trip_waypoints(provider, stored):
        distance, reported = meters(last, stop.location.point), None
        if len(waypoints) == 1:
            if stored.message.HasField("remaining_distance_meters"):
                distance = stored.message.remaining_distance_meters.value
            if stored.message.HasField("eta_to_first_waypoint"):
                reported = seconds(stored.message.eta_to_first_waypoint)
        eta = max(eta, reported) if reported else eta + distance / SPEED
        way, last = way + round(distance), stop.location.point
        waypoints.append(Waypoint(lat_lng=last, eta=timestamp(eta)))
    way, eta = way + meters(last, pickup), eta + meters(last, pickup) / SPEED
    return way, eta, [*waypoints, Waypoint(lat_lng=pickup, eta=timestamp(eta))]
