"""When each part of a trip last changed: the version stamps, in nanoseconds since 1970."""

NANOSECONDS = 1_000_000_000
# Digits that are lost on a client that keeps less than nanoseconds.
ODD = 7


class Stamps:
    """A part that has never been there has no stamp; one that is gone has one."""

    def __init__(self, **empty):
        """The value of each part when it is not there."""
        self._values = empty
        self._stamps = dict.fromkeys(empty)

    def note(self, at, **values):
        """These are the values now: every stamp, by the name of its part."""
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
