"""Vehicles of on-demand trips, and the order of their stops (VehicleService)."""

from google.maps.fleetengine_v1 import types

from support.fleet_model import filters
from support.fleet_model.failure import Failed, Invalid, attribute_text, check_page, checked_paths, stored_attributes
from support.fleet_model.places import reported, seconds, seen, timestamp
from support.fleet_model.trips import EXCLUSIVE, SHARED, Waypoint, copy_fields, waypoints

Vehicle = types.Vehicle.pb()
REQUIRED = ["vehicle_state", "supported_trip_types", "maximum_capacity", "vehicle_type"]
CREATED = [*REQUIRED, "attributes", "license_plate", "back_to_back_enabled", "last_location"]
ROUTE = {"current_route_segment", "remaining_distance_meters", "eta_to_first_waypoint", "remaining_time_seconds",
         "current_route_segment_end_point"}
UPDATED = {*CREATED, *ROUTE, "waypoints", "navigation_status", "past_locations", "device_settings",
           "current_route_segment_traffic"}


class StoredVehicle:
    def __init__(self, name):
        self.message = Vehicle(name=name)
        self.id = name.rpartition("/")[2]
        self.stops = []
        """The keys of the remaining stops; see StoredTrip.stops."""
        self.shown, self.shown_route = [], ""
        """The stops and the route that the versions are of."""
        self.route_stop = None
        self.waypoints_version = self.route_version = None


def check_fields(invalid, vehicle, given):
    conditions = {
        "vehicle_state": vehicle.vehicle_state in (1, 2),
        "supported_trip_types": vehicle.supported_trip_types and all(
            each in (SHARED, EXCLUSIVE) for each in vehicle.supported_trip_types),
        "maximum_capacity": vehicle.maximum_capacity >= 1,
        "vehicle_type": 1 <= vehicle.vehicle_type.category <= 6}
    for field, holds in conditions.items():
        if field in given:
            invalid.unless(holds, f"vehicle.{field}")
    if "current_route_segment" in given:
        invalid.route(vehicle.current_route_segment, "vehicle.current_route_segment")
    if "attributes" in given:
        invalid.attributes(vehicle.attributes, "vehicle.attributes")
    if "last_location" in given and vehicle.HasField("last_location"):
        invalid.location(vehicle.last_location, "vehicle.last_location")
    if "license_plate" in given and vehicle.HasField("license_plate"):
        invalid.unless(vehicle.license_plate.country_code, "vehicle.license_plate.country_code")


def store(stored, vehicle, fields, now):
    """Copies fields of a request that are stored as they are."""
    copy_fields(vehicle, stored.message, fields & set(CREATED) | fields & {"navigation_status"})
    stored_attributes(stored.message)
    if "last_location" in fields and vehicle.HasField("last_location"):
        stored.message.last_location.CopyFrom(reported(vehicle.last_location, now))


