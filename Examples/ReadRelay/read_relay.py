"""Prints the states of a trip that a relay shares: read_relay.py NATS_URL PROVIDER TRIP"""
import asyncio
import sys

import nats
from google.maps.fleetengine_v1 import types
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

pool = descriptor_pool.DescriptorPool()
for file in descriptor_pb2.FileDescriptorSet.FromString(open("relay.protoset", "rb").read()).file:
    pool.Add(file)
TripState = message_factory.GetMessageClass(pool.FindMessageTypeByName("tripwire.relay.v1.TripState"))


async def main(url, provider, trip):
    connection = await nats.connect(url)
    states = await connection.jetstream().subscribe(f"tripwire.v1.trips.{provider}.{trip}", ordered_consumer=True)
    async for message in states.messages:
        state = TripState.FromString(message.data)
        trip = types.Trip.deserialize(state.trip.SerializeToString())
        print(state.sequence, trip.trip_status.name, trip.eta_to_first_waypoint, state.error.status.message, flush=True)

asyncio.run(main(*sys.argv[1:]))
