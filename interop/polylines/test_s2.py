"""Does S2 agree with vectors.txt, the test vectors of our S2 polylines?"""

import base64
from pathlib import Path

import pytest
import s2geometry

VECTORS = [
    line.split() for line in (Path(__file__).parent / "vectors.txt").read_text().splitlines()
    if not line.startswith("#")]


def decoded(text):
    decoder = s2geometry.Decoder(base64.urlsafe_b64decode(text))
    polyline = s2geometry.S2Polyline()
    assert polyline.Decode(decoder)
    for index in range(polyline.num_vertices()):
        point = s2geometry.S2LatLng(polyline.vertex(index))
        yield point.lat().degrees()
        yield point.lng().degrees()


@pytest.mark.parametrize("text, points", [(text, points) for text, *points in VECTORS])
def test_s2_decodes_the_same_points(text, points):
    expected = [float(degrees) for point in points for degrees in point.split(",")]
    assert list(decoded(text)) == pytest.approx(expected, rel=0, abs=1e-12)


def test_every_level_and_version_is_covered():
    heads = {tuple(base64.urlsafe_b64decode(text)[:2]) for text, *points in VECTORS if points}
    assert {level for version, level in heads if version == 2} == set(range(31))
    assert {version for version, _ in heads} == {1, 2}
