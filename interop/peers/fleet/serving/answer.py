"""The response to GetTrip: a Trip in the requested view and format, without unchanged parts.

The response is the concatenation of its serialized parts, which protobuf merges. Unchanged parts are
therefore not serialized again.
"""

from google.maps.fleetengine_v1 import types

from peers.fleet.facts import Status
from peers.fleet.stamps import nanoseconds, set_stamp

Trip = types.Trip.pb()
ENCODED = types.PolylineFormatType.ENCODED_POLYLINE_TYPE
View = types.TripView

# The field of the request and of the Trip that has the stamp of a part.
STAMPS = {
    "route": "current_route_segment_version",
    "traffic": "current_route_segment_traffic_version",
    "waypoints": "remaining_waypoints_version",
    "paths": "remaining_waypoints_route_version",
}


def answer(trip, facts, now, request, always_waypoints):
    """Returns the bytes of a Trip at the time `now`."""
    return b"".join(parts_of(trip, facts, now, request, always_waypoints))


def parts_of(trip, facts, now, request, always_waypoints):
    """Returns the bytes of the parts of a Trip at the time `now`."""
    encoded = request.route_format_type == ENCODED
    if request.view == View.JOURNEY_SHARING_V1S:
        return [journey_sharing(trip, facts, now, encoded).SerializeToString()]
    wanted = {part: newer(facts.stamps[part], request, field) for part, field in STAMPS.items()}
    parts = [facts.part("rest", lambda: rest(trip, facts))]
    if wanted["route"]:
        parts.append(facts.part(("route", encoded), lambda: route(facts, encoded)))
    if wanted["traffic"]:
        parts.append(facts.part("traffic", lambda: traffic(facts)))
    if wanted["waypoints"] or always_waypoints:
        key = ("waypoints", encoded, wanted["paths"])
        parts.append(facts.part(key, lambda: waypoints(facts, encoded, wanted["paths"])))
    parts.append(live(facts, now).SerializeToString())
    return parts


def newer(stamp, request, field):
    """Returns whether a part changed after the stamp in the request."""
    if not request.HasField(field):
        return True
    return stamp is not None and stamp > nanoseconds(getattr(request, field))


def hiding(fill):
    """Returns a function that makes a Trip with `fill(message, facts, …)`, without hidden fields."""
    def make(facts, *arguments):
        message = Trip()
        fill(message, facts, *arguments)
        for name in facts.hidden:
            message.ClearField(name)
        return message

    return make


@hiding
def route(message, facts, encoded):
    if facts.drive and not facts.hidden & {"route", "current_route_segment"}:
        set_path(message, facts.drive.path, encoded, "route", "current_route_segment")


@hiding
def traffic(message, facts):
    if facts.waypoints and facts.waypoints[0].traffic:
        facts.waypoints[0].traffic.fill(message.current_route_segment_traffic)


@hiding
def waypoints(message, facts, encoded, with_paths):
    for index, waypoint in enumerate(facts.waypoints):
        filled = message.remaining_waypoints.add()
        set_waypoint(filled, waypoint)
        # The path to the first waypoint is the route.
        if with_paths and index > 0:
            set_paths(filled, waypoint.path, waypoint.traffic, encoded)


def rest(trip, facts):
    """Returns the fields that change only with the facts."""
    return hiding(fill_rest)(facts, trip)


def fill_rest(message, facts, trip):
    fill_common(message, facts, trip)
    message.view = View.SDK
    for part, field in STAMPS.items():
        if facts.stamps[part] is not None:
            set_stamp(getattr(message, field), facts.stamps[part])
    if facts.waypoints:
        set_waypoint(message.current_route_segment_end_point, facts.waypoints[0])
        set_time(message.eta_to_first_waypoint, facts.waypoints[0].eta)
        message.last_location_snappable = not facts.hidden & {"last_location", "route"}


@hiding
def live(message, facts, now):
    """Fills the fields that change with time."""
    if facts.drive:
        set_location(message.last_location, facts.report(now), facts.speed, now)
        message.remaining_distance_meters.value = round(facts.meters_left(now))
        seconds = max(facts.drive.arrival - now, 0)
        message.remaining_time_to_first_waypoint.FromNanoseconds(round(seconds * 1e6) * 1000)


