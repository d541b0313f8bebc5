"""The speeds along a path: a ConsumableTrafficPolyline's points and intervals."""

import itertools
from dataclasses import dataclass

from google.maps.fleetengine_v1 import types

from peers.fleet.road.paths import Path, between

Speed = types.SpeedReadingInterval.Speed


@dataclass(frozen=True)
class Traffic:
    """Intervals over the points of a path of their own: from (inclusive), to (exclusive), speed."""

    path: Path
    intervals: tuple

    @classmethod
    def of(cls, path, intervals):
        """Speeds by their names over the points of this very path."""
        return cls(path, tuple((start, end, Speed[speed]) for start, end, speed in intervals))

    @classmethod
    def thrown(cls, path, dice):
        """Some traffic, on a path that has a point more wherever the speed changes."""
        count = len(path.points)
        changes = sorted(dice.sample(range(1, count), min(dice.randint(0, 3), count - 1)))
        points, bounds = [], [0]
        for start, end in itertools.pairwise([0, *changes, count]):
            points += path.points[start:end]
            if end < count:
                points.append(between(path.points[end - 1], path.points[end], 0.5))
            bounds.append(len(points))
        speeds = [dice.choice(list(Speed)) for _ in bounds[1:]]
        return cls(Path(points), tuple(
            (start, end, speed) for (start, end), speed in
            zip(itertools.pairwise(bounds), speeds) if speed != Speed.SPEED_UNSPECIFIED))

    def fill(self, message):
        """Fills a ConsumableTrafficPolyline."""
        message.encoded_path_to_waypoint = self.path.s2
        for start, end, speed in self.intervals:
            message.speed_reading_interval.add(
                start_polyline_point_index=start, end_polyline_point_index=end, speed=speed)
