"""A task of a delivery: what the provider said about it, and its outcome."""

from google.maps.fleetengine_delivery_v1 import types

from peers.fleet.serving.answer import set_point, set_time

Outcome, State, Source = (
    types.Task.TaskOutcome, types.Task.State, types.Task.TaskOutcomeLocationSource)


class Task:
    def __init__(self, task_id, message, will_fail=False):
        """`message` has the fields that the provider sets."""
        self.id, self.message = task_id, message
        self.vehicle = None
        """The delivery vehicle that it is or was assigned to."""
        self.will_fail = will_fail
        """Whether the simulation ends it with FAILED."""

    @property
    def is_open(self):
        return self.message.state == State.OPEN

    @property
    def is_assigned(self):
        """Whether it is on the route of a vehicle."""
        return self.is_open and self.vehicle is not None

    @property
    def seconds(self):
        """The time that it takes."""
        return self.message.task_duration.ToNanoseconds() / 1e9

    def finish(self, at):
        """Sets the outcome of the simulation, unless the provider has already set one."""
        if not self.message.task_outcome:
            self.set_outcome(Outcome.FAILED if self.will_fail else Outcome.SUCCEEDED, at)

    def set_outcome(self, outcome, at, location=None):
        """Sets an outcome and its time, at a location or where the vehicle is."""
        self.message.task_outcome = outcome
        set_time(self.message.task_outcome_time, at)
        if location:
            self.message.task_outcome_location.CopyFrom(location)
            self.message.task_outcome_location_source = Source.PROVIDER
        elif self.vehicle:
            point = self.vehicle.report(at).point
            set_point(self.message.task_outcome_location.point, point)
            self.message.task_outcome_location_source = Source.LAST_VEHICLE_LOCATION

    def close(self):
        self.message.state = State.CLOSED
