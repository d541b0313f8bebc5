"""A vehicle: it drives from stop to stop, waits at each, and has traffic on its path.

Subclasses override what happens at a stop and after a change.

Each event has a time and is executed when the state at a later time is requested. The position of a
vehicle therefore depends only on the time, not on the requests.
"""

import random
from dataclasses import dataclass, field, replace
from functools import partial

from peers.fleet.road.drive import REPORTS, Drive, Kind, Leg, Report, Stop
from peers.fleet.road.paths import street
from peers.fleet.road.traffic import Traffic
from peers.fleet.stamps import Stamps

METERS_PER_SECOND = 8.0
"""The normal speed."""


@dataclass(eq=False)
class Vehicle:
    id: str
    point: tuple
    """The place where it waits without a destination."""
    speedup: float = 1.0
    """The factor by which everything is faster than usual."""
    points: int = 40
    """The number of points of a leg."""
    legs: list = field(default_factory=list)
    """The legs to the remaining stops. The first is the current one, or the one whose stop it is at."""
    drive: Drive | None = None
    departure: float | None = None
    """When it leaves the current stop; None while it drives."""
    silent: Report | None = None
    """The last report, if it has stopped reporting."""
    traffic_lasts: float = 60.0
    trips: dict = field(default_factory=dict)
    """The assigned trips by ID."""

    def __post_init__(self):
        self._dice = random.Random(self.id)
        self._next_traffic = None
        self._assignments = []
        self.provided = None
        """The report that the provider sent, and its message; not used if it reports by itself again."""
        self.details = None
        """The message with the fields that only the provider changes."""
        self._stamps = Stamps(route=(), waypoints=())
        self.stamps = dict.fromkeys(("route", "waypoints"))

    @property
    def speed(self):
        """The driving speed in meters per second."""
        return METERS_PER_SECOND * self.speedup

    @property
    def stops(self):
        return [leg.stop for leg in self.legs]

    @property
    def stands(self):
        return self.departure is not None

    def position(self, at):
        return self.drive.path.at(self.drive.meters(at))[0] if self.drive else self.point

    def report(self, at):
        """Returns the location that the vehicle last reported before this time."""
        if self.silent:
            return self.silent
        return self.drive.report(at) if self.drive else Report(at - at % REPORTS, self.point)

    def report_location(self, report, message):
        """Sets what it last reported, until `resume_reports`; without a destination, it moves there."""
        self.silent, self.provided = report, (report, message)
        if not self.drive:
            self.point = report.point
        self._notify_trips(report.time)

    # Time

    def catch_up(self, now):
        """Executes all events that are due."""
        while (due := min(self._due(), key=lambda due: due[0], default=None)) and due[0] <= now:
            due[1](due[0])

    def _due(self):
        for at, trip in self._assignments:
            yield at, partial(self._begin, trip)
        if self.stands:
            yield self.departure, self.depart
        elif self.drive:
            yield self.drive.arrival, self.arrive
            yield self._next_traffic, self.renew_traffic

    def assign_later(self, trip, at):
        self._assignments.append((at, trip))

    def _begin(self, trip, at):
        self._assignments = [each for each in self._assignments if each[1] is not trip]
        self.assign(trip, at)

    # The plan

    def assign(self, trip, at):
        """Adds stops after the present ones; those of a shared trip are inserted between them."""
        self._assignments = [each for each in self._assignments if each[1] is not trip]
        self.trips[trip.id] = trip
        stops, its = self.stops, list(trip.stops_to_come)
        if trip.shared and stops:
            self.plan([stops[0], its[0], *stops[1:], *its[1:]], at)
        else:
            self.plan([*stops, *its], at)

    def dismiss(self, trip, at):
        """Removes a trip from the vehicle."""
        self._assignments = [each for each in self._assignments if each[1] is not trip]
        if self.trips.pop(trip.id, None):
            self.plan([stop for stop in self.stops if stop.trip_id != trip.id], at)

    def plan(self, stops, at):
        """Drives to these stops from now on. A leg between the same two stops is kept."""
        here = self.position(at)
        kept = dict(zip(zip([None, *self.stops], self.stops), self.legs))
        before, legs = None, []
        for stop in stops:
            start = before.point if before else here
            legs.append(kept.get((before, stop)) or self._leg(start, stop))
            before = stop
        stays = legs and self.legs and legs[0] is self.legs[0]
        self.legs = legs
        if not stays:
            self.point, self.departure = here, None
            self._set_off(at)
        self._notify_trips(at)

    def reroute(self, at):
        """Takes another path to the next stop."""
        if self.stands or not self.drive:
            raise ValueError(f"{self.id} is not driving")
        self.legs[0] = self._leg(self.position(at), self.legs[0].stop)
        self._set_off(at)
        self._notify_trips(at)

    def delay(self, seconds, at):
        """Delays the arrival on the same path, or the departure from the current stop."""
        if not self.drive:
            raise ValueError(f"{self.id} has no stops")
        if self.stands:
            self.departure += seconds
        else:
            self.drive = replace(
                self.drive, begin=at, from_meters=self.drive.meters(at),
                arrival=max(self.drive.arrival + seconds, at))
        self._notify_trips(at)

    def depart_by(self, at):
        """Leaves the current stop after the normal wait at the latest."""
        if self.stands:
            self.departure = min(self.departure, at + Stop.wait / self.speedup)

    def arrive(self, at):
        self.drive = replace(self.drive, arrival=at)
        self.departure = at + self.legs[0].stop.wait / self.speedup
        stop = self.legs[0].stop
        if trip := self.trips.get(stop.trip_id):
            trip.reached(stop, at)
        self._notify_trips(at)
        if stop.kind == Kind.DROP_OFF_WAYPOINT_TYPE:
            self.trips.pop(stop.trip_id, None)

    def depart(self, at):
        self.point, self.departure = self.legs.pop(0).stop.point, None
        self._set_off(at)
        self._notify_trips(at)

    def renew_traffic(self, at):
        self._next_traffic = at + self.traffic_lasts / self.speedup
        self.set_traffic(Traffic.randomized(self.legs[0].path, self._dice), at)

    def set_traffic(self, traffic, at, leg=0):
        """Sets the traffic of a leg; None clears it."""
        self.legs[leg] = replace(self.legs[leg], traffic=traffic)
        self._notify_trips(at)

    def stop_reports(self, at):
        """Stops reporting its location."""
        self.silent = self.drive.report(at) if self.drive else Report(at, self.point)
        self._notify_trips(at)

    def resume_reports(self, at):
        self.silent = None
        self._notify_trips(at)

    def timetable(self):
        """Yields each leg with its begin and its end."""
        free = None
        for index, leg in enumerate(self.legs):
            if index == 0:
                begin, eta = self.drive.begin, self.drive.arrival
                free = self.departure if self.stands else eta + leg.stop.wait / self.speedup
            else:
                begin, eta = free, free + leg.path.length / self.speed
                free = eta + leg.stop.wait / self.speedup
            yield leg, begin, eta

    def _leg(self, start, stop):
        path = street(start, stop.point, self.points, self._dice)
        return Leg(stop, path, Traffic.randomized(path, self._dice))

    def _set_off(self, at):
        if not self.legs:
            self.drive = None
            return
        path = self.legs[0].path
        self.drive = Drive(path, at, at + path.length / self.speed)
        self._next_traffic = at + self.traffic_lasts / self.speedup

    def _notify_trips(self, at):
        self.stamps = self._stamps.update(
            at, route=self.drive.path.points if self.drive else (),
            waypoints=tuple((leg.stop, begin, eta) for leg, begin, eta in self.timetable()))
        for trip in list(self.trips.values()):
            trip.observe(at)
