"""The speeds along a path: points and intervals of a ConsumableTrafficPolyline."""

import itertools
from dataclasses import dataclass

from google.maps.fleetengine_v1 import types

from peers.fleet.road.paths import Path, between

Speed = types.SpeedReadingInterval.Speed


@dataclass(frozen=True)
class Traffic:
    """A path with intervals of its points: start (inclusive), end (exclusive), speed."""

    path: Path
    intervals: tuple

    @classmethod
    def of(cls, path, intervals):
        """Creates traffic from intervals with speed names over the points of this path."""
        return cls(path, tuple((start, end, Speed[speed]) for start, end, speed in intervals))

    @classmethod
    def randomized(cls, path, dice):
        """Creates random traffic, on a path with an extra point wherever the speed changes."""
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
