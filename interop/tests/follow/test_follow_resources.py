"""Does `tripwire follow` follow vehicles, tasks and shipments of a simulated fleet, beside trips?"""

import itertools
import json
import signal

import pytest

from support.command import GROWING, at, full, tripwire
from support.following import following
from support.paths import RECORDINGS
from peers.fleet import Fleet, ServiceAccount

KEYS = {"trips": "trip", "vehicles": "vehicle", "deliveryVehicles": "deliveryVehicle",
        "tasks": "task", "taskTrackingInfo": "taskTrackingInfo"}
DELIVERY = ["deliveryVehicles/d1", "tasks/d1-1", "taskTrackingInfo/track-d1-1"]


def of(name):
    """Returns a condition for lines: that they have this resource."""
    return lambda line: line["name"] == full(name) and KEYS[name.split("/")[0]] in line


def close_first_task(vehicle):
    """Lets the vehicle drive to its first stop and leave it."""
    vehicle.arrive()
    vehicle.depart()


def interrupt(follow):
    follow.process.send_signal(signal.SIGINT)
    return follow.end()


@pytest.mark.parametrize("name", ["vehicles/v1", "deliveryVehicles/d1"])
def test_moving_vehicle_is_followed_until_the_user_stops(fleet, trip, vehicle, name):
    key = KEYS[name.split("/")[0]]
    with following(fleet.address, full(name)) as follow:
        first = follow.until(of(name))
        assert set(first) == {"time", "name", "changed", key}
        assert first[key]["name"] == full(name) and "name" in first["changed"]
        fleet.advance(20)
        moved = follow.until(of(name))
        assert "lastLocation" in moved["changed"] and "name" not in moved["changed"]
        assert moved[key]["lastLocation"]["location"] != first[key]["lastLocation"]["location"]
        assert interrupt(follow) == 130
    assert not follow.errors


@pytest.mark.parametrize("name", DELIVERY[1:])
def test_closed_task_ends_the_command(fleet, vehicle, name):
    key = KEYS[name.split("/")[0]]
    with following(fleet.address, full(name)) as follow:
        assert follow.until(of(name))[key]["state"] == "OPEN"
        close_first_task(vehicle)
        assert follow.end() == 0
    last = follow.lines[-1]
    assert (last[key]["state"], last[key]["taskOutcome"]) == ("CLOSED", "SUCCEEDED")
    assert {"state", "taskOutcome"} <= set(last["changed"])


@pytest.mark.parametrize("name", ["vehicles/v1", *DELIVERY])
def test_server_error_is_reported_and_recovers(fleet, trip, vehicle, name):
    with following(fleet.address, full(name)) as follow:
        follow.until(of(name))
        fault = fleet.faults.fail("UNAVAILABLE", "away", resource=name)
        error = follow.until_error("UNAVAILABLE")
        assert error["name"] == full(name) and error["error"]["kind"] == "server/network"
        fault.withdraw()
        follow.until(of(name))
        assert interrupt(follow) == 130
    assert follow.errors == ["UNAVAILABLE"]


@pytest.mark.parametrize("name", ["vehicles/x", "deliveryVehicles/x", "tasks/x", "taskTrackingInfo/x"])
def test_missing_resource_is_reported(fleet, name):
    result = tripwire("follow", full(name), *at(fleet.address), "--fail-fast", "-o", "json")
    assert result.code == 69
    line = json.loads(result.stdout)
    assert (line["name"], line["error"]["code"]) == (full(name), "NOT_FOUND")
    assert f"check that {full(name)} exists" in result.stderr


def test_every_kind_is_followed_in_one_command(fleet, trip, vehicle):
    names = ["trips/t1", "vehicles/v1", *DELIVERY]
    options = ["--plaintext", "--provider", "p"]
    with following(fleet.address, "t1", *names[1:], options=options) as follow:
        left = set(names)
        while left:
            line = follow.until(lambda line: "error" not in line)
            left.discard(line["name"].removeprefix("providers/p/"))
        trip.go("COMPLETE")
        close_first_task(vehicle)
        follow.until(lambda line: line.get("trip", {}).get("tripStatus") == "COMPLETE")
        follow.process.send_signal(signal.SIGINT)
        assert follow.end() == 130
    assert not follow.errors


def test_mixed_command_ends_with_its_last_task(fleet, trip, vehicle):
    names = [full(name) for name in DELIVERY[1:]]
    with following(fleet.address, trip, *names) as follow:
        trip.cancel()
        follow.until(lambda line: line.get("trip", {}).get("tripStatus") == "CANCELED")
        close_first_task(vehicle)
        assert follow.end() == 3


def test_readable_lines_name_the_state(fleet, trip, vehicle):
    names = ["vehicles/v1", *DELIVERY]
    for seconds in GROWING:
        result = tripwire("follow", *names, "--provider", "p", *at(fleet.address), "--for",
                          f"{seconds}s", "-o", "text")
        lines = {line.split()[1]: line for line in result.stdout.splitlines()}
        if len(lines) == len(names):
            break
    assert result.code == 0
    assert "  online  ETA " in lines["v1"] and "  to pickup  seen " in lines["v1"]
    assert "  enroute to destination  ETA " in lines["d1"] and "  6 stops left  " in lines["d1"]
    assert "  open  ETA " in lines["d1-1"] and "  1 stop left  " in lines["d1-1"]
    assert "  open  ETA " in lines["track-d1-1"] and "  1 stop left  " in lines["track-d1-1"]


