"""Do all readers have the server's trips after faults of workers, NATS, the network and clocks?

Each case has three nodes and three replicas. The fleet numbers the versions of its trips. No reader may be shown an
older version after a newer one, a trip that the fleet has not answered, or anything after the end of a trip. At last
all trips end, and every reader has to see that. The seed of a run is in its output; RELAY_SEED repeats it.
"""

import contextlib
import os
import platform
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from peers.fleet import Fleet
from support.nats.server import until
from support.nats.cluster import PROGRAMS, Bridge, Clocks, Cluster
from support.paths import INTEROP
from support.relay import Worker, relay, working
from support.relay_records import Crowd
from support.relay_run import NODE_HOSTS, Relay

pytestmark = pytest.mark.long

NAME = "providers/p/trips/t1"
MINUTES = float(os.environ.get("RELAY_MINUTES", 2))


@pytest.fixture
def fleet():
    with Fleet(trips=100, speed=10, versions=True) as fleet:
        yield fleet


@pytest.fixture
def seed():
    seed = int(os.environ.get("RELAY_SEED", random.randrange(1_000_000)))
    print(f"RELAY_SEED={seed}")
    return seed


@pytest.mark.parametrize("version", PROGRAMS)
def test_random_faults(tmp_path, seed, version):
    """Faults of nodes and clients for RELAY_MINUTES, often two at a time. About half of the trips end meanwhile."""
    with Bridge(hosts=9) as bridge, \
            Fleet(trips=200, speed=10 / max(MINUTES, 1), host=bridge.ADDRESS, versions=True) as fleet, \
            Cluster(tmp_path, version, bridge) as cluster, \
            Relay(cluster, fleet, seed, readers=20, part=0.25, bridge=bridge) as tested:
        end = time.monotonic() + 60 * MINUTES
        nodes = shuffled(tested.dice, tested.faults_of_nodes)
        clients = shuffled(tested.dice, tested.faults_of_clients)
        while time.monotonic() < end:
            # Without two of three nodes, nothing goes on.
            faults = [next(each) for each in tested.dice.choice([[nodes], [clients], [nodes, clients]])]
            disturb(tested, faults, tested.dice.uniform(0.5, 20))
        tested.progress()
        tested.finish()
        print(sum(reader.counts.total() for reader in tested.readers), "states were compared")


def shuffled(dice, items):
    """Yields all items in a random order, again and again."""
    while True:
        yield from dice.sample(items, len(items))


def disturb(tested, faults, duration):
    """Causes faults for a time. In some rounds, the next ones follow at once."""
    ended = tested.dice.sample(tested.names, 2)
    print(time.strftime("%H:%M:%S"), *(fault.__name__ for fault in faults), f"{duration:.1f} s", flush=True)
    with contextlib.ExitStack() as stack:
        for fault in faults:
            stack.enter_context(fault())
        tested.cancel(ended)
        time.sleep(duration)
    if tested.dice.random() < 0.7:
        tested.progress()


@pytest.mark.parametrize("version", PROGRAMS)
def test_thousand_readers(tmp_path, fleet, seed, version):
    with Cluster(tmp_path, version) as cluster, Relay(cluster, fleet, seed) as tested, \
            Crowd(cluster, tested.answers, tested.names, 1000) as crowd:
        crowd_progress(crowd, tested)
        for fault in tested.kill_worker, tested.kill_leader, tested.upgrade_worker, tested.stop_leader:
            with fault():
                time.sleep(tested.dice.uniform(0, 8))
            crowd_progress(crowd, tested)
        tested.finish()
        until(lambda: all(record.final for record in crowd.records), "the final status for all readers", pause=0.5)
        for record in crowd.records:
            assert record.wrong == []
            assert all(fleet.versions.count(name) == version for name, version in record.versions.items())


def crowd_progress(crowd, tested):
    """Waits until each reader of the crowd has another state, unless its trip is over."""
    before = crowd.counts
    until(lambda: not crowd.late(before, tested.active), "another state of each reader", pause=0.5)


