"""What is true of a trip from one change to the next: all that an answer about it is made of."""

from dataclasses import dataclass, field

from google.maps.fleetengine_v1 import types

from peers.fleet.paths import Path
from peers.fleet.traffic import Traffic
from peers.fleet.vehicle import Drive, Stop

Status = types.TripStatus

REPORTS = 2.0
"""How often a vehicle says where it is, in seconds."""


@dataclass(frozen=True)
class Waypoint:
    """A stop to come, of this trip or another one, and the way there from the stop before."""

    stop: Stop
    path: Path
    traffic: Traffic | None
    begin: float
    eta: float

    @property
    def metres(self):
        return round(self.path.length)


@dataclass(frozen=True, eq=False)
class Facts:
    """Never changes, but for its position: that depends on when it is asked for."""

    at: float
    """Since when it is so."""
    status: Status
    vehicle_id: str = ""
    speed: float = 0.0
    """Of the vehicle: 0 while it stands."""
    drive: Drive | None = None
    silent_since: float | None = None
    waypoints: tuple = ()
    pickup_time: float | None = None
    dropoff_time: float | None = None
    intermediate_index: int = 0
    picked_up: bool = False
    hidden: frozenset = frozenset()
    """Fields of Trip that are not sent."""
    stamps: dict = field(default_factory=dict)
    _parts: dict = field(default_factory=dict)

    def reported(self, at):
        """When the vehicle last said where it is, asked at this time."""
        if self.silent_since is not None:
            at = min(at, self.silent_since)
        last = max(at - (at - self.drive.begin) % REPORTS, self.drive.begin)
        return self.drive.arrival if last < self.drive.arrival <= at else last

    def part(self, key, make):
        """The bytes of a part of the answer, which are made once."""
        if key not in self._parts:
            self._parts[key] = make().SerializeToString()
        return self._parts[key]
