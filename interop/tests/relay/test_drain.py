"""Does `relay drain` move the resources of a worker to others, without a gap and without further calls?"""

import signal
import time

import pytest

from peers.fleet import Fleet
from support.command import assert_failed
from support.nats.server import until
from support.relay import Reader, Worker, relay, status, working

NAMES = [f"providers/p/trips/t{number}" for number in range(1, 21)]


@pytest.fixture
def fleet():
    with Fleet(trips=len(NAMES), speed=1) as fleet:
        yield fleet


def shares(nats):
    """The resources of each worker, if they are all."""
    found = {each["name"]: each["resources"] for each in status(nats)["workers"]}
    return found if sum(found.values()) == len(NAMES) else None


def name(workers, process):
    return next(each["name"] for each in workers if f"-{process.process.pid}-" in each["name"])


def phases(nats):
    return {each["name"]: each["phase"] for each in status(nats)["workers"]}


def test_resources_move_and_return(nats, fleet):
    with Worker(nats, fleet) as one, Worker(nats, fleet) as two:
        workers = working(nats, 2)
        drained, other = name(workers, one), name(workers, two)
        assert relay(nats, "want", *NAMES, "--pin").code == 0
        before = until(lambda: shares(nats), "all trips")
        assert all(before.values())
        with Reader(nats, *NAMES) as reader:
            until(lambda: {state.name for state in reader.states} == set(NAMES), "all states")
            start = time.time()
            fleet.journal.wait_for_calls(len(fleet.journal.of()) + 100)
            result = relay(nats, "drain", drained)
            assert (result.code, result.stdout, result.stderr) == (0, "", "")
            assert phases(nats) == {drained: "drained", other: "working"}
            assert [each["errors"] for each in status(nats)["workers"]] == [{}, {}], "a poll that ends is no error"
            until(lambda: shares(nats) == {drained: 0, other: len(NAMES)}, "all trips move")
            # It takes no new resources, and keeps its heartbeat for longer than a lease.
            moved = time.time()
            fleet.journal.wait_for_calls(len(fleet.journal.of()) + 700)
            assert time.time() - moved > 5.5
            assert phases(nats) == {drained: "drained", other: "working"}
            calls = fleet.journal.of()
            peers = {call.peer for call in calls if call.time > moved + 1}
            assert len(peers) == 1, "only one worker polls"
            check_polls(calls, start)
            start = time.time()
            result = relay(nats, "drain", drained, "--undo")
            assert (result.code, result.stdout, result.stderr) == (0, "", "")
            until(lambda: shares(nats) == before, "the trips return")
            fleet.journal.wait_for_calls(len(fleet.journal.of()) + 100)
            check_polls(fleet.journal.of(), start)
            for each in NAMES:
                states = [state.stream_sequence for state in reader.states if state.name == each]
                assert states == sorted(states)
        assert (one.errors, two.errors) == ([], [])


def check_polls(calls, start):
    """Each trip was polled five times a second, and did not wait for the end of a lease, 5.5 s."""
    elapsed = time.time() - start
    for trip in NAMES:
        times = [call.time for call in calls if call.resource == trip.removeprefix("providers/p/") and call.time > start]
        assert len(times) <= 1.1 * elapsed / 0.2 + 3, trip
        assert max(later - earlier for earlier, later in zip(times, times[1:])) < 5, trip


def test_worker_stays_drained(nats, fleet):
    with Worker(nats, fleet) as one, Worker(nats, fleet) as two:
        drained = name(working(nats, 2), one)
        assert relay(nats, "drain", drained).code == 0
        # Again, it is no error.
        assert relay(nats, "drain", drained).code == 0
        nats.kill()
        nats.start()
        until(lambda: sorted(phases(nats).values()) == ["drained", "working"], "the workers are back")
        assert phases(nats)[drained] == "drained"
        # Another worker dies: a drained one does not take its resources.
        relay(nats, "want", *NAMES, "--pin")
        until(lambda: shares(nats), "all trips")
        two.process.kill()
        until(lambda: "lost" in relay(nats, "status").stdout, "the other worker is gone")
        assert next(each for each in status(nats)["workers"] if each["name"] == drained)["resources"] == 0
        assert relay(nats, "drain", drained, "--undo").code == 0
        until(lambda: next(
            each for each in status(nats)["workers"] if each["name"] == drained)["resources"] == len(NAMES), "all trips")
        assert one.end() == 128 + signal.SIGTERM


def test_last_worker_is_drained_with_a_warning(nats, fleet):
    with Worker(nats, fleet):
        only = working(nats, 1)[0]["name"]
        result = relay(nats, "drain", only)
        assert (result.code, result.stderr) == (
            0, f"warning: no other worker runs: nobody polls the resources of {only}\n")
        relay(nats, "want", *NAMES)
        result = relay(nats, "status")
        assert result.code == 3 and "wanted: 20, polled: 0, with a state: 0, partitions: 1\n" in result.stdout
        assert result.stderr.startswith("warning: no worker polls resources: ")


def test_drained_workers_are_named_when_none_is_left(nats, fleet):
    with Worker(nats, fleet) as one, Worker(nats, fleet) as two, Worker(nats, fleet) as three:
        first, second, dead = (name(working(nats, 3), each) for each in (one, two, three))
        assert relay(nats, "drain", first).stderr == ""
        three.process.kill()
        until(lambda: phases(nats)[dead] == "lost", "the lease ends")
        result = relay(nats, "drain", second)
        others = sorted([f"{first} is drained", f"{dead} is lost"])
        assert (result.code, result.stderr) == (
            0, f"warning: no other worker polls, because {others[0]} and {others[1]}: nobody polls the resources of"
               f" {second}\n")
        # A drained worker is a guess, too.
        assert_failed(relay(nats, "drain", first[:-1] + "?", "--undo"), 1, hint=f"did you mean {first}?")


def test_unknown_worker_is_reported(nats, fleet):
    with Worker(nats, fleet):
        worker = working(nats, 1)[0]["name"]
        wrong = worker[:-1] + ("0" if worker[-1] != "0" else "1")
        assert_failed(relay(nats, "drain", wrong), 1, error=f"no worker has the name {wrong}",
                      hint=f"did you mean {worker}?")
        assert_failed(relay(nats, "drain", "other"), 1, error="no worker has the name other",
                      hint="pass a name that 'tripwire relay status' shows")


def test_worker_without_heartbeats_is_reported(nats, fleet):
    with Worker(nats, fleet) as one:
        worker = working(nats, 1)[0]["name"]
        one.process.send_signal(signal.SIGSTOP)
        assert_failed(relay(nats, "drain", worker), 1, error=f"the worker {worker} did not answer within 10 s")
        assert_failed(relay(nats, "drain", worker), 1, f"the worker {worker} has sent no heartbeat for ",
                      hint="the other workers poll its resources")


@pytest.mark.parametrize("arguments, error", [
    ([], "WORKER is missing"), (["a", "b"], "unexpected argument b"), ([""], "WORKER is missing"),
])
def test_wrong_arguments_are_refused(arguments, error):
    assert_failed(relay("nats://127.0.0.1:1", "drain", *arguments), 2, error=error)
