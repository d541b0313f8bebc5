"""A trip: its stops, its status, and the changes that tests make."""

import collections
from dataclasses import replace

from google.maps.fleetengine_v1 import types

from peers.fleet.road.drive import Kind, Stop
from peers.fleet.facts import Facts, Status, Waypoint
from peers.fleet.stamps import Stamps
from peers.fleet.road.traffic import Traffic

ARRIVED = {
    Kind.DROP_OFF_WAYPOINT_TYPE: Status.COMPLETE,
    Kind.PICKUP_WAYPOINT_TYPE: Status.ARRIVED_AT_PICKUP,
    Kind.INTERMEDIATE_DESTINATION_WAYPOINT_TYPE: Status.ARRIVED_AT_INTERMEDIATE_DESTINATION,
}
ENROUTE = {
    Kind.PICKUP_WAYPOINT_TYPE: Status.ENROUTE_TO_PICKUP,
    Kind.INTERMEDIATE_DESTINATION_WAYPOINT_TYPE: Status.ENROUTE_TO_INTERMEDIATE_DESTINATION,
    Kind.DROP_OFF_WAYPOINT_TYPE: Status.ENROUTE_TO_DROPOFF,
}
FIELDS = set(types.Trip.pb().DESCRIPTOR.fields_by_name)
OVER = {Status.COMPLETE, Status.CANCELED}
DAY = 86400.0
MAX_HISTORY = 500
"""The number of changes that a trip remembers."""


