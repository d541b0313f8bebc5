"""The trip and the vehicle of the demo: a ride across San Francisco."""

import math
from datetime import datetime, timedelta, timezone

from google.maps.fleetengine_v1 import types

Trip, Vehicle = types.Trip.pb(), types.Vehicle.pb()
LatLng = Trip.DESCRIPTOR.fields_by_name["route"].message_type._concrete_class

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=timezone.utc)
METERS_PER_SECOND = 6.4

# Up Valencia Street, along Market Street and the Embarcadero to the Ferry Building: each corner and the
# number of points on the path to it.
TO_PICKUP = [
    ((37.758921, -122.421376), 1), ((37.764742, -122.421935), 6), ((37.771912, -122.422573), 7),
    ((37.773618, -122.421122), 3), ((37.777104, -122.416723), 5), ((37.782935, -122.409347), 8),
    ((37.789031, -122.401629), 8), ((37.793418, -122.396073), 6), ((37.794872, -122.394216), 3),
    ((37.795512, -122.393874), 2),
]
PICKUP = TO_PICKUP[-1][0]
COFFEE = (37.802139, -122.418740)
DROPOFF = (37.771469, -122.468676)


def path(corners):
    """Returns the points of a path, with six decimals and small deviations from straight lines."""
    points = [corners[0][0]]
    for (start, _), (end, count) in zip(corners, corners[1:]):
        for step in range(1, count + 1):
            part = step / count
            bend = 0 if step == count else 0.00002 * math.sin(7.0 * step + 3.0 * len(points))
            points.append(tuple(
                round(a + (b - a) * part + bend, 6) for a, b in zip(start, end)))
    return points


def meters(points):
    """Returns the length of a path on a sphere in meters."""
    total = 0.0
    for (lat1, lng1), (lat2, lng2) in zip(points, points[1:]):
        north = math.radians(lat2 - lat1)
        east = math.radians(lng2 - lng1) * math.cos(math.radians((lat1 + lat2) / 2))
        total += 6_371_008.8 * math.hypot(north, east)
    return round(total)


def street_path(start, end):
    """Returns a path with one corner."""
    return path([(start, 1), ((start[0], end[1]), 6), (end, 6)])


def set_point(latlng, point):
    latlng.latitude, latlng.longitude = point


def add_waypoint(waypoints, kind, point, points, start):
    """Adds a stop at the end of a path that starts at the time `start`; returns the arrival time."""
    distance = meters(points)
    eta = start + timedelta(seconds=round(distance / METERS_PER_SECOND))
    waypoint = waypoints.add(trip_id="t1", waypoint_type=kind)
    set_point(waypoint.location.point, point)
    for each in points:
        set_point(waypoint.path_to_waypoint.add(), each)
    waypoint.distance_meters.value = distance
    waypoint.eta.FromDatetime(eta)
    waypoint.duration.FromTimedelta(eta - start)
    return eta


def set_last_location(location, points):
    set_point(location.location, points[0])
    set_point(location.raw_location, (points[0][0] - 0.000031, points[0][1] + 0.000018))
    location.update_time.FromDatetime(NOW - timedelta(seconds=2))
    location.server_time.FromDatetime(NOW - timedelta(seconds=2) + timedelta(milliseconds=180))
    location.raw_location_time.FromDatetime(NOW - timedelta(seconds=2))
    location.heading.value = 356
    location.speed.value = METERS_PER_SECOND
    location.latlng_accuracy.value = 4.5
    location.is_road_snapped.value = True
    location.location_sensor = types.LocationSensor.ROAD_SNAPPED_LOCATION_PROVIDER
    location.raw_location_sensor = types.LocationSensor.GPS


def trip(name):
    """Returns a trip en route to the pickup, with an intermediate stop for coffee."""
    route = path(TO_PICKUP)
    trip = Trip(
        name=name, vehicle_id="v1", trip_status=types.TripStatus.ENROUTE_TO_PICKUP,
        trip_type=types.TripType.EXCLUSIVE, number_of_passengers=2, last_location_snappable=True,
        view=types.TripView.SDK)
    set_point(trip.pickup_point.point, PICKUP)
    set_point(trip.intermediate_destinations.add().point, COFFEE)
    set_point(trip.dropoff_point.point, DROPOFF)
    for point in route:
        set_point(trip.route.add(), point)
    kinds = types.WaypointType
    pickup = add_waypoint(
        trip.remaining_waypoints, kinds.PICKUP_WAYPOINT_TYPE, PICKUP, route, NOW)
    coffee = add_waypoint(
        trip.remaining_waypoints, kinds.INTERMEDIATE_DESTINATION_WAYPOINT_TYPE, COFFEE,
        street_path(PICKUP, COFFEE), pickup)
    dropoff = add_waypoint(
        trip.remaining_waypoints, kinds.DROP_OFF_WAYPOINT_TYPE, DROPOFF, street_path(COFFEE, DROPOFF),
        coffee)
    # The path to the first waypoint is the route.
    trip.remaining_waypoints[0].ClearField("path_to_waypoint")
    trip.current_route_segment_end_point.CopyFrom(trip.remaining_waypoints[0])
    trip.pickup_time.FromDatetime(pickup)
    trip.dropoff_time.FromDatetime(dropoff)
    trip.eta_to_first_waypoint.FromDatetime(pickup)
    trip.remaining_time_to_first_waypoint.FromTimedelta(pickup - NOW)
    trip.remaining_distance_meters.value = meters(route)
    set_last_location(trip.last_location, route)
    for version in ("current_route_segment_version", "remaining_waypoints_version",
                    "remaining_waypoints_route_version", "intermediate_destinations_version"):
        getattr(trip, version).FromDatetime(NOW - timedelta(minutes=4))
    trip.attributes.add(key="luggage", number_value=2)
    trip.attributes.add(key="wheelchair", bool_value=False)
    return trip


def vehicle(name):
    """Returns the vehicle of the trip."""
    of_trip = trip("")
    vehicle = Vehicle(
        name=name, vehicle_state=types.VehicleState.ONLINE,
        supported_trip_types=[types.TripType.EXCLUSIVE, types.TripType.SHARED],
        current_trips=["t1"], maximum_capacity=4, back_to_back_enabled=True,
        navigation_status=types.NavigationStatus.ENROUTE_TO_DESTINATION)
    vehicle.vehicle_type.category = types.Vehicle.VehicleType.Category.TAXI
    vehicle.license_plate.country_code = "US"
    vehicle.license_plate.last_character = "7"
    vehicle.attributes.add(key="color", value="white", string_value="white")
    vehicle.attributes.add(key="electric", value="true", bool_value=True)
    vehicle.last_location.CopyFrom(of_trip.last_location)
    vehicle.waypoints.extend(of_trip.remaining_waypoints)
    vehicle.waypoints_version.CopyFrom(of_trip.remaining_waypoints_version)
    vehicle.current_route_segment_version.CopyFrom(of_trip.current_route_segment_version)
    vehicle.current_route_segment_end_point.CopyFrom(of_trip.current_route_segment_end_point)
    vehicle.remaining_distance_meters.CopyFrom(of_trip.remaining_distance_meters)
    vehicle.eta_to_first_waypoint.CopyFrom(of_trip.eta_to_first_waypoint)
    return vehicle
