"""Does an anonymous copy of deliveries hide people and places, and can it be read and replayed?"""

import json
import struct

import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message

from peers.recordings import binary_log
from peers.recordings.fleet_recording import RecordedFleet
from support.command import tripwire

PARENT = "providers/demo"
LUCY = f"{PARENT}/deliveryVehicles/van-lucy"
POINT = {"latitude": 37.774931, "longitude": -122.419418}
TASK = {
    "type_": "DELIVERY", "state": "OPEN", "tracking_id": "shipment-of-alice",
    "planned_location": {"point": POINT}, "task_duration": {"seconds": 120},
    "attributes": [{"key": "recipient", "string_value": "Alice Miller, 3rd floor"}],
}


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """The calls of a provider, a driver and a recipient, and some that fail."""
    fleet = RecordedFleet()
    fleet.add_delivery_vehicle("van-lucy")
    call = fleet.recorded
    call("CreateTask", parent=PARENT, task_id="parcel-42", task=TASK)
    call("BatchCreateTasks", parent=PARENT, requests=[
        {"task_id": f"parcel-{number}", "task": TASK} for number in (43, 44)])
    call("CreateTask", parent=PARENT, task_id="parcel-42", task=TASK)
    call("CreateDeliveryVehicle", parent=PARENT, delivery_vehicle_id="bike-bob", delivery_vehicle={
        "type_": "BICYCLE", "attributes": [{"key": "driver", "string_value": "Bob Brown"}]})
    call("UpdateDeliveryVehicle", delivery_vehicle={
        "name": f"{PARENT}/deliveryVehicles/bike-bob",
        "remaining_vehicle_journey_segments": [{"stop": {
            "planned_location": {"point": POINT}, "state": "NEW",
            "tasks": [{"task_id": "parcel-42"}]}}]},
        update_mask={"paths": ["remaining_vehicle_journey_segments"]})
    for _ in range(40):
        call("GetDeliveryVehicle", name=LUCY)
        call("GetTask", name=f"{PARENT}/tasks/van-lucy-1")
        call("GetTaskTrackingInfo", name=f"{PARENT}/taskTrackingInfo/track-van-lucy-1")
        fleet.advance(10)
    call("ListTasks", parent=PARENT, filter='tracking_id = "shipment-of-alice"')
    call("ListTasks", parent=PARENT)
    call("ListDeliveryVehicles", parent=PARENT)
    call("UpdateTask", task={"name": f"{PARENT}/tasks/parcel-43", "state": "CLOSED"},
         update_mask={"paths": ["state"]})
    call("DeleteTask", name=f"{PARENT}/tasks/parcel-44")
    call("DeleteDeliveryVehicle", name=f"{PARENT}/deliveryVehicles/bike-bob")
    call("GetTask", name=f"{PARENT}/tasks/parcel-44")
    call("GetTaskTrackingInfo", name=f"{PARENT}/taskTrackingInfo/for-carol")
    return fleet.write(tmp_path_factory.mktemp("deliveries") / "a.binlog")


@pytest.fixture(scope="module")
def copied(recording):
    """The copy, what the command wrote to stderr, and the replacements."""
    path, mapping = recording.parent / "copy.binlog", recording.parent / "mapping"
    result = tripwire("log", recording, "--anonymize", path, "--mapping", mapping)
    assert (result.code, result.stdout) == (0, ""), result.stderr
    lines = [json.loads(line) for line in mapping.read_text().splitlines()]
    return path, result.stderr, {line["original"]: line["replacement"] for line in lines}


def contents(message):
    """Yields the texts and the coordinates in a message."""
    for field, value in message.ListFields():
        for each in value if field.is_repeated else [value]:
            if isinstance(each, Message):
                yield from contents(each)
            elif field.type == Field.TYPE_DOUBLE and message.DESCRIPTOR.name == "LatLng":
                yield each
            elif field.type in (Field.TYPE_STRING, Field.TYPE_BYTES):
                if message.DESCRIPTOR.name != "FieldMask":
                    yield each if isinstance(each, bytes) else each.encode()


@pytest.fixture
def messages(ours):
    """Returns all messages of a recording, with their types."""
    (file,) = ours("google/maps/fleetengine/delivery/v1/delivery_api.proto")
    methods = file.services_by_name["DeliveryService"].methods_by_name

    def messages(path):
        calls, found = {}, []
        for entry in binary_log.read(path):
            if entry.HasField("client_header"):
                name = entry.client_header.method_name.rpartition("/")[2]
                calls[entry.call_id] = methods[name]
            elif entry.HasField("message"):
                method = calls[entry.call_id]
                is_request = entry.type == entry.EVENT_TYPE_CLIENT_MESSAGE
                type_ = method.input_type if is_request else method.output_type
                found.append(
                    message_factory.GetMessageClass(type_)().FromString(entry.message.data))
        return found

    return messages


