"""Faults on demand: for one resource, one method or all calls, a number of times or until withdrawn."""

import asyncio
import threading
import time
from dataclasses import dataclass, field

import grpc
from google.rpc import error_details_pb2

from peers.servers import failures
from peers.servers.active_faults import ActiveFaults


@dataclass(eq=False)
class Fault:
    """The fault of a call. Without a status and bytes, the call succeeds."""

    status: object = None
    """The google.rpc.Status of the call."""
    trailers: tuple = ()
    message: bytes | None = None
    """The bytes of the response, which need not be a valid message."""
    delay: float = 0.0
    """The delay of the response in seconds."""
    held: bool = False
    """Whether the call gets no response until the fault is withdrawn."""
    times: int | None = None
    """The number of calls that still get the fault; None means all."""
    trip_id: str | None = None
    resource: str | None = None
    """The resource that the call must be for, such as tasks/k1."""
    method: str | None = None
    """The name of the method, such as GetTask."""
    expires: float | None = None
    """The call must have a token that expires before this time, in seconds since 1970."""
    _over: threading.Event = field(default_factory=threading.Event)
    _waiting: list = field(default_factory=list)

    @property
    def is_over(self):
        return self._over.is_set()

    def withdraw(self):
        """Withdraws the fault; hanging calls get their response."""
        self._over.set()
        for loop, event in self._waiting:
            loop.call_soon_threadsafe(event.set)

    def matches(self, entry):
        """Returns whether it applies to a call, given its entry in the journal."""
        return (self.trip_id in (None, entry.trip_id)
                and self.resource in (None, entry.resource)
                and self.method in (None, entry.method)
                and (self.expires is None or entry.claims["exp"] <= self.expires))

    async def pause(self):
        """Waits as long as the fault delays a call."""
        if self.held:
            event = asyncio.Event()
            self._waiting.append((asyncio.get_running_loop(), event))
            # The fault may have been withdrawn in the meantime.
            if not self._over.is_set():
                await event.wait()
        if self.delay:
            await asyncio.sleep(self.delay)


class Faults(ActiveFaults):
    """The active faults. A call that matches several gets the one that was added first."""

    def add(self, trip_id=None, times=None, **what):
        """Adds a fault for calls of this `method`, about this `resource` or trip; by default for all."""
        return self.activate(Fault(trip_id=trip_id, times=times, **what))

    def fail(self, code, message="failed on purpose", *details, pushback=None, **when):
        """Fails with a code name, details of google.rpc and grpc-retry-pushback-ms."""
        trailers = () if pushback is None else (("grpc-retry-pushback-ms", str(pushback)),)
        status = failures.status(grpc.StatusCode[code], message, *details)
        return self.add(status=status, trailers=trailers, **when)

    def exceed_quota(self, seconds, **when):
        """Fails with RESOURCE_EXHAUSTED and a RetryInfo with this delay."""
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMicroseconds(round(seconds * 1e6))
        return self.fail("RESOURCE_EXHAUSTED", "Quota exceeded.", retry, **when)

    def expire_tokens(self, seconds, **when):
        """Refuses the tokens that expire within this time from now, as if the clock of the server were ahead."""
        return self.fail("UNAUTHENTICATED", "The JWT has expired.", error_details_pb2.ErrorInfo(
            reason="ACCESS_TOKEN_EXPIRED", domain="googleapis.com"), expires=time.time() + seconds, **when)

    def hang(self, **when):
        """Sends no response until the fault is withdrawn."""
        return self.add(held=True, **when)

    def slow(self, seconds, **when):
        return self.add(delay=seconds, **when)

    def garble(self, message=b"\x0a\xffno trip", **when):
        """Sends bytes that are not a Trip."""
        return self.add(message=message, **when)
