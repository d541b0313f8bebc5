"""Readers of a relay, and what they received in comparison with what the fleet answered."""

import base64
import collections
import functools
import threading

from peers.fleet.versions import Trip, number_of
from support.nats.server import delimited
from support.relay import App, Reader, TripState, length

FINAL = {5, 6}  # COMPLETE, CANCELED


class Answers:
    """Compares states with the versions of trips that a fleet has answered."""

    def __init__(self, fleet):
        self._versions = fleet.versions
        # Many readers receive the same states.
        self.has = functools.lru_cache(maxsize=10_000)(self._has)

    def _has(self, name, data):
        """Whether the fleet has answered the trip in these bytes, with all its fields."""
        trip = Trip.FromString(data)
        return trip == self._versions.trip(name, number_of(trip))


class Record:
    """The last state of each trip that a reader received, and the states that it should not have received."""

    def __init__(self, answers):
        self._answers = answers
        self.last, self.final, self.wrong = {}, set(), []
        self.versions, self.counts = {}, collections.Counter()

    def take(self, state):
        if not state.HasField("trip"):
            return
        name, version, before = state.name, number_of(state.trip), self.versions.get(state.name, 0)
        is_final = state.trip.trip_status in FINAL
        if version < before or name in self.final and not is_final \
                or not self._answers.has(name, state.trip.SerializeToString()):
            self.wrong.append((name, before, version, state))
        self.last[name], self.versions[name] = state, version
        self.counts[name] += 1
        if is_final:
            self.final.add(name)


class RecordingReader(Record, Reader):
    """A reader of trips. Reads nothing while it is paused."""

    def __init__(self, nats, answers, names, **options):
        Record.__init__(self, answers)
        self.names = names
        self.running = threading.Event()
        self.running.set()
        Reader.__init__(self, nats, *names, **options)

    def _read(self):
        while self.running.wait() and (data := self._next()):
            self._data += data
            messages = delimited(self._data, TripState)
            self._data = self._data[sum(length(each.ByteSize()) + each.ByteSize() for each in messages):]
            for state in messages:
                self.take(state)


class Crowd(App):
    """Many readers in one process, each with a connection and one trip."""

    def __init__(self, nats, answers, names, count):
        self.names = names
        self.records = [Record(answers) for _ in range(count)]
        super().__init__(nats, "--readers", count, *names)

    def _read(self):
        for line in self.process.stdout:
            number, text = line.split()
            self.records[int(number)].take(TripState.FromString(base64.b64decode(text)))

    def late(self, counts, active):
        """The numbers of the readers that have received no state since, although their trip is not over."""
        return [number for number, record in enumerate(self.records)
                if self.names[number % len(self.names)] in active and record.counts.total() == counts[number]]

    @property
    def counts(self):
        return [record.counts.total() for record in self.records]
