"""Do workers and readers share the partitions of a relay, and follow when there are more?"""

import asyncio

import nats as client
import pytest

from peers.fleet import Fleet
from support.nats.cluster import Cluster
from support.nats.server import NATSServer, until
from support.relay import Reader, Worker, relay, status, working
from support.relay_run import Relay

NAMES = [f"providers/p/trips/t{number}" for number in range(1, 7)]


def partition(name, count):
    """The 32-bit FNV-1a hash of the tokens, which NATS computes for {{partition(n,1,2)}}."""
    _, provider, _, trip = name.split("/")
    hashed = 0x811C9DC5
    for byte in (provider + trip).encode():
        hashed = (hashed ^ byte) * 0x01000193 & 0xFFFFFFFF
    return hashed % count


def stored(nats, stream):
    """The subjects of a stream."""
    async def read():
        connection = await client.connect(nats.url)
        info = await connection.jetstream().stream_info(stream, subjects_filter=">")
        await connection.close()
        return set(info.state.subjects or {})
    return asyncio.run(read())


def test_states_are_in_the_stream_of_their_partition(nats, moving):
    with Worker(nats, moving, "--partitions", 4), Reader(nats, *NAMES) as reader:
        until(lambda: {state.name for state in reader.states if state.trip.name} == set(NAMES), "all trips")
        for number in range(4):
            assert stored(nats, f"TRIPWIRE_TRIPS_4_{number}") == {
                f"tripwire.v1.partitions.trips.4.{number}.p.{name.rpartition('/')[2]}" for name in NAMES
                if partition(name, 4) == number}
        until(lambda: status(nats)["states"] == 6, "all states")
        assert status(nats)["wanted"] == 6
        # A reader that begins later reads the last states.
        with Reader(nats, *NAMES) as later:
            until(lambda: {state.name for state in later.states if state.trip.name} == set(NAMES), "the last states")
            assert later.errors == [] and reader.errors == []


def test_server_computes_the_same_partition(tmp_path, moving):
    mapping = 'mappings: { "check.*.*": "checked.{{partition(16,1,2)}}.{{wildcard(1)}}.{{wildcard(2)}}" }'

    async def check(url):
        connection = await client.connect(url)
        subscription = await connection.subscribe("checked.>")
        for name in NAMES:
            await connection.publish(f"check.p.{name.rpartition('/')[2]}")
            message = await subscription.next_msg()
            assert int(message.subject.split(".")[1]) == partition(name, 16)
        await connection.close()
    with NATSServer(tmp_path, mapping) as server:
        asyncio.run(check(server.url))


def test_partitions_are_added_while_the_relay_runs(nats, moving):
    with Worker(nats, moving) as old, Reader(nats, *NAMES) as reader:
        until(lambda: {state.name for state in reader.states if state.trip.name} == set(NAMES), "all trips")
        before = {state.name: state.stream_time.ToNanoseconds() for state in reader.states if state.trip.name}
        with Worker(nats, moving, "--partitions", 8):
            working(nats, 2)

            def moved():
                last = {state.name: state for state in reader.states if state.trip.name}
                return all(last[name].stream_time.ToNanoseconds() > before[name] for name in NAMES)
            until(moved, "states of the new streams")
            for number in (1, 2, 3):
                moving.trips[f"t{number}"].cancel()
            until(lambda: {state.name for state in reader.states if state.trip.trip_status == 6} == set(NAMES[:3]),
                  "their ends")
            # The states of a worker are in order.
            for name in NAMES:
                states = [state for state in reader.states if state.name == name and state.trip.name]
                for worker in {(state.worker, state.term) for state in states}:
                    sequences = [state.sequence for state in states if (state.worker, state.term) == worker]
                    assert sequences == sorted(sequences)
            assert old.errors == [] and reader.errors == []
        # They stay when the worker ends, and a smaller number is ignored.
        with Worker(nats, moving, "--partitions", 2), Reader(nats, NAMES[5]) as later:
            later.until(lambda state: state.trip.name)
            assert stored(nats, f"TRIPWIRE_TRIPS_8_{partition(NAMES[5], 8)}")
            with pytest.raises(client.js.errors.NotFoundError):
                stored(nats, "TRIPWIRE_TRIPS_2_0")


def test_old_streams_may_be_deleted(nats, moving):
    """At once, although an hour later is the time that is recommended."""
    async def delete(*streams):
        connection = await client.connect(nats.url)
        for stream in streams:
            await connection.jetstream().delete_stream(stream)
        await connection.close()
    old = [f"TRIPWIRE_{kind}" for kind in ("TRIPS", "VEHICLES", "DELIVERY_VEHICLES", "TASKS", "TASK_TRACKING_INFO")]
    with Worker(nats, moving) as worker, Reader(nats, *NAMES) as reader:
        until(lambda: {state.name for state in reader.states if state.trip.name} == set(NAMES), "all trips")
        # The worker creates streams that it needs again.
        asyncio.run(delete("TRIPWIRE_TRIPS"))
        until(lambda: len(streams_of(nats, "TRIPWIRE_TRIPS")) == 1, "the stream")
        with Worker(nats, moving, "--partitions", 4) as other:
            until(lambda: other.start, "the worker begins")
            asyncio.run(delete(*old))
            for name in NAMES:
                moving.trips[name.rpartition("/")[2]].cancel()
            until(lambda: {state.name for state in reader.states if state.trip.trip_status == 6} == set(NAMES), "all ends")
            with Reader(nats, *NAMES) as later:
                until(lambda: {state.name for state in later.states if state.trip.trip_status == 6} == set(NAMES),
                      "all ends")
                assert later.errors == other.errors == []
        assert streams_of(nats, "TRIPWIRE_") == {f"{name}_4_{number}" for name in old for number in range(4)}


def streams_of(nats, prefix):
    async def read():
        connection = await client.connect(nats.url)
        found = await connection.jetstream().streams_info()
        await connection.close()
        return {each.config.name for each in found if each.config.name.startswith(prefix)}
    return asyncio.run(read())


@pytest.mark.long
@pytest.mark.parametrize("version, difference", [("newest", 1), ("debian", 6)])
def test_leaders_are_spread_over_the_nodes(tmp_path, version, difference):
    """After the start, and after the restart of a node. No reader goes back or misses an end meanwhile.

    Debian's server chooses the next leader by itself, so it takes some rounds until the numbers are even.
    """
    def are_spread():
        leaders = status(cluster)["leaders"]
        return len(leaders) == 3 and max(leaders.values()) - min(leaders.values()) <= difference
    with Fleet(trips=60, speed=10, versions=True) as fleet, Cluster(tmp_path, version) as cluster, \
            Relay(cluster, fleet, seed=1, readers=3, partitions=16) as tested:
        until(are_spread, lambda: status(cluster)["leaders"], pause=1)
        for node in cluster.nodes:
            node.kill()
            until(lambda: cluster.leads(node) == 0, "other leaders", pause=0.5)
            node.start()
            cluster.wait()
            tested.cancel(tested.names[:10])
            until(are_spread, lambda: status(cluster)["leaders"], pause=1)
            tested.progress()
        tested.finish()


def test_smaller_number_has_no_effect(nats, moving):
    with Worker(nats, moving, "--partitions", 4):
        working(nats, 1)
        with Worker(nats, moving, "--partitions", 2) as other:
            working(nats, 2)
            assert other.errors[0] == "warning: --partitions 2 has no effect: there are 4 already"
            assert status(nats)["partitions"] == 4


def test_number_of_partitions_is_checked(nats):
    result = relay(nats, "work", "--partitions", 3)
    assert result.code == 2 and "--partitions" in result.stderr