@hiding
def fill_journey_sharing(message, facts, trip, now, encoded):
    fill_common(message, facts, trip)
    message.view = View.JOURNEY_SHARING_V1S
    if facts.picked_up:
        set_stop(message.actual_pickup_point, trip.pickup, facts.pickup_time)
    if facts.status == Status.COMPLETE and trip.dropoff:
        set_stop(message.actual_dropoff_point, trip.dropoff, facts.dropoff_time)
    if facts.drive:
        set_location(message.last_location, facts.report(now), facts.speed, now)
    for index, waypoint in enumerate(facts.waypoints):
        filled = message.remaining_waypoints.add()
        set_waypoint(filled, waypoint)
        path = waypoint.path
        if index == 0:
            # The first path begins at the vehicle.
            path = path.after(path.length - facts.meters_left(now))
            filled.distance_meters.value = round(path.length)
            seconds = max(waypoint.eta - now, 0)
            filled.duration.FromNanoseconds(round(seconds * 1e6) * 1000)
        set_paths(filled, path, waypoint.traffic, encoded)


def journey_sharing(trip, facts, now, encoded):
    """Returns the fields of this view. It has no stamps, so all fields are always sent."""
    return fill_journey_sharing(facts, trip, now, encoded)


def fill_common(message, facts, trip):
    """Fills the fields of both views that change only with the facts."""
    message.name, message.vehicle_id, message.trip_status = (
        trip.name, facts.vehicle_id, facts.status)
    message.trip_type = types.TripType.SHARED if trip.shared else types.TripType.EXCLUSIVE
    message.number_of_passengers = trip.passengers
    set_point(message.pickup_point.point, trip.pickup.point)
    if trip.dropoff:
        set_point(message.dropoff_point.point, trip.dropoff.point)
    for stop in trip.intermediates:
        set_point(message.intermediate_destinations.add().point, stop.point)
    message.intermediate_destination_index = facts.intermediate_index
    if trip.intermediates:
        set_time(message.intermediate_destinations_version, trip.destinations_changed)
    if facts.pickup_time is not None:
        set_time(message.pickup_time, facts.pickup_time)
    if facts.dropoff_time is not None:
        set_time(message.dropoff_time, facts.dropoff_time)
    message.MergeFrom(trip.provided)


def set_waypoint(message, waypoint):
    stop = waypoint.stop
    message.trip_id, message.waypoint_type = stop.trip_id, stop.kind
    set_point(message.location.point, stop.point)
    message.distance_meters.value = waypoint.meters
    set_time(message.eta, waypoint.eta)
    message.duration.FromSeconds(round(waypoint.eta - waypoint.begin))


def set_paths(message, path, traffic, encoded):
    set_path(message, path, encoded, "path_to_waypoint", "encoded_path_to_waypoint")
    if traffic:
        traffic.fill(message.traffic_to_waypoint)


def set_path(message, path, encoded, as_list, as_text):
    if encoded:
        setattr(message, as_text, path.s2)
        return
    points = getattr(message, as_list)
    for latitude, longitude in path.points:
        points.add(latitude=latitude, longitude=longitude)


def set_location(message, report, speed, now):
    """Fills a VehicleLocation or DeliveryVehicleLocation with what the vehicle reported."""
    set_point(message.location, report.point)
    set_point(message.raw_location, (report.point[0] - 0.000031, report.point[1] + 0.000018))
    set_time(message.update_time, report.time)
    set_time(message.server_time, report.time + 0.18)
    set_time(message.raw_location_time, report.time)
    message.time_since_update.value = int(max(now - report.time, 0))
    message.heading.value = report.heading
    message.speed.value = speed
    message.latlng_accuracy.value = 4.5
    message.is_road_snapped.value = True
    message.location_sensor = types.LocationSensor.ROAD_SNAPPED_LOCATION_PROVIDER
    message.raw_location_sensor = types.LocationSensor.GPS


def set_stop(message, stop, at):
    set_point(message.point, stop.point)
    set_time(message.timestamp, at)


def set_point(latlng, point):
    latlng.latitude, latlng.longitude = point


def set_time(timestamp, seconds):
    timestamp.FromMicroseconds(round(seconds * 1e6))
