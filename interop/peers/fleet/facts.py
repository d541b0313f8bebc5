"""The facts of a trip from one change to the next, from which a response is made."""

from dataclasses import dataclass, field

from google.maps.fleetengine_v1 import types

from peers.fleet.road.drive import Drive, Report, Stop
from peers.fleet.road.paths import Path
from peers.fleet.road.traffic import Traffic

Status = types.TripStatus


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
    """The speed of the vehicle; 0 while it stands."""
    drive: Drive | None = None
    silent: Report | None = None
    waypoints: tuple = ()
    pickup_time: float | None = None
    dropoff_time: float | None = None
    intermediate_index: int = 0
    picked_up: bool = False
    hidden: frozenset = frozenset()
    """Fields of Trip that are not sent."""
    stamps: dict = field(default_factory=dict)
    _parts: dict = field(default_factory=dict)

    def report(self, at):
        """Returns the location that the vehicle last reported before this time."""
        return self.silent or self.drive.report(at)

    def metres_left(self, at):
        """From there to the first waypoint, along the route."""
        return self.drive.path.length - self.drive.metres(self.report(at).time)

    def part(self, key, make):
        """The bytes of a part of the answer, which are made once."""
        if key not in self._parts:
            self._parts[key] = make().SerializeToString()
        return self._parts[key]

    def forget_parts(self):
        """They are seldom asked for when there are newer facts, and they are large."""
        self._parts.clear()
