"""Is encoded.txt, from which our tests of encoded polylines take texts and points, what others say?

Each line is how many decimals there are, the text, and the points in degrees.
"""

from pathlib import Path

import polyline
import pytest

LINES = [line.split() for line in
         (Path(__file__).parent / "encoded.txt").read_text().splitlines()]


@pytest.mark.parametrize("decimals, text, points", [(d, text, points) for d, text, *points in LINES])
def test_polyline_reads_and_writes_the_same(decimals, text, points):
    places = [tuple(map(float, point.split(","))) for point in points]
    assert polyline.encode(places, int(decimals)) == text
    assert polyline.decode(text, int(decimals)) == places


def test_both_precisions_are_there():
    assert {decimals for decimals, *_ in LINES} == {"5", "6"}
