"""Does `tripwire follow` report errors and continue?"""

import contextlib
import json

import pytest
from google.maps.fleetengine_v1 import types
from google.rpc import error_details_pb2

from support.command import GROWING, LONGEST, at, running, tripwire
from support.emulator import emulating
from support.fleet_services import connected_services
from support.following import following, trip_of
from support.merging import GOVERNED


@pytest.mark.parametrize("code", ["UNAVAILABLE", "ABORTED", "NOT_FOUND", "INTERNAL", "DATA_LOSS"])
def test_follow_continues_after_errors(fleet, trip, code):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fault = fleet.faults.fail(code, "on purpose")
        assert follow.until_error(code)["error"]["message"] == "on purpose"
        trip.go("ENROUTE_TO_DROPOFF")
        fault.withdraw()
        follow.until_status("ENROUTE_TO_DROPOFF")
        trip.go("COMPLETE")
        assert follow.end() == 0
    # Each error is reported once, although it occurred several times.
    assert follow.errors == [code]


def test_changed_error_is_reported(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        for message in ["one", "two"]:
            fault = fleet.faults.fail("FAILED_PRECONDITION", message)
            assert follow.until_error("FAILED_PRECONDITION")["error"]["message"] == message
            fleet.journal.wait_for_calls(len(fleet.journal.of()) + 2)
            fault.withdraw()
    assert all(line["name"] == trip.name for line in follow.lines)


def test_error_that_differs_only_in_duration_is_reported_once(fleet, trip, tmp_path):
    """The messages of curl, for example, contain the elapsed time."""
    program = tmp_path / "token"
    program.write_text(
        "#!/bin/sh\necho x >> $0.calls\n"
        "echo \"curl: (7) Failed to connect after $(wc -l < $0.calls) ms: refused\" >&2\nexit 7\n")
    program.chmod(0o755)
    calls = tmp_path / "token.calls"
    options = ["--plaintext", "--token-command", str(program)]
    with following(fleet.address, trip, options=options) as follow:
        line = follow.until_error("UNAUTHENTICATED")
        assert "after 1 ms: refused" in line["error"]["message"]
        follow.wait_until(lambda: len(calls.read_text().split()) >= 3)
        program.write_text("#!/bin/sh\necho after 1 ms: not found >&2\nexit 7\n")
        follow.until(lambda line: "not found" in line["error"]["message"])
    assert follow.errors == ["UNAUTHENTICATED"] * 2


RISKY = "".join(map(chr, [
    0x7f, *range(0x80, 0xa0), 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a),
    0xfeff]))


def test_json_errors_are_safe_on_a_terminal(fleet, trip):
    info = error_details_pb2.ErrorInfo(reason=RISKY, domain="d", metadata={RISKY: RISKY})
    fleet.faults.fail("NOT_FOUND", RISKY, info, error_details_pb2.Help(
        links=[{"description": RISKY, "url": RISKY}]))
    result = tripwire("get", trip.name, *at(fleet.address), "--error-format", "json")
    assert result.code == 69
    assert result.stderr.isascii() and "\x7f" not in result.stderr
    error = json.loads(result.stderr)
    assert error["message"] == RISKY
    info, links = error["details"]
    assert info["reason"] == RISKY and info["metadata"] == {RISKY: RISKY}
    assert links["links"] == [{"description": RISKY, "url": RISKY}]
    with following(fleet.address, trip) as follow:
        assert follow.until_error("NOT_FOUND")["error"]["details"] == error["details"]


