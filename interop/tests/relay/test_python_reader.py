"""Can anyone read the states of a relay with nats-py and Google's types?"""

import asyncio
import subprocess
import sys

import nats as client
from google.maps.fleetengine_v1 import types

from peers.servers.protosets import compiled
from support.fleet_client import connected_client
from support.paths import INTEROP
from support.relay import TripState, relay

EXAMPLE = INTEROP.parent / "Examples/ReadRelay/read_relay.py"


def test_example_prints_the_states(nats, moving, worker, tmp_path):
    (tmp_path / "relay.protoset").write_bytes(
        compiled(INTEROP.parent / "protos", "tripwire/relay/v1/trip_state.proto"))
    assert relay(nats, "want", "providers/p/trips/t1").code == 0
    process = subprocess.Popen(
        [sys.executable, EXAMPLE, nats.url, "p", "t1"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        words = process.stdout.readline().split()
        assert int(words[0]) >= 1 and words[1] in types.TripStatus.__members__
    finally:
        process.kill()
        process.wait()


def test_last_state_is_the_trip_of_the_server(nats, moving, worker):
    assert relay(nats, "want", "providers/p/trips/t1").code == 0
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
