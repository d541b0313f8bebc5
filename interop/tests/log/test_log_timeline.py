"""Does `tripwire log --timeline` show vehicles, tasks and shipments of the simulated fleet?"""

import json

import pytest
from google.maps.fleetengine_v1 import types

from peers.fleet.methods import METHODS as TABLE
from peers.recordings.fleet_recording import RecordedFleet
from support.command import assert_failed, tripwire

PARENT = "providers/demo"
DELIVERIES = ["deliveryVehicles/d1", "tasks/d1-1", "taskTrackingInfo/track-d1-1"]
METHODS = {
    "deliveryVehicles": "GetDeliveryVehicle", "tasks": "GetTask",
    "taskTrackingInfo": "GetTaskTrackingInfo", "vehicles": "GetVehicle",
}


@pytest.fixture
def fleet():
    fleet = RecordedFleet()
    fleet.add_delivery_vehicle("d1")
    return fleet


def get(fleet, *names):
    for name in names:
        fleet.recorded(METHODS[name.split("/")[0]], name=f"{PARENT}/{name}")


@pytest.fixture
def timeline(tmp_path):
    """Returns the timeline of a resource in a fleet's recording as text, without times and numbers."""
    def timeline(fleet, name, *options):
        result = tripwire("log", fleet.write(tmp_path / "a.binlog"), "--timeline", name, *options, TZ="UTC")
        assert (result.code, result.stderr) == (0, "")
        return [line[24:] for line in result.stdout.splitlines()[1:]]

    return timeline


@pytest.fixture
def events(tmp_path):
    def events(fleet, name, *kinds):
        result = tripwire(
            "log", fleet.write(tmp_path / "a.binlog"), "--timeline", name, "-o", "json")
        assert (result.code, result.stderr) == (0, "")
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert {event["name"].rpartition("/")[2] for event in found} == {name.rpartition("/")[2]}
        return [event for event in found if not kinds or event["event"] in kinds]

    return events


def poll(fleet, count, *names, interval=10):
    for _ in range(count):
        get(fleet, *names)
        fleet.advance(interval)


def test_delivery_vehicle_and_its_first_stop(fleet, timeline):
    poll(fleet, 20, *DELIVERIES)
    assert timeline(fleet, "deliveryVehicles/d1") == [
        "requested the whole delivery vehicle", "navigation: enroute to destination",
        "6 stops left, next: task d1-1 (enroute)", "ETA at next stop: 09:32:15",
        "route: 40 points, 1.1 km", "navigation: arrived at destination",
        "6 stops left, next: task d1-1 (arrived)", "navigation: enroute to destination",
        "5 stops left, next: task d1-2 (enroute)", "ETA at next stop: 09:41:31",
        "route: 40 points, 4.2 km"]
    assert timeline(fleet, f"{PARENT}/tasks/d1-1") == [
        "requested the whole task", "status: open", "vehicle: d1",
        "time window: from 09:15:00 to 10:15:00", "1 stop left", "ETA: 09:32:15",
        "status: closed", "outcome: succeeded at 09:32:45", "0 stops left", "ETA: —"]
    assert timeline(fleet, "taskTrackingInfo/track-d1-1")[:3] == [
        "requested the whole shipment", "status: open", "time window: from 09:15:00 to 10:15:00"]


def test_events_for_programs(fleet, events):
    poll(fleet, 20, *DELIVERIES)
    stops = events(fleet, "deliveryVehicles/d1", "stops")
    assert [event["stopStates"][0] for event in stops] == ["ENROUTE", "ARRIVED", "ENROUTE"]
    assert stops[0]["stops"] == 6 and stops[0]["taskIds"][:2] == [["d1-1"], ["d1-2"]]
    navigation = events(fleet, "deliveryVehicles/d1", "navigation")
    assert [(event["navigationStatus"], event.get("before")) for event in navigation] == [
        ("ENROUTE_TO_DESTINATION", None), ("ARRIVED_AT_DESTINATION", "ENROUTE_TO_DESTINATION"),
        ("ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION")]
    (outcome,) = events(fleet, "tasks/d1-1", "outcome")
    assert outcome["taskOutcome"] == "SUCCEEDED" and "taskOutcomeTime" in outcome
    (window,) = events(fleet, "tasks/d1-1", "window")
    assert window["startTime"] == "2026-11-21T09:15:00Z"
    assert [event["stops"] for event in events(fleet, "taskTrackingInfo/track-d1-1", "stops")] == [1]


def test_new_plan_changes_the_eta_of_a_shipment(fleet, events):
    poll(fleet, 5, "taskTrackingInfo/track-d1-3")
    vehicle = fleet.delivery_vehicles["d1"]
    first, second, third, *rest = vehicle.message.remaining_vehicle_journey_segments
    vehicle.replan([first, second, *rest, third])
    poll(fleet, 5, "taskTrackingInfo/track-d1-3")
    etas = events(fleet, "taskTrackingInfo/track-d1-3", "eta")
    # Its stop is now the last.
    assert len(etas) == 2 and etas[1]["before"] == etas[0]["eta"] and etas[1]["eta"] > etas[1]["before"]


