"""Do the short forms of `tripwire update` change stops and attributes as the API's guides do?"""

import json

import pytest

from peers.fleet import Fleet, ServiceAccount
from support.command import assert_failed, at, tripwire

VEHICLE = "providers/p/deliveryVehicles/d1"


def segment(state, *tasks):
    return {"stop": {"plannedLocation": {"point": {"latitude": 37.7, "longitude": -122.4}}, "state": state,
                     "tasks": [{"taskId": each} for each in tasks]}}


@pytest.fixture
def run(fleet):
    def run(*arguments, **more):
        return tripwire(*arguments, *at(fleet.address), **more)

    return run


@pytest.fixture
def vehicle(run):
    """Creates a delivery vehicle with the tasks k1, at its first stop, and k2."""
    assert run("create", VEHICLE, "type=AUTO").code == 0
    tasks = [{"name": each, "type": "DELIVERY", "state": "OPEN", "trackingId": each, "taskDuration": "60s",
              "plannedLocation": {"point": {"latitude": 37.7, "longitude": -122.4}}} for each in ["k1", "k2"]]
    assert run("create", "tasks", "--provider", "p", "-d", "".join(map(json.dumps, tasks))).code == 0
    plan = {"remainingVehicleJourneySegments": [segment("NEW", "k1"), segment("NEW", "k2")]}
    result = run("update", VEHICLE, "-d", json.dumps(plan))
    assert (result.code, result.stderr) == (0, "")
    return VEHICLE


def stops(result):
    """Returns the states and tasks of the remaining stops."""
    assert (result.code, result.stderr) == (0, "")
    return [(each["stop"]["state"], [task["taskId"] for task in each["stop"]["tasks"]])
            for each in json.loads(result.stdout).get("remainingVehicleJourneySegments", [])]


def test_vehicle_drives_to_a_stop_arrives_and_leaves(run, vehicle):
    assert stops(run("update", vehicle, "--stop", "enroute")) == [("ENROUTE", ["k1"]), ("NEW", ["k2"])]
    assert stops(run("update", vehicle, "--stop", "arrived")) == [("ARRIVED", ["k1"]), ("NEW", ["k2"])]
    # A repeated request changes nothing.
    assert stops(run("update", vehicle, "--stop", "arrived")) == [("ARRIVED", ["k1"]), ("NEW", ["k2"])]
    assert stops(run("update", vehicle, "--stop", "completed")) == [("NEW", ["k2"])]
    assert run("get", "providers/p/tasks/k1").json["state"] == "CLOSED"
    assert run("get", "providers/p/tasks/k2").json["state"] == "OPEN"


def test_stop_is_completed_only_after_the_arrival(run, vehicle):
    result = run("update", vehicle, "--stop", "completed")
    assert_failed(
        result, 1, "--stop completed: the next stop of providers/p/deliveryVehicles/d1 is NEW, not ARRIVED",
        hint="mark the arrival first: --stop arrived")
    assert run("get", "providers/p/tasks/k1").json["state"] == "OPEN"


def test_vehicle_without_stops_is_refused(run):
    assert run("create", VEHICLE, "type=AUTO").code == 0
    assert_failed(
        run("update", VEHICLE, "--stop", "arrived"), 1,
        "--stop arrived: providers/p/deliveryVehicles/d1 has no stops",
        hint="plan the stops first")


def test_missing_vehicle_is_reported(run):
    assert_failed(run("update", VEHICLE, "--stop", "arrived"), 69, "deliveryVehicles/d1", hint="check that providers/p/deliveryVehicles/d1 exists")


def test_dry_run_of_a_stop_prints_the_request(run, vehicle):
    result = run("update", vehicle, "--stop", "arrived", "--dry-run")
    assert (result.code, result.stderr) == (0, "")
    request = json.loads(result.stdout)
    assert request["updateMask"] == "remainingVehicleJourneySegments"
    sent = request["deliveryVehicle"]
    assert set(sent) == {"name", "remainingVehicleJourneySegments"}
    assert [each["stop"]["state"] for each in sent["remainingVehicleJourneySegments"]] == ["ARRIVED", "NEW"]
    assert all(set(each) == {"stop"} for each in sent["remainingVehicleJourneySegments"])
    assert stops(run("update", vehicle, "--stop", "enroute"))[0] == ("ENROUTE", ["k1"])


