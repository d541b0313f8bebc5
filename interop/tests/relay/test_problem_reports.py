"""Is each problem of NATS reported once when it begins and once when it ends, whatever the number of trips?"""

import asyncio
import collections
import contextlib
import re
import time

import nats as client
import pytest

from peers.fleet import Fleet
from support.nats.cluster import PROGRAMS, Cluster
from support.nats.server import until
from support.relay import Reader, Worker, relay, status, working
from support.relay_run import deleted, stopped

pytestmark = pytest.mark.long

TRIPS = 300
NAMES = [f"providers/p/trips/t{number}" for number in range(1, TRIPS + 1)]


def killed(cluster):
    """A node leads nothing for a while, and the clients of another one have to connect again."""
    @contextlib.contextmanager
    def fault():
        leader = cluster.leader()
        leader.kill()
        yield
        leader.start()
        cluster.wait()
    return fault()


def all_stopped(cluster):
    """No node answers."""
    stack = contextlib.ExitStack()
    for node in cluster.nodes:
        stack.enter_context(stopped(node.process))
    return stack


@contextlib.contextmanager
def lost_stream(cluster):
    until(lambda: asyncio.run(deleted(cluster, "TRIPWIRE_TRIPS")), "the stream is deleted", pause=0.5)
    yield


@contextlib.contextmanager
def full_stream(cluster):
    asyncio.run(limit(cluster, 1))
    yield
    asyncio.run(limit(cluster, -1))


async def limit(cluster, size):
    """Limits the bytes of the stream."""
    connection = await client.connect(cluster.url.split(","))
    stream = connection.jetstream()
    info = await stream.stream_info("TRIPWIRE_TRIPS")
    await stream.update_stream(info.config.evolve(max_bytes=size))
    await connection.close()


@pytest.mark.parametrize("fault", [killed, all_stopped, lost_stream, full_stream])
@pytest.mark.parametrize("version", PROGRAMS)
def test_problem_of_many_trips(tmp_path, version, fault):
    with Fleet(trips=TRIPS, speed=1) as fleet, Cluster(tmp_path, version) as cluster, \
            Worker(cluster, fleet, "--replicas", 3, interval="2s") as worker:
        # A reader that starts before the worker finds no streams.
        working(cluster, 1)
        with Reader(cluster, *NAMES) as reader:
            run(cluster, worker, reader, fault)


def run(cluster, worker, reader, fault):
    assert relay(cluster, "want", "--pin", *NAMES).code == 0
    until(lambda: status(cluster)["workers"][0]["resources"] == TRIPS, "all trips")
    until(lambda: len({state.name for state in reader.states}) == TRIPS, "all states")
    assert begun(worker) == begun(reader) == []
    with fault(cluster):
        time.sleep(20)
    count = len(reader.states)
    until(lambda: len({state.name for state in reader.states[count:] if state.HasField("trip")}) == TRIPS,
          "new states")
    until(lambda: not unended(worker) and not unended(reader), lambda: f"{unended(worker)}, {unended(reader)} end")
    for process in worker, reader:
        assert all(count == 1 for count in collections.Counter(begun(process)).values()), process.errors
        assert sorted(begun(process)) == sorted(ended(process))


@pytest.mark.parametrize("code", ["PERMISSION_DENIED", "UNAVAILABLE"])
def test_polls_that_all_fail(nats, code):
    with Fleet(trips=3, speed=1) as fleet, Worker(nats, fleet, interval="1s") as worker:
        assert relay(nats, "want", "--pin", *NAMES[:3]).code == 0
        fleet.journal.wait_for_calls(6)
        # One trip of several is no problem of the worker.
        with fault(fleet, "NOT_FOUND", resource="trips/t1"):
            time.sleep(15)
        assert worker.errors == []
        with fault(fleet, code):
            worker.error(f"warning: all polls fail: {code}: on purpose")
        worker.error(f"over: all polls fail: {code}: on purpose, ")
        assert len(begun(worker)) == len(ended(worker)) == 1


@contextlib.contextmanager
def fault(fleet, code, **options):
    found = fleet.faults.fail(code, "on purpose", **options)
    yield
    found.withdraw()


def begun(process):
    lines = [line.removeprefix("warning: ") for line in list(process.errors) if line.startswith("warning: ")]
    # This one lasts as long as the worker.
    return [line for line in lines if not line.startswith("nats-server is older than 2.10")]


def ended(process):
    return [re.sub(", [0-9]+ times in [0-9.]+ s$", "", line.removeprefix("over: "))
            for line in list(process.errors) if line.startswith("over: ")]


def unended(process):
    return collections.Counter(begun(process)) - collections.Counter(ended(process))
