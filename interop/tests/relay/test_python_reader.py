"""Can anyone request trips and read their states with nats-py and Google's types?"""

import asyncio
import subprocess
import sys

import nats as client
import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import json_format

from support.command import LONGEST
from support.fleet_client import connected_client
from support.nats.server import NATSServer, free_port, poll_request, until
from support.python_reader import EXAMPLE, PythonReader
from support.relay import Reader, TripState, Worker, relay, status, working

NAME = "providers/p/trips/t1"
PollRequest = poll_request()


def request(nats):
    """The last request for the trip, and the sequence number of its message."""
    async def read():
        connection = await client.connect(nats.url)
        message = await connection.jetstream().get_last_msg(
            "KV_TRIPWIRE_WANTS", "$KV.TRIPWIRE_WANTS.p.t1", direct=True)
        await connection.close()
        return json_format.Parse(message.data, PollRequest()), message.seq

    return asyncio.run(read())


def wanted(nats):
    return status(nats)["wanted"]


@pytest.mark.parametrize("arguments", [[], ["nats://127.0.0.1:1", "p"], ["a", "b", "c", "d", "e"]])
def test_example_shows_its_usage(tmp_path, arguments):
    done = subprocess.run([sys.executable, EXAMPLE / "read_relay.py", *arguments], cwd=tmp_path, capture_output=True,
                          timeout=LONGEST, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (
        2, "", "usage: read_relay.py NATS_URL PROVIDER TRIP [INBOX_PREFIX]\n")


@pytest.mark.parametrize("scheme, partitions", [("nats", 1), ("ws", 1), ("nats", 4)])
def test_example_requests_a_trip_and_prints_its_states(tmp_path, moving, scheme, partitions):
    port = free_port()
    with NATSServer(tmp_path, f'websocket {{ listen: "127.0.0.1:{port}", no_tls: true }}\n') as nats:
        urls = {"nats": nats.url, "ws": f"ws://127.0.0.1:{port}"}
        with Worker(nats, moving, "--partitions", partitions), \
                PythonReader(tmp_path, urls[scheme], "p", "t1") as reader:
            assert reader.until("_TO_").split()[1] in types.TripStatus.__members__
            found, _ = request(nats)
            assert found == PollRequest(for_ms=60_000)
            moving.trips["t1"].cancel()
            reader.until("CANCELED")
            assert reader.process.wait(LONGEST) == 0
            numbers = [int(line.split()[0]) for line in reader.lines if "NATS" not in line]
            assert numbers == sorted(set(numbers))
            until(lambda: wanted(nats) == 0, "the end of the request")


def test_example_renews_its_request(nats, moving, worker, tmp_path):
    with PythonReader(tmp_path, nats.url, "p", "t1", settings="read_relay.RENEWAL = 0.2") as reader:
        reader.until("_TO_")
        _, first = request(nats)
        until(lambda: request(nats)[1] > first + 2, "renewals")
        assert request(nats)[0] == PollRequest(for_ms=60_000)


@pytest.mark.parametrize("option, shortest", [(["--for", "1h"], 3_590_000), (["--pin"], None)], ids=["for", "pin"])
def test_example_does_not_shorten_requests(nats, moving, worker, tmp_path, option, shortest):
    assert relay(nats, "want", NAME, *option).code == 0
    before, first = request(nats)
    assert before == (PollRequest(for_ms=3_600_000) if shortest else PollRequest(pin=True))
    with PythonReader(tmp_path, nats.url, "p", "t1", settings="read_relay.RENEWAL = 0.2") as reader:
        reader.until("_TO_")
        if shortest:
            until(lambda: request(nats)[1] > first + 2, "renewals")
            assert shortest < request(nats)[0].for_ms <= 3_600_000
        else:
            assert request(nats) == (before, first)


def test_example_replaces_a_value_that_is_not_a_request(nats, moving, worker, tmp_path):
    async def publish():
        connection = await client.connect(nats.url)
        await connection.jetstream().publish("$KV.TRIPWIRE_WANTS.p.t1", b'{"forMs":-1}')
        await connection.close()

    asyncio.run(publish())
    with PythonReader(tmp_path, nats.url, "p", "t1") as reader:
        reader.until("_TO_")
    assert request(nats)[0] == PollRequest(for_ms=60_000)


def test_example_waits_for_the_streams_and_for_a_restart(nats, moving, tmp_path):
    with PythonReader(tmp_path, nats.url, "p", "t1") as reader:
        reader.until("NATS: ")
        with Worker(nats, moving):
            working(nats, 1)
            reader.until("_TO_")
            nats.kill()
            nats.start()
            moving.trips["t1"].cancel()
            reader.until("CANCELED")


def test_example_reads_the_last_state_of_a_partition(nats, moving, tmp_path):
    with Worker(nats, moving, "--partitions", 4), Reader(nats, NAME) as first:
        first.until(lambda state: state.trip.name)
    # No worker publishes a state.
    with PythonReader(tmp_path, nats.url, "p", "t1") as reader:
        reader.until("_TO_")


def test_last_state_is_the_trip_of_the_server(nats, moving, worker):
    assert relay(nats, "want", NAME).code == 0
    moving.journal.wait_for_calls(2, "t1")
    moving.trips["t1"].cancel()

    async def last():
        connection = await client.connect(nats.url)
        stream = connection.jetstream()
        while True:
            message = await stream.get_last_msg("TRIPWIRE_TRIPS", "tripwire.v1.trips.p.t1", direct=True)
            state = TripState.FromString(message.data)
            trip = types.Trip.pb(types.Trip.deserialize(state.trip.SerializeToString()))
            if trip.trip_status == types.TripStatus.CANCELED:
                await connection.close()
                return trip

    with connected_client(moving) as server:
        assert asyncio.run(last()) == server.get(moving.trips["t1"])