def test_tokens_of_both_calls_cover_them(tmp_path):
    account = ServiceAccount.make()
    key = account.save(tmp_path / "key.json")
    with Fleet(account=account) as fleet:
        fleet.add_delivery_vehicle("d1")
        result = tripwire("update", VEHICLE, "--stop", "enroute", "--credentials", str(key), *at(fleet.address))
        assert stops(result)[0][0] == "ENROUTE"


def test_attributes_of_a_vehicle_are_updated_and_the_others_kept(run, fleet):
    fleet.vehicle("v1")
    name = "providers/p/vehicles/v1"
    result = run("update", name, "--attribute", "color=red", "--attribute", "seats=4", "--attribute",
                 "wheelchair=true", "--attribute", 'plate="42"')
    assert (result.code, result.stderr) == (0, "")
    found = {each.pop("key"): each for each in json.loads(result.stdout)["attributes"]}
    assert found["color"] == {"value": "red", "stringValue": "red"}
    assert found["seats"]["numberValue"] == 4 and found["wheelchair"]["boolValue"] is True
    assert found["plate"]["stringValue"] == "42"
    assert found["class"]["stringValue"] == "standard"
    keys = run("update", name, "--attribute", "color=blue", "--fields", "attributes.key")
    assert {"key": "color"} in json.loads(keys.stdout)["attributes"]


def test_dry_run_of_attributes_makes_no_call():
    result = tripwire("update", "vehicles/v1", "--provider", "p", "--attribute", "color=red", "--dry-run")
    assert (result.code, result.stdout) == (
        0, '{"name":"providers/p/vehicles/v1","attributes":[{"key":"color","stringValue":"red"}]}\n')


@pytest.mark.parametrize("arguments, message", [
    (["trips/t1", "--stop", "arrived"], "--stop cannot be used with a trip"),
    (["deliveryVehicles/d1", "--attribute", "a=b"],
     "--attribute cannot be used with a delivery vehicle"),
    (["deliveryVehicles/d1", "--stop", "arrived", "type=AUTO"], "type=AUTO cannot be used with --stop"),
    (["vehicles/v1", "--attribute", "a=b", "-d", "{}"], "--attribute cannot be used with -d"),
    (["deliveryVehicles/d1", "--stop", "arrived", "--attribute", "a=b"],
     "--stop cannot be used with --attribute"),
    (["deliveryVehicles/d1", "--stop", "gone"], "--stop gone: expected one of enroute, arrived, completed"),
    (["vehicles/v1", "--attribute", "a"], "--attribute a: expected KEY=VALUE"),
    (["vehicles/v1", "--attribute", "=a"], "--attribute =a: expected KEY=VALUE"),
    (["vehicles/v1", "--attribute", "a:b=c"], "--attribute a:b=c: a key must not contain a colon"),
    (["vehicles/v1", "--attribute", "a=[1]"], "--attribute a=[1]: expected a string, a number or a boolean"),
    (["vehicles/v1", "--attribute", "a=1", "--attribute", "a=2"], "--attribute: the key a is given twice"),
])
def test_misuse_is_refused(arguments, message):
    result = tripwire("update", *arguments, "--provider", "p", *at("127.0.0.1:1"))
    assert_failed(result, 2, message)


@pytest.mark.parametrize("arguments, hint", [
    (["--attribute", "color:red"], "pass --attribute color=red"), (["state:OPEN"], "pass FIELD=VALUE: state=OPEN"),
])
def test_colon_has_a_hint(arguments, hint):
    result = tripwire("update", "vehicles/v1", *arguments, "--provider", "p", *at("127.0.0.1:1"))
    assert_failed(result, 2, f"{arguments[-1]}: ", hint=hint)


@pytest.mark.parametrize("verb", ["create", "delete", "report-billable"])
def test_other_commands_have_no_short_forms(verb):
    for option in ["--stop", "arrived"], ["--attribute", "a=b"]:
        result = tripwire(verb, "deliveryVehicles/d1", *option, "--provider", "p", *at("127.0.0.1:1"))
        assert_failed(result, 2, f"{option[0]} cannot be used with {verb}", hint=f"remove {option[0]}")
