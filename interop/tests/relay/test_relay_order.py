"""Do readers follow the stream that exists?"""

import asyncio
import time

import nats as client

from support.relay import Reader, TripState

NAME = "providers/p/trips/t1"


def test_new_stream_may_have_an_earlier_time(nats, moving, worker):
    """The server that created the lost stream had a clock that is ahead of that of the present one."""
    async def publish(stream_time):
        connection = await client.connect(nats.url)
        state = TripState(name=NAME, worker="other", sequence=1)
        state.trip.name = NAME
        state.stream_time.FromSeconds(stream_time)
        await connection.jetstream().publish("tripwire.v1.trips.p.t1", state.SerializeToString())
        await connection.close()

    with Reader(nats, NAME) as reader:
        reader.until(lambda state: state.trip.name and state.worker != "other")
        asyncio.run(publish(int(time.time()) + 3600))
        reader.until(lambda state: state.worker == "other")
        reader.until(lambda state: state.trip.name and state.worker != "other", "the states of the worker")
