"""How a path is written in `current_route_segment`: as S2 does it at level 22, in base64url.

A byte of version and one of level, how many points there are, the runs of points on the same face
of the cube, the points (the first as it is, the others as the change of the change), and how many
points are not at the centre of their cell, which here is none.
"""

import base64
import math

VERSION, LEVEL = 2, 22
CELLS = 1 << LEVEL


def encoded(points):
    """The text for points in degrees, (latitude, longitude) each, moved to centres of cells."""
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
    """Face, column and row of the cell in which a point lies."""
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
    """Turns numbers into the change of their change; the first stays, the second is a change."""

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
    """Each face with how many times it is there in a row."""
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
    """The bits of a number of 32 bits, with room for another bit behind each."""
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
