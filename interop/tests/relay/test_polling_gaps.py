"""Do polls go on within the lease of a worker and an interval while a node of three is cut off silently?"""

import collections
import os
import time

import pytest

from peers.fleet import Fleet
from support.fleet_calls import gaps
from support.nats.cluster import PROGRAMS, Bridge, Cluster
from support.relay import Worker, relay, status, working
from support.nats.server import until

pytestmark = pytest.mark.long

TRIPS = int(os.environ.get("RELAY_TRIPS", 150))
INTERVAL, LEASE = 1.0, 5.5
CUT = 30.0


@pytest.fixture
def bridge():
    with Bridge() as bridge:
        yield bridge


@pytest.fixture
def fleet(bridge):
    with Fleet(trips=TRIPS, speed=1, host=bridge.ADDRESS) as fleet:
        yield fleet


@pytest.mark.parametrize("killed", [None, 2, 12], ids=["workers live", "killed at once", "killed later"])
@pytest.mark.parametrize("leads", [False, True], ids=["follower", "leader"])
@pytest.mark.parametrize("version", PROGRAMS)
def test_cut_node(tmp_path, bridge, fleet, version, leads, killed):
    """The node does or does not lead the bucket of heartbeats."""
    names = [trip.name for trip in fleet.trips.values()]
    with Cluster(tmp_path, version, bridge) as cluster:
        workers = [Worker(cluster, fleet, "--replicas", 3, interval="1s") for _ in range(3)]
        try:
            working(cluster, 3)
            assert relay(cluster, "want", "--pin", *names).code == 0
            until(lambda: sum(each["resources"] for each in status(cluster)["workers"]) == TRIPS, "all trips")
            time.sleep(5)
            leader = cluster.nodes.index(cluster.leader("KV_TRIPWIRE_WORKERS")) + 1
            start = time.time()
            bridge.cut(leader if leads else leader % 3 + 1)
            if killed:
                time.sleep(killed)
                workers[0].__exit__()
            time.sleep(CUT)
            longest = gaps(fleet, start, time.time())
            bridge.cut(leader if leads else leader % 3 + 1, off=False)
            print(f"GAPS {version=} {leads=} {killed=}", sorted(longest.values())[-5:],
                  sum(gap > LEASE + INTERVAL + 1 for gap, _ in longest.values()))
            print(sorted(collections.Counter(int(c.time - start) for c in fleet.journal.of()).items()))
            assert len(longest) == TRIPS
            assert {trip: gap for trip, gap in longest.items() if gap[0] > LEASE + INTERVAL + 1} == {}
        finally:
            for worker in workers:
                worker.__exit__()