@pytest.mark.parametrize("name", [*DELIVERIES, "vehicles/v1"])
def test_gaps_and_errors_are_reported(fleet, events, name):
    fleet.add_trip("t1")
    poll(fleet, 5, name, interval=5)
    fleet.advance(100)
    poll(fleet, 2, name, interval=5)
    method = TABLE[METHODS[name.split("/")[0]]]
    for _ in range(3):
        fleet.log.wait(5)
        fleet.log.call(method.path, method.request(name=f"{PARENT}/{name}"), code=14, message="away")
        fleet.advance(5)
    poll(fleet, 1, name)
    found = events(fleet, name, "gap", "error", "recovered")
    assert [event["event"] for event in found] == ["gap", "error", "recovered"]
    assert found[1]["code"] == "UNAVAILABLE" and found[2]["errors"] == 3
    assert {event["check"] for event in events(fleet, name, "check")} >= {"gap", "error"}


def test_silent_vehicle_is_reported(fleet, events):
    poll(fleet, 3, *DELIVERIES)
    fault = fleet.control.stick(f"{PARENT}/deliveryVehicles/d1")
    poll(fleet, 6, *DELIVERIES)
    fleet.control.call("DeleteFault", name=fault.name)
    fleet.advance(2)
    poll(fleet, 1, *DELIVERIES)
    for name in DELIVERIES:
        found = events(fleet, name, "silent", "location")
        assert [event["event"] for event in found] == ["silent", "location"], name
        assert found[0]["location"] == "old" and found[0]["seconds"] > 30


def test_other_methods_count(fleet, timeline):
    point = {"latitude": 37.77, "longitude": -122.42}
    task = {"type_": "DELIVERY", "state": "OPEN", "tracking_id": "x", "task_duration": {"seconds": 60},
            "planned_location": {"point": point}}
    fleet.recorded("CreateTask", parent=PARENT, task_id="k1", task=task)
    fleet.recorded("BatchCreateTasks", parent=PARENT, requests=[{"task_id": "k2", "task": task}])
    fleet.recorded("ListTasks", parent=PARENT)
    for number in 1, 2:
        fleet.recorded("UpdateTask", task={"name": f"{PARENT}/tasks/k{number}", "task_outcome": "FAILED"},
                   update_mask={"paths": ["task_outcome"]})
    fleet.recorded("ListTasks", parent=PARENT, filter="state = CLOSED")
    fleet.recorded("DeleteTask", name=f"{PARENT}/tasks/k1")
    fleet.recorded("ListDeliveryVehicles", parent=PARENT)
    fleet.recorded("GetDeliveryVehicle", name=f"{PARENT}/deliveryVehicles/d1")
    fleet.recorded("ListDeliveryVehicles", parent=PARENT)
    assert timeline(fleet, "tasks/k1") == [
        "CreateTask: OK", "status: open", "UpdateTask: OK", "outcome: failed at 09:30:00",
        "DeleteTask: OK"]
    assert timeline(fleet, "tasks/k2") == [
        "status: open", "UpdateTask: OK", "outcome: failed at 09:30:00"]
    # Lists leave out the stops of a vehicle.
    assert [line for line in timeline(fleet, "deliveryVehicles/d1") if "left" in line] == [
        "6 stops left, next: task d1-1 (enroute)"]


def test_changed_and_found_trips_are_states(fleet, timeline):
    point = {"point": {"latitude": 37.77, "longitude": -122.42}}
    fleet.vehicle("v1")
    fleet.recorded("CreateTrip", parent=PARENT, trip_id="t1", trip={
        "trip_type": "EXCLUSIVE", "number_of_passengers": 1, "pickup_point": point,
        "dropoff_point": {"point": {"latitude": 37.79, "longitude": -122.4}}})
    name = f"{PARENT}/trips/t1"
    fleet.recorded("UpdateTrip", name=name, trip={"vehicle_id": "v1"}, update_mask={"paths": ["vehicle_id"]})
    fleet.call("UpdateTrip", name=name, trip={"trip_status": "ENROUTE_TO_PICKUP"},
               update_mask={"paths": ["trip_status"]})
    fleet.recorded("SearchTrips", parent=PARENT)
    fleet.recorded("UpdateTrip", name=name, trip={"trip_status": "CANCELED"}, update_mask={"paths": ["trip_status"]})
    fleet.recorded("SearchTrips", parent=PARENT)
    lines = timeline(fleet, "trips/t1")
    assert lines == [
        "CreateTrip: OK", "status: new", "UpdateTrip: OK", "vehicle: v1", "2 stops left, next: pickup",
        "status: enroute to pickup", "UpdateTrip: OK", "status: canceled", "0 stops left"]


