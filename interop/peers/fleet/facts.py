"""The state of a trip between two changes, from which responses are built."""

from dataclasses import dataclass, field

from google.maps.fleetengine_v1 import types

from peers.fleet.road.drive import Drive, Report, Stop
from peers.fleet.road.paths import Path
from peers.fleet.road.traffic import Traffic

Status = types.TripStatus


@dataclass(frozen=True)
class Waypoint:
    """A remaining stop, of this trip or another one, and the path to it from the stop before."""

    stop: Stop
    path: Path
    traffic: Traffic | None
    begin: float
    eta: float

    @property
    def meters(self):
        return round(self.path.length)


@dataclass(frozen=True, eq=False)
class Facts:
    """The state of a trip. It is immutable; only the position depends on the time of the request."""

    at: float
    """The time of the change that led to this state."""
    status: Status
    vehicle_id: str = ""
    speed: float = 0.0
    """The speed of the vehicle; 0 while it is at a stop."""
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

    def meters_left(self, at):
        """Returns the distance from there to the first waypoint along the route."""
        return self.drive.path.length - self.drive.meters(self.report(at).time)

    def part(self, key, make):
        """Returns the bytes of a part of the response, which are cached."""
        if key not in self._parts:
            self._parts[key] = make().SerializeToString()
        return self._parts[key]

    def forget_parts(self):
        """Discards the cached parts, which are large and rarely needed after the next change."""
        self._parts.clear()