class Trip:
    """A trip, created by `Fleet.add_trip` or CreateTrip. Methods of trips and fleets are thread-safe."""

    def __init__(self, fleet, trip_id, points, shared, passengers, has_dropoff=True):
        """`points` has the stops. Without a drop-off, the vehicle waits at the last one."""
        self.fleet, self.id = fleet, trip_id
        self.name = fleet.trip_name(trip_id)
        self.shared, self.passengers = shared, passengers
        self._set_stops(points, has_dropoff)
        self.created = self.destinations_changed = fleet.now
        self.stops_to_come = self.stops
        self.vehicle = None
        self.assigned = False
        """Whether the provider assigned the vehicle, which a NEW trip then shows."""
        self.provided = types.Trip.pb()()
        """The fields that the provider set and that do not change the simulation."""
        self._reached = {}
        self._canceled = self._completed = False
        self._hidden = frozenset()
        self._stamps = Stamps(route=(), waypoints=(), traffic=None, paths=())
        self._history = collections.deque(maxlen=MAX_HISTORY)
        self.observe(self.created)

    def _set_stops(self, points, has_dropoff):
        pickup, *between = points
        self.dropoff = has_dropoff and Stop(self.id, Kind.DROP_OFF_WAYPOINT_TYPE, between.pop())
        kinds = [Kind.PICKUP_WAYPOINT_TYPE,
                 *[Kind.INTERMEDIATE_DESTINATION_WAYPOINT_TYPE] * len(between)]
        stops = [Stop(self.id, kind, point) for kind, point in zip(kinds, [pickup, *between])]
        if not has_dropoff:
            stops[-1] = replace(stops[-1], wait=DAY)
        self.pickup, *self.intermediates = stops

    # Queries

    @property
    def stops(self):
        return [self.pickup, *self.intermediates, *([self.dropoff] if self.dropoff else [])]

    @property
    def is_active(self):
        """Whether it has a vehicle and is not over."""
        status = self.facts().status
        return status not in OVER and bool(self.assigned or status != Status.NEW)

    @property
    def updated(self):
        """The time of the last change in seconds since 1970."""
        return self._history[-1].at

    @property
    def status(self):
        """The name of its status, such as ARRIVED_AT_PICKUP."""
        with self.fleet.lock:
            return self.facts().status.name

    def facts(self, ago=0.0):
        """Returns the facts as of `ago` seconds ago."""
        now = self.fleet.now
        if self.vehicle:
            self.vehicle.catch_up(now)
        for facts in reversed(self._history):
            if facts.at <= now - ago:
                return facts
        return self._history[0]

    # Changes by tests

    def go(self, status):
        """Moves the vehicle to where the trip has this status, without advancing the time."""
        wanted = Status[status]
        with self.fleet.lock:
            if wanted == Status.CANCELED:
                self.cancel()
                return
            if wanted == Status.COMPLETE and not self.dropoff:
                self._complete()
                return
            if wanted not in (is_now := self.facts().status, *self._statuses_to_come()):
                raise ValueError(f"{self.name} cannot change from {is_now.name} to {status}")
            while self._history[-1].status != wanted:
                self._next_phase()

    def _statuses_to_come(self):
        if self._canceled:
            return
        for stop in self.stops_to_come:
            yield ENROUTE[stop.kind]
            yield ARRIVED[stop.kind]

    def _next_phase(self):
        now = self.fleet.now
        if not self.vehicle:
            raise ValueError(f"{self.name} has no vehicle")
        if self.id not in self.vehicle.trips:
            self.vehicle.assign(self, now)
        elif self.vehicle.stands:
            self.vehicle.depart(now)
        else:
            self.vehicle.arrive(now)

    def cancel(self):
        with self.fleet.lock:
            self._require_active()
            self._canceled = True
            self._leave_vehicle()

    def _complete(self):
        """Completes a trip without a drop-off."""
        self._require_active()
        self._completed = True
        self._leave_vehicle()

    def _leave_vehicle(self):
        self.observe(self.fleet.now)
        if self.vehicle:
            self.vehicle.dismiss(self, self.fleet.now)

    def _require_active(self):
        if (is_now := self.facts().status) in OVER:
            raise ValueError(f"{self.name} is {is_now.name}")

    def change_vehicle(self, vehicle_id):
        """Another vehicle takes over, from its own position."""
        with self.fleet.lock:
            self._require_active()
            self.vehicle.dismiss(self, self.fleet.now)
            self.vehicle = self.fleet.vehicle(vehicle_id)
            self.vehicle.catch_up(self.fleet.now)
            self.vehicle.assign(self, self.fleet.now)

    def assign(self, vehicle):
        """Sets the vehicle of a NEW trip, which `go` starts; None removes it."""
        with self.fleet.lock:
            if self.vehicle:
                self.vehicle.dismiss(self, self.fleet.now)
            self.vehicle, self.assigned = vehicle, bool(vehicle)
            self.observe(self.fleet.now)

    def move_stops(self, points, has_dropoff):
        """Replaces the stops. Those that the vehicle has reached keep their place."""
        with self.fleet.lock:
            now, status = self.fleet.now, self.facts().status
            before, count = self.stops, len(self.stops) - len(self.stops_to_come)
            if [each.point for each in before[:count]] != points[:count]:
                raise ValueError(f"{self.name} has already reached its stop")
            self._set_stops(points, has_dropoff)
            if [each.point for each in before if "INTERMEDIATE" in each.kind.name] != [
                    each.point for each in self.intermediates]:
                self.destinations_changed = now
            self._reached = dict(zip(self.stops[:count], self._reached.values()))
            self.stops_to_come = self.stops[count:]
            if status != Status.NEW:
                others = [stop for stop in self.vehicle.stops if stop not in before[count:]]
                self.vehicle.plan([*others, *self.stops_to_come], now)
                if self.dropoff:
                    self.vehicle.depart_by(now)
            self.observe(now)

    def provide(self):
        """Records a change of `provided`."""
        self.observe(self.fleet.now)

    def reroute(self):
        """Gives the vehicle another path to its next stop."""
        self._do("reroute")

    def delay(self, seconds):
        """Delays all planned times without changing routes."""
        self._do("delay", seconds)

    def stop_reports(self):
        """The vehicle stops reporting its location, which gets stale."""
        self._do("stop_reports")

    def resume_reports(self):
        self._do("resume_reports")

    def set_traffic(self, intervals, leg=0):
        """Sets traffic on a leg: [(0, 12, "SLOW"), …] with the start and the exclusive end as indexes of
        its points. An empty list clears it."""
        with self.fleet.lock:
            self.facts()
            path = self.vehicle.legs[leg].path
            traffic = Traffic.of(path, intervals) if intervals else None
            self.vehicle.set_traffic(traffic, self.fleet.now, leg)

    def _do(self, what, *arguments):
        with self.fleet.lock:
            self.facts()
            getattr(self.vehicle, what)(*arguments, self.fleet.now)

    def hide(self, *fields):
        """Stops sending these fields of Trip, so that clients see them cleared."""
        self._hide(lambda hidden: hidden | set(fields))

    def show(self, *fields):
        self._hide(lambda hidden: hidden - set(fields))

    def _hide(self, change):
        with self.fleet.lock:
            self.facts()
            hidden = frozenset(change(self._hidden))
            if unknown := hidden - FIELDS:
                raise ValueError(f"Trip has no field {', '.join(unknown)}")
            self._hidden = hidden
            self.observe(self.fleet.now)

    # Reports of the vehicle

    def reached(self, stop, at):
        self._reached[stop] = at
        self.stops_to_come = self.stops_to_come[self.stops_to_come.index(stop) + 1:]

    def observe(self, at):
        """Records the facts after a possible change."""
        facts = self._facts(at)
        hides = facts.hidden.intersection
        shown = () if hides({"remaining_waypoints"}) else facts.waypoints
        stamps = self._stamps.update(
            at,
            route=() if hides({"route", "current_route_segment"}) or not facts.drive
            else facts.drive.path.points,
            traffic=None if hides({"current_route_segment_traffic"}) or not facts.waypoints
            else facts.waypoints[0].traffic,
            waypoints=tuple((each.stop, each.meters, each.begin, each.eta) for each in shown),
            paths=tuple((each.path, each.traffic) for each in shown[1:]))
        if self._history:
            self._history[-1].forget_parts()
        self._history.append(replace(facts, stamps=stamps))

    def _facts(self, at):
        facts = Facts(
            at, self._status(), hidden=self._hidden, picked_up=self.pickup in self._reached,
            pickup_time=self._reached.get(self.pickup),
            dropoff_time=self._reached.get(self.dropoff),
            intermediate_index=self._intermediate_index())
        if facts.status in {Status.NEW, *OVER}:
            shown = self.vehicle and (self.assigned or facts.status != Status.NEW)
            vehicle_id = self.vehicle.id if shown else ""
            return replace(facts, vehicle_id=vehicle_id)
        vehicle = self.vehicle
        waypoints = [
            Waypoint(leg.stop, leg.path, leg.traffic, begin, eta)
            for leg, begin, eta in vehicle.timetable()]
        etas = {each.stop: each.eta for each in waypoints}
        while waypoints and waypoints[-1].stop.trip_id != self.id:
            waypoints.pop()
        return replace(
            facts, vehicle_id=vehicle.id, drive=vehicle.drive, silent=vehicle.silent,
            speed=0.0 if vehicle.stands else vehicle.speed, waypoints=tuple(waypoints),
            pickup_time=self._reached.get(self.pickup) or etas[self.pickup],
            dropoff_time=etas.get(self.dropoff))

    def _status(self):
        if self._canceled:
            return Status.CANCELED
        if self._completed or self.dropoff in self._reached:
            return Status.COMPLETE
        if not self.vehicle or self.id not in self.vehicle.trips:
            return Status.NEW
        mine = next((stop for stop in self.vehicle.stops if stop.trip_id == self.id), None)
        if not mine:
            return Status.ENROUTE_TO_DROPOFF
        if self.vehicle.stands and mine is self.vehicle.stops[0]:
            return ARRIVED[mine.kind]
        return ENROUTE[mine.kind]

    def _intermediate_index(self):
        """The index of the current or next intermediate destination."""
        left = sum(stop in self._reached for stop in self.intermediates)
        if self._status() == Status.ARRIVED_AT_INTERMEDIATE_DESTINATION:
            left -= 1
        return min(left, max(len(self.intermediates) - 1, 0))
