"""Places in a city, and streets between them, as (latitude, longitude) in degrees."""

import itertools
import math

EARTH_RADIUS = 6_371_008.8
CENTER = (37.7749, -122.4194)
AROUND = 0.015
"""The distance of places from the center, in degrees."""


def place(dice):
    return tuple(round(degrees + dice.uniform(-AROUND, AROUND), 6) for degrees in CENTER)


def street(start, end, count, dice):
    """Returns a path of `count` points with one corner and small deviations from straight lines."""
    corner = dice.choice([(start[0], end[1]), (end[0], start[1])])
    first = max(count // 2, 1)
    points = [start]
    for here, there, steps in ((start, corner, first), (corner, end, max(count - 1 - first, 1))):
        for step in range(1, steps):
            points.append(tuple(
                round(a + (b - a) * step / steps + dice.uniform(-1e-5, 1e-5), 6) for a, b in zip(here, there)))
        points.append(there)
    return points


def along(points, meters):
    """Returns the point at a distance along a path, and the heading there in whole degrees from north."""
    for start, end in itertools.pairwise(points):
        north, east = offset(start, end)
        length = math.hypot(north, east)
        if meters <= length:
            break
        meters -= length
    part = min(meters / length, 1) if length else 1
    point = tuple(round(a + (b - a) * part, 6) for a, b in zip(start, end))
    return point, round(math.degrees(math.atan2(east, north))) % 360


def offset(start, end):
    """Returns the distances to the end northwards and eastwards, in meters."""
    north = math.radians(end[0] - start[0])
    east = math.radians(end[1] - start[1]) * math.cos(math.radians((start[0] + end[0]) / 2))
    return EARTH_RADIUS * north, EARTH_RADIUS * east
