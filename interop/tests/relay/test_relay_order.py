"""Do readers follow the stream that exists?"""

import asyncio
import time

import nats as client

from support.relay import Reader, TripState

NAME = "providers/p/trips/t1"


def test_new_stream_may_have_an_earlier_time(nats, moving, worker):
    """The server that created the lost stream had a clock that is ahead of that of the present one."""
    with Reader(nats, NAME) as reader:
        reader.until(lambda state: state.trip.name and state.worker != "other")
        asyncio.run(publish_twice(nats, int(time.time()) + 3600))
        other = reader.until(lambda state: state.worker == "other")
        # The first one may be older than what was shown before.
        assert other.sequence == 2
        reader.until(lambda state: state.trip.name and state.worker != "other", "the states of the worker")


def test_state_of_another_worker_is_not_shown_before_it_is_known_to_be_newer(nats, moving, worker):
    with Reader(nats, NAME) as reader:
        shown = reader.until(lambda state: state.trip.name)
        asyncio.run(publish_twice(nats, shown.stream_time.seconds, shown.stream_time.nanos))
        reader.until(lambda state: state.worker == "other" and state.sequence == 2)
        assert not any(state.worker == "other" and state.sequence == 1 for state in reader.states)


async def publish_twice(nats, seconds, nanos=0):
    """Publishes two states of another worker. The second one was polled when the first was in the stream."""
    connection = await client.connect(nats.url)
    state = TripState(name=NAME, worker="other", term=1)
    state.trip.name = NAME
    state.stream_time.seconds, state.stream_time.nanos = seconds, nanos
    for sequence in 1, 2:
        state.sequence = sequence
        stored = await connection.jetstream().publish("tripwire.v1.trips.p.t1", state.SerializeToString())
        state.polled_after = stored.seq
    await connection.close()
