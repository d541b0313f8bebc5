"""Searches for the grid to which places were rounded before the globe was rotated: its axes show where
north was, and the ratio of width to height of its cells shows the latitude.

The search knows only the places and the height of the cells. Along the axes of the grid, the distance between
two places is a whole number of cells; the strength of a guess is 1 if that holds for all places, and
about 0 if the guess is wrong.
"""

import math
from dataclasses import dataclass

# The number of steps that suffices for a coarse search.
COARSE_STEPS = 150


@dataclass
class Lattice:
    strength: float
    # The rotation of north in degrees, modulo 180.
    north: float
    # The absolute latitude in degrees, and the strength of this guess.
    latitude: float
    latitude_strength: float


def found(points, cell):
    """Returns the best guess for points (latitude, longitude) and a cell height, in degrees."""
    steps = [between(a, b, cell) for a, b in zip(points, points[1:])]
    # Between two angles, the phase of the longest step changes by less than a quarter of a cycle.
    fine = 0.25 / max(math.hypot(*step) for step in steps)
    strongest = max((strength(north_parts(steps[:COARSE_STEPS], k * fine)), k * fine)
                    for k in range(math.ceil(math.pi / fine)))
    best, angle = max(
        (strength(north_parts(steps, strongest[1] + k * fine / 10)), strongest[1] + k * fine / 10)
        for k in range(-20, 21))
    east = [a * math.cos(angle) - b * math.sin(angle) for a, b in steps]
    sure, latitude = max(
        (strength([part / math.cos(math.radians(k / 100)) for part in east]), k / 100)
        for k in range(100, 7500))
    return Lattice(best, math.degrees(angle), latitude, sure)


def strength(parts):
    return sum(math.cos(2 * math.pi * part) for part in parts) / len(parts)


def north_parts(steps, angle):
    sine, cosine = math.sin(angle), math.cos(angle)
    return [a * sine + b * cosine for a, b in steps]


def between(a, b, cell):
    """Returns the distance from one point to another, east and north, in cells."""
    (ax, ay, az), (bx, by, bz) = vector(a), vector(b)
    x, y, z = ax + bx, ay + by, az + bz
    length, flat = math.sqrt(x * x + y * y + z * z), math.hypot(x, y)
    east = (-y / flat, x / flat, 0)
    north = (-z * x / length / flat, -z * y / length / flat, flat / length)
    way = (bx - ax, by - ay, bz - az)
    unit = math.radians(cell)
    return tuple(sum(p * q for p, q in zip(way, axis)) / unit for axis in (east, north))


def vector(point):
    latitude, longitude = map(math.radians, point)
    return (math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude),
            math.sin(latitude))
