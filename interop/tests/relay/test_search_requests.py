"""Does `relay want --search` keep what a search finds requested?"""

import json
import shutil
import signal

import pytest

from peers.fleet import Fleet
from support.command import assert_failed
from support.nats.server import until
from support.relay import Search, Worker, relay, status, working

NAMES = [f"providers/p/trips/t{number}" for number in (1, 2, 3)]


@pytest.fixture
def fleet():
    """Three trips that stay on their way until a test changes them."""
    with Fleet(deliveries=1) as fleet:
        for name in "t1", "t2", "t3":
            fleet.add_trip(name).go("ENROUTE_TO_PICKUP")
        yield fleet


@pytest.fixture
def worker(nats, fleet):
    with Worker(nats, fleet) as worker:
        working(nats, 1)
        yield worker


def wanted(nats, count):
    def found():
        # NATS may not answer after a restart.
        result = relay(nats, "status", "-o", "json")
        return result.code == 0 and json.loads(result.stdout)["wanted"] == count
    until(found, f"{count} requests")


def searches(fleet, method="SearchTrips"):
    return [call for call in fleet.journal.of() if call.method == method]


def test_found_trips_stay_requested(nats, fleet, worker):
    with Search(nats, fleet, "--active") as search:
        search.error("trips found: 3; searches every 1 s")
        wanted(nats, 3)
        # A new trip is found by a later search.
        fleet.add_trip("t4").go("ENROUTE_TO_PICKUP")
        wanted(nats, 4)
        # They stay requested for longer than a request lasts, 4 s.
        count = len(searches(fleet))
        fleet.journal.wait(lambda _: len(searches(fleet)) >= count + 6)
        assert status(nats)["wanted"] == 4
        before = len(fleet.journal.of("t1"))
        fleet.journal.wait_for_calls(before + 3, "t1")
        assert search.end() == 128 + signal.SIGTERM
    # The requests end by themselves.
    wanted(nats, 0)
    assert (search.errors, worker.errors) == (["trips found: 3; searches every 1 s"], [])


def test_request_of_a_trip_that_no_longer_matches_ends(nats, fleet, worker):
    with Search(nats, fleet, "--vehicle", "v1"):
        wanted(nats, 1)
        fleet.trips["t1"].go("COMPLETE")
        wanted(nats, 0)
        # A trip that is over is found by a search without --active, and is not requested again.
        calls, count = len(fleet.journal.of("t1")), len(searches(fleet))
        fleet.journal.wait(lambda _: len(searches(fleet)) >= count + 3)
        assert status(nats)["wanted"] == 0
        assert len(fleet.journal.of("t1")) == calls


@pytest.mark.parametrize("what, options, name", [
    ("vehicles", [], "vehicles/v2"),
    ("tasks", ["--filter", "state = OPEN"], "tasks/d1-1"),
    ("delivery-vehicles", [], "deliveryVehicles/d1"),
])
def test_other_resources_are_found(nats, fleet, worker, what, options, name):
    with Search(nats, fleet, *options, what=what):
        fleet.journal.wait_for_calls(2, name)
    assert worker.errors == []


def test_all_pages_are_requested(nats, fleet, worker):
    with Search(nats, fleet, "--page-size", 1) as search:
        wanted(nats, 3)
        assert search.errors == ["trips found: 3; searches every 1 s"]


def test_failure_is_reported_once_and_keeps_the_requests(nats, fleet, worker):
    with Search(nats, fleet, "--active", "--retries", 0) as search:
        wanted(nats, 3)
        fault = fleet.faults.fail("UNAVAILABLE", "on purpose", method="SearchTrips")
        search.error("on purpose")
        search.error("the search is repeated in ")
        count = len(searches(fleet))
        # Longer than a request lasts.
        fleet.journal.wait(lambda _: len(searches(fleet)) >= count + 4)
        assert status(nats)["wanted"] == 3
        fault.withdraw()
        search.error("over: ")
        wanted(nats, 3)
    lines = [line for line in search.errors if "on purpose" in line]
    assert len(lines) == 2 and lines[0].startswith("error: UNAVAILABLE") and lines[1].startswith("over: ")


def test_requests_are_made_again_for_an_empty_nats(nats, fleet, worker):
    """NATS loses its data. The next search would be in an hour."""
    with Search(nats, fleet, "--active", every="1h") as search:
        wanted(nats, 3)
        nats.kill()
        shutil.rmtree(nats.folder / "js")
        nats.start()
        wanted(nats, 3)
        assert len(searches(fleet)) == 1
        assert [line for line in search.errors if line.startswith("warning: ")] == [
            f"warning: the connection to NATS at {nats.url} was lost"]


@pytest.mark.parametrize("code, number", [("PERMISSION_DENIED", 7), ("INVALID_ARGUMENT", 3)])
def test_first_search_that_no_retry_helps_ends_the_command(nats, fleet, code, number):
    fleet.faults.fail(code, "on purpose")
    result = relay(nats, "want", "--search", "trips", "--provider", "p", "--endpoint", fleet.address, "--plaintext")
    assert_failed(result, 64 + number, code, "on purpose")


@pytest.mark.parametrize("arguments, error, hint", [
    (["--search", "trips"], "--search requires --provider", "add --provider, or remove --search"),
    (["--search", "trips", "--provider", "p", "trips/t1"], "NAME cannot be used with --search",
     "remove --search, or remove the names"),
    (["--search", "tasks", "--provider", "p", "--active"], "--active cannot be used with --search tasks",
     "remove --active, or pass --search trips"),
    (["--search", "state = OPEN", "--provider", "p"], "--search state = OPEN: ", "--search tasks --filter"),
    (["--search", "trips", "--pin"], "--pin cannot be used with --search", "remove"),
    (["--search", "trips", "--provider", "p", "--every", "10ms"], "expected a duration from 1s to 24h", None),
    ([NAMES[0], "--active"], "--active requires --search", "add --search, or remove --active"),
    ([NAMES[0], "--every", "5m"], "--every requires --search", "add --search"),
    ([NAMES[0], "--token-file", "x"], "--token-file requires --search", "add --search"),
])
def test_wrong_combinations_are_refused(arguments, error, hint):
    assert_failed(relay("nats://127.0.0.1:1", "want", *arguments), 2, error, hint=hint)


def test_names_need_no_server(nats, fleet, worker, tmp_path):
    """Variables and profiles for calls do not matter for a command that makes none."""
    file = tmp_path / "names"
    file.write_text("t1\n\n trips/t2\nproviders/p/vehicles/v1\n")
    result = relay(nats, "want", f"@{file}", "-", "--provider", "p", stdin=b"t3\n",
                   TRIPWIRE_ENDPOINT="example.com:443")
    assert (result.code, result.stderr) == (0, "")
    wanted(nats, 4)
    result = relay(nats, "unwant", f"@{file}", "--provider", "p")
    assert (result.code, result.stderr) == (0, "")
    wanted(nats, 1)
