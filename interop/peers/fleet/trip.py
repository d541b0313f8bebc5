"""A trip, and the changes that its provider and the driver's app make."""

from google.maps.fleetengine_v1 import types

Status = types.TripStatus


class Trip:
    """A trip of an emulator, created by `Fleet.add_trip`."""

    def __init__(self, fleet, trip_id, vehicle_id):
        self._fleet, self.id, self.vehicle_id = fleet, trip_id, vehicle_id
        self.name = fleet.trip_name(trip_id)

    @property
    def message(self):
        return self._fleet.call("GetTrip", name=self.name)

    @property
    def status(self):
        """The name of its status, such as ARRIVED_AT_PICKUP."""
        return Status(self.message.trip_status).name

    def go(self, status):
        """Moves the vehicle to where the trip has this status, without advancing the time."""
        if status == "CANCELED":
            return self.cancel()
        wanted, trip = Status[status], self.message
        if trip.trip_status == wanted:
            return None
        steps = list(steps_of(trip))
        current = next((index for index, (status, number, _) in enumerate(steps) if status == trip.trip_status
                        and number in (None, trip.intermediate_destination_index)), -1)
        status, number, place = next(step for step in steps[current + 1:] if step[0] == wanted)
        fields = {"trip_status": status, "vehicle_id": trip.vehicle_id or self.vehicle_id}
        if number is not None:
            fields["intermediate_destination_index"] = number
        self.update(**fields)
        if place:
            self.report(last_location=self._fleet.location((place.point.latitude, place.point.longitude)))
        return self._fleet.drive(fields["vehicle_id"])

    def cancel(self):
        self.update(trip_status=Status.CANCELED)

    def update(self, **fields):
        """UpdateTrip."""
        self._fleet.call("UpdateTrip", name=self.name, trip=fields, update_mask={"paths": list(fields)})

    def report(self, **fields):
        """UpdateVehicle, for the vehicle of the trip."""
        self._fleet.call("UpdateVehicle", name=self._fleet.name("vehicles", self.vehicle_id), vehicle=fields,
                         update_mask={"paths": list(fields)})

    def change_vehicle(self, vehicle_id):
        """Another vehicle takes over, from its own position."""
        self._fleet.vehicle(vehicle_id)
        self.vehicle_id = vehicle_id
        self.update(vehicle_id=vehicle_id)
        self._fleet.drive(vehicle_id)

    def reroute(self):
        """Gives the vehicle another path to its next stop."""
        self._fleet.drive(self.vehicle_id)

    def delay(self):
        """Makes the vehicle slower."""
        self._fleet.drive(self.vehicle_id, slower=2)

    def set_traffic(self, *stretches):
        """Sets traffic on the route: (0, 120, "TRAFFIC_JAM"), … with the start and the length in meters."""
        self.report(current_route_segment_traffic={"traffic_rendering": {"road_stretch": [
            {"offset_meters": start, "length_meters": length, "style": style}
            for start, length, style in stretches]}})

    def hide(self, *fields):
        """Leaves these fields out of answers from now on, and no others."""
        self._fleet.hidden[self.name] = fields


def steps_of(trip):
    """Yields the statuses of a trip, with the index of the destination, and the stop where the vehicle is; None where
    it begins."""
    stops = trip.intermediate_destinations
    yield Status.ENROUTE_TO_PICKUP, None, None
    yield Status.ARRIVED_AT_PICKUP, None, trip.pickup_point
    for index, (before, stop) in enumerate(zip([trip.pickup_point, *stops], stops)):
        yield Status.ENROUTE_TO_INTERMEDIATE_DESTINATION, index, before
        yield Status.ARRIVED_AT_INTERMEDIATE_DESTINATION, index, stop
    yield Status.ENROUTE_TO_DROPOFF, None, [trip.pickup_point, *stops][-1]
    yield Status.COMPLETE, None, trip.dropoff_point
