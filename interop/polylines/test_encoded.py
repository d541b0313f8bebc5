"""Does the package polyline agree with encoded.txt, the test vectors of our encoded polylines?

Each line has the number of decimals, the text, and the points in degrees.
"""

from pathlib import Path

import polyline
import pytest

LINES = [line.split() for line in
         (Path(__file__).parent / "encoded.txt").read_text().splitlines()]


@pytest.mark.parametrize("decimals, text, points", [(d, text, points) for d, text, *points in LINES])
def test_vectors_equal_those_of_polyline(decimals, text, points):
    places = [tuple(map(float, point.split(","))) for point in points]
    assert polyline.encode(places, int(decimals)) == text
    assert polyline.decode(text, int(decimals)) == places


def test_both_precisions_are_covered():
    assert {decimals for decimals, *_ in LINES} == {"5", "6"}
