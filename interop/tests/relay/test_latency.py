"""Is a relay usable with a round trip of 100 ms between its clients and NATS?"""

import time

import pytest

from peers.proxies.fault_proxy import FaultProxy
from support.nats.server import until
from support.relay import Reader, relay, status

NAMES = [f"providers/p/trips/t{number}" for number in range(300)]


@pytest.fixture
def distant(nats):
    """The address of NATS, each direction 50 ms away."""
    with FaultProxy(nats.port) as proxy:
        proxy.delay(0.05)
        yield f"nats://127.0.0.1:{proxy.port}"


def wanted(nats):
    return status(nats)["wanted"]


def test_reader_requests_all_names_within_seconds(nats, distant):
    assert relay(nats, "want", "providers/p/vehicles/v").code == 0
    with Reader(distant, *NAMES):
        until(lambda: wanted(nats) > 1, "the first request", pause=0.01)
        start = time.monotonic()
        until(lambda: wanted(nats) == 301, "all requests", pause=0.01)
        assert time.monotonic() - start < 3


def test_names_are_wanted_within_seconds(nats, distant):
    start = time.monotonic()
    assert relay(distant, "want", *NAMES).code == 0
    assert time.monotonic() - start < 10
    assert wanted(nats) == 300
    assert relay(distant, "unwant", *NAMES).code == 0
    assert wanted(nats) == 0


@pytest.mark.long
def test_names_stay_requested(nats, distant):
    """A reader's request ends after 60 s."""
    assert relay(nats, "want", "providers/p/vehicles/v").code == 0
    with Reader(distant, *NAMES):
        until(lambda: wanted(nats) == 301, "all requests")
        requests = []
        for _ in range(10):
            time.sleep(9)
            requests.append(wanted(nats))
        assert requests == [301] * 10