def test_fail_fast_ends_at_the_first_error_and_names_the_trip(fleet, trip):
    other = fleet.add_trip("t2")
    with following(fleet.address, trip, other, options=["--plaintext", "--fail-fast"]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.faults.fail("NOT_FOUND", trip_id="t2")
        assert follow.end() == 69
        assert f"GetTrip of {other.name} at " in follow.process.stderr.read().decode()
    assert [line["name"] for line in follow.lines if "error" in line] == [other.name]


def test_fail_fast_announces_no_next_poll(fleet, trip):
    fleet.faults.fail("PERMISSION_DENIED", "on purpose")
    result = tripwire("follow", trip.name, *at(fleet.address), "--fail-fast", "-o", "text")
    assert result.code == 71
    assert "PERMISSION_DENIED (client error): on purpose" in result.stdout


def test_trip_that_json_cannot_express_is_an_error(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        broken = types.Trip.pb()(name=trip.name, trip_status="ENROUTE_TO_DROPOFF")
        broken.pickup_time.seconds = 1 << 62
        fault = fleet.faults.add(message=broken.SerializeToString())
        error = follow.until_error("INTERNAL")
        assert "Trip.pickup_time" in error["error"]["message"] and error["name"] == trip.name
        fleet.journal.wait_for_calls(len(fleet.journal.of()) + 2)
        trip.go("ENROUTE_TO_DROPOFF")
        fault.withdraw()
        follow.until_status("ENROUTE_TO_DROPOFF")
    assert follow.errors == ["INTERNAL"]


def test_response_with_another_name_belongs_to_the_requested_trip(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        numbered = types.Trip.pb()(name="providers/1234/trips/t", trip_status="ARRIVED_AT_PICKUP")
        fleet.faults.add(message=numbered.SerializeToString())
        line = follow.until_status("ARRIVED_AT_PICKUP")
        assert line["name"] == trip.name
        assert line["trip"]["name"] == "providers/1234/trips/t"
    assert follow.errors == []


def test_time_limit_works_without_a_reader(fleet):
    trips = [fleet.add_trip(f"t{number}", points=2000) for number in range(5)]
    for trip in trips:
        trip.go("ENROUTE_TO_PICKUP")
    for seconds in GROWING:
        with running("follow", *[trip.name for trip in trips], *at(fleet.address),
                     "--interval", "100ms", "--for", f"{seconds}s", "-o", "json") as process:
            code = process.wait(LONGEST)
        # Without a response in that time the exit code is 68.
        if code != 68:
            break
    assert code == 0


def test_undecodable_response_is_reported_once(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.faults.garble(times=2)
        follow.until_error("INTERNAL")
        assert trip_of(follow.until_recovered()).route
    assert follow.errors == ["INTERNAL"]


def test_outdated_response_is_ignored(fleet, trip):
    """The response of a stale replica omits fields that are unchanged since stamps newer than its own,
    so it cannot be merged."""
    old = trip.message
    for fields in GOVERNED.values():
        for field in fields:
            old.ClearField(field)
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        trip.go("ENROUTE_TO_DROPOFF")
        # The vehicle has its next route after the trip has its status.
        follow.until(lambda line: line["trip"]["tripStatus"] == "ENROUTE_TO_DROPOFF" and line["trip"].get("route"))
        first = len(follow.lines) - 1
        fleet.faults.add(message=old.SerializeToString(), times=1)
        fleet.journal.wait_for_calls(len(fleet.journal.of()) + 2)
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
    assert all(line["trip"].get("route") for line in follow.lines[first:-1])


def test_stale_trip_is_reported(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fault = fleet.faults.hang()
        line = follow.until(lambda line: line.get("stale"))
        assert line["changed"] == [] and line["trip"]["name"] == trip.name
        fault.withdraw()
        follow.until_recovered()
    assert not follow.errors


def test_hanging_call_exceeds_its_deadline_and_follow_recovers(fleet, trip):
    options = ["--plaintext", "--timeout", "300ms"]
    with following(fleet.address, trip, options=options) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.faults.hang(times=1)
        follow.until_error("DEADLINE_EXCEEDED")
        follow.until_recovered()


def test_retry_delay_of_an_exceeded_quota_is_honored(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.faults.exceed_quota(1.5, times=1)
        follow.until_error("RESOURCE_EXHAUSTED")
        follow.until_recovered()
    calls = fleet.journal.of("t1")
    refused = next(i for i, call in enumerate(calls) if call.code == "RESOURCE_EXHAUSTED")
    assert calls[refused + 1].time - calls[refused].time >= 1.5


def test_follow_reconnects_to_a_restarted_server(tmp_path):
    state, name = ["--state", tmp_path / "state"], "providers/demo/trips/t1"
    with contextlib.ExitStack() as stack:
        with emulating("--seed", "demo", *state) as emulator:
            follow = stack.enter_context(following(emulator.address, name))
            follow.until_status("ENROUTE_TO_PICKUP")
        follow.until_error("UNAVAILABLE")
        services = stack.enter_context(connected_services(
            stack.enter_context(emulating("--listen", emulator.address, *state))))
        assert trip_of(follow.until_recovered()).route
        services.update_trip(name=name, trip={"trip_status": "CANCELED"}, update_mask={"paths": ["trip_status"]})
        assert follow.end() == 3
    assert set(follow.errors) == {"UNAVAILABLE"}
