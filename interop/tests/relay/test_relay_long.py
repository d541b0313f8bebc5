"""Do all readers have the server's trips after faults of workers, NATS, the network and clocks?

Each case has three nodes and three replicas, and ten readers of 100 trips each; one case has 1,000 readers more. Then all
trips end. Every reader has to see the final status of each trip, its last state has to be the server's trip, and no
reader may see the sequence of the stream go back. The seed of a run is in its output; RELAY_SEED repeats it, RELAY_ROUNDS
changes the number of faults.
"""

import base64
import os
import platform
import random
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from peers.fleet import Fleet
from support.fleet_client import connected_client
from support.nats.server import delimited, until
from support.nats.cluster import Bridge, Clocks, Cluster
from support.paths import INTEROP
from support.relay import App, Reader, TripState, Worker, google_trip, length, relay, working

pytestmark = pytest.mark.long

TRIPS, READERS = 100, 10
NAMES = [f"providers/p/trips/t{number}" for number in range(1, TRIPS + 1)]
FINAL = {5, 6}  # COMPLETE, CANCELED
ROUNDS = int(os.environ.get("RELAY_ROUNDS", 6))


class Record:
    """The last state of each trip that a reader received, and errors in their order."""

    def __init__(self):
        self.last, self.final, self.disorder = {}, set(), []

    def take(self, state):
        if state.HasField("relay_error") or not state.HasField("trip"):
            return
        last = self.last.get(state.name)
        if last and position(state) < position(last):
            self.disorder.append((state.name, position(last), position(state)))
        self.last[state.name] = state
        if state.trip.trip_status in FINAL:
            self.final.add(state.name)


class Tally(Record, Reader):
    """A reader of all trips. Reads nothing while it is paused."""

    def __init__(self, nats):
        Record.__init__(self)
        self.running = threading.Event()
        self.running.set()
        Reader.__init__(self, nats, *NAMES)

    def _read(self):
        while self.running.wait() and (data := self._next()):
            self._data += data
            messages = delimited(self._data, TripState)
            self._data = self._data[sum(length(each.ByteSize()) + each.ByteSize() for each in messages):]
            for state in messages:
                self.take(state)


class Crowd(App):
    """Many readers in one process, each with a connection and one trip."""

    def __init__(self, nats, count):
        self.records = [Record() for _ in range(count)]
        super().__init__(nats, "--readers", count, *NAMES)

    def _read(self):
        for line in self.process.stdout:
            number, text = line.split()
            self.records[int(number)].take(TripState.FromString(base64.b64decode(text)))

    @property
    def positions(self):
        return [[position(state) for state in list(record.last.values())] for record in self.records]

    def progress(self, tested):
        """Waits until each reader has a newer state, unless its trip is over."""
        before = self.positions

        def late():
            active = tested.active
            return [number for number, now in enumerate(self.positions)
                    if now == before[number] and NAMES[number % TRIPS] in active]
        until(lambda: not late(), "new states", pause=0.5)


def position(state):
    return state.stream_time.ToNanoseconds(), state.stream_sequence


class Relay:
    """A fleet, workers and readers on a cluster."""

    def __init__(self, cluster, fleet, seed):
        self.cluster, self.fleet, self.dice = cluster, fleet, random.Random(seed)
        self.workers, self.readers = [], []

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self):
        for _ in range(3):
            self.add_worker()
        # A worker creates the buckets with three replicas.
        self.cluster.leader("KV_TRIPWIRE_WANTS")
        assert relay(self.cluster, "want", "--pin", *NAMES).code == 0
        self.readers = [Tally(self.cluster) for _ in range(READERS)]
        self.sharing(3)
        self.progress()

    def __exit__(self, *_):
        for process in [*self.workers, *self.readers]:
            process.process.send_signal(signal.SIGCONT)
            process.__exit__()

    def add_worker(self):
        self.workers.append(Worker(self.cluster, self.fleet, "--replicas", 3, interval="1s"))

    @property
    def active(self):
        return {trip.name for trip in self.fleet.trips.values() if trip.is_active}

    def sharing(self, count):
        """Waits until the last states of the trips that are not over come from so many workers."""
        def workers():
            last = dict(self.readers[0].last)
            return {last[name].worker for name in self.active & set(NAMES) if name in last}
        until(lambda: len(workers()) == count, f"states of {count} workers", pause=0.2)

    def progress(self):
        """Waits until each reader that reads has a newer state of each trip that is not over."""
        readers = [reader for reader in self.readers if reader.running.is_set()]
        # Copies, because the threads of the readers add trips.
        before = [{name: position(state) for name, state in dict(reader.last).items()} for reader in readers]

        def late():
            return [
                (number, name) for number, reader in enumerate(readers) for name in self.active & set(NAMES)
                if name not in reader.last or position(reader.last[name]) == before[number].get(name)]
        until(lambda: not late(), "new states of all trips", pause=0.2)

    def cancel(self, names):
        """Ends those of the trips that are not over."""
        for name in self.active & set(names):
            self.fleet.trips[name.rsplit("/")[-1]].cancel()

    def finish(self):
        """Ends all trips, and compares."""
        for reader in self.readers:
            reader.running.set()
        self.cancel(NAMES)
        # A worker on another clock, or one that was stopped, may publish a while after the end.
        until(lambda: all(len(reader.final) == TRIPS for reader in self.readers), "the final status of all trips", 0.2)
        with connected_client(self.fleet) as client:
            for name in NAMES:
                expected = client.get(name, view=self.readers[0].last[name].view)
                for reader in self.readers:
                    assert google_trip(reader.last[name]) == expected, name
        for reader in self.readers:
            assert reader.disorder == []
            assert reader.process.poll() is None, reader.errors

    # MARK: Faults

    def kill_worker(self):
        victim = self.dice.choice(self.workers)
        victim.__exit__()
        self.workers.remove(victim)
        self.add_worker()

    def stop_worker(self):
        with stopped(self.dice.choice(self.workers).process):
            time.sleep(self.dice.uniform(2, 12))

    def upgrade_worker(self):
        """Another worker starts, and the old one leaves."""
        self.add_worker()
        old = self.workers.pop(0)
        assert old.end() in (0, 143, -15)

    def kill_leader(self):
        leader = self.cluster.leader()
        leader.kill()
        time.sleep(self.dice.uniform(0, 8))
        leader.start()

    def stop_leader(self):
        with stopped(self.cluster.leader().process):
            time.sleep(self.dice.uniform(2, 20))

    def slow_reader(self):
        """A reader stops to read during the next faults."""
        for reader in self.readers:
            reader.running.set()
        self.dice.choice(self.readers).running.clear()