def test_readable_lines_name_another_vehicle():
    """The vehicle v2 takes over the recorded trip, and nothing else that a line shows changes."""
    result = tripwire("follow", "providers/demo/trips/t1", "--interval", "100ms", "-o", "text",
                      "--replay", RECORDINGS / "trip.binlog")
    assert result.code == 0
    lines = [line.partition("  ")[2] for line in result.stdout.splitlines()]
    named = [line.rpartition("  vehicle ")[2] for line in lines if "  vehicle " in line]
    assert named == ["v1", "v2"]
    assert all(before != after for before, after in itertools.pairwise(lines))


def test_selected_fields(fleet, trip, vehicle):
    result = tripwire("follow", full("vehicles/v1"), *at(fleet.address), "--for", f"{GROWING[1]}s",
                      "--fields", "name,vehicleState")
    assert json.loads(result.stdout.splitlines()[0])["vehicle"] == {
        "name": full("vehicles/v1"), "vehicleState": "ONLINE"}


@pytest.mark.parametrize("name, kinds", [
    ("vehicles/v1", ["pickup", "intermediateDestination", "dropoff", "vehicle"]),
    ("deliveryVehicles/d1", ["intermediateDestination"] * 6 + ["vehicle"]),
    ("tasks/d1-1", ["dropoff", "vehicle"]),
    ("taskTrackingInfo/track-d1-1", ["dropoff", "vehicle"]),
])
def test_geojson_is_that_of_get(fleet, trip, vehicle, name, kinds):
    drawn = json.loads(tripwire("get", full(name), *at(fleet.address), "-o", "geojson").stdout)
    points = [feature for feature in drawn["features"] if feature["geometry"]["type"] == "Point"]
    assert [point["properties"]["kind"] for point in points] == kinds
    assert drawn["name"] == full(name)
    assert any(feature["properties"]["kind"] == "activeRoute" for feature in drawn["features"])
    followed = tripwire("follow", full(name), *at(fleet.address), "--for", f"{GROWING[1]}s", "-o", "geojson")
    assert json.loads(followed.stdout.splitlines()[0]) == drawn
    picture = tripwire("get", full(name), *at(fleet.address), "-o", "svg").stdout
    assert picture.startswith("<svg ") and full(name) in picture


@pytest.mark.parametrize("format", ["text", "json"])
def test_error_beside_geojson_is_printed_once(format):
    result = tripwire("follow", full("vehicles/v1"), *at("127.0.0.1:1"), "--for", "1s", "-o", "geojson",
                      "--error-format", format)
    assert result.code == 78 and result.stderr.count("connection refused") == 1
    assert result.stderr.startswith("{" if format == "json" else "error: ")


@pytest.fixture
def vehicle_account():
    account = ServiceAccount.make("p")
    with Fleet(account=account) as fleet:
        fleet.add_trip("t1").go("ENROUTE_TO_PICKUP")
        fleet.add_delivery_vehicle("d1")
        yield fleet, account


def test_each_call_has_a_token_for_its_resource(vehicle_account, tmp_path):
    fleet, account = vehicle_account
    key = account.save(tmp_path / "key.json")
    names = ["vehicles/v1", *DELIVERY]
    with following(fleet.address, *map(full, names),
                   options=["--plaintext", "--credentials", key]) as follow:
        for name in names:
            fleet.journal.wait_for_calls(2, name)
        interrupt(follow)
    assert not follow.errors
    for name, claim in zip(names, ["vehicleid", "deliveryvehicleid", "taskid", "trackingid"]):
        for entry in fleet.journal.of(name):
            claims = entry.claims["authorization"]
            assert claims == {claim: name.split("/")[1]}


def test_recording_of_a_vehicle_is_replayed(fleet, trip, tmp_path):
    recording = tmp_path / "vehicle.binlog"
    with following(fleet.address, full("vehicles/v1"),
                   options=["--plaintext", "--record", recording]) as follow:
        follow.until(of("vehicles/v1"))
        fleet.advance(20)
        follow.until(of("vehicles/v1"))
        assert interrupt(follow) == 130
    with following(None, full("vehicles/v1"), options=["--replay", recording]) as follow:
        first, second = follow.until(of("vehicles/v1")), follow.until(of("vehicles/v1"))
    assert first["vehicle"]["lastLocation"] != second["vehicle"]["lastLocation"]


def test_every_poll_with_an_equal_response_is_recorded(fleet, trip, tmp_path):
    """A response that is equal to the one before is not decoded, unless an observer waits for the end of its call."""
    recording = tmp_path / "trip.binlog"
    with following(fleet.address, full("trips/t1"), options=["--plaintext", "--record", recording]) as follow:
        follow.until(of("trips/t1"))
        follow.wait_until(lambda: len(fleet.journal.of("trips/t1")) > 5)
        assert interrupt(follow) == 130
    listed = tripwire("log", recording, "-o", "json")
    assert listed.code == 0, listed.stderr
    entries = [json.loads(line) for line in listed.stdout.splitlines()]
    calls = {entry["call"] for entry in entries}
    ended = {entry["call"] for entry in entries if entry.get("trailer", {}).get("statusCode", 0) == 0
             and entry["type"] == "EVENT_TYPE_SERVER_TRAILER"}
    # The last call may be canceled.
    assert len(calls) > 5 and len(calls - ended) <= 1
