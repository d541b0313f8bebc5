"""Do `tripwire create`, `update`, `delete` and `report-billable` send what they are given?"""

import base64
import json
import os
import pty
import re

import pytest

from support.command import LONGEST, assert_failed, at, environment, binary, tripwire

PARENT = "providers/p"


def change(server, *arguments, **more):
    return tripwire(*arguments, *at(server.address), **more)


@pytest.mark.parametrize("name, fields, type_name", [
    ("trips/t1", ["trip_type=EXCLUSIVE", "number_of_passengers=2"], "Trip"),
    ("vehicles/v1", ["vehicle_state=ONLINE", "maximum_capacity=4"], "Vehicle"),
    ("tasks/t1", ["type=DELIVERY", "state=OPEN", "task_duration=90s"], "Task"),
    ("deliveryVehicles/v1", ["type=AUTO"], "DeliveryVehicle"),
])
def test_resource_is_created_updated_and_deleted(deliveries, name, fields, type_name):
    result = change(deliveries, "create", f"{PARENT}/{name}", *fields)
    assert (result.code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["name"] == f"{PARENT}/{name}"
    [created] = deliveries.calls
    assert created.path.endswith(f"/Create{type_name}")
    assert created.request.parent == PARENT
    assert created.metadata["x-goog-request-params"] == "provider_id=providers%2Fp"

    result = change(deliveries, "update", f"{PARENT}/{name}", *fields)
    assert (result.code, result.stderr) == (0, "")
    updated = deliveries.calls[1]
    assert updated.path.endswith(f"/Update{type_name}")
    assert sorted(updated.request.update_mask.paths) == sorted(f.split("=")[0] for f in fields)
    assert updated.metadata["x-goog-request-params"] == "provider_id=providers%2Fp"

    result = change(deliveries, "delete", f"{PARENT}/{name}", "--yes")
    assert (result.code, result.stdout, result.stderr) == (0, "", "")
    assert deliveries.calls[2].path.endswith(f"/Delete{type_name}")
    assert deliveries.resources == {}


def test_mask_has_every_given_field(deliveries):
    deliveries.add("Task", "t1", tracking_id="S-1", task_duration={"seconds": 5})
    data = {"taskOutcome": "FAILED", "attributes": [], "task_duration": None, "trackingId": ""}
    result = change(deliveries, "update", "tasks/t1", "--provider", "p", "-d", json.dumps(data))
    assert (result.code, result.stderr) == (0, "")
    [request] = deliveries.requests
    assert set(request.update_mask.paths) == {
        "task_outcome", "attributes", "task_duration", "tracking_id"}
    task = deliveries.resources[f"{PARENT}/tasks/t1"]
    assert task.task_outcome == 2 and not task.HasField("task_duration") and not task.tracking_id


def test_mask_has_the_path_of_a_nested_field(deliveries):
    deliveries.add("Vehicle", "v1")
    result = change(deliveries, "update", f"{PARENT}/vehicles/v1", "last_location.speed=3",
                    "lastLocation.location.latitude=1.5", "vehicle_state=ONLINE")
    assert result.code == 0, result.stderr
    [request] = deliveries.requests
    assert list(request.update_mask.paths) == [
        "last_location.speed", "last_location.location.latitude", "vehicle_state"]
    location = request.vehicle.last_location
    assert (location.speed.value, location.location.latitude) == (3, 1.5)


def test_dry_run_prints_the_request_and_makes_no_call(deliveries):
    result = change(deliveries, "update", f"{PARENT}/tasks/t1", "-d",
                    '{"taskOutcome": "SUCCEEDED", "taskOutcomeTime": "2026-01-01T00:00:00Z"}',
                    "--dry-run")
    assert result.code == 0, result.stderr
    assert json.loads(result.stdout) == {
        "task": {"name": f"{PARENT}/tasks/t1", "taskOutcome": "SUCCEEDED",
                 "taskOutcomeTime": "2026-01-01T00:00:00Z"},
        "updateMask": "taskOutcome,taskOutcomeTime"}
    trip = change(deliveries, "create", f"{PARENT}/trips/t1", "trip_type=SHARED", "--dry-run")
    assert json.loads(trip.stdout) == {
        "parent": PARENT, "tripId": "t1", "trip": {"tripType": "SHARED"}}
    deleted = change(deliveries, "delete", f"{PARENT}/trips/t1", "--dry-run")
    assert json.loads(deleted.stdout) == {"name": f"{PARENT}/trips/t1"}
    assert deliveries.calls == []


@pytest.mark.parametrize("options, shown", [
    ([], '{"name":"providers/p/trips/t1","tripType":"SHARED"}\n'),
    (["-o", "ndjson"], '{"name":"providers/p/trips/t1","tripType":"SHARED"}\n'),
    (["-o", "json"], '{\n  "name": "providers/p/trips/t1",\n  "tripType": "SHARED"\n}\n'),
    (["--fields", "tripType"], '{"tripType":"SHARED"}\n'),
])
def test_format_and_fields_of_the_response(deliveries, options, shown):
    for verb in "create", "update":
        result = change(deliveries, verb, f"{PARENT}/trips/t1", "trip_type=SHARED", *options)
        assert (result.code, result.stdout, result.stderr) == (0, shown, "")


@pytest.mark.parametrize("options, shown", [
    ([], '{"parent":"providers/p","trip":{"tripType":"SHARED"},"tripId":"t1"}\n'),
    (["-o", "ndjson"], '{"parent":"providers/p","trip":{"tripType":"SHARED"},"tripId":"t1"}\n'),
    (["-o", "json"],
     '{\n  "parent": "providers/p",\n  "trip": {\n    "tripType": "SHARED"\n  },\n  "tripId": "t1"\n}\n'),
])
def test_dry_run_has_the_format_of_the_response(deliveries, options, shown):
    result = change(deliveries, "create", f"{PARENT}/trips/t1", "trip_type=SHARED", "--dry-run", *options)
    assert (result.code, result.stdout) == (0, shown)


def test_fields_of_created_tasks(deliveries):
    result = change(deliveries, "create", "tasks", "--provider", "p", "-d", '{"name": "a", "type": "DELIVERY"}',
                    "--fields", "tasks.name")
    assert result.stdout == '{"tasks":[{"name":"providers/p/tasks/a"}]}\n'


def test_many_tasks_are_created_in_batches(deliveries):
    lines = [json.dumps({"name": f"t{number}", "type": "DELIVERY", "state": "OPEN"})
             for number in range(501)]
    lines[1] = lines[1].replace('"t1"', f'"{PARENT}/tasks/t1"')
    result = change(deliveries, "create", "tasks", "--provider", "p", "-d", "-",
                    stdin="\n".join(lines).encode())
    assert (result.code, result.stderr) == (0, "")
    assert [len(request.requests) for request in deliveries.requests] == [500, 1]
    assert [call.path for call in deliveries.calls] == [
        "/maps.fleetengine.delivery.v1.DeliveryService/BatchCreateTasks"] * 2
    assert len(deliveries.resources) == 501
    assert f"{PARENT}/tasks/t1" in deliveries.resources
    tasks = [task for line in result.stdout.splitlines() for task in json.loads(line)["tasks"]]
    assert len(tasks) == 501


@pytest.mark.parametrize("data, words", [
    ("", "-d contains no tasks"),
    ('{"type": "PICKUP"}', '-d: 1:1: task 1: the field "name" is not set'),
    ('{"name": "a"} {"name": "providers/q/tasks/t"}', "-d: 1:15: task 2: providers/q/tasks/t is not the name"),
    ('{"name": "a:b"}', "task 1: a:b is not the name of a task of provider p"),
])
def test_invalid_task_of_a_batch_is_rejected(deliveries, data, words):
    result = change(deliveries, "create", f"{PARENT}/tasks", "-d", data)
    assert_failed(result, 2, words)
    assert deliveries.calls == []


def test_error_of_a_later_batch_says_where_it_begins(deliveries):
    tasks = "".join(json.dumps({"name": f"t{number}"}) for number in range(501))
    deliveries.fail("BatchCreateTasks", after=1, code="INVALID_ARGUMENT", message="requests[0] is wrong")
    result = change(deliveries, "create", f"{PARENT}/tasks", "-d", "-", stdin=tasks.encode())
    assert result.code == 67 and "BatchCreateTasks of the tasks from 501 at" in result.stderr
    assert result.stderr.endswith(
        "; requests[0] is task 501, and the tasks before it have been created\n")
    assert len(deliveries.resources) == 500 and len(result.stdout.splitlines()) == 1


@pytest.mark.parametrize("arguments", [
    ["delete", "tasks/t1", "--yes"], ["update", "tasks/t1", "state=OPEN"],
    ["report-billable", "trips/t1", "country_code=US"]])
def test_malformed_response_is_an_error_of_the_server(deliveries, arguments):
    deliveries.add("Task", "t1")
    deliveries.answer = lambda *_: b"\xff"
    result = change(deliveries, *arguments, "--provider", "p")
    assert_failed(result, 77, "INTERNAL: the server's message cannot be decoded: ", "at byte 0",
                  hint="check the log of the server",
                  lines=["server/network error: retrying is unlikely to help"])


@pytest.mark.parametrize("arguments, name", [
    (["update", "trips/t9", "vehicle_id=v1"], "trips/t9"),
    (["delete", "deliveryVehicles/v9", "--yes"], "deliveryVehicles/v9"),
    (["delete", "vehicles/v9", "--yes"], "vehicles/v9"),
])
def test_hint_names_the_missing_resource(deliveries, arguments, name):
    result = change(deliveries, *arguments, "--provider", "p")
    assert_failed(result, 69, f"NOT_FOUND: {PARENT}/{name} does not exist",
                  hint=f"check that {PARENT}/{name} exists")


@pytest.mark.parametrize("arguments, noun", [
    (["update", "vehicles/v9", "vehicle_state=ONLINE"], "vehicle"),
    (["update", "deliveryVehicles/v9", "type=AUTO"], "delivery vehicle"),
    (["update", "tasks/t9", "state=OPEN"], "task"),
])
def test_hint_for_a_lost_resource_is_to_create_it_again(deliveries, arguments, noun):
    result = change(deliveries, *arguments, "--provider", "p")
    assert_failed(result, 69, "NOT_FOUND",
                  hint=f"check {PARENT}/{arguments[1]}; if it is right, create the {noun} again, with back-off")


@pytest.mark.parametrize("name", [f"{PARENT}/trips/t1", f"{PARENT}/billableTrips/t1"])
def test_billable_trip_is_reported(deliveries, name):
    result = change(deliveries, "report-billable", name, "country_code=US", "related_ids=a",
                    "related_ids=b")
    assert (result.code, result.stdout, result.stderr) == (0, "", "")
    [request] = deliveries.requests
    assert request.name == f"{PARENT}/billableTrips/t1"
    assert (request.country_code, list(request.related_ids)) == ("US", ["a", "b"])


@pytest.mark.parametrize("arguments, words, hint", [
    (["create"], "NAME is missing", "tripwire create providers/my-project/trips/t1"),
    (["create", "tasks", "--provider", "p"], "-d is missing", "pass the tasks"),
    (["create", "tasks", "-d", "{}"], "the provider of the tasks is missing", "--provider"),
    (["create", "x/p/tasks", "--provider", "p"],
     "expected tasks/TASK or a full name such as providers/PROJECT/tasks/TASK", None),
    (["create", f"{PARENT}/tasks/t", "name=u"], "the name in the fields is u", "remove name=u"),
    (["create", f"{PARENT}/taskTrackingInfo/S"], "Fleet Engine has no method to create a shipment",
     "create a task, and set its field trackingId to this ID"),
    (["update", f"{PARENT}/taskTrackingInfo/S", "state=OPEN"], "Fleet Engine has no method to update a shipment",
     "use the name of the task that has this ID in trackingId"),
    (["update", f"{PARENT}/tasks/t"], "no fields were given", "FIELD=VALUE"),
    (["update", f"{PARENT}/tasks/t", "-d", "{}"], "no fields were given", "FIELD=VALUE"),
    (["update", f"{PARENT}/tasks/t", "stat=OPEN"], "has no such field", "state"),
    (["update", f"{PARENT}/tasks/t", "-d", '{"name": "providers/p/tasks/u", "state": "OPEN"}'],
     "the name in the JSON is providers/p/tasks/u, not providers/p/tasks/t", 'remove "name"'),
    (["update", f"{PARENT}/tasks/t", "-d", '{"stat": 1}'], 'unknown field "stat"', None),
    (["update", f"{PARENT}/tasks/t", "-d", '{"zzz": 1}'], 'unknown field "zzz"',
     ["run 'tripwire describe maps.fleetengine.delivery.v1.Task' to list its fields"]),
    (["update", f"{PARENT}/tasks/t", "state=closed"], 'has no value "closed"; did you mean CLOSED?', "to list its values"),
    (["create", f"{PARENT}/tasks/t", "-d", '{"type": "DELIVRY"}'], 'has no value "DELIVRY"; did you mean DELIVERY?',
     "to list its values"),
    (["update", f"{PARENT}/tasks/t", "state=x"], 'has no value "x"; expected one of STATE_UNSPECIFIED, OPEN, CLOSED', "to list its values"),
    (["update", f"{PARENT}/tasks/t", "state=OPEN", "-d", "{}"], "cannot be used with -d", None),
    (["delete", "tasks", "--provider", "p", "--yes"], "the ID is missing after tasks", "tasks/ID"),
    (["delete", f"{PARENT}/tasks/t"], "--yes is missing: without a terminal", "--yes"),
    (["delete", f"{PARENT}/tasks/t", "-d", "{}"], "-d cannot be used with delete", "remove -d"),
    (["delete", f"{PARENT}/tasks/t", "-o", "json"], "-o cannot be used with delete", "remove -o"),
    (["report-billable", f"{PARENT}/trips/t", "--fields", "name"],
     "--fields cannot be used with report-billable", "remove --fields"),
    (["create", f"{PARENT}/tasks/t", "--fields", "nam"], "--fields nam: ", "did you mean name?"),
    (["create", f"{PARENT}/tasks/t", "--fields", "name", "--dry-run"],
     "--fields cannot be used with --dry-run", None),
    (["create", f"{PARENT}/tasks/t", "--yes"], "--yes cannot be used with create", "remove --yes"),
    (["report-billable", f"{PARENT}/tasks/t"], "expected a trip, found a task", "name of a trip"),
    (["report-billable", f"{PARENT}/trips/t", "name=x"],
     "the name in the fields is x, not providers/p/billableTrips/t", "remove name=x"),
    (["report-billable", f"{PARENT}/trips/t", "-d", '{"name": "x"}'],
     "the name in the JSON is x, not providers/p/billableTrips/t", 'remove "name"'),
    (["update", f"{PARENT}/tasks/t", "state=OPEN", "-H", "authorization: Bearer x", "--token-file", "t"],
     "--header authorization cannot be used with --token-file", "remove --token-file"),
    (["delete", f"{PARENT}/tasks/t", "-H", "Authorization: Bearer x", "--token-command", "true"],
     "--header authorization cannot be used with --token-command", "remove --token-command"),
])
def test_invalid_command_line_is_rejected(deliveries, arguments, words, hint):
    assert_failed(change(deliveries, *arguments), 2, words, hint=hint)
    assert deliveries.calls == []


@pytest.mark.parametrize("answer, code", [
    ("y\n", 0), ("Y\n", 0), ("YES\n", 0), ("n\n", 1), ("\n", 1), ("\x04", 1)])
def test_deletion_is_confirmed_on_a_terminal(deliveries, answer, code):
    deliveries.add("Task", "t1")
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(binary(), [binary(), "delete", f"{PARENT}/tasks/t1", *at(deliveries.address)],
                  environment())
    shown = b""
    while b"[y/N] " not in shown:
        shown += os.read(terminal, 1 << 16)
    os.write(terminal, answer.encode())
    try:
        while part := os.read(terminal, 1 << 16):
            shown += part
    except OSError:
        pass  # The last writer closed the terminal.
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == code, shown
    assert b"delete providers/p/tasks/t1? [y/N] " in shown
    # The error has a line of its own, also after the end of the input.
    assert code == 0 or re.search(rb"\n(\x1b\[31m)?error:(\x1b\[0m)? not deleted: ", shown)
    assert (deliveries.resources == {}) == (code == 0)


def claims(call):
    part = call.metadata["authorization"].removeprefix("Bearer ").split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=="))["authorization"]


@pytest.mark.parametrize("arguments, wanted", [
    (["create", "tasks", "-d", '{"name": "a"}{"name": "b"}'], {"taskids": ["a", "b"]}),
    (["create", "tasks/a", "state=OPEN"], {"taskid": "a"}),
    (["create", "trips/a", "vehicle_id=v"], {"tripid": "a", "vehicleid": "v"}),
    (["update", "deliveryVehicles/v", "type=AUTO"], {"deliveryvehicleid": "v"}),
    (["update", "deliveryVehicles/v", "-d", '{"remainingVehicleJourneySegments": []}'],
     {"deliveryvehicleid": "v", "taskid": "*"}),
    (["delete", "tasks/t", "--yes"], {"taskid": "t"}),
    (["get", "taskTrackingInfo/S"], {"trackingid": "S"}),
    (["search", "tasks"], {"taskid": "*"}),
    (["search", "delivery-vehicles"], {"deliveryvehicleid": "*"}),
    (["report-billable", "t1", "country_code=US"], {"tripid": "*", "vehicleid": "*"}),
])
def test_minted_token_covers_the_resources_of_the_call(deliveries, service_account, arguments, wanted):
    deliveries.add("DeliveryVehicle", "v")
    deliveries.add("Task", "t")
    tripwire(*arguments, "--provider", "p", "--credentials", service_account,
             *at(deliveries.address))
    assert claims(deliveries.calls[-1]) == wanted
