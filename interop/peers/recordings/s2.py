"""Encodes a path for `current_route_segment`: as an S2 polyline of level 22, in base64url.

The encoding has the version and the level in one byte each, the number of points, the runs of points on
the same face of the cube, the points (after the first as second differences), and the number of points
that are not at the center of their cell, here 0.
"""

import base64
import math

VERSION, LEVEL = 2, 22
CELLS = 1 << LEVEL


def encoded(points):
    """Encodes points (latitude, longitude) in degrees, moved to the centers of their cells."""
    cells = [cell(point) for point in points]
    data = bytearray((VERSION, LEVEL))
    data += varint(len(cells))
    for face, count in runs([face for face, _, _ in cells]):
        data += varint(6 * count + face)
    columns, rows = SecondDifference(), SecondDifference()
    for index, (_, column, row) in enumerate(cells):
        change = columns.next(column), rows.next(row)
        if index == 0:
            data += interleaved(*change).to_bytes((LEVEL + 7) // 8 * 2, "little")
        else:
            data += varint(interleaved(*map(zigzag, change)))
    data += varint(0)
    return base64.urlsafe_b64encode(data).decode()


def cell(point):
    """Returns face, column and row of the cell that contains a point."""
    latitude, longitude = map(math.radians, point)
    x = math.cos(latitude) * math.cos(longitude)
    y = math.cos(latitude) * math.sin(longitude)
    z = math.sin(latitude)
    face = max(range(3), key=lambda axis: abs((x, y, z)[axis]))
    if (x, y, z)[face] < 0:
        face += 3
    u, v = (
        lambda: (y / x, z / x), lambda: (-x / y, z / y), lambda: (-x / z, -y / z),
        lambda: (z / x, y / x), lambda: (z / y, -x / y), lambda: (-y / z, -x / z))[face]()
    return face, number(u), number(v)


def number(u):
    """Returns the cell along an axis of a face that contains u, from -1 to 1."""
    s = math.sqrt(1 + 3 * u) / 2 if u >= 0 else 1 - math.sqrt(1 - 3 * u) / 2
    return min(max(math.floor(s * CELLS), 0), CELLS - 1)


class SecondDifference:
    """Encodes numbers as second differences; the first stays, the second is a first difference."""

    def __init__(self):
        self._before = []

    def next(self, number):
        change = number
        for order, before in enumerate(self._before):
            self._before[order], change = change, change - before
        if len(self._before) < 2:
            self._before.append(change)
        return change


def runs(faces):
    """Returns runs of equal faces with their lengths."""
    found = []
    for face in faces:
        if found and found[-1][0] == face:
            found[-1][1] += 1
        else:
            found.append([face, 1])
    return found


def zigzag(number):
    return number << 1 if number >= 0 else -number * 2 - 1


def spread(number):
    """Spreads the bits of a 32-bit number, with a zero after each."""
    for shift, mask in ((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF),
                        (4, 0x0F0F0F0F0F0F0F0F), (2, 0x3333333333333333), (1, 0x5555555555555555)):
        number = (number | number << shift) & mask
    return number


def interleaved(even, odd):
    return spread(even) | spread(odd) << 1


def varint(number):
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return data
