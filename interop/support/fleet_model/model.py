"""The state of the model, and the calls that it predicts."""

from support.fleet_model import deliveries, tasks, trips, vehicle_search, vehicles
from support.fleet_model.failure import Failed, Invalid

CALLS = {
    "CreateTrip": trips.create, "GetTrip": trips.get, "DeleteTrip": trips.delete, "UpdateTrip": trips.update,
    "SearchTrips": trips.search, "ReportBillableTrip": trips.report_billable,
    "CreateVehicle": vehicles.create, "GetVehicle": vehicles.get, "DeleteVehicle": vehicles.delete,
    "UpdateVehicle": vehicles.update, "UpdateVehicleAttributes": vehicles.update_attributes,
    "ListVehicles": vehicles.listed, "SearchVehicles": vehicle_search.search,
    "CreateDeliveryVehicle": deliveries.create, "GetDeliveryVehicle": deliveries.get,
    "DeleteDeliveryVehicle": deliveries.delete, "UpdateDeliveryVehicle": deliveries.update,
    "ListDeliveryVehicles": deliveries.listed,
    "CreateTask": tasks.create, "BatchCreateTasks": tasks.create_batch, "GetTask": tasks.get,
    "DeleteTask": tasks.delete, "UpdateTask": tasks.update, "ListTasks": tasks.listed,
    "GetTaskTrackingInfo": tasks.track,
}


class Model:
    """Fleet Engine at the time `now`, in seconds since 1970."""

    def __init__(self, now):
        self.now = now
        self._providers = {}

    def call(self, method, request):
        """Returns the answer to a call, or the list of resources that all pages have together.

        Raises:
            Failed: if the call fails.
        """
        return CALLS[method](self, request)

    def provider(self, name):
        return self._providers.setdefault(name, Provider())

    def provider_of(self, name, collection, field="name"):
        """Returns the provider of a resource, whose name is checked."""
        invalid = Invalid()
        invalid.name(name, collection, field)
        invalid.raise_any()
        return self.provider("/".join(name.split("/")[:2]))


class Provider:
    """The resources of one provider."""

    def __init__(self):
        self.trips, self.vehicles, self.tasks, self.delivery_vehicles = {}, {}, {}, {}

    def find_trip(self, name):
        return found_in(self.trips, name.rpartition("/")[2])

    def find_vehicle(self, vehicle_id):
        """Returns the vehicle of a trip; nothing if it has none."""
        return found_in(self.vehicles, vehicle_id) if vehicle_id else None

    def find_task(self, name):
        return found_in(self.tasks, name.rpartition("/")[2])

    def find_delivery_vehicle(self, name):
        return found_in(self.delivery_vehicles, name.rpartition("/")[2])

    def trips_of(self, vehicle):
        """Returns the present trips of a vehicle, in the order of their stops."""
        order = {key[0]: number for number, key in reversed(list(enumerate(vehicle.stops)))}
        found = [trip for trip in self.trips.values() if trip.message.vehicle_id == vehicle.id and not trip.over]
        return sorted(found, key=lambda trip: (order.get(trip.id, len(order) + 1), trip.id))

    def arrange(self, vehicle, waypoints=()):
        """Brings the stops of a vehicle up to date with its trips, in the order of waypoints if there are any."""
        if not vehicle:
            return
        kept = [key for key in vehicle.stops if key[0] in self.trips]
        for trip in self.trips_of(vehicle):
            stops = list(trip.stops())
            present = [key for key in kept if key[0] == trip.id]
            if set(present) == set(stops):
                continue
            # The last stops keep their places, and additional ones precede them.
            places = [number for number, key in enumerate(kept) if key[0] == trip.id]
            for place in places[:max(0, len(places) - len(stops))]:
                kept[place] = None
            places = places[max(0, len(places) - len(stops)):]
            for place, key in zip(places, stops[len(stops) - len(places):]):
                kept[place] = key
            at = places[0] if places else len(kept)
            kept[at:at] = stops[:len(stops) - len(places)]
            kept = [key for key in kept if key]
        mine = {trip.id for trip in self.trips_of(vehicle)}
        vehicle.stops = [key for key in kept if key[0] in mine]
        if waypoints:
            vehicle.stops = self.ordered(vehicle, waypoints, "trip.vehicle_waypoints", strict=True)

    def ordered(self, vehicle, waypoints, field, strict=False):
        """Returns the stops of a vehicle in the order of waypoints, which have to be all of them."""
        places = {key: place for trip in self.trips.values() for key, place in trip.stops().items()}
        left, order = list(vehicle.stops), []
        for each in waypoints:
            key = next((key for key in left if key[:2] == (each.trip_id, each.waypoint_type)
                        and places[key].point == each.location.point), None)
            if not key:
                raise Failed("INVALID_ARGUMENT", field)
            left.remove(key)
            order.append(key)
        in_order = all([key for key in order if key[0] == trip] == [key for key in vehicle.stops if key[0] == trip]
                       for trip, *_ in order)
        if left or not in_order or (strict and not self.are_together(order)):
            raise Failed("INVALID_ARGUMENT", field)
        return order

    def are_together(self, order):
        """Whether no other stops are between those of an exclusive trip."""
        for trip_id in {key[0] for key in order}:
            numbers = [number for number, key in enumerate(order) if key[0] == trip_id]
            if self.trips[trip_id].message.trip_type == trips.EXCLUSIVE and numbers[-1] - numbers[0] >= len(numbers):
                return False
        return True

    def end_route(self, vehicle):
        """Ends the route of a vehicle if it leads to another stop than the next one."""
        if vehicle.route_stop != self.next_stop(vehicle):
            vehicle.route_stop = self.next_stop(vehicle)
            for field in "current_route_segment", "remaining_distance_meters", "eta_to_first_waypoint":
                vehicle.message.ClearField(field)

    def next_stop(self, vehicle):
        """Returns what tells the first stop of a vehicle from another one: its trip, its kind and its place."""
        if not vehicle.stops:
            return None
        key = vehicle.stops[0]
        return key[:2], self.trips[key[0]].stops()[key].point.SerializeToString()

    def renew(self, now):
        """Ends routes whose stop is removed, and changes the versions of what has changed."""
        for vehicle in self.vehicles.values():
            self.end_route(vehicle)
            if vehicle.message.current_route_segment != vehicle.shown_route:
                vehicle.shown_route, vehicle.route_version = vehicle.message.current_route_segment, now
            shown = [(each.trip_id, each.waypoint_type, each.location.SerializeToString())
                     for each in trips.waypoints(self, vehicle)]
            if shown != vehicle.shown:
                vehicle.shown, vehicle.waypoints_version = shown, now
        for trip in self.trips.values():
            vehicle = None if trip.over else self.vehicles.get(trip.message.vehicle_id)
            stops = trips.waypoints(self, vehicle, until=trip.id) if vehicle else []
            contents = {
                "remaining_waypoints_version": [
                    (each.trip_id, each.waypoint_type, each.location.SerializeToString(), trips.seconds(each.eta))
                    for each in stops],
                "remaining_waypoints_route_version": [
                    [(point.latitude, point.longitude) for point in each.path_to_waypoint] for each in stops[1:]],
                "current_route_segment_version": vehicle.message.current_route_segment if stops else ""}
            for version, content in contents.items():
                if content != trip.contents.get(version, type(content)()):
                    trip.contents[version], trip.versions[version] = content, now


def found_in(resources, resource_id):
    if resource_id not in resources:
        raise Failed("NOT_FOUND")
    return resources[resource_id]
