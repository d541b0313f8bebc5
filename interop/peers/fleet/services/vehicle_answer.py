"""The Vehicle that GetVehicle and other methods return."""

from google.maps.fleetengine_v1 import types

from peers.fleet.facts import Waypoint
from peers.fleet.services import names
from peers.fleet.serving.answer import set_location, set_paths, set_time, set_waypoint
from peers.fleet.stamps import nanoseconds, set_stamp

Vehicle = types.Vehicle.pb()
Category = types.Vehicle.VehicleType.Category
Navigation = types.NavigationStatus


def default_details():
    """Returns the fields of a vehicle that only the provider changes, for a simulated vehicle."""
    return Vehicle(
        vehicle_state=types.VehicleState.ONLINE,
        supported_trip_types=[types.TripType.SHARED, types.TripType.EXCLUSIVE],
        maximum_capacity=4, vehicle_type={"category": Category.AUTO},
        license_plate={"country_code": "US", "last_character": "7"},
        attributes=[{"key": "class", "value": "standard", "string_value": "standard"}])


def vehicle_message(fleet, vehicle, request=None, paths=True):
    """Returns a Vehicle, without the parts that are unchanged since the versions in the request."""
    message = Vehicle()
    message.CopyFrom(vehicle.details)
    message.name = names.name(fleet, "vehicles", vehicle.id)
    message.current_trips.extend(current_trips(fleet, vehicle))
    if not fill_provided_location(message.last_location, vehicle):
        set_location(message.last_location, vehicle.report(fleet.now), speed_of(vehicle), fleet.now)
    if vehicle.drive:
        fill_route(message, vehicle, fleet.now, paths)
    if vehicle.stamps["route"] is not None:
        set_stamp(message.current_route_segment_version, vehicle.stamps["route"])
    if vehicle.stamps["waypoints"] is not None:
        set_stamp(message.waypoints_version, vehicle.stamps["waypoints"])
    if request:
        forget_unchanged(message, request)
    return message


def fill_provided_location(message, vehicle):
    """Fills what the provider reported last; returns whether that is still the last report."""
    if not vehicle.provided or vehicle.silent is not vehicle.provided[0]:
        return False
    message.CopyFrom(vehicle.provided[1])
    return True


def speed_of(vehicle):
    return vehicle.speed if vehicle.drive and not vehicle.stands else 0.0


def current_trips(fleet, vehicle):
    """Returns the IDs of the trips that are assigned to a vehicle."""
    reserved = [trip.id for trip in fleet.trips.values()
                if trip.vehicle is vehicle and trip.is_active and trip.id not in vehicle.trips]
    return [*vehicle.trips, *reserved]


def waypoints_of(vehicle):
    return [Waypoint(leg.stop, leg.path, leg.traffic, begin, eta)
            for leg, begin, eta in vehicle.timetable()]


def fill_route(message, vehicle, now, paths):
    waypoints = waypoints_of(vehicle)
    for index, waypoint in enumerate(waypoints):
        filled = message.waypoints.add()
        set_waypoint(filled, waypoint)
        if paths and index > 0:
            set_paths(filled, waypoint.path, None, encoded=False)
    set_waypoint(message.current_route_segment_end_point, waypoints[0])
    message.current_route_segment = vehicle.drive.path.s2
    left = vehicle.drive.path.length - vehicle.drive.meters(vehicle.report(now).time)
    message.remaining_distance_meters.value = round(left)
    set_time(message.eta_to_first_waypoint, waypoints[0].eta)
    message.navigation_status = (
        Navigation.ARRIVED_AT_DESTINATION if vehicle.stands else Navigation.ENROUTE_TO_DESTINATION)


def forget_unchanged(message, request):
    """Clears the parts that have not changed since the versions in the request."""
    for version, part in (("current_route_segment_version", "current_route_segment"),
                          ("waypoints_version", "waypoints")):
        if request.HasField(version) and (
                nanoseconds(getattr(message, version)) <= nanoseconds(getattr(request, version))):
            message.ClearField(part)
