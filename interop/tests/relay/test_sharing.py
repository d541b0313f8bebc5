"""Do workers share the wanted trips, and take over those of others?"""

import signal
import time

from peers.fleet import Fleet
from support.nats.server import until
from support.relay import Reader, Worker, google_trip, relay, status, working

NAMES = [f"providers/p/trips/t{number}" for number in range(1, 7)]


def polled(fleet, since):
    """The number of calls for each trip since a time."""
    counts = {}
    for call in fleet.journal.of():
        if call.time >= since:
            counts[call.trip_id] = counts.get(call.trip_id, 0) + 1
    return counts


def test_reader_gets_the_trip_of_the_server(nats, moving, worker):
    with Reader(nats, NAMES[0]) as reader:
        state = reader.until(lambda state: state.trip.name)
        assert state.name == state.trip.name == NAMES[0]
        assert state.stream_sequence > 0 and state.sequence > 0 and state.worker
        assert state.refresh_interval.ToMilliseconds() == 200
        trip = google_trip(state)
        assert trip.vehicle_id or trip.trip_status
        # The vehicle moves.
        later = reader.until(lambda later: later.sequence > state.sequence and later.changed.paths)
        assert later.stream_sequence > state.stream_sequence


def test_worker_prints_its_start(nats, moving):
    with Worker(nats, moving, "--capacity", 50) as one:
        until(lambda: one.start, "the first line")
        name = working(nats, 1)[0]["name"]
        assert one.start == (
            f"worker {name}: polls {moving.address} every 0.2 s, at most 50 resources; shares the work of"
            f" {nats.url} with 0 other workers")
        with Worker(nats, moving, "--quiet") as quiet, Worker(nats, moving, interval="5s") as other:
            until(lambda: other.start, "the first line")
            assert "every 5 s, at most 100000 resources;" in other.start
            working(nats, 3)
            assert quiet.start is None and quiet.errors == []


def test_missing_capacity_is_reported(nats, moving):
    with Worker(nats, moving, "--capacity", 2) as one:
        working(nats, 1)
        assert relay(nats, "want", *NAMES[:2]).code == 0
        assert relay(nats, "status").stderr == ""
        assert relay(nats, "want", *NAMES).code == 0
        result = relay(nats, "status")
        assert (result.code, result.stderr) == (
            0, "warning: 6 resources are wanted, and the workers poll at most 2: start another worker, or raise"
               " --capacity of 'tripwire relay work'\n")
        with Worker(nats, moving):
            working(nats, 2)
            assert relay(nats, "status").stderr == ""
            # A drained worker has no room.
            assert relay(nats, "drain", one.name).code == 0
            assert relay(nats, "status").stderr == ""


def test_each_trip_is_polled_once(nats, moving):
    with Worker(nats, moving), Worker(nats, moving):
        workers = working(nats, 2)
        assert relay(nats, "want", *NAMES).code == 0
        until(lambda: sum(each["resources"] for each in status(nats)["workers"]) == 6, "all trips")
        shares = {each["name"]: each["resources"] for each in status(nats)["workers"]}
        assert len(shares) == len(workers) and sum(shares.values()) == 6
        with Reader(nats, *NAMES) as one, Reader(nats, *NAMES) as other:
            for reader in one, other:
                until(lambda: {state.name for state in reader.states} == set(NAMES), "all states")
            start = time.time()
            moving.journal.wait_for_calls(len(moving.journal.of()) + 60)
            elapsed = time.time() - start
            # Five polls a second for each trip, whatever the number of readers.
            for count in polled(moving, start).values():
                assert count <= 1.3 * elapsed / 0.2 + 2


