"""Do the streams get the copies that a worker asks for, whoever created them?"""

import asyncio

import nats as client
import pytest

from support.nats.server import NATSServer, until
from support.nats.cluster import PROGRAMS, Cluster
from support.relay import Reader, Worker, relay, working

NAME = "providers/p/trips/t1"
HINT = "hint: pass --replicas 1, or use a cluster with enough servers\n"


def infos(nats):
    async def read():
        connection = await client.connect(nats.url.split(","))
        found = await connection.jetstream().streams_info()
        await connection.close()
        return found
    return asyncio.run(read())


def streams(nats):
    """The configurations by the names of the streams. Those that elect a leader at the moment are missing."""
    return {each.config.name: each.config for each in infos(nats)}


def have_copies(nats):
    """Whether each stream has two more copies that are complete. Until then, the loss of its leader is its end."""
    return all(len(copies := each.cluster.replicas or []) == 2 and all(copy.current for copy in copies)
               for each in infos(nats))


def test_too_few_servers_for_streams_that_exist(tmp_path, moving):
    with NATSServer(tmp_path) as nats:
        assert relay(nats, "want", NAME).code == 0
        result = relay(nats, "work", "--replicas", "3", "--endpoint", moving.address, "--plaintext")
    assert result.code == 1
    assert result.stderr.startswith(
        "error: cannot keep 3 copies of the stream KV_TRIPWIRE_WANTS: NATS is not a cluster\n")
    assert result.stderr.endswith(HINT)


@pytest.mark.long
@pytest.mark.parametrize("version", PROGRAMS)
def test_worker_adds_copies_and_removes_none(tmp_path, moving, version):
    with Cluster(tmp_path, version) as cluster:
        # It creates the streams with one copy.
        assert relay(cluster, "want", NAME).code == 0
        limited = streams(cluster)["TRIPWIRE_TRIPS"].evolve(max_bytes=1 << 20)

        async def limit():
            connection = await client.connect(cluster.url.split(","))
            await connection.jetstream().update_stream(limited)
            await connection.close()
        asyncio.run(limit())
        with Worker(cluster, moving, "--replicas", 3) as worker, Reader(cluster, NAME) as reader:
            reader.until(lambda state: state.trip.name)
            found = until(lambda: len(all_streams := streams(cluster)) == 8 and all_streams, "all streams")
            assert {each.num_replicas for each in found.values()} == {3}
            # What an administrator has set stays.
            assert found["TRIPWIRE_TRIPS"].max_bytes == 1 << 20
            assert found["TRIPWIRE_TRIPS"].max_age == limited.max_age
            with Worker(cluster, moving) as other:
                working(cluster, 2)
                assert {each.num_replicas for each in streams(cluster).values()} == {3}
                # Debian's server is older than 2.10.
                assert len(worker.errors) == len(other.errors) == (2 if version == "debian" else 0)
            until(lambda: have_copies(cluster), "complete copies")
            cluster.leader().kill()
            last = len(reader.states)
            until(lambda: any(state.trip.name for state in reader.states[last + 5:]), "states after the loss of a node")


@pytest.mark.long
@pytest.mark.parametrize("version", PROGRAMS)
def test_first_worker_starts_without_a_node(tmp_path, moving, version):
    """Each new stream elects a leader, which takes some seconds if it is to be the lost node."""
    with Cluster(tmp_path, version) as cluster:
        cluster.nodes[1].kill()
        with Worker(cluster, moving, "--replicas", 3), Reader(cluster, NAME) as reader:
            reader.until(lambda state: state.trip.name)


@pytest.mark.long
@pytest.mark.parametrize("version", PROGRAMS)
def test_status_without_a_majority(tmp_path, moving, version):
    """The heartbeats of the workers are not stored, which does not mean that the workers are lost."""
    with Cluster(tmp_path, version) as cluster, Worker(cluster, moving, "--replicas", 3):
        working(cluster, 1)
        for node in cluster.nodes[1:]:
            node.kill()
        found = until(lambda: (result := relay(cluster, "status")).code not in (0, 3) and result, "an error")
        assert found.code == 1
        assert found.stderr.startswith("error: ")
        assert "hint: check that most nodes of NATS run" in found.stderr