def test_no_text_id_or_place_survives(recording, copied, messages):
    path, _, _ = copied
    before, after = recording.read_bytes(), path.read_bytes()
    texts, numbers = set(), set()
    for message in messages(recording):
        for each in contents(message):
            (texts if isinstance(each, bytes) else numbers).add(each)
    ids = {text for text in texts if b"/" not in text}
    assert {b"van-lucy", b"van-lucy-1", b"parcel-42", b"shipment-of-alice", b"track-van-lucy-1",
            b"recipient", b"Alice Miller, 3rd floor", b"north"} <= ids
    assert len(numbers) > 400
    for text in texts | {b"bike-bob", b"for-carol", b"demo"}:
        assert text in before and text not in after, text
    for number in numbers:
        assert struct.pack("<d", number) in before
        assert struct.pack("<d", number) not in after, number
    near = {round(number, 3) for number in numbers}
    assert not near & {round(number, 3) for message in messages(path) for number in contents(message)
                       if isinstance(number, float)}


def test_replacements_are_consistent(recording, copied, messages):
    path, _, new = copied
    assert new["van-lucy"].startswith("delivery-vehicle-")
    assert new["van-lucy-1"].startswith("task-") and new["track-van-lucy-1"].startswith("tracking-")
    pairs = list(zip(messages(recording), messages(path), strict=True))
    for old, copy in pairs:
        assert type(old) is type(copy)
        if old.DESCRIPTOR.name == "Task" and old.name:
            parent = f"providers/{new['demo']}"
            assert copy.name == f"{parent}/tasks/{new[old.name.rpartition('/')[2]]}"
            assert (copy.state, copy.task_outcome, copy.type) == (
                old.state, old.task_outcome, old.type)
            assert copy.tracking_id == new.get(old.tracking_id, "")
            assert copy.delivery_vehicle_id == new.get(old.delivery_vehicle_id, "")
            assert copy.target_time_window == old.target_time_window
        if old.DESCRIPTOR.name == "DeliveryVehicle":
            assert [[new[task.task_id] for task in segment.stop.tasks]
                    for segment in old.remaining_vehicle_journey_segments] == [
                [task.task_id for task in segment.stop.tasks]
                for segment in copy.remaining_vehicle_journey_segments]
            assert [len(segment.path) for segment in old.remaining_vehicle_journey_segments] == [
                len(segment.path) for segment in copy.remaining_vehicle_journey_segments]
            assert bool(old.current_route_segment) == bool(copy.current_route_segment)
    names = {old.name: copy.name for old, copy in pairs if old.DESCRIPTOR.name == "TaskTrackingInfo"}
    assert names == {
        f"{PARENT}/taskTrackingInfo/track-van-lucy-1":
        f"providers/{new['demo']}/taskTrackingInfo/{new['track-van-lucy-1']}"}


def test_errors_and_omissions_are_reported(copied):
    path, stderr, new = copied
    lines = stderr.splitlines()
    assert lines[-1] == f"{path}: 133 calls, 9 tasks, 2 delivery vehicles, 6 shipments"
    for words in ["Task.attributes", "DeliveryVehicle.attributes", "ListTasksRequest.filter"]:
        assert any(line.startswith(f"warning: omitted: {words} (") for line in lines), words
    listed = tripwire("log", path, "--errors").stdout
    parent = f"providers/{new['demo']}"
    assert f"{parent}/tasks/{new['parcel-42']} already exists" in listed
    assert f"{parent}/taskTrackingInfo/{new['for-carol']} does not exist" in listed


def test_copy_can_be_listed_and_replayed(recording, copied):
    path, _, new = copied
    parent = f"providers/{new['demo']}"
    for kind, name in [("deliveryVehicles", "van-lucy"), ("tasks", "van-lucy-1"),
                       ("taskTrackingInfo", "track-van-lucy-1")]:
        old, copy = [
            tripwire("get", resource, "--replay", file)
            for resource, file in [(f"{PARENT}/{kind}/{name}", recording),
                                   (f"{parent}/{kind}/{new[name]}", path)]]
        assert (copy.code, copy.stderr) == (0, "") and old.code == 0
        assert copy.json["name"] == f"{parent}/{kind}/{new[name]}"
        assert copy.json.keys() == old.json.keys() - {"attributes"}
    found = tripwire("search", "tasks", parent, "-o", "json", "--replay", path)
    assert (found.code, found.stderr) == (0, "")
    names = [json.loads(line)["name"] for line in found.stdout.splitlines()]
    assert f"{parent}/tasks/{new['parcel-42']}" in names
    summary = tripwire("log", path, "--summary").stdout
    assert summary.replace(str(path), "") == tripwire("log", recording, "--summary").stdout
