"""Does the command get and search tasks, delivery vehicles and shipments?"""

import json
import math
import re

import pytest
from google.maps.fleetengine_delivery_v1 import types
from google.protobuf import json_format

from support.command import at, assert_failed, tripwire

PARENT = "providers/p"
TASK = {
    "type_": "DELIVERY", "state": "OPEN", "tracking_id": "S-1", "delivery_vehicle_id": "v1",
    "planned_location": {"point": {"latitude": 37.3, "longitude": -122.1}},
    "task_duration": {"seconds": 90},
    "journey_sharing_info": {
        "last_location": {"location": {"latitude": 37.1, "longitude": -122.0}},
        "remaining_vehicle_journey_segments": [{
            "driving_duration": {"seconds": 300}, "driving_distance_meters": {"value": 2500},
            "path": [{"latitude": 37.1, "longitude": -122.0},
                     {"latitude": 37.3, "longitude": -122.1}]}]},
}


def add_task(server, id="t1", **fields):
    return server.add("Task", id, **TASK | fields)


def add_tracking(server, id="S-1", **fields):
    name = f"{PARENT}/taskTrackingInfo/{id}"
    info = types.TaskTrackingInfo.pb()(name=name, tracking_id=id, **fields)
    server.resources[name] = info
    return info


def get(server, name, *arguments, **more):
    return tripwire("get", f"{PARENT}/{name}", *at(server.address), *arguments, **more)


def assert_is(text, message):
    """Compares ProtoJSON with a message, whose Python names may end with an underscore."""
    parsed = json_format.Parse(text, type(message)())
    assert parsed == message


def test_resources_are_printed_as_json(deliveries):
    task = add_task(deliveries)
    vehicle = deliveries.add("DeliveryVehicle", "v1", type_="AUTO", current_route_segment=b"\x01")
    tracking = add_tracking(deliveries, remaining_stop_count={"value": 2}, state="OPEN")
    for name, message in [("tasks/t1", task), ("deliveryVehicles/v1", vehicle),
                          ("taskTrackingInfo/S-1", tracking)]:
        result = get(deliveries, name)
        assert (result.code, result.stderr) == (0, "")
        assert_is(result.stdout, message)
    assert tripwire(
        "get", "tasks/t1", "--provider", "p", *at(deliveries.address), "--fields", "name,state"
    ).json == {"name": f"{PARENT}/tasks/t1", "state": "OPEN"}


def test_request_has_the_routing_headers(deliveries):
    add_task(deliveries)
    get(deliveries, "tasks/t1")
    [call] = deliveries.calls
    assert call.metadata["x-goog-request-params"] == "provider_id=providers%2Fp"
    assert call.metadata["google-cloud-resource-prefix"] == PARENT


def test_resources_are_printed_as_text(deliveries):
    add_task(deliveries)
    text = get(deliveries, "tasks/t1", "-o", "text", TZ="UTC").stdout
    assert re.search(r"^state +open$", text, re.MULTILINE)
    assert "2.5 km  5 min  ETA about " in text
    add_tracking(deliveries, remaining_stop_count={"value": 2})
    text = get(deliveries, "taskTrackingInfo/S-1", "-o", "text").stdout
    assert re.search(r"^stops left +2$", text, re.MULTILINE)
    deliveries.add("DeliveryVehicle", "v1", type_="TWO_WHEELER")
    assert "two wheeler" in get(deliveries, "deliveryVehicles/v1", "-o", "text").stdout


def test_resources_are_drawn(deliveries):
    add_task(deliveries)
    drawn = get(deliveries, "tasks/t1", "-o", "geojson").json
    assert drawn["name"] == f"{PARENT}/tasks/t1" and drawn["status"] == "OPEN"
    kinds = [feature["properties"]["kind"] for feature in drawn["features"]]
    assert kinds == ["activeRoute", "dropoff", "vehicle"]
    assert get(deliveries, "tasks/t1", "-o", "svg").stdout.startswith("<svg")


def test_missing_task_is_reported(deliveries):
    assert_failed(get(deliveries, "tasks/none"), 69, "tasks/none does not exist",
                  hint=f"check that {PARENT}/tasks/none exists")


@pytest.mark.parametrize("option", ["--view", "--route-format"])
def test_options_of_trips_are_rejected(deliveries, option):
    value = {"--view": "sdk", "--route-format": "lat-lng-list"}[option]
    assert_failed(get(deliveries, "tasks/t1", option, value), 2,
                  f"{option} cannot be used with a task", hint=f"remove {option}")
    assert deliveries.calls == []


def test_tasks_are_searched_page_by_page(deliveries):
    for number in range(5):
        add_task(deliveries, f"t{number}")
    result = tripwire("search", "tasks", PARENT, "-o", "json", "--filter", "state = OPEN",
                      *at(deliveries.address))
    assert [json.loads(line)["name"].rsplit("/", 1)[-1] for line in result.stdout.splitlines()] == [
        "t0", "t1", "t2", "t3", "t4"]
    assert [request.page_token for request in deliveries.requests] == ["", "2", "4"]
    assert {request.filter for request in deliveries.requests} == {"state = OPEN"}
    table = tripwire("search", "tasks", PARENT, *at(deliveries.address)).stdout.splitlines()
    assert table[0].split() == [
        "NAME", "STATE", "TYPE", "OUTCOME", "VEHICLE", "SHIPMENT", "PLACE"]
    assert table[1].split()[:4] == [f"{PARENT}/tasks/t0", "open", "delivery", "—"]


@pytest.mark.parametrize("place, radius, low, high", [
    ((0, 10), 1000, (-0.008993, 9.991007), (0.008993, 10.008993)),
    ((60, 179.99), 1000, (59.991007, 179.97201), (60.008993, -179.99201)),
    ((90, 0), 1000, (89.991007, -180), (90, 180)),
    ((0, 10), 100, (-0.000899, 9.9991), (0.000899, 10.0009)),
    ((0, 10), 50000, (-0.44966, 9.55034), (0.44966, 10.44966)),
    ((0, 10), 20000000, (-90, -180), (90, 180)),
])
def test_delivery_vehicles_are_searched_near_a_place(deliveries, place, radius, low, high):
    deliveries.add("DeliveryVehicle", "v1", type_="AUTO")
    result = tripwire(
        "search", "delivery-vehicles", PARENT, "--near", "%s,%s" % place, "--radius", radius,
        *at(deliveries.address))
    assert result.stdout.splitlines()[1].split()[:2] == [f"{PARENT}/deliveryVehicles/v1", "auto"]
    [request] = deliveries.requests
    for corner, wanted in [(request.viewport.low, low), (request.viewport.high, high)]:
        assert math.isclose(corner.latitude, wanted[0], abs_tol=1e-4)
        assert math.isclose(corner.longitude, wanted[1], abs_tol=1e-4)


def test_call_uses_the_defaults_of_the_second_api(deliveries):
    add_task(deliveries)
    result = tripwire("call", "DeliveryService/GetTask", f"name={PARENT}/tasks/t1", "-o", "ndjson",
                      *at(deliveries.address))
    assert_is(result.stdout, deliveries.resources[f"{PARENT}/tasks/t1"])
    [call] = deliveries.calls
    assert call.metadata["x-goog-request-params"] == "provider_id=providers%2Fp"
