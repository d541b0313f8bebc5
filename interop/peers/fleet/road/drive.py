"""The drive of a vehicle from one stop to the next, and its reports on the way."""

from dataclasses import dataclass

from google.maps.fleetengine_v1 import types

from peers.fleet.road.paths import Path
from peers.fleet.road.traffic import Traffic

Kind = types.WaypointType
REPORTS = 2.0
"""The interval between a vehicle's reports, in seconds."""


@dataclass(frozen=True)
class Report:
    """The location in a vehicle's last report."""

    time: float
    point: tuple
    heading: int = 0


@dataclass(frozen=True)
class Stop:
    trip_id: str
    kind: Kind
    point: tuple
    wait: float = 20.0
    """The time that the vehicle waits there without haste, in seconds."""


@dataclass(frozen=True, eq=False)
class Leg:
    """The way to a stop; equal to itself only."""

    stop: Stop
    path: Path
    traffic: Traffic | None


@dataclass(frozen=True)
class Drive:
    """Goes along a path steadily, from `metres` at the time `begin` to its end at `arrival`."""

    path: Path
    begin: float
    arrival: float
    from_metres: float = 0.0

    def metres(self, at):
        if at >= self.arrival:
            return self.path.length
        part = (at - self.begin) / (self.arrival - self.begin)
        return self.from_metres + max(part, 0) * (self.path.length - self.from_metres)

    def report(self, at):
        """The last one before this time; it reports when it begins and when it arrives."""
        time = max(at - (at - self.begin) % REPORTS, self.begin)
        if time < self.arrival <= at:
            time = self.arrival
        return Report(time, *self.path.at(self.metres(time)))
