"""Streets: paths of points in degrees, and positions at a distance along them in meters."""

import bisect
import itertools
import math
from functools import cached_property

from peers.fleet.road import s2

EARTH_RADIUS = 6_371_008.8


class Path:
    """Points as (latitude, longitude), with their distances from the first along the path."""

    def __init__(self, points):
        self.points = tuple(points)
        self._meters = [0.0, *itertools.accumulate(
            math.hypot(*offset(*ends)) for ends in itertools.pairwise(self.points))]

    @property
    def length(self):
        """The length in meters."""
        return self._meters[-1]

    @cached_property
    def s2(self):
        return s2.encoded(self.points)

    def at(self, meters):
        """Returns the point at a distance, and the heading there in whole degrees from north."""
        index = self._segment(meters)
        start, end = self.points[index:index + 2]
        length = self._meters[index + 1] - self._meters[index]
        part = min((meters - self._meters[index]) / length, 1) if length else 1
        north, east = offset(start, end)
        return between(start, end, part), round(math.degrees(math.atan2(east, north))) % 360

    def after(self, meters):
        """Returns the rest of the path from a distance on."""
        return Path([self.at(meters)[0], *self.points[self._segment(meters) + 1:]])

    def _segment(self, meters):
        return min(max(bisect.bisect_right(self._meters, meters) - 1, 0), len(self.points) - 2)


def offset(start, end):
    """Returns the distances to the end northwards and eastwards, in meters."""
    north = math.radians(end[0] - start[0])
    east = math.radians(end[1] - start[1]) * math.cos(math.radians((start[0] + end[0]) / 2))
    return EARTH_RADIUS * north, EARTH_RADIUS * east


def between(start, end, part):
    return tuple(round(a + (b - a) * part, 6) for a, b in zip(start, end))


def street(start, end, count, dice):
    """Returns a path of `count` points with one corner and small deviations from straight lines."""
    corner = dice.choice([(start[0], end[1]), (end[0], start[1])])
    first = max(count // 2, 1)
    points = [start]
    for here, there, steps in ((start, corner, first), (corner, end, max(count - 1 - first, 1))):
        for step in range(1, steps):
            points.append(tuple(
                round(degrees + dice.uniform(-1e-5, 1e-5), 6)
                for degrees in between(here, there, step / steps)))
        points.append(there)
    return Path(points)