def create(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    invalid.name(f"providers/p/vehicles/{request.vehicle_id}", "vehicles", "vehicle_id")
    check_fields(invalid, request.vehicle, CREATED)
    invalid.raise_any()
    provider = model.provider(request.parent)
    if request.vehicle_id in provider.vehicles:
        raise Failed("ALREADY_EXISTS")
    stored = StoredVehicle(f"{request.parent}/vehicles/{request.vehicle_id}")
    store(stored, request.vehicle, set(CREATED), model.now)
    provider.vehicles[stored.id] = stored
    return answer(provider, stored, model.now)


def update(model, request):
    invalid, vehicle = Invalid(), request.vehicle
    provider = model.provider_of(request.name, "vehicles")
    paths = checked_paths(request.update_mask, UPDATED)
    stored = provider.find_vehicle(request.name.rpartition("/")[2])
    stops = provider.ordered(stored, vehicle.waypoints, "vehicle.waypoints") if "waypoints" in paths else stored.stops
    check_fields(invalid, vehicle, paths)
    invalid.raise_any()
    stored.stops = stops
    provider.end_route(stored)
    store(stored, vehicle, paths, model.now)
    store_route(provider, stored, vehicle, paths, model.now)
    provider.renew(model.now)
    return answer(provider, stored, model.now)


def store_route(provider, stored, vehicle, paths, now):
    if "current_route_segment" in paths:
        stored.message.current_route_segment = vehicle.current_route_segment
        stored.route_stop = provider.next_stop(stored)
    copy_fields(vehicle, stored.message, paths & {"remaining_distance_meters", "eta_to_first_waypoint"})
    if "remaining_time_seconds" in paths and vehicle.HasField("remaining_time_seconds"):
        stored.message.eta_to_first_waypoint.CopyFrom(timestamp(now + vehicle.remaining_time_seconds.value))


def update_attributes(model, request):
    provider = model.provider_of(request.name, "vehicles")
    stored, invalid = provider.find_vehicle(request.name.rpartition("/")[2]), Invalid()
    invalid.unless(request.attributes, "attributes")
    invalid.attributes(request.attributes, "attributes", most=1000)
    invalid.raise_any()
    changed = {each.key: each for each in stored.message.attributes} | {each.key: each for each in request.attributes}
    if len(changed) > 100:
        raise Failed("INVALID_ARGUMENT", "attributes")
    copies = [type(each).FromString(each.SerializeToString()) for each in changed.values()]
    stored.message.ClearField("attributes")
    stored.message.attributes.extend(copies)
    stored_attributes(stored.message)
    return types.UpdateVehicleAttributesResponse.pb()(attributes=stored.message.attributes)


def get(model, request):
    provider = model.provider_of(request.name, "vehicles")
    return answer(provider, provider.find_vehicle(request.name.rpartition("/")[2]), model.now, request)


def delete(model, request):
    provider = model.provider_of(request.name, "vehicles")
    stored = provider.find_vehicle(request.name.rpartition("/")[2])
    if provider.trips_of(stored):
        raise Failed("FAILED_PRECONDITION")
    del provider.vehicles[stored.id]


def answer(provider, stored, now, request=None):
    """Returns a vehicle as GetVehicle answers it."""
    found = Vehicle()
    found.CopyFrom(stored.message)
    found.current_trips.extend(trip.id for trip in provider.trips_of(stored))
    if found.HasField("last_location"):
        found.last_location.CopyFrom(seen(stored.message.last_location, now))
    # The driver's app has reported no values of the stops.
    found.waypoints.extend(
        Waypoint(trip_id=each.trip_id, waypoint_type=each.waypoint_type, location=each.location)
        for each in waypoints(provider, stored))
    for field, version, at in (("current_route_segment", "current_route_segment_version", stored.route_version),
                               ("waypoints", "waypoints_version", stored.waypoints_version)):
        if at:
            getattr(found, version).CopyFrom(timestamp(at))
            if request and request.HasField(version) and seconds(getattr(request, version)) >= at:
                found.ClearField(field)
    return found


def listed(model, request):
    invalid = Invalid()
    for field in "required_attributes", "required_one_of_attributes", "required_one_of_attribute_sets":
        invalid.unless(all(":" in pair for each in getattr(request, field) for pair in each.split("|")), field)
    invalid.raise_any()
    invalid.parent(request.parent)
    invalid.unless(request.vehicle_type_categories and all(1 <= each <= 6 for each in request.vehicle_type_categories),
                   "vehicle_type_categories")
    invalid.unless(request.minimum_capacity.value >= 0, "minimum_capacity")
    invalid.unless(not request.HasField("maximum_staleness") or seconds(request.maximum_staleness) > 0,
                   "maximum_staleness")
    filters.check_required(invalid, request)
    invalid.raise_any()
    filter_ = filters.parsed(request.filter)
    check_page(request)
    provider, found = model.provider(request.parent), []
    has_attributes = filters.required(request, pairs_of_texts)
    for _, stored in sorted(provider.vehicles.items()):
        vehicle = stored.message
        if (vehicle.vehicle_type.category in request.vehicle_type_categories
                and vehicle.maximum_capacity >= request.minimum_capacity.value
                and (not request.trip_types or set(request.trip_types) & set(vehicle.supported_trip_types))
                and (not request.HasField("maximum_staleness") or fresh(vehicle, request.maximum_staleness, model.now))
                and request.vehicle_state in (0, vehicle.vehicle_state)
                and (not request.on_trip_only or provider.trips_of(stored))
                and (not request.HasField("viewport") or inside(vehicle, request.viewport))
                and has_attributes(vehicle) and filter_(vehicle)):
            found.append(answer(provider, stored, model.now))
    return found


def pairs_of_texts(texts):
    texts = [texts] if isinstance(texts, str) else texts
    return [tuple(pair.split(":", 1)) for text in texts for pair in text.split("|")]


def pairs_of_messages(attributes):
    return [(each.key, attribute_text(each)) for each in getattr(attributes, "attributes", attributes)]


def fresh(vehicle, limit, now):
    return vehicle.HasField("last_location") and now - seconds(vehicle.last_location.server_time) <= seconds(limit)


def inside(vehicle, viewport):
    """Whether the vehicle was last seen in a viewport, which may cross the 180th meridian."""
    point, low, high = vehicle.last_location.location, viewport.low, viewport.high
    if not vehicle.HasField("last_location") or not low.latitude <= point.latitude <= high.latitude:
        return False
    if low.longitude <= high.longitude:
        return low.longitude <= point.longitude <= high.longitude
    return not high.longitude < point.longitude < low.longitude
