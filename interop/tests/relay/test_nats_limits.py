"""Do workers report that NATS has no room, with the cure, and continue when it has?"""

import asyncio

import nats as client
import pytest
from nats.js.api import DiscardPolicy, RePublish, StreamConfig

from peers.fleet import Fleet
from support.command import assert_failed
from support.disk import enlarge, small_disk
from support.nats.server import NATSServer, until
from support.nats.cluster import PROGRAMS
from support.relay import Reader, Worker, relay, working

NAMES = [f"providers/p/trips/t{number}" for number in range(1, 7)]
FULL = "hint: raise the limits of JetStream or of the stream, or free disk space"


def limit_trips(nats, size):
    """Creates the stream of the trips, or changes it, with room for a number of bytes."""
    configuration = StreamConfig(
        name="TRIPWIRE_TRIPS", subjects=["tripwire.v1.trips.>"], max_msgs_per_subject=1, max_age=3600,
        discard=DiscardPolicy.NEW, max_bytes=size, allow_direct=True,
        republish=RePublish(src="tripwire.v1.trips.>", dest="tripwire.v1.live.>"))

    async def change():
        connection = await client.connect(nats.url)
        stream = connection.jetstream()
        try:
            await stream.update_stream(configuration)
        except client.js.errors.NotFoundError:
            await stream.add_stream(configuration)
        await connection.close()

    asyncio.run(change())


def test_full_stream_is_reported_once(nats, moving):
    limit_trips(nats, 1500)
    with Worker(nats, moving) as worker, Reader(nats, *NAMES) as reader:
        worker.error(FULL)
        # The worker goes on, and tries again every 5 s without another report.
        calls = len(moving.journal.of())
        moving.journal.wait_for_calls(calls + 200)
        assert working(nats, 1)
        assert len(worker.errors) == 2, worker.errors
        limit_trips(nats, 1 << 20)
        until(lambda: {state.name for state in reader.states if state.trip.name} == set(NAMES), "all trips")
        assert len(worker.errors) == 2, worker.errors


def test_full_disk_of_jetstream_is_reported(tmp_path, moving):
    with NATSServer(tmp_path, f'jetstream {{ store_dir: "{tmp_path}/js", max_file: 4096 }}\n', jetstream=False) as nats:
        with Worker(nats, moving) as worker:
            working(nats, 1)
            relay(nats, "want", *NAMES)
            worker.error(FULL)
            results = [relay(nats, "want", f"providers/p/trips/{number}") for number in range(40)]
            refused = [each for each in results if each.code]
            assert refused and all(FULL in each.stderr for each in refused), refused
            assert "store a message in the stream KV_TRIPWIRE_WANTS of NATS: insufficient resources" in refused[0].stderr


def test_stream_that_the_account_may_not_have_is_named(tmp_path):
    users = "accounts { A { jetstream: { max_streams: 2 }, users: [ { user: u, password: p } ] } }\nno_auth_user: u\n"
    with NATSServer(tmp_path, users) as nats:
        assert_failed(relay(nats, "want", NAMES[0]), 1,
                      "cannot create the stream KV_TRIPWIRE_DELAYS: maximum number of streams reached",
                      hint="raise the limits of JetStream")


@pytest.mark.long
@pytest.mark.parametrize("version", PROGRAMS)
def test_full_disk_ends_with_a_restart_of_nats(tmp_path, version):
    """nats-server answers nothing that it cannot write, and does not recover when there is room."""
    names = [f"providers/p/trips/t{number}" for number in range(1, 101)]
    with small_disk(tmp_path / "js", "96k"), Fleet(trips=100, speed=10) as fleet, \
            NATSServer(tmp_path, program=PROGRAMS[version]) as nats, Worker(nats, fleet) as worker, \
            Reader(nats, *names) as reader:
        worker.error("NATS did not answer in time")
        worker.error("hint: check that most nodes of NATS run; if a disk was full,")
        reader.error("did not answer")
        assert len({state.name for state in reader.states if state.HasField("trip")}) < len(names)
        enlarge(tmp_path / "js", "64m")
        nats.kill()
        nats.start()
        until(lambda: {state.name for state in reader.states if state.HasField("trip")} == set(names), "all trips")
        working(nats, 1)
