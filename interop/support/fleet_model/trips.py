"""Trips: their fields, statuses, stops and versions (TripService)."""

from google.maps.fleetengine_v1 import types

from support.fleet_model.failure import Failed, Invalid, check_page, checked_paths
from support.fleet_model.places import decoded, duration, encoded, meters, rest, seconds, seen, SPEED, timestamp

Trip, Waypoint = types.Trip.pb(), types.TripWaypoint.pb()
NEW, _, _, TO_DROPOFF, COMPLETE, CANCELED, AT_BETWEEN, TO_BETWEEN = range(1, 9)
SHARED, EXCLUSIVE = 1, 2
PICKUP, DROPOFF, BETWEEN = 1, 2, 3
ENCODED, JOURNEY_SHARING = 2, 2
MOST_DESTINATIONS = 1000
CREATED = ["trip_type", "pickup_point", "number_of_passengers", "vehicle_id", "dropoff_point",
           "intermediate_destinations", "attributes"]
INPUT_ONLY = {
    "actual_pickup_point", "actual_pickup_arrival_point", "actual_dropoff_point",
    "actual_intermediate_destination_arrival_points", "actual_intermediate_destinations"}
UPDATED = {
    "vehicle_id", "trip_status", "trip_type", "pickup_point", "dropoff_point", "intermediate_destinations",
    "intermediate_destination_index", "attributes", "vehicle_waypoints"} | INPUT_ONLY
"""The fields that a mask may name: all except those that Fleet Engine maintains."""


class StoredTrip:
    """A trip with what is in no field of it."""

    def __init__(self, name):
        self.message = Trip(name=name, trip_status=NEW)
        self.id = name.rpartition("/")[2]
        self.versions, self.contents = {}, {}
        self.actual = Trip()
        """What the provider reported about the stops, which only the view of journey sharing has."""
        self.picked_up = self.dropped_off = self.destinations_changed = None
        self.updated = None

    @property
    def over(self):
        return self.message.trip_status in (COMPLETE, CANCELED)

    @property
    def active(self):
        return not self.over and self.message.trip_status != NEW

    @property
    def passed(self):
        """The number of stops that the vehicle has passed."""
        status, count = self.message.trip_status, len(self.message.intermediate_destinations)
        if status in (TO_BETWEEN, AT_BETWEEN):
            return 1 + min(self.message.intermediate_destination_index, count)
        return {TO_DROPOFF: 1 + count}.get(status, 0)

    @property
    def progress(self):
        """A number that grows from status to status."""
        status, index = self.message.trip_status, self.message.intermediate_destination_index
        return {TO_BETWEEN: 4 + 2 * index, AT_BETWEEN: 5 + 2 * index, TO_DROPOFF: 10**6, COMPLETE: 10**7,
                CANCELED: 10**7}.get(status, status)

    def stops(self):
        """Returns the remaining stops by their key: (trip, kind, number)."""
        if self.over:
            return {}
        trip = self.message
        found = [((self.id, PICKUP, 0), trip.pickup_point)]
        found += [((self.id, BETWEEN, number), each) for number, each in enumerate(trip.intermediate_destinations)]
        if trip.HasField("dropoff_point"):
            found.append(((self.id, DROPOFF, 0), trip.dropoff_point))
        return dict(found[self.passed:])


def check_fields(invalid, trip, given):
    """Checks the fields of a trip that a request gives, and that its type allows them."""
    if "trip_type" in given:
        invalid.unless(trip.trip_type in (SHARED, EXCLUSIVE), "trip.trip_type")
    if "pickup_point" in given:
        invalid.place(trip.pickup_point, "trip.pickup_point")
    if "dropoff_point" in given and trip.HasField("dropoff_point"):
        invalid.place(trip.dropoff_point, "trip.dropoff_point")
    if "intermediate_destinations" in given:
        for number, each in enumerate(trip.intermediate_destinations):
            invalid.place(each, f"trip.intermediate_destinations[{number}]")
        invalid.unless(len(trip.intermediate_destinations) <= MOST_DESTINATIONS, "trip.intermediate_destinations")
    if "number_of_passengers" in given:
        invalid.unless(trip.number_of_passengers >= 0, "trip.number_of_passengers")
    if "attributes" in given:
        invalid.attributes(trip.attributes, "trip.attributes")
    if "trip_status" in given:
        invalid.unless(NEW <= trip.trip_status <= TO_BETWEEN, "trip.trip_status")