@pytest.mark.parametrize("version", PROGRAMS)
def test_start_without_a_majority(tmp_path, fleet, version):
    """Workers and `want` start while one node of three runs, and go on when the others do."""
    with Cluster(tmp_path, version) as cluster:
        for node in cluster.nodes[1:]:
            node.kill()
        with ThreadPoolExecutor() as pool, Worker(cluster, fleet, "--replicas", 3) as worker:
            wanted = pool.submit(relay, cluster, "want", NAME)
            time.sleep(6)  # longer than the server has to answer a request
            assert worker.process.poll() is None and not wanted.done(), worker.errors
            for node in cluster.nodes[1:]:
                node.start()
            assert wanted.result().code == 0, wanted.result().stderr
            working(cluster, 1)


@pytest.mark.parametrize("version", PROGRAMS)
def test_restart_of_all_nodes(tmp_path, fleet, seed, version):
    with Cluster(tmp_path, version) as cluster, Relay(cluster, fleet, seed) as tested:
        for node in cluster.nodes:
            node.kill()
        # Some trips end while no state can be published.
        tested.cancel(tested.names[:10])
        for node in cluster.nodes:
            node.start()
        cluster.wait()
        tested.progress()
        tested.finish()


@pytest.mark.parametrize("version", PROGRAMS)
def test_partition(tmp_path, fleet, seed, version):
    with Bridge() as bridge, Cluster(tmp_path, version, bridge) as cluster, Relay(cluster, fleet, seed) as tested:
        leader = cluster.nodes.index(cluster.leader()) + 1
        bridge.cut(leader)
        time.sleep(tested.dice.uniform(5, 20))
        bridge.cut(leader, off=False)
        cluster.wait()
        tested.progress()
        # Readers and workers of this node remain connected, and receive nothing.
        follower = cluster.nodes.index(cluster.leader()) % 3 + 1
        bridge.separate(follower, NODE_HOSTS)
        tested.cancel(tested.names[10:20])
        time.sleep(tested.dice.uniform(10, 30))
        bridge.separate(follower, NODE_HOSTS, off=False)
        cluster.wait()
        tested.progress()
        # No node has a majority, but each one serves its clients.
        bridge.isolate()
        time.sleep(tested.dice.uniform(5, 20))
        tested.cancel(tested.names[:10])
        bridge.isolate(off=False)
        cluster.wait()
        tested.progress()
        tested.finish()


@pytest.fixture
def clock_offset(tmp_path):
    """The library to preload for another time of day."""
    library = tmp_path / "clock_offset.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O2", "-o", library, INTEROP / "peers" / "system" / "clock_offset.c"], check=True)
    return library


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the library with the clock is for x86-64")
def test_skewed_clocks(tmp_path, fleet, seed, monkeypatch, clock_offset):
    """The clocks of the nodes differ by 40 s, those of workers and readers by 2 h.

    The newest server is a static program, which loads no library.
    """
    with Cluster(tmp_path, "debian", Clocks(clock_offset, [20, 0, -20])) as cluster, \
            Relay(cluster, fleet, seed) as tested:
        with monkeypatch.context() as environment:
            environment.setenv("LD_PRELOAD", str(clock_offset))
            for offset in 3600, -3600:
                environment.setenv("CLOCK_OFFSET", str(offset))
                tested.add_worker()
                tested.add_reader(tested.names)
        tested.sharing(5)
        # The trips of the others move to the workers with other clocks.
        for worker in tested.workers[:3]:
            worker.end()
        del tested.workers[:3]
        tested.sharing(2)
        tested.progress()
        # Each node leads once, so that the time of the messages goes forward and back.
        for _ in range(3):
            with tested.kill_leader():
                time.sleep(tested.dice.uniform(0, 8))
            tested.progress()
            tested.sharing(2)
        with tested.kill_worker():
            pass
        tested.progress()
        tested.finish()
