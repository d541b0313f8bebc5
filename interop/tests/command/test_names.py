"""Is a malformed NAME told for what it is, before anything is dialled?"""

import socket

import pytest

from support.command import LONGEST, assert_failed, get, tripwire


@pytest.fixture
def listener():
    """A port at which it shows whether somebody dials."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


@pytest.mark.parametrize("name, wrong", [
    ("", "NAME"),
    ("t1", "t1"),
    ("trips/t1", "trips"),
    ("providers/p", "providers/p"),
    ("providers/p/trips", "trips"),
    ("providers/p/trips/", "trip"),
    ("providers//trips/t1", "provider"),
    ("provider/p/trips/t1", "provider"),
    ("providers/p/rides/t1", "rides"),
    ("providers/p/Trips/t1", "Trips"),
    ("/providers/p/trips/t1", "providers"),
    ("providers/p/trips/t1/", "t1"),
    ("providers/p/trips/t1/stops/2", "stops"),
    ("providers/p/trips/a:b", ":"),
    ("providers/p/trips/a?b", "?"),
    ("providers/p/trips/a,b", ","),
    ("providers/p/trips/a#b", "#"),
    ("providers/p/vehicles/a#b", "#"),
    ("providers/p/trips/" + "x" * 65, "64"),
    ("providers/p/trips/e\u0301", "NFC"),
    ("providers/p/billableTrips/b1", "billableTrips"),
    ("https://fleetengine.googleapis.com/v1/providers/p/trips/t1", "https"),
])
def test_a_malformed_name_is_a_mistake_of_usage(listener, name, wrong):
    endpoint = "127.0.0.1:%d" % listener.getsockname()[1]
    result = tripwire("get", name, "--endpoint", endpoint, "--plaintext")
    assert_failed(result, 2, wrong)
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_bytes_that_are_no_text_are_a_mistake_of_usage(listener):
    endpoint = "127.0.0.1:%d" % listener.getsockname()[1]
    name = b"providers/p/trips/\xff\xfe".decode(errors="surrogateescape")
    assert_failed(tripwire("get", name, "--endpoint", endpoint, "--plaintext"), 2)
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_no_name_and_two_names_are_mistakes_of_usage():
    assert_failed(tripwire("get"), 2, "NAME")
    assert_failed(tripwire("get", "providers/p/trips/a", "providers/p/trips/b"), 2)


@pytest.mark.parametrize("trip_id", ["x" * 64, "Fahrt-7_ä.~!$&'()*+;=@ %", "é", "☃😀" * 32])
def test_every_id_that_is_allowed_arrives(own_server, trip_id):
    get(own_server, f"trips/{trip_id}")
    assert own_server.arrived.get(timeout=LONGEST) == f"providers/p/trips/{trip_id}"
