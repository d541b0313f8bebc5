"""Does the page of `tripwire log --map` have the deliveries of a recording?"""

import base64
import gzip
import json
import re

from peers.recordings.fleet_recording import RecordedFleet
from support.command import tripwire

PARENT = "providers/demo"


def data(page):
    """Returns the data in a page."""
    packed = re.search(r'id="recording">([^<]*)<', page.read_text())[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def mapped(fleet, folder):
    path, page = fleet.write(folder / "a.binlog"), folder / "map.html"
    result = tripwire("log", path, "--map", page)
    assert (result.code, result.stdout) == (0, "")
    return data(page), result.stderr


def test_deliveries_are_on_the_page(tmp_path):
    fleet = RecordedFleet()
    fleet.add_delivery_vehicle("d1")
    for _ in range(20):
        fleet.recorded("GetDeliveryVehicle", name=f"{PARENT}/deliveryVehicles/d1")
        fleet.recorded("GetTask", name=f"{PARENT}/tasks/d1-1")
        fleet.recorded("GetTaskTrackingInfo", name=f"{PARENT}/taskTrackingInfo/track-d1-1")
        fleet.advance(10)
    page, stderr = mapped(fleet, tmp_path)
    assert ": 60 calls, 1 task, 1 delivery vehicle, 1 shipment, " in stderr
    names = [resource["name"] for resource in page["trips"]]
    assert names == [f"{PARENT}/{name}" for name in (
        "deliveryVehicles/d1", "tasks/d1-1", "taskTrackingInfo/track-d1-1")]
    for index in range(3):
        frames = [item for item in page["items"] if item.get("trip") == index and "features" in item]
        assert len(frames) == 20 and all(frame["features"] for frame in frames), names[index]
    calls = [item for item in page["items"] if "method" in item]
    assert {call["trip"] for call in calls} == {0, 1, 2}
    closed = [call for call in calls if call.get("changes", {}).get("state") == "CLOSED"]
    assert [names[call["trip"]].split("/")[2] for call in closed] == ["tasks", "taskTrackingInfo"]
    assert any(finding["text"] for check in page["checks"] for finding in check["findings"])


def test_listed_deliveries_are_limited(tmp_path):
    fleet = RecordedFleet()
    point = {"latitude": 37.77, "longitude": -122.42}
    task = {"type_": "DELIVERY", "state": "OPEN", "tracking_id": "x", "task_duration": {"seconds": 60},
            "planned_location": {"point": point}}
    for batch in range(3):
        fleet.recorded("BatchCreateTasks", parent=PARENT, requests=[
            {"task_id": f"k{batch}-{number}", "task": task} for number in range(400)])
    page, stderr = mapped(fleet, tmp_path)
    assert ": 3 calls, 1000 tasks, " in stderr
    assert "warning: only the first 1000 resources are on the map\n" in stderr
    assert len(page["trips"]) == 1000
