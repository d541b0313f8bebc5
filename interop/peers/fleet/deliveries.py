"""A delivery vehicle, and the changes that its provider makes."""

import random

from google.maps.fleetengine_delivery_v1 import types

from peers.fleet.streets import place, street

KINDS = ["DELIVERY", "PICKUP", "DELIVERY", "UNAVAILABLE", "SCHEDULED_STOP"]
SECONDS = 30
"""The duration of a task."""
EARLY, LATE = 900, 2700
"""How long before and after now the time windows begin and end, in seconds."""
Segment = types.VehicleJourneySegment.pb()


class DeliveryVehicle:
    """A delivery vehicle of an emulator, created by `Fleet.add_delivery_vehicle`."""

    def __init__(self, fleet, vehicle_id):
        self._fleet, self.id = fleet, vehicle_id
        self.name = fleet.name("deliveryVehicles", vehicle_id)

    @property
    def message(self):
        return self._fleet.call("GetDeliveryVehicle", name=self.name)

    def plan(self, stops=6, points=40):
        """Drives to random stops, each with a task, such as d1-1. Its tracking ID has the prefix track-."""
        fleet, dice = self._fleet, random.Random(self.id)
        here = place(dice)
        fleet.call("CreateDeliveryVehicle", parent=fleet.parent, delivery_vehicle_id=self.id, delivery_vehicle={
            "last_location": fleet.location(here), "attributes": [{"key": "depot", "value": "north"}]})
        segments = []
        for number in range(1, stops + 1):
            stop = place(random.Random(f"{self.id} {number - 1}"))
            segments.append(self.stop(f"{self.id}-{number}", stop, KINDS[(number - 1) % len(KINDS)]))
            for latitude, longitude in street(here, stop, points, dice):
                segments[-1].path.add(latitude=latitude, longitude=longitude)
            here = stop
        self.replan(segments)
        fleet.control.call("DriveVehicle", name=self.name)

    def stop(self, task_id, point, kind="DELIVERY"):
        """Creates a task at a point; returns the segment of a journey to it."""
        fleet = self._fleet
        place = {"point": {"latitude": point[0], "longitude": point[1]}}
        fleet.call("CreateTask", parent=fleet.parent, task_id=task_id, task={
            "type_": kind, "state": "OPEN", "planned_location": place, "task_duration": {"seconds": SECONDS},
            "tracking_id": f"track-{task_id}" if kind in ("DELIVERY", "PICKUP") else "",
            "target_time_window": {"start_time": {"seconds": int(fleet.now) - EARLY},
                                   "end_time": {"seconds": int(fleet.now) + LATE}},
            "attributes": [{"key": "parcels", "number_value": 2}]})
        return Segment(stop={"planned_location": place, "state": "NEW", "tasks": [{"task_id": task_id}]})

    def replan(self, segments):
        """Replaces the journey."""
        self._fleet.call(
            "UpdateDeliveryVehicle", delivery_vehicle={
                "name": self.name, "remaining_vehicle_journey_segments": segments},
            update_mask={"paths": ["remaining_vehicle_journey_segments"]})

    def arrive(self):
        """Advances the time until the vehicle arrives at its next stop."""
        self._fleet.advance(self.message.remaining_duration.ToNanoseconds() / 1e9 + 1e-3)

    def depart(self):
        """Advances the time until the vehicle leaves its stop, whose tasks are then closed."""
        tasks = self.message.remaining_vehicle_journey_segments[0].stop.tasks
        self._fleet.advance(len(tasks) * SECONDS + 1e-3)


def end_task(fleet, task_id, outcome):
    """Sets the outcome of a task."""
    fleet.call("UpdateTask", task={"name": fleet.name("tasks", task_id), "task_outcome": outcome},
               update_mask={"paths": ["task_outcome"]})
