"""The version stamps of a trip: when each part last changed, in nanoseconds since 1970."""

NANOSECONDS = 1_000_000_000
# Nanoseconds that a client with a coarser clock would lose.
ODD = 7


class Stamps:
    """The stamps of the parts. A part gets its first stamp when it appears, and another when it is gone."""

    def __init__(self, **empty):
        """`empty` has the value of each part while it is absent."""
        self._values = empty
        self._stamps = dict.fromkeys(empty)

    def update(self, at, **values):
        """Sets the values; returns the stamps by part."""
        for part, value in values.items():
            if value != self._values[part]:
                stamp = int(at * 1e6) * 1000 + ODD
                self._stamps[part] = max(stamp, (self._stamps[part] or 0) + 1000)
                self._values[part] = value
        return dict(self._stamps)


def set_stamp(timestamp, nanoseconds):
    timestamp.seconds, timestamp.nanos = divmod(nanoseconds, NANOSECONDS)


def nanoseconds(timestamp):
    return timestamp.seconds * NANOSECONDS + timestamp.nanos
