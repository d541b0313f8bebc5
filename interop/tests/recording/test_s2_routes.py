"""Does our encoder of polylines equal that of S2?"""

import base64

from peers.recordings import s2
from support.paths import INTEROP

POLYLINES = INTEROP / "polylines" / "vectors.txt"


def test_encoded_polylines_equal_those_of_s2():
    lines = [line.split() for line in POLYLINES.read_text().splitlines()]
    # The vectors of level 22 whose points are all at the centers of their cells.
    vectors = [(text, places) for text, *places in lines if text.startswith("AhY")
               and base64.urlsafe_b64decode(text)[-1] == 0]
    vectors += [
        ("AhYFIvrYXZ6GALkBlQK2AYQNAA==", [
            "37.344146,-122.068486", "37.344249,-122.068331", "37.344578,-122.068176",
            "37.344803,-122.068176", "37.34479,-122.067909"]),
        ("AhYCECPlXZ6GAJABAA==", ["37.3448,-122.067998", "37.34479,-122.067909"])]
    assert len(vectors) > 5
    for text, places in vectors:
        assert s2.encoded([tuple(map(float, place.split(","))) for place in places]) == text
