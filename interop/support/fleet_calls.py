"""What the journal of a simulated fleet says about polls."""

import collections


def gaps(fleet, start, end):
    """Returns the longest time without a call of each trip, and when it began after the start, by the trip."""
    times = collections.defaultdict(lambda: [start])
    for call in fleet.journal.of():
        if start < call.time < end:
            times[call.trip_id].append(call.time)
    return {
        trip: max((after - before, before - start) for before, after in zip(calls, [*calls[1:], end]))
        for trip, calls in times.items()}
