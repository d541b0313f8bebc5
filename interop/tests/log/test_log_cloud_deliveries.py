"""Does `tripwire log` read and write Google's logs of trips and of deliveries in all forms?"""

import base64
import gzip
import json
import os
import subprocess
import zipfile

import pytest
from google.protobuf.json_format import MessageToDict

from peers.recordings import binary_log
from peers.recordings.cloud_log import big_query, calls, cloud_logging, fleet_archive
from peers.recordings.fleet_recording import RecordedFleet
from support.command import LONGEST, binary, environment, tripwire
from support.memory import peak_memory
from support.paths import RECORDINGS
from support.tmux import Terminal, shell

PARENT = "providers/demo"
VEHICLE, TASK, SHIPMENT = (f"{PARENT}/{name}" for name in (
    "deliveryVehicles/d1", "tasks/d1-1", "taskTrackingInfo/track-d1-1"))
POINT = {"point": {"latitude": 37.77, "longitude": -122.42}}
NEW_TASK = {"type_": "DELIVERY", "state": "OPEN", "tracking_id": "x", "task_duration": {"seconds": 60},
            "planned_location": POINT}


@pytest.fixture(scope="module")
def fleet():
    """Calls of a trip and of deliveries, those that fail included."""
    fleet = RecordedFleet()
    fleet.add_delivery_vehicle("d1")
    fleet.add_trip("t1")
    fleet.recorded("CreateDeliveryVehicle", parent=PARENT, delivery_vehicle_id="d2", delivery_vehicle={})
    fleet.recorded("CreateTask", parent=PARENT, task_id="k1", task=NEW_TASK)
    fleet.recorded("BatchCreateTasks", parent=PARENT, requests=[
        {"task_id": f"b{number}", "task": NEW_TASK} for number in range(2)])
    for _ in range(20):
        fleet.recorded("GetDeliveryVehicle", name=VEHICLE)
        fleet.recorded("GetTask", name=TASK)
        fleet.recorded("GetTaskTrackingInfo", name=SHIPMENT)
        fleet.recorded("GetTrip", name=f"{PARENT}/trips/t1")
        fleet.advance(10)
    fleet.recorded("UpdateDeliveryVehicle", update_mask={"paths": ["last_location"]}, delivery_vehicle={
        "name": f"{PARENT}/deliveryVehicles/d2",
        "last_location": {"location": {"latitude": 1, "longitude": 2}, "location_sensor": "GPS"}})
    fleet.recorded("UpdateTask", task={"name": f"{PARENT}/tasks/k1", "task_outcome": "FAILED"},
               update_mask={"paths": ["task_outcome"]})
    fleet.recorded("ListTasks", parent=PARENT)
    fleet.recorded("ListDeliveryVehicles", parent=PARENT)
    fleet.recorded("GetTask", name=f"{PARENT}/tasks/none")
    fleet.recorded("DeleteTask", name=f"{PARENT}/tasks/b0")
    return fleet


@pytest.fixture(scope="module")
def recorded(fleet):
    return calls(fleet.log.entries)


def form(write):
    return lambda recorded: [write(call, number) for number, call in enumerate(recorded)]


def data_set(source, solution, write):
    return lambda recorded: {
        "APIKEY": "", "vehicle": "d1", "projectId": "demo", "logSource": source, "solutionType": solution,
        "rawLogs": form(write)(recorded)[::-1], "bounds": None}


FORMS = {
    "array": form(cloud_logging),
    "newest first": lambda recorded: form(cloud_logging)(recorded)[::-1],
    "cloudlogging": data_set("cloudlogging", "LMFS", cloud_logging),
    "bigquery": data_set("bigquery", "LMFS", big_query),
    "fleetarchive": data_set("fleetarchive", "ODRD", fleet_archive),
}


def imported(path, *options, **more):
    return tripwire("log", "--import-cloud-logging", path, *options, **more)


def written(path, recorded, name="array"):
    path.write_text(json.dumps(FORMS[name](recorded)))
    return path


def merged(message, call):
    """The messages of a call, with what the logs do not have: nothing of the rest may be lost."""
    return MessageToDict(call[message]) if call[message] is not None else {}


@pytest.mark.parametrize("name", FORMS)
def test_each_call_has_its_messages_and_status(name, recorded, tmp_path):
    result = imported(written(tmp_path / "logs.json", recorded, name), "-o", "json")
    assert result.code == 0 and " skipped" not in result.stderr
    found = {}
    for line in map(json.loads, result.stdout.splitlines()):
        found.setdefault(line["call"], []).append(line)
    assert len(found) == len(recorded)
    for call, lines in zip(recorded, found.values()):
        header, request, *response, trailer = lines
        assert header["clientHeader"]["methodName"] == call["method"].path
        assert {line["timestamp"] for line in lines} == {call["time"]}
        assert request["message"]["decoded"] == merged("request", call), call["method"].name
        assert trailer["trailer"].get("statusCode", 0) == call["status"].status_code
        if call["status"].status_code == 0 and call["response"] is not None:
            assert response[0]["message"]["decoded"] == merged("response", call), call["method"].name


def test_fields_that_the_api_does_not_have_are_named(recorded, tmp_path):
    for name, field in ("bigquery", "pathhandle, locationhandle"), ("fleetarchive", "projectNumber"):
        result = imported(written(tmp_path / "logs.json", recorded, name))
        assert f" unknown fields ignored, such as {field}\n" in result.stderr


