"""Does a worker whose polls are late give trips to one that is in time?"""

import time
from types import SimpleNamespace

import pytest

from peers.fleet import Fleet
from peers.proxies.fault_proxy import FaultProxy
from support.fleet_calls import gaps
from support.nats.server import until
from support.relay import Worker, relay, status, working

pytestmark = pytest.mark.long

TRIPS = 60


def test_overloaded_worker_sheds_to_an_idle_one(nats):
    """The link of one worker is too slow for its half of the trips."""
    with Fleet(trips=TRIPS, speed=1) as fleet, FaultProxy(int(fleet.address.rpartition(":")[2])) as proxy:
        slow = SimpleNamespace(address=f"127.0.0.1:{proxy.port}")
        with Worker(nats, slow, interval="1s") as late, Worker(nats, fleet, interval="1s") as other:
            working(nats, 2)
            assert relay(nats, "want", "--pin", *(trip.name for trip in fleet.trips.values())).code == 0

            def workers():
                """Those of the slow and the other worker."""
                found = {each["name"]: each for each in status(nats)["workers"]}
                return found[late.name], found[other.name]
            until(lambda: sum(each["resources"] for each in workers()) == TRIPS, "all trips")
            before = [each["resources"] for each in workers()]
            assert min(before) > TRIPS / 4
            start = time.time()
            # A poll is late if it takes twice the interval. So many bytes suffice for 40 % of the trips of the worker.
            proxy.limit(sent(fleet, seconds=5) * before[0] / TRIPS / 5)
            longest = 0

            def shed():
                nonlocal longest
                now = workers()
                longest = max(longest, now[0]["lagMs"] / 1000)
                return now if now[0]["resources"] <= before[0] / 2 else None
            now = until(shed, "the slow worker gives half away", pause=0.5)
            assert longest > 1
            until(lambda: sum(each["resources"] for each in workers()) == TRIPS, "all trips")
            assert now[1]["resources"] > before[1] and now[1]["lagMs"] < 1000
            # A trip changes its worker between two polls, of which the last one by the slow worker was late.
            assert max(gap for gap, _ in gaps(fleet, start, time.time()).values()) < longest + 3
            until(lambda: workers()[0]["lagMs"] < 1000, "the rest is in time", pause=0.5)
            assert workers()[0]["resources"] > 0


def sent(fleet, seconds):
    """The bytes of the responses to the trips in a second."""
    before = fleet.journal.bytes()
    time.sleep(seconds)
    return (fleet.journal.bytes() - before) / seconds
