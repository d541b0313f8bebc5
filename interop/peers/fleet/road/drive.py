"""The drive of a vehicle from one stop to the next, and its location reports."""

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
    """The time in seconds that the vehicle waits there at normal speed."""


@dataclass(frozen=True, eq=False)
class Leg:
    """The path to a stop, compared by identity."""

    stop: Stop
    path: Path
    traffic: Traffic | None


@dataclass(frozen=True)
class Drive:
    """Moves along a path at constant speed, from `from_meters` at `begin` to its end at `arrival`."""

    path: Path
    begin: float
    arrival: float
    from_meters: float = 0.0

    def meters(self, at):
        if at >= self.arrival:
            return self.path.length
        part = (at - self.begin) / (self.arrival - self.begin)
        return self.from_meters + max(part, 0) * (self.path.length - self.from_meters)

    def report(self, at):
        """Returns the last report before this time. The vehicle also reports its start and its arrival."""
        time = max(at - (at - self.begin) % REPORTS, self.begin)
        if time < self.arrival <= at:
            time = self.arrival
        return Report(time, *self.path.at(self.meters(time)))
