"""Requests a trip from a relay and prints its states: read_relay.py NATS_URL PROVIDER TRIP [INBOX_PREFIX]"""
import asyncio
import contextlib
import json
import string
import sys
import time

import nats
from google.maps.fleetengine_v1 import types
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

PLAIN = (string.ascii_letters + string.digits + "-_").encode()
LEASE, RENEWAL = 60, 30
"""How long the trip is requested, and when the request is renewed, in seconds."""
TIMEOUT = 5
FINAL = types.TripStatus.COMPLETE, types.TripStatus.CANCELED
WRONG_LAST_SEQUENCE = 10071, 10164
"""The err_codes of JetStream if a message is not the last one of its subject any more."""

if __name__ == "__main__" and len(sys.argv) not in (4, 5):
    print("usage:", __doc__.partition(": ")[2], file=sys.stderr)
    sys.exit(2)

pool = descriptor_pool.DescriptorPool()
for file in descriptor_pb2.FileDescriptorSet.FromString(open("relay.protoset", "rb").read()).file:
    pool.Add(file)
PollRequest, TripState = (message_factory.GetMessageClass(pool.FindMessageTypeByName(f"tripwire.relay.v1.{name}"))
                          for name in ("PollRequest", "TripState"))


def token(id):
    return "".join(chr(byte) if byte in PLAIN else f"={byte:02X}" for byte in id.encode())


class Reader:
    def __init__(self, provider, trip):
        self.trip = f"{token(provider)}.{token(trip)}"
        self.wake = asyncio.Event()
        self.shown, self.number, self.is_over = None, 0, False
        self.request, self.others_end = 0, 0.0

    async def run(self, url, inbox="_INBOX"):
        self.connection = await nats.connect(url, inbox_prefix=inbox.encode(), reconnected_cb=self.check,
                                             error_cb=self.report)
        await self.connection.subscribe(f"tripwire.v1.live.{self.trip}", cb=self.show)
        while not self.is_over:
            pause = RENEWAL
            try:
                await self.renew()
                if last := await self.last(*await self.place()):
                    await self.show(last)
            except nats.errors.Error as error:
                # For example, no worker has created the streams yet.
                await self.report(error)
                pause = 1
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.wake.wait(), pause)
            self.wake.clear()
        await self.connection.close()

    async def place(self):
        """The stream and the subject of the last state, which depend on the number of partitions."""
        last = await self.last("KV_TRIPWIRE_WANTS", "$KV.TRIPWIRE_WANTS.partitions")
        count = json.loads(last.data)["partitions"] if last else 1
        if count == 1:
            return "TRIPWIRE_TRIPS", f"tripwire.v1.trips.{self.trip}"
        hashed = 0x811C9DC5
        for byte in self.trip.replace(".", "").encode():
            hashed = (hashed ^ byte) * 0x01000193 & 0xFFFFFFFF
        partition = hashed % count
        return f"TRIPWIRE_TRIPS_{count}_{partition}", f"tripwire.v1.partitions.trips.{count}.{partition}.{self.trip}"

    async def report(self, error):
        # NATS does not answer a request that a user may not send, and reports the missing permission here.
        print(f"NATS: {error}", file=sys.stderr)

    async def check(self):
        self.wake.set()

    async def show(self, message):
        state = TripState.FromString(message.data)
        number = int(message.headers["Nats-Sequence"])
        trip = types.Trip.deserialize(state.trip.SerializeToString())
        if not self.is_newer(state, number, trip.trip_status in FINAL):
            return
        self.shown, self.number = state, number
        print(state.sequence, trip.trip_status.name, trip.eta_to_first_waypoint, state.error.status.message, flush=True)
        if trip.trip_status in FINAL:
            self.is_over = True
            self.wake.set()

    def is_newer(self, state, number, is_final):
        """Whether the trip is known to be at least as new as the one that was shown."""
        if not self.shown:
            return True
        if (state.worker, state.term) == (self.shown.worker, self.shown.term):
            return state.sequence > self.shown.sequence
        if is_final:
            return True
        if state.stream_time != self.shown.stream_time:
            # The stream lost its data, and its numbers restarted.
            self.shown.stream_time.CopyFrom(state.stream_time)
            self.number = number
            return False
        return state.polled_after >= self.number

    async def renew(self):
        """Requests the trip, without shortening the request of anybody else."""
        subject = f"$KV.TRIPWIRE_WANTS.{self.trip}"
        while not self.is_over:
            last = await self.last("KV_TRIPWIRE_WANTS", subject)
            sequence, present = 0, PollRequest()
            if last:
                sequence = int(last.headers["Nats-Sequence"])
                # A removed key has no value, and workers ignore a value that is not a request.
                with contextlib.suppress(json_format.ParseError):
                    json_format.Parse(last.data, present, ignore_unknown_fields=True)
            if present.pin:
                return
            if sequence != self.request:
                # The latest time at which it ends. When NATS stored it is not known by the clock of this machine.
                self.others_end = time.monotonic() + present.for_ms / 1000
            seconds = max(LEASE, self.others_end - time.monotonic())
            request = json_format.MessageToJson(PollRequest(for_ms=int(seconds * 1000)), indent=None)
            reply = await self.connection.request(
                subject, request.encode(), TIMEOUT, headers={"Nats-Expected-Last-Subject-Sequence": str(sequence)})
            answer = json.loads(reply.data)
            if "error" not in answer:
                self.request = answer["seq"]
                return
            if answer["error"].get("err_code") not in WRONG_LAST_SEQUENCE:
                raise nats.errors.Error(answer["error"]["description"])
            # Another reader was faster.

    async def last(self, stream, subject):
        """Returns the last message of a subject; None if there is none."""
        reply = await self.connection.request(f"$JS.API.DIRECT.GET.{stream}.{subject}", timeout=TIMEOUT)
        return None if (reply.headers or {}).get("Status") == "404" else reply


async def main(url, provider, trip, *inbox):
    await Reader(provider, trip).run(url, *inbox)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(*sys.argv[1:]))
