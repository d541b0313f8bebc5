"""A fleet, workers and readers on a cluster, and the faults of a run."""

import asyncio
import contextlib
import random
import signal

import grpc
import nats as client
import pytest

from support.nats.server import until
from support.relay import Worker, relay
from support.relay_records import Answers, RecordingReader

WORKERS = 3


class Relay:
    """Workers and readers of the trips of a fleet, while it is entered.

    With a `Bridge`, workers and readers are on its hosts after those of the nodes.
    """

    def __init__(self, cluster, fleet, seed, readers=10, part=1.0, bridge=None, partitions=1):
        """The first of the `readers` reads all trips, and each other one a random `part` of them."""
        self.cluster, self.fleet, self.bridge, self.dice = cluster, fleet, bridge, random.Random(seed)
        self.answers = Answers(fleet)
        self.names = [trip.name for trip in fleet.trips.values()]
        self.workers, self.readers, self._partitions = [], [], partitions
        self._sets = [self.names] + [
            self.dice.sample(self.names, round(part * len(self.names))) for _ in range(readers - 1)]

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self):
        for _ in range(WORKERS):
            self.add_worker()
        # A worker creates the buckets with three replicas.
        self.cluster.leader("KV_TRIPWIRE_WANTS")
        assert relay(self.cluster, "want", "--pin", *self.names).code == 0
        for names in self._sets:
            self.add_reader(names)
        self.sharing(WORKERS)
        self.progress()

    def __exit__(self, *_):
        for process in [*self.workers, *self.readers]:
            process.process.send_signal(signal.SIGCONT)
            process.__exit__()

    def add_worker(self):
        host = self._free_host(WORKER_HOSTS, self.workers)
        worker = Worker(self.cluster, self.fleet, "--replicas", 3, "--partitions", self._partitions, interval="1s",
                        prefix=self._prefix(host))
        worker.host = host
        self.workers.append(worker)

    def add_reader(self, names):
        host = self._free_host(READER_HOSTS, self.readers)
        reader = RecordingReader(self.cluster, self.answers, names, prefix=self._prefix(host))
        reader.host = host
        self.readers.append(reader)

    def _free_host(self, hosts, processes):
        return min(hosts, key=lambda host: sum(process.host == host for process in processes))

    def _prefix(self, host):
        return self.bridge.host(host)[1] if self.bridge else ()

    @property
    def active(self):
        """The names of the trips that are on their way."""
        return self.fleet.active.intersection(self.names)

    def sharing(self, count):
        """Waits until the last states of the trips that are not over come from so many workers."""
        def workers():
            last = dict(self.readers[0].last)
            return {last[name].worker for name in self.active if name in last}
        until(lambda: len(workers()) == count, f"states of {count} workers", pause=0.2)

    def progress(self):
        """Waits until each reader that reads has another state of each trip that is not over."""
        readers = [reader for reader in self.readers if reader.running.is_set()]
        before = [reader.counts.copy() for reader in readers]

        def late():
            active = self.active
            return [(number, name) for number, reader in enumerate(readers) for name in reader.names
                    if name in active and reader.counts[name] == before[number][name]]
        until(lambda: not late(),
              lambda: f"another state of {len(late())}, {late()[:9]}{self.cluster.described()}", pause=0.2)
        self.check()

    def check(self):
        """Checks that no reader was shown what it should not have been."""
        for reader in self.readers:
            assert reader.wrong == []
            assert reader.process.poll() is None, reader.errors

    def cancel(self, names):
        """Ends those of the trips that are not over."""
        for name in self.active.intersection(names):
            with contextlib.suppress(grpc.RpcError):  # It has just ended.
                self.fleet.trips[name.rsplit("/")[-1]].cancel()

    def finish(self):
        """Ends all trips, and checks that each reader has the end."""
        for trip in self.fleet.trips.values():
            with contextlib.suppress(grpc.RpcError):
                trip.cancel()

        def missing():
            return [(number, name) for number, reader in enumerate(self.readers)
                    for name in reader.names if name not in reader.final]
        # A worker on another clock, or one that was stopped, may publish a while after the end.
        until(lambda: not missing(), lambda: f"the end of {missing()[:9]}", pause=0.2)
        self.check()
        for reader in self.readers:
            assert reader.versions == {name: self.fleet.versions.count(name) for name in reader.names}

    # MARK: Faults

    @property
    def faults_of_nodes(self):
        return [self.kill_leader, self.stop_leader, *([self.cut_node, self.separate_node] if self.bridge else [])]

    @property
    def faults_of_clients(self):
        return [self.kill_worker, self.stop_worker, self.upgrade_worker, self.slow_reader, self.lose_stream,
                *([self.cut_worker, self.separate_worker, self.cut_readers] if self.bridge else [])]

    @contextlib.contextmanager
    def kill_worker(self):
        victim = self.dice.choice(self.workers)
        victim.__exit__()
        self.workers.remove(victim)
        yield
        self.add_worker()

    @contextlib.contextmanager
    def stop_worker(self):
        with stopped(self.dice.choice(self.workers).process):
            yield

    @contextlib.contextmanager
    def upgrade_worker(self):
        """Another worker starts, and the old one leaves."""
        self.add_worker()
        old = self.workers.pop(0)
        assert old.end() in (0, 143, -15)
        yield

    @contextlib.contextmanager
    def kill_leader(self):
        leader = self.cluster.leader()
        leader.kill()
        yield
        leader.start()
        self.cluster.wait()

    @contextlib.contextmanager
    def stop_leader(self):
        with stopped(self.cluster.leader().process):
            yield
        self.cluster.wait()

    @contextlib.contextmanager
    def slow_reader(self):
        """A reader stops to read."""
        reader = self.dice.choice(self.readers)
        reader.running.clear()
        yield
        reader.running.set()

    @contextlib.contextmanager
    def lose_stream(self):
        """A stream is deleted, which the workers create again. Requests of readers come again, pinned ones do not."""
        name = self.dice.choice(["TRIPWIRE_TRIPS", "TRIPWIRE_TRIPS", "KV_TRIPWIRE_WANTS", "KV_TRIPWIRE_WORKERS"])
        until(lambda: asyncio.run(deleted(self.cluster, name)), f"{name} is deleted", pause=0.5)
        yield

    @contextlib.contextmanager
    def cut_worker(self):
        """Its packets to NATS and to the fleet are lost."""
        with self._cut(self.dice.choice(self.workers).host):
            yield

    @contextlib.contextmanager
    def separate_worker(self):
        """Its packets to NATS are lost. It still polls the fleet."""
        with self._separated(self.dice.choice(self.workers).host):
            yield

    @contextlib.contextmanager
    def cut_readers(self):
        with self._cut(self.dice.choice(READER_HOSTS)):
            yield

    @contextlib.contextmanager
    def cut_node(self):
        """Its packets to other nodes, workers and readers are lost."""
        with self._cut(self.dice.choice(NODE_HOSTS)):
            yield
        self.cluster.wait()

    @contextlib.contextmanager
    def separate_node(self):
        """Its packets to other nodes are lost. Its workers and readers remain connected."""
        with self._separated(self.dice.choice(NODE_HOSTS)):
            yield
        self.cluster.wait()

    @contextlib.contextmanager
    def _cut(self, host):
        self.bridge.cut(host)
        yield
        self.bridge.cut(host, off=False)

    @contextlib.contextmanager
    def _separated(self, host):
        self.bridge.separate(host, NODE_HOSTS)
        yield
        self.bridge.separate(host, NODE_HOSTS, off=False)


# The numbers of the hosts of a bridge.
NODE_HOSTS, WORKER_HOSTS, READER_HOSTS = [1, 2, 3], [4, 5, 6], [7, 8, 9]


@contextlib.contextmanager
def stopped(process):
    process.send_signal(signal.SIGSTOP)
    yield
    process.send_signal(signal.SIGCONT)


async def deleted(cluster, stream):
    """Deletes a stream; returns whether it is gone."""
    try:
        connection = await client.connect(cluster.url.split(","), connect_timeout=2, max_reconnect_attempts=1)
    except (OSError, client.errors.Error, asyncio.TimeoutError):
        return False
    try:
        return await connection.jetstream(timeout=5).delete_stream(stream)
    except client.js.errors.NotFoundError:
        return True
    except (client.errors.Error, asyncio.TimeoutError):
        return False
    finally:
        await connection.close()
