"""Does the simulated fleet parse filters as https://google.aip.dev/160 says?"""

import pytest

from peers.fleet.services.errors import Failed
from peers.fleet.services.filters import parse_filter

VALUES = {
    "state": "OPEN", "type": "PICKUP", "time": 1_000_000_000, "attributes.a": "1",
    "attributes.b": "two words", "attributes.a-b": "x"}


def matches(text):
    return parse_filter(text, ("state", "type", "time"), ordered=("time",))(VALUES.get)


@pytest.mark.parametrize("text", [
    "", "state = OPEN", "state=OPEN", "state != CLOSED", 'attributes.a = "1"', "attributes.a='1'",
    'attributes.b = "two words"', "attributes.a-b = x", "attributes.a:*", "attributes.c != 1",
    "state = CLOSED OR type = PICKUP", "NOT state = CLOSED", "(state = OPEN)",
    "state = OPEN AND (type = DELIVERY OR attributes.a = 1)",
    # OR binds more tightly than AND.
    "state = OPEN OR type = PICKUP AND attributes.a = 1",
    'time < "1970-01-01T00:00:01.5Z"', 'time >= "1970-01-01T00:00:01Z"', "state = OPEN type = PICKUP",
])
def test_filter_matches(text):
    assert matches(text)


@pytest.mark.parametrize("text", [
    "state = CLOSED", "attributes.c = 1", "attributes.c:*", "NOT attributes.a = 1",
    "state = OPEN AND type = DELIVERY", "state = CLOSED OR type = DELIVERY",
    "type = PICKUP OR state = OPEN AND attributes.a = 2", 'time > "1970-01-01T00:00:01Z"',
])
def test_filter_does_not_match(text):
    assert not matches(text)


@pytest.mark.parametrize("text", [
    "state", "state =", "= OPEN", "color = red", "attributes. = 1", "attributes.a < 2",
    "state = OPEN AND", "(state = OPEN", "state = OPEN)", "state == OPEN", 'state = "OPEN',
    'time > "yesterday"', "NOT", " AND ".join(["state = OPEN"] * 51),
])
def test_invalid_filters_are_refused(text):
    with pytest.raises(Failed, match="filter"):
        matches(text)


def test_filter_may_have_fifty_restrictions():
    assert matches(" AND ".join(["state = OPEN"] * 50))
