"""A journal of the requests with their times and outcomes."""

import collections
import json
import threading
import time
from dataclasses import asdict, dataclass, field

MAX_ENTRIES = 100_000


@dataclass
class Entry:
    """A call."""

    trip_id: str
    claims: dict | None
    """The claims of its token, verified or not; None without a token."""
    stamps: dict = field(default_factory=dict)
    """The stamps in the request by field, in nanoseconds since 1970."""
    format: str = ""
    view: str = ""
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
    """The latest calls and the number of response bytes by trip. A file gets a line of JSON for each."""

    def __init__(self, path=None):
        self._changed = threading.Condition()
        self._entries = collections.deque(maxlen=MAX_ENTRIES)
        self._bytes, self._ended = collections.Counter(), collections.Counter()
        self._file = path and open(path, "a", buffering=1)

    def begin(self, entry):
        with self._changed:
            self._entries.append(entry)
            self._changed.notify_all()

    def end(self, entry, code, length=0):
        with self._changed:
            entry.code, entry.bytes = code, length
            for trip_id in (entry.trip_id, None):
                self._bytes[trip_id] += length
                self._ended[trip_id] += 1
            if self._file:
                self._file.write(json.dumps(asdict(entry)) + "\n")
            self._changed.notify_all()

    def of(self, trip_id=None):
        """Returns the calls for a trip, or all, in order of arrival."""
        with self._changed:
            return [each for each in self._entries if trip_id in (None, each.trip_id)]

    def bytes(self, trip_id=None):
        """Returns the number of bytes of all responses about a trip, or about all."""
        with self._changed:
            return self._bytes[trip_id]

    def clear(self):
        with self._changed:
            self._entries.clear()
            self._bytes.clear()
            self._ended.clear()

    def wait(self, condition, trip_id=None, timeout=300):
        """Waits until `condition(calls)` holds for the calls for a trip, or for all; returns its value."""
        return self._wait(lambda: condition(self.of(trip_id)), trip_id, timeout)

    def wait_for_calls(self, count, trip_id=None, timeout=300):
        """Waits until `count` calls have ended; returns the ended calls."""
        self._wait(lambda: self._ended[trip_id] >= count, trip_id, timeout)
        return [call for call in self.of(trip_id) if call.code]

    def _wait(self, condition, trip_id, timeout):
        with self._changed:
            found = self._changed.wait_for(condition, timeout)
        assert found, f"the condition does not hold after {timeout} s: {self.of(trip_id)[-3:]}"
        return found
