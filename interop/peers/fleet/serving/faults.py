"""Faults on demand: for one trip or for all, a number of times or until they are withdrawn."""

import asyncio
import threading
from dataclasses import dataclass, field

import grpc
from google.rpc import error_details_pb2

from peers.servers import failures


@dataclass(eq=False)
class Fault:
    """The fault of a call; without a status or bytes, the call is answered after all."""

    status: object = None
    """A google.rpc.Status that it ends with."""
    trailers: tuple = ()
    message: bytes | None = None
    """The answer, which may be no Trip."""
    delay: float = 0.0
    """In seconds."""
    ago: float = 0.0
    """It is answered with what was true so many seconds ago."""
    held: bool = False
    """It gets no answer before the fault is withdrawn."""
    times: int | None = None
    """The number of calls that still get it; None for all."""
    trip_id: str | None = None
    _over: threading.Event = field(default_factory=threading.Event)
    _waiting: list = field(default_factory=list)

    def withdraw(self):
        """Ends it; the calls that it holds are answered."""
        self._over.set()
        for loop, event in self._waiting:
            loop.call_soon_threadsafe(event.set)

    async def pause(self):
        """Takes as long as the fault has a call take."""
        if self.held:
            event = asyncio.Event()
            self._waiting.append((asyncio.get_running_loop(), event))
            # It may have been withdrawn in between.
            if not self._over.is_set():
                await event.wait()
        if self.delay:
            await asyncio.sleep(self.delay)


class Faults:
    """If a call matches several faults, it gets the one that was ordered first."""

    def __init__(self):
        self._lock = threading.Lock()
        self._ordered = []

    def order(self, trip_id=None, times=None, **what):
        fault = Fault(trip_id=trip_id, times=times, **what)
        with self._lock:
            self._ordered.append(fault)
        return fault

    def fail(self, code, message="failed on purpose", *details, pushback=None, **when):
        """With a code by its name, details of google.rpc, and grpc-retry-pushback-ms."""
        trailers = () if pushback is None else (("grpc-retry-pushback-ms", str(pushback)),)
        status = failures.status(grpc.StatusCode[code], message, *details)
        return self.order(status=status, trailers=trailers, **when)

    def exceed_quota(self, seconds, **when):
        """RESOURCE_EXHAUSTED, to be tried again in so many seconds."""
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMicroseconds(round(seconds * 1e6))
        return self.fail("RESOURCE_EXHAUSTED", "Quota exceeded.", retry, **when)

    def hang(self, **when):
        """No answer, until the fault is withdrawn."""
        return self.order(held=True, **when)

    def slow(self, seconds, **when):
        return self.order(delay=seconds, **when)

    def old(self, seconds, **when):
        """Answers as of so many seconds ago: out of order."""
        return self.order(ago=seconds, **when)

    def garble(self, message=b"\x0a\xffno trip", **when):
        """Bytes that are no Trip."""
        return self.order(message=message, **when)

    def withdraw(self):
        """All of them."""
        with self._lock:
            ordered, self._ordered = self._ordered, []
        for fault in ordered:
            fault.withdraw()

    def next(self, trip_id):
        """Returns the fault of a call for this trip, or None."""
        with self._lock:
            self._ordered = [
                each for each in self._ordered if each.times != 0 and not each._over.is_set()]
            for fault in self._ordered:
                if fault.trip_id in (None, trip_id):
                    if fault.times is not None:
                        fault.times -= 1
                    return fault
        return None