class stopped:
    def __init__(self, process):
        self.process = process

    def __enter__(self):
        self.process.send_signal(signal.SIGSTOP)

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGCONT)


@pytest.fixture
def fleet():
    with Fleet(trips=TRIPS, speed=10) as fleet:
        yield fleet


@pytest.fixture
def seed():
    seed = int(os.environ.get("RELAY_SEED", random.randrange(1_000_000)))
    print(f"RELAY_SEED={seed}")
    return seed


@pytest.mark.parametrize("version", ["debian", "newest"])
def test_random_faults(tmp_path, fleet, seed, version):
    with Cluster(tmp_path, version) as cluster, Relay(cluster, fleet, seed) as tested:
        faults = [tested.kill_worker, tested.stop_worker, tested.upgrade_worker, tested.kill_leader,
                  tested.stop_leader, tested.slow_reader]
        # Each of them once, and then at random.
        order = tested.dice.sample(faults, len(faults)) + tested.dice.choices(faults, k=max(0, ROUNDS - len(faults)))
        for fault in order:
            print(time.strftime("%H:%M:%S"), fault.__name__, flush=True)
            fault()
            tested.progress()
        tested.finish()


@pytest.mark.parametrize("version", ["debian", "newest"])
def test_thousand_readers(tmp_path, fleet, seed, version):
    with Cluster(tmp_path, version) as cluster, Relay(cluster, fleet, seed) as tested, Crowd(cluster, 1000) as crowd:
        crowd.progress(tested)
        for fault in tested.kill_worker, tested.kill_leader, tested.upgrade_worker, tested.stop_leader:
            fault()
            crowd.progress(tested)
        tested.finish()
        until(lambda: all(record.final for record in crowd.records), "the final status for all readers", pause=0.5)
        expected = tested.readers[0].last
        for record in crowd.records:
            assert record.disorder == []
            for name, state in record.last.items():
                assert google_trip(state) == google_trip(expected[name])


@pytest.mark.parametrize("version", ["debian", "newest"])
def test_start_without_a_majority(tmp_path, fleet, version):
    """Workers and `want` start while one node of three runs, and go on when the others do."""
    with Cluster(tmp_path, version) as cluster:
        for node in cluster.nodes[1:]:
            node.kill()
        with ThreadPoolExecutor() as pool, Worker(cluster, fleet, "--replicas", 3) as worker:
            wanted = pool.submit(relay, cluster, "want", NAMES[0])
            time.sleep(6)  # longer than the server has to answer a request
            assert worker.process.poll() is None and not wanted.done(), worker.errors
            for node in cluster.nodes[1:]:
                node.start()
            assert wanted.result().code == 0, wanted.result().stderr
            working(cluster, 1)


@pytest.mark.parametrize("version", ["debian", "newest"])
def test_restart_of_all_nodes(tmp_path, fleet, seed, version):
    with Cluster(tmp_path, version) as cluster, Relay(cluster, fleet, seed) as tested:
        for node in cluster.nodes:
            node.kill()
        # Some trips end while no state can be published.
        tested.cancel(NAMES[:10])
        for node in cluster.nodes:
            node.start()
        cluster.wait()
        tested.progress()
        tested.finish()


@pytest.mark.parametrize("version", ["debian", "newest"])
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
        bridge.separate(follower)
        tested.cancel(NAMES[10:20])
        time.sleep(tested.dice.uniform(10, 30))
        bridge.separate(follower, off=False)
        cluster.wait()
        tested.progress()
        # No node has a majority, but each one serves its clients.
        bridge.isolate()
        time.sleep(tested.dice.uniform(5, 20))
        tested.cancel(NAMES[:10])
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
                tested.readers.append(Tally(cluster))
        tested.sharing(5)
        # The trips of the others move to the workers with other clocks.
        for worker in tested.workers[:3]:
            worker.end()
        del tested.workers[:3]
        tested.sharing(2)
        tested.progress()
        # Each node leads once, so that the time of the messages goes forward and back.
        for _ in range(3):
            tested.kill_leader()
            tested.progress()
            tested.sharing(2)
        tested.kill_worker()
        tested.progress()
        tested.finish()