def create(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    invalid.name(f"providers/p/trips/{request.trip_id}", "trips", "trip_id")
    check_fields(invalid, request.trip, CREATED)
    invalid.unless(request.trip.trip_type == EXCLUSIVE or not request.trip.intermediate_destinations,
                   "trip.intermediate_destinations")
    invalid.raise_any()
    provider = model.provider(request.parent)
    name = f"{request.parent}/trips/{request.trip_id}"
    if request.trip_id in provider.trips:
        raise Failed("ALREADY_EXISTS")
    stored = StoredTrip(name)
    copy_fields(request.trip, stored.message, CREATED)
    stored.updated = model.now
    if stored.message.intermediate_destinations:
        stored.destinations_changed = model.now
    vehicle = provider.find_vehicle(stored.message.vehicle_id)
    provider.trips[stored.id] = stored
    try:
        provider.arrange(vehicle, request.trip.vehicle_waypoints)
    except Failed:
        del provider.trips[stored.id]
        provider.arrange(vehicle)
        raise
    provider.renew(model.now)
    return full(provider, stored, model.now)


def copy_fields(source, target, names):
    for name in names:
        target.ClearField(name)
        part = type(source)()
        value = getattr(source, name)
        field = source.DESCRIPTOR.fields_by_name[name]
        if field.is_repeated:
            getattr(part, name).extend(value)
        elif field.message_type:
            if source.HasField(name):
                getattr(part, name).CopyFrom(value)
        else:
            setattr(part, name, value)
        target.MergeFrom(part)


def update(model, request):
    invalid, trip = Invalid(), request.trip
    provider = model.provider_of(request.name, "trips")
    paths = checked_paths(request.update_mask, UPDATED)
    stored = provider.find_trip(request.name)
    check_fields(invalid, trip, paths)
    before = Trip()
    before.CopyFrom(stored.message)
    changed = StoredTrip(request.name)
    changed.message.CopyFrom(before)
    copy_fields(trip, changed.message, paths - INPUT_ONLY - {"vehicle_waypoints"})
    if not changed.message.intermediate_destinations:
        # Without destinations, it is ignored.
        changed.message.intermediate_destination_index = 0
    check_update(invalid, stored, changed, trip, paths)
    vehicle = None if stored.over else provider.find_vehicle(changed.message.vehicle_id)
    old_vehicle = provider.vehicles.get(before.vehicle_id)
    old_passed = stored.passed
    stored.message = changed.message
    try:
        provider.arrange(vehicle, trip.vehicle_waypoints if "vehicle_waypoints" in paths else ())
    except Failed:
        stored.message = before
        provider.arrange(vehicle)
        raise
    if old_vehicle is not vehicle:
        provider.arrange(old_vehicle)
    copy_fields(trip, stored.actual, paths & INPUT_ONLY)
    stored.updated = model.now
    if list(before.intermediate_destinations) != list(stored.message.intermediate_destinations):
        stored.destinations_changed = model.now
    status = stored.message.trip_status
    if not old_passed and (stored.passed or status == COMPLETE) and stored.picked_up is None:
        stored.picked_up = model.now
    if status == COMPLETE and before.trip_status != COMPLETE:
        stored.dropped_off = model.now
    provider.renew(model.now)
    return full(provider, stored, model.now)


def check_update(invalid, stored, changed, trip, paths):
    """Checks what the stored trip decides about an update."""
    count = len(changed.message.intermediate_destinations)
    invalid.unless(changed.message.trip_type == EXCLUSIVE or not count, "trip.intermediate_destinations")
    if count and "intermediate_destination_index" in paths:
        invalid.unless(0 <= changed.message.intermediate_destination_index < count,
                       "trip.intermediate_destination_index")
    invalid.raise_any()
    now_on_the_way = trip.trip_status == TO_BETWEEN and trip.trip_status != stored.message.trip_status
    if trip.HasField("intermediate_destinations_version") and (
            "intermediate_destination_index" in paths or ("trip_status" in paths and now_on_the_way)):
        if abs(seconds(trip.intermediate_destinations_version) - (stored.destinations_changed or 0)) > 1e-3:
            raise Failed("FAILED_PRECONDITION")
    if stored.over and changed.message.vehicle_id != stored.message.vehicle_id:
        raise Failed("FAILED_PRECONDITION")
    is_same = changed.message.trip_status == stored.message.trip_status
    if changed.progress < stored.progress or (stored.over and not is_same):
        raise Failed("FAILED_PRECONDITION")


def delete(model, request):
    provider = model.provider_of(request.name, "trips")
    stored = provider.find_trip(request.name)
    if stored.message.vehicle_id and not stored.over:
        raise Failed("FAILED_PRECONDITION")
    del provider.trips[stored.id]


def get(model, request):
    provider = model.provider_of(request.name, "trips")
    return answer(provider, provider.find_trip(request.name), model.now, request)


def full(provider, stored, now):
    """Returns the answer to the provider, with the stops of the vehicle."""
    found = answer(provider, stored, now)
    vehicle = provider.vehicles.get(stored.message.vehicle_id)
    if vehicle and not stored.over:
        found.vehicle_waypoints.extend(waypoints(provider, vehicle))
    return found


def answer(provider, stored, now, request=None):
    """Returns a trip as GetTrip answers it."""
    found, stops, vehicle = Trip(), [], provider.vehicles.get(stored.message.vehicle_id)
    found.CopyFrom(stored.message)
    if vehicle and not stored.over:
        stops = waypoints(provider, vehicle, until=stored.id)
        if vehicle.message.HasField("last_location"):
            found.last_location.CopyFrom(seen(vehicle.message.last_location, now))
    if stored.destinations_changed:
        found.intermediate_destinations_version.CopyFrom(timestamp(stored.destinations_changed))
    own = {each.waypoint_type: each.eta for each in stops if each.trip_id == stored.id and each.HasField("eta")}
    for field, at, eta in (("pickup_time", stored.picked_up, own.get(PICKUP)),
                           ("dropoff_time", stored.dropped_off, own.get(DROPOFF))):
        if at:
            getattr(found, field).CopyFrom(timestamp(at))
        elif eta:
            getattr(found, field).CopyFrom(eta)
    format_ = request.route_format_type if request else 0
    if request and request.view == JOURNEY_SHARING:
        found.view = JOURNEY_SHARING
        if stops:
            start_at_vehicle(stops[0], vehicle, now)
        found.ClearField("attributes")
        copy_fields(stored.actual, found, ["actual_pickup_point", "actual_dropoff_point"])
    else:
        found.view = 1
        add_route(found, stored, stops, vehicle, now, request)
    for each in stops:
        if format_ == ENCODED:
            if each.path_to_waypoint:
                each.encoded_path_to_waypoint = encoded(each.path_to_waypoint)
            each.ClearField("path_to_waypoint")
    found.remaining_waypoints.extend(stops)
    return found


def location_of(vehicle):
    """Returns where a vehicle was last seen; nothing if it has reported no location."""
    return vehicle.message.last_location.location if vehicle.message.HasField("last_location") else None


def start_at_vehicle(first, vehicle, now):
    """Sets the values of the first stop, which begin at the vehicle."""
    first.path_to_waypoint.extend(rest(decoded(vehicle.message.current_route_segment), location_of(vehicle)))
    if vehicle.message.HasField("remaining_distance_meters"):
        first.distance_meters.CopyFrom(vehicle.message.remaining_distance_meters)
    if vehicle.message.HasField("eta_to_first_waypoint"):
        first.duration.CopyFrom(duration(max(0, seconds(vehicle.message.eta_to_first_waypoint) - now)))


def add_route(found, stored, stops, vehicle, now, request):
    """Adds the fields of the SDK's view, without what is unchanged since the versions of the request."""
    def wanted(version):
        known = request and request.HasField(version) and seconds(getattr(request, version))
        return not known or stored.versions.get(version, 0) > known

    for version, at in stored.versions.items():
        getattr(found, version).CopyFrom(timestamp(at))
    if not stops:
        return
    found.current_route_segment_end_point.CopyFrom(stops[0])
    if vehicle.message.current_route_segment:
        if wanted("current_route_segment_version"):
            if request and request.route_format_type == ENCODED:
                found.current_route_segment = vehicle.message.current_route_segment
            else:
                found.route.extend(decoded(vehicle.message.current_route_segment))
        found.last_location_snappable = vehicle.message.HasField("last_location")
    if vehicle.message.HasField("remaining_distance_meters"):
        found.remaining_distance_meters.CopyFrom(vehicle.message.remaining_distance_meters)
    if vehicle.message.HasField("eta_to_first_waypoint"):
        eta = vehicle.message.eta_to_first_waypoint
        found.eta_to_first_waypoint.CopyFrom(eta)
        found.remaining_time_to_first_waypoint.CopyFrom(duration(max(0, seconds(eta) - now)))
    if not wanted("remaining_waypoints_route_version"):
        for each in stops:
            each.ClearField("path_to_waypoint")


def waypoints(provider, vehicle, until=None):
    """Returns the stops of a vehicle, up to the last one of a trip. After the first, they are on straight lines."""
    places = {key: place for trip in provider.trips.values() for key, place in trip.stops().items()}
    found, eta = [], None
    if vehicle.message.HasField("eta_to_first_waypoint"):
        eta = seconds(vehicle.message.eta_to_first_waypoint)
    keys = vehicle.stops
    if until:
        keys = keys[:1 + max((number for number, key in enumerate(keys) if key[0] == until), default=-1)]
    for key in keys:
        stop = Waypoint(trip_id=key[0], waypoint_type=key[1], location=places[key])
        if found:
            start, end = found[-1].location.point, places[key].point
            length = meters(start, end)
            stop.path_to_waypoint.extend([start, end])
            stop.distance_meters.value = round(length)
            stop.duration.CopyFrom(duration(length / SPEED))
            eta = eta and eta + length / SPEED
        if eta:
            stop.eta.CopyFrom(timestamp(eta))
        found.append(stop)
    return found


def search(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    invalid.unless(seconds(request.minimum_staleness) >= 0, "minimum_staleness")
    invalid.raise_any()
    check_page(request)
    provider, found = model.provider(request.parent), []
    for _, stored in sorted(provider.trips.items()):
        age = model.now - stored.updated
        if (request.vehicle_id in ("", stored.message.vehicle_id) and (stored.active or not request.active_trips_only)
                and not (request.HasField("minimum_staleness") and age < seconds(request.minimum_staleness))):
            trip = answer(provider, stored, model.now)
            if not request.vehicle_id:
                for field in ("route", "current_route_segment", "remaining_waypoints", "remaining_distance_meters",
                              "eta_to_first_waypoint"):
                    trip.ClearField(field)
            found.append(trip)
    return found


def report_billable(model, request):
    invalid = Invalid()
    invalid.name(request.name, "billableTrips")
    invalid.unless(len(request.country_code) == 2 and request.country_code.isascii() and request.country_code.isupper(),
                   "country_code")
    invalid.unless(len(request.related_ids) <= 50, "related_ids")
    invalid.raise_any()
