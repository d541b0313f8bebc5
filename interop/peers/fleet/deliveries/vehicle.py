"""A delivery vehicle: it drives from stop to stop and performs the tasks there."""

from dataclasses import dataclass, field, replace
from functools import partial

from google.maps.fleetengine_delivery_v1 import types

from peers.fleet.road.drive import Report
from peers.fleet.road.vehicle import Vehicle

State = types.VehicleStop.State


@dataclass(frozen=True)
class DeliveryStop:
    """A stop with its tasks, compared without its state."""

    point: tuple
    tasks: tuple = ()
    """The IDs of the tasks, in the order in which they are performed."""
    wait: float = 0.0
    """The time in seconds that all tasks take at normal speed."""
    state: int = field(default=State.NEW, compare=False)
    """What the provider said. The state of a simulated vehicle follows from its position."""
    trip_id: str = ""
    kind: None = None


class DeliveryVehicle(Vehicle):
    """A delivery vehicle, created by `Fleet.add_delivery_vehicle` or CreateDeliveryVehicle."""

    def __init__(self, fleet, vehicle_id, point, speedup, points=40, drives=True):
        """A vehicle that does not drive moves only when the provider reports its location."""
        super().__init__(vehicle_id, point, speedup, points)
        self.fleet, self.drives = fleet, drives
        self.details = types.DeliveryVehicle.pb()(
            type_=types.DeliveryVehicle.DeliveryVehicleType.AUTO)
        self.passed = 0
        """The number of stops that it has passed."""
        self.replans = {}
        """What to do when it has passed a number of stops: a function of the time."""
        self._doing = []
        if not drives:
            self.silent = Report(fleet.now, point)

    # Queries

    @property
    def tasks(self):
        """The tasks on its route, in order."""
        return [self.fleet.tasks[task_id] for stop in self.stops for task_id in stop.tasks]

    def position(self, at):
        return super().position(at) if self.drives else self.silent.point

    def state(self, index):
        """Returns the state of the stop with this index."""
        if not self.drives:
            return self.legs[index].stop.state
        if index > 0:
            return State.NEW
        return State.ARRIVED if self.stands else State.ENROUTE

    # Changes by tests and the provider

    def replan(self, order=None, at=None):
        """Changes the order of the remaining stops, given as indexes; by default, reverses them.

        A stop that the vehicle stands at stays the first.
        """
        with self.fleet.lock:
            at = self._caught_up(at)
            first = 1 if self.stands else 0
            kept, rest = self.stops[:first], self.stops[first:]
            order = range(len(rest) - 1, -1, -1) if order is None else order
            if sorted(order) != list(range(len(rest))):
                raise ValueError(f"{self.id} has {len(rest)} stops to plan")
            self.plan([*kept, *(rest[index] for index in order)], at)

    def insert(self, stop, index, at=None):
        """Adds a stop, whose tasks exist, before the one with this index."""
        with self.fleet.lock:
            at = self._caught_up(at)
            stops = self.stops
            index = max(index, 1 if self.stands else 0)
            self.assign_stops([*stops[:index], stop, *stops[index:]], at)

    def assign_stops(self, stops, at):
        """Drives to these stops, assigns their tasks, and closes the tasks that are no longer there."""
        before = self.tasks
        self.plan(stops, at)
        # The planned legs have equal stops, which may be in another state.
        self.legs = [replace(leg, stop=stop) for leg, stop in zip(self.legs, stops)]
        now = self.tasks
        for task in before:
            if task not in now:
                task.close()
        for task in now:
            task.vehicle = self
        self._doing = [each for each in self._doing if each[1] in now]

    def report_location(self, report, message):
        super().report_location(report, message)
        if self.legs and not self.drives:
            at = self.fleet.now
            self.legs[0] = self._leg(report.point, self.legs[0].stop)
            self._set_off(at)
            self._notify_trips(at)

    def do(self, what, *arguments):
        """Calls reroute, delay, stop_reports or resume_reports at the present time."""
        with self.fleet.lock:
            getattr(self, what)(*arguments, self._caught_up(None))

    def _caught_up(self, at):
        if at is None:
            at = self.fleet.now
            self.catch_up(at)
        return at

    # Time

    def _due(self):
        if self.drives:
            for at, task in self._doing:
                yield at, partial(self._finish, task)
            yield from super()._due()

    def _finish(self, task, at):
        self._doing = [each for each in self._doing if each[1] is not task]
        task.finish(at)

    def arrive(self, at):
        super().arrive(at)
        end = at
        for task_id in self.legs[0].stop.tasks:
            task = self.fleet.tasks[task_id]
            end += task.seconds / self.speedup
            self._doing.append((end, task))

    def depart(self, at):
        stop = self.legs[0].stop
        for _, task in self._doing:
            task.finish(at)
        self._doing = []
        super().depart(at)
        for task_id in stop.tasks:
            self.fleet.tasks[task_id].close()
        self.passed += 1
        if replan := self.replans.pop(self.passed, None):
            replan(at)
