"""The clock of the fleet: real time, or a time that only `advance` changes."""

import time


class Clock:
    """Returns the time in seconds since 1970."""

    def __init__(self, start, runs):
        self._start, self._runs = start, runs
        self._ahead = 0.0

    @property
    def now(self):
        return (time.time() if self._runs else self._start) + self._ahead

    def advance(self, seconds):
        self._ahead += seconds
