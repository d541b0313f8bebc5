"""How a vehicle gets from one stop to the next: where it is then, and what it tells of that."""

from dataclasses import dataclass

from google.maps.fleetengine_v1 import types

from peers.fleet.paths import Path
from peers.fleet.traffic import Traffic

Kind = types.WaypointType
REPORTS = 2.0
"""How often a vehicle tells where it is, in seconds."""


@dataclass(frozen=True)
class Report:
    """Where a vehicle was when it last told so."""

    time: float
    point: tuple
    heading: int = 0


@dataclass(frozen=True)
class Stop:
    trip_id: str
    kind: Kind
    point: tuple
    wait: float = 20.0
    """How long the vehicle stands there, in seconds, without haste."""


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