def test_update_between_polls_keeps_the_journey(fleet, timeline):
    """The responses to GetTrip have changes only, since the stamps of the earlier ones."""
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    fleet.poll(3)
    before = timeline(fleet, "t1")
    answer = trip.message
    bare = types.Trip.pb()(name=trip.name, trip_status=answer.trip_status, vehicle_id=answer.vehicle_id)
    update = TABLE["UpdateTrip"]
    fleet.log.call(update.path, update.request(name=trip.name, trip={"number_of_passengers": 2}), bare)
    assert timeline(fleet, "t1") == [*before, "UpdateTrip: OK"]


def test_time_can_be_limited(fleet, timeline):
    poll(fleet, 20, "tasks/d1-1")
    assert timeline(fleet, "tasks/d1-1", "--since", "09:32") == [
        "status: closed", "outcome: succeeded at 09:32:45", "0 stops left", "ETA: —"]


def test_names_are_checked(fleet, tmp_path):
    poll(fleet, 1, *DELIVERIES)
    path = fleet.write(tmp_path / "a.binlog")
    assert_failed(
        tripwire("log", path, "--timeline", "tasks/none"), 1,
        f"--timeline tasks/none: not in the recording, which contains {PARENT}/deliveryVehicles/d1,",
        hint="pass a resource of the recording with --timeline")
    # A bare ID is that of a trip.
    for name, meant in ("d1", "deliveryVehicles/d1"), ("tasks/D1-1", "tasks/d1-1"):
        assert_failed(tripwire("log", path, "--timeline", name), 1, f"--timeline {name}: not in the recording",
                      hint=f"pass --timeline {PARENT}/{meant}")
    assert_failed(tripwire("log", path, "--timeline", "parcels/x"), 2, "--timeline")
    assert_failed(tripwire("log", path, "--trip", "d1"), 1,
                  "--trip d1: not in the recording, which contains no trips")
    assert_failed(tripwire("log", path, "--timeline", "tasks/d1-1", "--trip", "t1"), 2,
                  "--trip cannot be used with --timeline")
    assert_failed(tripwire("log", path, "--timeline", "tasks/d1-1", "--errors"), 2, "--errors")


def test_calls_name_their_resources(fleet, tmp_path):
    fleet.recorded("CreateDeliveryVehicle", parent=PARENT, delivery_vehicle_id="b1", delivery_vehicle={})
    fleet.recorded("UpdateDeliveryVehicle", delivery_vehicle={
        "name": f"{PARENT}/deliveryVehicles/b1", "type_": "BICYCLE"}, update_mask={"paths": ["type"]})
    fleet.recorded("CreateTask", parent=PARENT, task_id="k1", task={})
    fleet.recorded("UpdateTask", task={"name": f"{PARENT}/tasks/k9"}, update_mask={"paths": ["task_outcome"]})
    fleet.recorded("ListTasks", parent=PARENT)
    path = fleet.write(tmp_path / "a.binlog")
    day, _, *calls = tripwire("log", path).stdout.splitlines()
    assert day.endswith(f"names relative to {PARENT}/")
    assert [line.split()[3] for line in calls] == [
        "deliveryVehicles/b1", "deliveryVehicles/b1", "tasks/k1", "tasks/k9", PARENT]
    for name, count in [("b1", 2), ("tasks/k9", 1)]:
        assert len(tripwire("log", path, "--resource", name).stdout.splitlines()) == 2 + count
    detail = tripwire("log", path, "--call", 2).stdout
    assert '"type":"BICYCLE"' in detail.replace(" ", "")
    summary = tripwire("log", path, "--summary").stdout
    assert "DeliveryService/UpdateTask" in summary and "NOT_FOUND" in summary


def test_recording_is_replayed(fleet, tmp_path):
    poll(fleet, 30, *DELIVERIES)
    fleet.recorded("ListTasks", parent=PARENT)
    path = fleet.write(tmp_path / "a.binlog")
    for name in DELIVERIES:
        got = tripwire("get", f"{PARENT}/{name}", "--replay", path)
        assert (got.code, got.json["name"]) == (0, f"{PARENT}/{name}")
    found = tripwire("search", "tasks", PARENT, "-o", "json", "--replay", path)
    assert found.code == 0 and len(found.stdout.splitlines()) == 6
    followed = tripwire("follow", f"{PARENT}/tasks/d1-1", "--replay", path, "--interval", "100ms")
    lines = [json.loads(line) for line in followed.stdout.splitlines()]
    assert followed.code == 0, followed.stderr
    assert lines[-1]["task"]["state"] == "CLOSED"
