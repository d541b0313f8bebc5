"""Does `tripwire follow` follow trips of a simulated fleet to the end, through all faults?"""

import collections
import json
import random
import re
import signal

import pytest
from google.maps.fleetengine_v1 import types
from google.rpc import error_details_pb2

from support.command import GROWING, LONGEST, assert_failed, at, start, tripwire
from support.fleet_client import connected_client
from support.following import following, trip_of
from support.merging import STAMPS
from peers.fleet import Fleet
from peers.fleet.process import FleetProcess

STATUSES = [
    "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]
FORMATS = ["lat-lng-list", "encoded-polyline"]
MANY = 1000


# From the start to the end


def test_trip_is_followed_from_start_to_end(certificates):
    options = ["--cacert", certificates.authority]
    with Fleet(certificate=certificates.good) as fleet:
        trip = fleet.add_trip("t1")
        with following(fleet.address, trip, options=options) as follow:
            for status in STATUSES:
                trip.go(status)
                follow.until_status(status)
            assert follow.end() == 0
    assert follow.statuses == STATUSES
    assert not follow.errors


@pytest.mark.parametrize("format_", FORMATS)
def test_trip_is_followed_in_real_time(format_):
    with Fleet(trips=1, speed=400) as fleet:
        with following(
                fleet.address, fleet.trips["t1"],
                options=["--plaintext", "--route-format", format_]) as follow:
            assert follow.end() == 0
    assert [STATUSES.index(status) for status in follow.statuses] == sorted(
        STATUSES.index(status) for status in follow.statuses)
    assert follow.statuses[-1] == "COMPLETE" and len(follow.lines) > 3


def test_canceled_trip_exits_with_3(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        trip.cancel()
        assert follow.end() == 3
    assert follow.statuses[-1] == "CANCELED"


def test_follow_ends_at_the_status_of_until(fleet, trip):
    with following(
            fleet.address, trip, options=["--plaintext", "--until", "arrived-at-pickup"]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        trip.go("ARRIVED_AT_PICKUP")
        assert follow.end() == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP"]


def test_follow_ends_after_the_time_of_for(fleet, trip):
    for seconds in GROWING:
        options = ["--plaintext", "--for", f"{seconds}s"]
        with following(fleet.address, trip, options=options) as follow:
            code = follow.end()
        if follow.lines:
            break
    assert code == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP"]


@pytest.fixture(scope="module")
def stopped_server():
    """The address of a stopped server."""
    with Fleet() as fleet:
        address = fleet.address
    return address


def until_for(address, *trips, options=()):
    """Returns the result and the value of --for that sufficed to report every trip."""
    for seconds in GROWING:
        result = tripwire(
            "follow", *[trip.name for trip in trips], *at(address), "--interval", "100ms",
            "--until", "arrived-at-pickup", "--for", f"{seconds}s", "-o", "json", *options)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        if {line["name"] for line in lines} == {trip.name for trip in trips}:
            break
    return result, seconds


def test_status_not_reached_in_time_exits_with_4(fleet, trip):
    result, seconds = until_for(fleet.address, trip)
    assert result.code == 4
    assert result.stderr == (
        f"error: timed out after {seconds} s: providers/p/trips/t1 did not reach the status arrived-at-pickup"
        " (status is enroute-to-pickup)\nhint: raise --for to wait longer\n")
    trip.go("ARRIVED_AT_PICKUP")
    assert until_for(fleet.address, trip)[0].code == 0


def test_timeout_names_the_trips_without_the_status(fleet, trip):
    there, failing = fleet.add_trip("t2"), fleet.add_trip("t3")
    there.go("ENROUTE_TO_DROPOFF")
    fleet.faults.fail("NOT_FOUND", trip_id="t3")
    result, seconds = until_for(
        fleet.address, trip, there, failing, options=["--error-format", "json"])
    assert result.code == 4
    error = json.loads(result.stderr)
    assert error["message"] == (
        f"timed out after {seconds} s: providers/p/trips/t1 did not reach the status arrived-at-pickup"
        " (status is enroute-to-pickup); providers/p/trips/t3 did not reach the status arrived-at-pickup"
        " (no response, NOT_FOUND)")
    assert error["code"] is None


@pytest.mark.parametrize("options", [[], ["--until", "arrived-at-pickup"]])
def test_unresponsive_server_is_an_error_after_for(fleet, trip, stopped_server, options):
    other = fleet.add_trip("t2")
    def followed(address, seconds):
        return tripwire("follow", trip.name, other.name, "--for", f"{seconds}s", "--interval",
                        "100ms", *options, *at(address))
    for seconds in GROWING:
        result = followed(stopped_server, seconds)
        if result.code == 78:
            break
    assert result.code == 78
    assert "error: UNAVAILABLE: no connection to " in result.stderr
    assert trip.name in result.stderr and other.name not in result.stderr
    fleet.faults.hang()
    assert_failed(followed(fleet.address, 2), 68, "no response within 2 s", hint="--for")


def test_one_response_suffices_without_until(fleet, trip):
    other = fleet.add_trip("t2")
    fleet.faults.fail("NOT_FOUND", trip_id="t2")
    for seconds in GROWING:
        result = tripwire(
            "follow", trip.name, other.name, *at(fleet.address), "--for", f"{seconds}s")
        if result.code == 0:
            break
    assert (result.code, result.stderr) == (0, "")


def test_ctrl_c_exits_with_130(fleet, trip):
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        follow.process.send_signal(signal.SIGINT)
        assert follow.end() == 130
    assert follow.process.stderr.read() == b""


def test_follow_ends_when_all_trips_are_over(fleet, trip):
    other = fleet.add_trip("t2")
    with following(fleet.address, trip, other) as follow:
        other.go("COMPLETE")
        follow.until_status("COMPLETE")
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert {line["trip"]["name"] for line in follow.lines} == {trip.name, other.name}


def test_trace_of_several_trips_numbers_the_calls(fleet, trip):
    other = fleet.add_trip("t2")
    with following(fleet.address, trip, other, options=["--plaintext", "-vv"]) as follow:
        for each in trip, other:
            each.go("COMPLETE")
        assert follow.end() == 0
        trace = follow.process.stderr.read().decode()
    calls = {}
    for number, line in re.findall(r"^\[(\d+) GetTrip\] (.*)$", trace, re.MULTILINE):
        calls.setdefault(int(number), []).append(line)
    assert 2 in calls
    # The lines of the first call have no number until there is a second call.
    calls.pop(1, None)
    for call in calls.values():
        assert any(line.startswith("{ HEADERS stream=") for line in call)
        assert "< grpc-status: 0" in call
        assert any(re.match(r"\* OK after .* ms: response ", line) for line in call)


# Changes


def test_changed_lists_the_fields_that_differ(fleet, trip):
    """jq '.trip[.changed[]]' prints the new values, and null for removed fields."""
    names = {field.json_name for field in types.Trip.pb().DESCRIPTOR.fields}
    # Fields that are not part of the trip model.
    silent = {name for name in names if name.endswith("Version")} | {
        "remainingTimeToFirstWaypoint", "view", "currentRouteSegmentEndPoint"}
    with following(fleet.address, trip) as follow:
        for status in STATUSES[1:]:
            trip.go(status)
            follow.until_status(status)
            fleet.advance(20)
        assert follow.end() == 0
    before = {}
    for line in follow.lines:
        changed, now = line["changed"], line["trip"]
        assert set(changed) <= names and len(set(changed)) == len(changed)
        differ = {name for name in now.keys() | before.keys() if now.get(name) != before.get(name)}
        # The age of a location changes with every response.
        assert set(changed) <= differ
        assert differ - set(changed) <= silent | {"lastLocation"}
        before = now
    gone = {name for line in follow.lines for name in line["changed"] if name not in line["trip"]}
    assert {"etaToFirstWaypoint", "remainingDistanceMeters"} <= gone


# Merging


@pytest.mark.parametrize("seed, always_waypoints, format_", [
    (0, False, "lat-lng-list"), (1, False, "encoded-polyline"), (2, True, "lat-lng-list")])
def test_merged_trip_equals_the_full_trip(fleet, trip, seed, always_waypoints, format_):
    fleet.always_waypoints = always_waypoints
    dice, number = random.Random(seed), FORMATS.index(format_) + 1
    options = ["--plaintext", "--route-format", format_, "--timeout", "500ms"]
    with following(fleet.address, trip, options=options) as follow, connected_client(fleet) as client:
        reported = without_silent_fields(trip_of(follow.until_recovered()))
        for step in range(25):
            # A call that fails, and one with a late response.
            if dice.random() < 0.1:
                dice.choice([
                    lambda: fleet.faults.fail("UNAVAILABLE", times=1),
                    lambda: fleet.faults.slow(0.7, times=1)])()
                fleet.journal.wait_for_calls(len(fleet.journal.of("t1")) + 1, "t1")
            for _ in range(dice.randint(1, 3)):
                make_random_change(fleet, trip, dice, step)
            full = without_silent_fields(client.get(trip, route_format_type=number))
            if reported != full:
                follow.until(lambda line: "trip" in line
                             and without_silent_fields(trip_of(line)) == full)
                reported = full
    assert any(call.stamps for call in fleet.journal.of("t1"))


def without_silent_fields(trip):
    """Removes the fields whose changes are not reported: times, and stamps of unchanged data."""
    for name in [*STAMPS, "remaining_time_to_first_waypoint"]:
        trip.ClearField(name)
    if trip.HasField("last_location"):
        trip.last_location.ClearField("time_since_update")
    return trip


def make_random_change(fleet, trip, dice, step):
    fields = ["route", "remaining_waypoints", "current_route_segment_traffic", "last_location",
              "dropoff_time", "pickup_point"]
    changes = [
        lambda: fleet.advance(dice.uniform(0, 30)),
        lambda: trip.hide(dice.choice(fields)),
        lambda: trip.show(*fields),
    ]
    if trip.status not in ("COMPLETE", "CANCELED"):
        legs = len(trip.vehicle.legs)
        changes += [
            lambda: trip.delay(dice.uniform(0, 200)),
            lambda: trip.set_traffic([], leg=dice.randrange(legs)),
            lambda: trip.set_traffic([(0, 1, "SLOW")], leg=dice.randrange(legs)),
            lambda: trip.change_vehicle(f"v{step}"),
            lambda: fleet.add_trip(f"o{step}", vehicle_id=trip.vehicle.id, begins=0,
                                   shared=dice.random() < 0.5, intermediates=0),
        ]
        if not trip.vehicle.stands:
            changes.append(trip.reroute)
    dice.choice(changes)()


@pytest.mark.parametrize("format_", FORMATS)
def test_stamps_save_bytes(fleet, format_):
    """The trip has a route of 2,000 points."""
    trip = fleet.add_trip("t1", points=2000)
    trip.go("ENROUTE_TO_PICKUP")
    with following(
            fleet.address, trip, options=["--plaintext", "--route-format", format_]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        first, *others = fleet.journal.wait_for_calls(5)
    spent = sum(call.bytes for call in others) / len(others)
    print(f"{format_}: {spent:.0f} bytes a refresh with stamps, {first.bytes} without")
    assert not first.stamps and all(len(call.stamps) == 4 for call in others)
    assert spent < first.bytes / 5


# Errors


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
        process = start(
            "follow", *[trip.name for trip in trips], "--endpoint", fleet.address, "--plaintext",
            "--interval", "100ms", "--for", f"{seconds}s", "-o", "json")
        try:
            code = process.wait(LONGEST)
        finally:
            process.kill()
            process.communicate()
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
    fleet.advance(60)
    with following(fleet.address, trip) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        trip.go("ENROUTE_TO_DROPOFF")
        follow.until_status("ENROUTE_TO_DROPOFF")
        fleet.faults.old(30, times=1)
        fleet.journal.wait_for_calls(len(fleet.journal.of()) + 2)
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert follow.statuses == ["ENROUTE_TO_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
    assert all(line["trip"].get("route") for line in follow.lines[:-1])


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


def test_follow_reconnects_to_a_restarted_server():
    with FleetProcess("--trips=1", speed=1) as process:
        with following(process.address, "providers/demo/trips/t1") as follow:
            follow.until_status("ENROUTE_TO_PICKUP")
            process.kill()
            follow.until_error("UNAVAILABLE")
            process.start()
            assert trip_of(follow.until_recovered()).route
            process.run_command("t1 go COMPLETE")
            assert follow.end() == 0
    assert set(follow.errors) == {"UNAVAILABLE"}


# Cost


def test_thousand_trips_share_one_connection():
    with Fleet() as fleet:
        for number in range(MANY):
            fleet.add_trip(f"t{number}", points=4, begins=number % 60)
        with following(fleet.address, *fleet.trips.values(), interval="500ms") as follow:
            for _ in range(5):
                fleet.journal.wait_for_calls(len(fleet.journal.of()) + MANY)
                fleet.advance(30)
            fleet.advance(3600)
            assert follow.end() == 0
        calls = fleet.journal.of()
    # grpcio does not know the peer of a call that was canceled before its handler ran.
    assert len({call.peer for call in calls if call.peer}) == 1
    complete = {line["trip"]["name"] for line in follow.lines
                if line.get("trip", {}).get("tripStatus") == "COMPLETE"}
    assert len(complete) == MANY and not follow.errors
    # All trips were polled about equally often.
    asked = collections.Counter(call.trip_id for call in calls)
    assert min(asked.values()) > max(asked.values()) / 2
    print(f"{len(calls)} calls for {MANY} trips in {calls[-1].time - calls[0].time:.1f} s")