@pytest.mark.parametrize("resource", ["tasks/d1-1", "deliveryVehicles/d1", "taskTrackingInfo/track-d1-1", "trips/t1"])
def test_histories_are_those_of_a_recording(resource, fleet, recorded, tmp_path):
    def history(*source):
        result = tripwire("log", *source, "--timeline", resource, "-o", "json")
        assert result.code == 0
        return [{key: value for key, value in json.loads(line).items() if key != "logger"}
                for line in result.stdout.splitlines()]

    path = tmp_path / "logs.json"
    expected = history(fleet.write(tmp_path / "a.binlog"))
    # Fleet Archive has all fields of the API. A call has one time in logs, and takes none.
    found = history("--import-cloud-logging", written(path, recorded, "fleetarchive"))
    assert [line["event"] for line in expected if line["event"] in ("status", "outcome", "stops", "navigation")]
    for event in "status", "outcome", "stops", "navigation", "vehicle", "changed":
        assert [{**line, "time": ""} for line in found if line["event"] == event] == [
            {**line, "time": ""} for line in expected if line["event"] == event], event


def test_both_kinds_are_on_the_map(recorded, tmp_path):
    page = tmp_path / "map.html"
    result = imported(written(tmp_path / "logs.json", recorded, "bigquery"), "--map", page)
    assert result.code == 0
    counts = "1 trip, 10 tasks, 2 delivery vehicles, 1 shipment, "
    assert counts in result.stderr, result.stderr
    packed = page.read_text().split('id="recording">')[1].split("<")[0]
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    names = [each["name"] for each in data["trips"]]
    for name in VEHICLE, TASK, SHIPMENT, f"{PARENT}/trips/t1":
        frames = [item for item in data["items"]
                  if item.get("trip") == names.index(name) and item.get("features")]
        assert len(frames) >= 20, name


def test_duplicates_are_counted(recorded, tmp_path):
    path = written(tmp_path / "logs.json", recorded)
    expected = imported(path, "-o", "json").stdout
    path.write_text(path.read_text() + path.read_text())
    result = imported(path, "-o", "json")
    assert result.stdout == expected
    assert f"warning: {path}: {len(recorded)} duplicates skipped\n" in result.stderr


def test_the_hint_for_a_zip_file_unpacks_it(recorded, tmp_path):
    path = written(tmp_path / "logs.json", recorded)
    packed = tmp_path / "logs.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, "logs.json")
    result = imported(packed)
    assert result.code == 1 and f"--import-cloud-logging {packed}: the content looks like zip\n" in result.stderr
    command = result.stderr.split("hint: decompress it first: ")[1]
    done = subprocess.run(
        command.replace("tripwire", binary()), shell=True, capture_output=True, text=True, timeout=LONGEST,
        env=environment())
    assert (done.returncode, done.stdout) == (0, imported(path).stdout)


def test_a_terminal_shows_the_progress(recorded, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    text = written(tmp_path / "logs.json", recorded).read_text().encode()
    command = f"cd {tmp_path}; " + shell(binary(), "log", "--import-cloud-logging", "pipe", "--summary")
    with Terminal(command) as terminal, open(tmp_path / "pipe", "wb") as pipe:
        pipe.write(text + b" " * (5 << 20))
        pipe.flush()
        terminal.wait(lambda rows: "reading pipe: 5 MiB …" in rows[-1])
        pipe.close()
        code, rows = terminal.wait_for_end()
        assert code == 0 and not [row for row in rows if "reading" in row]


def test_an_export_of_deliveries_has_the_same_history(tmp_path):
    recording, path = RECORDINGS / "delivery.binlog", tmp_path / "out.json"
    result = tripwire("log", recording, "--export-cloud-logging", path)
    assert result.code == 0 and "omitted" not in result.stderr
    entries = json.loads(path.read_text())
    for entry in entries:
        name = entry["logName"].split("%2F")[1].replace("_", "")
        is_delivery = "task" in name or "delivery" in name
        package, fleet = ("delivery.v1", "DeliveryFleet") if is_delivery else ("v1", "Fleet")
        assert entry["jsonPayload"]["@type"].lower() == f"type.googleapis.com/maps.fleetengine.{package}.{name}log"
        assert entry["resource"]["type"] == f"fleetengine.googleapis.com/{fleet}"
    derived = [entry for entry in entries if entry["labels"].get("tripwire") == "derived"]
    updates = [entry for entry in entries if "GetDeliveryVehicle" in entry["jsonPayload"]["@type"]]
    assert len(derived) == len(updates)

    def messages(*source):
        lines = map(json.loads, tripwire("log", *source, "-o", "json").stdout.splitlines())
        return [line["message"]["decoded"] for line in lines if "message" in line]

    assert messages("--import-cloud-logging", path) == messages(recording)


@pytest.mark.long
def test_much_is_read_in_little_memory(recorded, tmp_path):
    path, size = tmp_path / "logs.json", 0
    # As Cloud Logging indents its entries.
    entries = [json.dumps(entry, indent=2) for entry in FORMS["newest first"](recorded)]
    with open(path, "w") as file:
        while size < 100e6:
            for entry in entries:
                size += file.write(entry.replace('"insertId": "id', f'"insertId": "{size}id') + "\n")
    assert peak_memory(binary(), "log", "--import-cloud-logging", path, env=environment()) < 200e6
