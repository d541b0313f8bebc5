"""Do `tripwire create` and `update` satisfy a server with the rules of the API?"""

import json
import re

import pytest

from support.command import assert_failed, at, tripwire

TRIP = '{"tripType": "EXCLUSIVE", "pickupPoint": {"point": {"latitude": 37.7, "longitude": -122.4}}}'
VEHICLE = ["vehicle_state=ONLINE", "supported_trip_types=EXCLUSIVE", "supported_trip_types=SHARED",
           "maximum_capacity=4", "vehicle_type.category=AUTO"]
STOP = ["planned_location.point.latitude=37.7", "planned_location.point.longitude=-122.4"]
TASK = ["type=DELIVERY", "state=OPEN", "task_duration=60s", "tracking_id=S1", *STOP]
CREATED = {
    "trips/n": ["-d", TRIP],
    "trips/m": ["trip_type=SHARED", "pickup_point.point.latitude=37.7",
                "pickup_point.point.longitude=-122.4", "number_of_passengers=2", "vehicle_id=v1"],
    "vehicles/n": VEHICLE,
    "tasks/n": TASK,
    "deliveryVehicles/n": ["type=AUTO", "last_location.location.latitude=37.7"],
}
UPDATED = {
    "trips/t1": ["trip_status=ENROUTE_TO_PICKUP", "vehicle_id=v1"],
    "vehicles/v1": ["vehicle_state=OFFLINE", "license_plate.last_character=3"],
    "tasks/d1-1": ["task_outcome=SUCCEEDED"],
    "deliveryVehicles/d1": ["type=BICYCLE"],
}
# The options of each case, and a part of the output.
OPTIONS = {
    ("create", "trips/n", "-o json"): '{\n  "name": "providers/p/trips/n"',
    ("create", "trips/n", "--fields tripStatus,tripType"): '{"tripStatus":"NEW","tripType":"EXCLUSIVE"}',
    ("create", "trips/n", "--dry-run"): '{"parent":"providers/p","trip":{"tripType":"EXCLUSIVE"',
    ("update", "vehicles/v1", "-o json"): '{\n  "name": "providers/p/vehicles/v1"',
    ("update", "vehicles/v1", "--fields vehicleState"): '{"vehicleState":"OFFLINE"}',
    ("update", "vehicles/v1", "--dry-run"): '"updateMask":"vehicleState,licensePlate.lastCharacter"}',
}


@pytest.fixture
def provider(fleet):
    fleet.add_trip("t1", vehicle_id="v1")
    fleet.add_delivery_vehicle("d1", stops=2)
    return fleet


def change(fleet, verb, name, *arguments, stdin=b""):
    return tripwire(verb, name, "--provider", "p", *arguments, *at(fleet.address), stdin=stdin)


def printed(result):
    assert (result.code, result.stderr) == (0, ""), result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", CREATED)
def test_created_resource_is_there(provider, name):
    created = printed(change(provider, "create", name, *CREATED[name]))
    assert created["name"] == f"providers/p/{name}"
    found = printed(tripwire("get", name, "--provider", "p", *at(provider.address)))
    assert found["name"] == created["name"]


@pytest.mark.parametrize("name", UPDATED)
def test_updated_fields_are_changed(provider, name):
    updated = printed(change(provider, "update", name, *UPDATED[name], "-o", "ndjson"))
    for field in UPDATED[name]:
        path, _, value = field.partition("=")
        found = updated
        for part in path.split("."):
            words = part.split("_")
            found = found[words[0] + "".join(word.capitalize() for word in words[1:])]
        assert found == value


@pytest.mark.parametrize("verb, name, options", OPTIONS)
def test_option(provider, verb, name, options):
    fields = CREATED[name] if verb == "create" else UPDATED[name]
    result = change(provider, verb, name, *fields, *options.split())
    assert (result.code, result.stderr) == (0, "")
    assert OPTIONS[verb, name, options] in result.stdout
    if "--dry-run" in options:
        assert "n" not in provider.trips


def test_data_is_read_from_a_file_and_from_stdin(provider, tmp_path):
    (tmp_path / "trip.json").write_text(TRIP)
    assert printed(change(provider, "create", "trips/n", "-d", f"@{tmp_path / 'trip.json'}"))
    assert printed(change(provider, "create", "trips/m", "-d", "-", stdin=TRIP.encode()))
    task = {"name": "n", "type": "DELIVERY", "state": "OPEN", "taskDuration": "60s", "trackingId": "S",
            "plannedLocation": {"point": {"latitude": 37.7, "longitude": -122.4}}}
    assert printed(change(provider, "create", "tasks", "-d", json.dumps(task)))["tasks"][0]["state"] == "OPEN"
    closed = change(provider, "update", "tasks/n", "-d", "-", stdin=b'{"state": "CLOSED"}')
    assert printed(closed)["state"] == "CLOSED"


@pytest.mark.parametrize("verb, name, fields, violation", [
    ("create", "trips/n", ["trip_type=EXCLUSIVE"], "trip.pickup_point is required"),
    ("create", "vehicles/n", VEHICLE[1:], "vehicle.vehicle_state is required"),
    ("create", "tasks/n", TASK[1:], "task.type is required"),
    ("create", "deliveryVehicles/n", ["navigation_status=NO_GUIDANCE"],
     "delivery_vehicle.navigation_status must not be set"),
    ("update", "trips/t1", ["number_of_passengers=3"],
     "update_mask names number_of_passengers, which is immutable"),
    ("update", "vehicles/v1", ["maximum_capacity=0"], "vehicle.maximum_capacity must be at least 1"),
])
def test_violated_rule_is_reported(provider, verb, name, fields, violation):
    assert_failed(change(provider, verb, name, *fields), 67, f"INVALID_ARGUMENT: {violation}")


def test_every_option_of_the_data_is_tested():
    common = {"--token-file", "--credentials", "--token-command", "--token-for-all", "--access-token",
              "--sign-as", "--quota-project", "--timeout", "--retries",
              "--verbose", "--quiet", "--error-format", "--timing", "--profile", "--color", "--help",
              "--version"}
    for verb in "create", "update":
        used = " ".join(options for of, _, options in OPTIONS if of == verb)
        text = tripwire(verb, "--help").stdout
        section = re.search(r"\nOptions:\n(.*?)\n\n", text, re.S)[1]
        found = set(re.findall(r"^ +(?:-., )?(--[a-z-]+)", section, re.M)) - common
        assert "--dry-run" in found
        # test_short_forms tests --stop and --attribute.
        elsewhere = {"--stop", "--attribute"} if verb == "update" else set()
        assert {each for each in found if each not in used} == {"--data", "--output", "--provider"} | elsewhere
