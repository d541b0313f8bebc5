"""Does the recording of a delivery route show something with each command?"""

import json

import pytest

from support.command import replayed, tripwire

RECORDING = replayed("delivery")
NAMES = ["vehicles/v1", "deliveryVehicles/d1", *(f"tasks/d1-{task}" for task in (1, 2, 3, 4, "urgent")),
         "taskTrackingInfo/track-d1-3"]


@pytest.mark.parametrize("name", NAMES)
def test_every_resource_has_a_text_and_a_map(name):
    name = f"providers/demo/{name}"
    text = tripwire("get", name, *RECORDING, "-o", "text")
    assert text.code == 0 and name in text.stdout
    drawn = tripwire("get", name, *RECORDING, "-o", "geojson").json
    assert drawn["name"] == name and drawn["features"]


def test_route_ends_with_one_failed_task():
    names = [name for name in NAMES if name.startswith("task")]
    result = tripwire("follow", *names, "--provider", "demo", *RECORDING, "--interval", "100ms", "-o", "json")
    assert result.code == 0, result.stderr
    last = {}
    for line in map(json.loads, result.stdout.splitlines()):
        resource = line.get("task") or line["taskTrackingInfo"]
        last[line["name"].removeprefix("providers/demo/")] = (resource["state"], resource["taskOutcome"]) \
            if resource["state"] == "CLOSED" else None
    assert last == {name: ("CLOSED", "FAILED" if name == "tasks/d1-2" else "SUCCEEDED") for name in names}


def test_delivery_vehicle_changes_its_plan():
    result = tripwire("follow", "deliveryVehicles/d1", "--provider", "demo", *RECORDING, "--interval", "100ms",
                      "--for", "5s", "-o", "json")
    plans = []
    for line in map(json.loads, result.stdout.splitlines()):
        tasks = [task["taskId"] for segment in line["deliveryVehicle"].get("remainingVehicleJourneySegments", [])
                 for task in segment["stop"]["tasks"]]
        if plans[-1:] != [tasks]:
            plans.append(tasks)
    assert plans == [
        ["d1-1", "d1-2", "d1-3", "d1-4"], ["d1-2", "d1-3", "d1-4"], ["d1-urgent", "d1-4", "d1-3"],
        ["d1-4", "d1-3"], ["d1-3"], []]


def test_searches_find_tasks_and_vehicles():
    tasks = tripwire("search", "tasks", "providers/demo", *RECORDING).stdout.splitlines()
    assert len(tasks) == 6 and sum("failed" in line for line in tasks) == 1
    for kind, name in ("vehicles", "v1"), ("delivery-vehicles", "d1"):
        assert name in tripwire("search", kind, "providers/demo", *RECORDING).stdout