def test_trips_of_a_killed_worker_continue(nats):
    # Each worker gets a share of so many trips but once in 2^19 runs.
    names = [f"providers/p/trips/t{number}" for number in range(1, 21)]
    with Fleet(trips=len(names), speed=10) as fleet, Worker(nats, fleet) as one, Worker(nats, fleet):
        working(nats, 2)
        with Reader(nats, *names) as reader:
            until(lambda: {state.name for state in reader.states} == set(names), "all states")
            until(lambda: len({state.worker for state in reader.states}) == 2, "both workers")
            dead = next(state.worker for state in reader.states if f"-{one.process.pid}-" in state.worker)
            orphans = {state.name for state in reader.states if state.worker == dead}
            killed = time.time()
            one.process.kill()
            for name in orphans:
                reader.until(lambda state: state.name == name and state.worker != dead and state.trip.name)
            # Three heartbeats, one interval, and the time of a busy machine.
            assert time.time() - killed < 6 + 0.2 + 15
            # The next owner continued from the version stamps. A new trip has none.
            for name in orphans:
                calls = fleet.journal.of(name.rsplit("/")[-1])
                before = [call for call in calls if call.time < killed]
                first = next(call for call in calls if call.peer not in {call.peer for call in before})
                assert first.stamps or not before[-1].stamps, name
            for name in names:
                numbers = [state.stream_sequence for state in reader.states if state.name == name]
                assert numbers == sorted(numbers)
                counts = [state.sequence for state in reader.states if state.name == name]
                assert counts == sorted(counts)


def test_stopping_worker_hands_its_trips_over(nats, moving):
    with Worker(nats, moving) as one, Worker(nats, moving):
        working(nats, 2)
        relay(nats, "want", *NAMES)
        until(lambda: sum(each["resources"] for each in status(nats)["workers"]) == 6, "all trips")
        assert one.end() == 128 + signal.SIGTERM
        workers = until(
            lambda: (found := status(nats)["workers"]) and len(found) == 1 and found[0]["resources"] == 6 and found,
            "the other worker has all trips")
        assert f"-{one.process.pid}-" not in workers[0]["name"]
        assert one.errors == []


def test_unwanted_trip_is_not_polled(nats, moving, worker):
    relay(nats, "want", *NAMES[:2])
    moving.journal.wait_for_calls(1, "t1")
    moving.journal.wait_for_calls(1, "t2")
    assert relay(nats, "unwant", NAMES[0]).code == 0
    until(lambda: sum(each["resources"] for each in status(nats)["workers"]) == 1, "one trip")
    before = len(moving.journal.of("t1"))
    moving.journal.wait_for_calls(len(moving.journal.of("t2")) + 10, "t2")
    assert len(moving.journal.of("t1")) <= before + 1
    assert status(nats)["wanted"] == 1


def test_want_ends(nats, moving, worker):
    relay(nats, "want", NAMES[0], "--for", "2s")
    relay(nats, "want", NAMES[1], "--pin")
    moving.journal.wait_for_calls(1, "t1")
    until(lambda: status(nats)["wanted"] == 1, "the request ends")
    assert sum(each["resources"] for each in status(nats)["workers"]) <= 1


def test_longest_request_fits_in_its_message(nats, worker):
    assert relay(nats, "want", NAMES[0], "--for", "1193h").code == 0
    result = relay(nats, "want", NAMES[0], "--for", "1194h")
    assert result.code == 2
    assert result.stderr.startswith("error: --for 1194h: must be at most 1193h; --pin has no end\n")


def test_trip_that_is_over_is_announced_and_not_polled(nats, moving, worker):
    with Reader(nats, NAMES[0]) as reader:
        reader.until(lambda state: state.trip.name)
        moving.trips["t1"].cancel()
        last = reader.until(lambda state: google_trip(state).trip_status == 6, "the last status")
        assert last.trip.name
    until(lambda: status(nats)["wanted"] == 0, "nobody requests it")
    calls = len(moving.journal.of("t1"))
    # A new reader gets the last state from the stream.
    with Reader(nats, NAMES[0]) as reader:
        assert reader.until(lambda state: state.trip.name).sequence == last.sequence
    until(lambda: status(nats)["wanted"] == 0, "nobody requests it")
    assert len(moving.journal.of("t1")) == calls


def test_capacity_is_respected(nats, moving):
    with Worker(nats, moving, "--capacity", 2), Worker(nats, moving, "--capacity", 3):
        working(nats, 2)
        relay(nats, "want", *NAMES)
        until(lambda: sorted(each["resources"] for each in status(nats)["workers"]) == [2, 3], "full workers")


def test_reader_ends_when_its_stdout_is_closed(nats, moving, worker):
    reader = Reader(nats, NAMES[0])
    with reader:
        reader.until(lambda state: state.trip.name)
        reader.process.stdout.close()
        assert reader.process.wait(60) == 0
