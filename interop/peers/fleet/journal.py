"""A journal of the requests with their times and outcomes."""

import collections
import threading
import time
from dataclasses import dataclass, field

MAX_ENTRIES = 100_000


@dataclass
class Entry:
    """A call."""

    trip_id: str
    """The ID of the trip; empty if the call is not about one trip."""
    claims: dict | None
    """The claims of its token, verified or not; None without a token."""
    stamps: dict = field(default_factory=dict)
    """The stamps in the request by field, in nanoseconds since 1970."""
    format: str = ""
    view: str = ""
    method: str = ""
    """The name of the method, such as GetTask."""
    resource: str = ""
    """What the call is about, such as tasks/k1; empty if it is about several resources."""
    parameters: str = ""
    """The value of x-goog-request-params."""
    user_agent: str = ""
    attempts_before: int = 0
    """The value of grpc-previous-rpc-attempts."""
    peer: str = ""
    time: float = field(default_factory=time.time)
    """The time of arrival in seconds since 1970."""
    code: str | None = None
    """The status code; None while the call runs, CANCELLED if the client canceled it."""
    bytes: int = 0
    """The length of the response."""


class Journal:
    """The latest calls and the number of response bytes by trip or resource.

    Methods take the ID of a trip, a resource such as tasks/k1, or None for all.
    """

    def __init__(self):
        self._changed = threading.Condition()
        self._entries = collections.deque(maxlen=MAX_ENTRIES)
        self._bytes, self._ended = collections.Counter(), collections.Counter()

    def begin(self, entry):
        with self._changed:
            self._entries.append(entry)
            self._changed.notify_all()

    def end(self, entry, code, length=0):
        with self._changed:
            entry.code, entry.bytes = code, length
            for key in {entry.trip_id, entry.resource, None}:
                self._bytes[key] += length
                self._ended[key] += 1
            self._changed.notify_all()

    def of(self, key=None):
        """Returns the calls in order of arrival."""
        with self._changed:
            return [
                each for each in self._entries if key in (None, each.trip_id, each.resource)]

    def bytes(self, key=None):
        """Returns the number of bytes of all responses in these calls."""
        with self._changed:
            return self._bytes[key]

    def clear(self):
        with self._changed:
            self._entries.clear()
            self._bytes.clear()
            self._ended.clear()

    def wait(self, condition, key=None, timeout=300):
        """Waits until `condition(calls)` holds for these calls; returns its value."""
        return self._wait(lambda: condition(self.of(key)), key, timeout)

    def wait_for_calls(self, count, key=None, timeout=300):
        """Waits until `count` calls have ended; returns the ended calls."""
        self._wait(lambda: self._ended[key] >= count, key, timeout)
        return [call for call in self.of(key) if call.code]

    def _wait(self, condition, key, timeout):
        with self._changed:
            found = self._changed.wait_for(condition, timeout)
        assert found, f"the condition does not hold after {timeout} s: {self.of(key)[-3:]}"
        return found
