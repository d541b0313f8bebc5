"""Does the emulator serve delivery vehicles by its rules?"""

import pytest
from google.maps.fleetengine_delivery_v1 import types

from peers.recordings import s2
from support.rules import guess, rule

PARENT = "providers/p"
NAME = f"{PARENT}/deliveryVehicles/d1"
ROUTE = s2.encoded([(37.7, -122.4), (37.71, -122.4)]).encode()
State, Kind = types.VehicleStop.State, types.DeliveryVehicle.DeliveryVehicleType


def location(latitude, longitude=-122.4):
    return {"point": {"latitude": latitude, "longitude": longitude}}


def segment(latitude, *tasks, state="NEW"):
    return {"stop": {"planned_location": location(latitude), "state": state,
                     "tasks": [{"task_id": each} for each in tasks]}}


@pytest.fixture
def create(services):
    def create(vehicle_id="d1", **fields):
        return services.create_delivery_vehicle(
            parent=PARENT, delivery_vehicle_id=vehicle_id, delivery_vehicle=fields)

    return create


@pytest.fixture
def update(services):
    def update(mask=None, name=NAME, **fields):
        return services.update_delivery_vehicle(
            delivery_vehicle={"name": name} | fields,
            update_mask={"paths": list(fields) if mask is None else mask})

    return update


@pytest.fixture
def add_task(services):
    def add_task(task_id, latitude=37.71):
        return services.create_task(parent=PARENT, task_id=task_id, task={
            "type_": "DELIVERY", "state": "OPEN", "tracking_id": f"track-{task_id}",
            "planned_location": location(latitude), "task_duration": {"seconds": 60}})

    return add_task


@pytest.fixture
def assigned(create, add_task, update):
    """A vehicle with the tasks k1 and k2 at its stops."""
    create(last_location={"location": location(37.7)["point"]})
    add_task("k1"), add_task("k2", 37.72)
    return update(remaining_vehicle_journey_segments=[
        segment(37.71, "k1", state="ENROUTE"), segment(37.72, "k2")])


def task_name(task_id):
    return f"{PARENT}/tasks/{task_id}"


@rule("CreateDeliveryVehicleRequest.delivery_vehicle",
      "type, last_location and attributes are used, and the name is ignored")
def test_created_vehicle_has_the_given_fields(create, services):
    created = create(
        name="ignored", type_="TWO_WHEELER", attributes=[{"key": "depot", "value": "north"}],
        last_location={"location": location(37.7)["point"], "heading": 90})
    assert created.name == NAME and created.type_ == Kind.TWO_WHEELER
    assert created.attributes[0].string_value == "north"
    assert created.last_location.heading.value == 90
    assert created.last_location.HasField("server_time")
    assert services.get_delivery_vehicle(name=NAME) == created


@rule("DeliveryVehicle.type_", "is AUTO by default")
def test_created_vehicle_is_a_car_by_default(create):
    assert create().type_ == Kind.AUTO


@rule("CreateDeliveryVehicleRequest.delivery_vehicle", "is required")
def test_created_vehicle_needs_a_message(services, invalid):
    assert invalid(services.create_delivery_vehicle, parent=PARENT, delivery_vehicle_id="d2") == [
        "delivery_vehicle"]


@rule("CreateDeliveryVehicleRequest.delivery_vehicle", "other fields must not be set")
@rule("CreateDeliveryVehicleRequest.delivery_vehicle_id", "follows the rules for IDs")
def test_invalid_vehicles_are_refused(create, services, invalid, failure):
    assert invalid(
        services.create_delivery_vehicle, parent="p", delivery_vehicle_id="a,b", delivery_vehicle={
            "remaining_distance_meters": 3, "navigation_status": "OFF_ROUTE"}) == [
        "parent", "delivery_vehicle_id", "delivery_vehicle.navigation_status",
        "delivery_vehicle.remaining_distance_meters"]
    assert invalid(create, attributes=[{"key": "a"}, {"key": "a"}]) == [
        "delivery_vehicle.attributes"]
    create()
    found = failure(create)
    assert found.code == "ALREADY_EXISTS"
    assert found.details["ResourceInfo"].resource_type == (
        "fleetengine.googleapis.com/DeliveryVehicle")


@rule("GetDeliveryVehicleRequest.name", "has the form providers/{provider}/deliveryVehicles/{delivery_vehicle}")
def test_missing_vehicles_are_reported(services, update, missing, invalid):
    for method in (services.get_delivery_vehicle, services.delete_delivery_vehicle):
        missing(method, "DeliveryVehicle", NAME, name=NAME)
        assert invalid(method, name=f"{PARENT}/vehicles/d1") == ["name"]
    missing(update, "DeliveryVehicle", NAME, mask=["type"], type_="AUTO")
    assert invalid(update, name="d1") == ["delivery_vehicle.name"]


@rule("DeliveryService.UpdateDeliveryVehicle", "assigns the tasks of the journey")
@rule("VehicleJourneySegment.path", "begins at the location or the previous stop")
@rule("VehicleStop.planned_location", "is not in the answer of GetTask")
@rule("Task.JourneySharingInfo.remaining_vehicle_journey_segments", "are those up to the task")
def test_journey_assigns_tasks(assigned, services):
    first, second = assigned.remaining_vehicle_journey_segments
    assert [each.task_id for each in first.stop.tasks] == ["k1"]
    assert first.stop.tasks[0].task_duration.seconds == 60
    assert (first.stop.state, second.stop.state) == (State.ENROUTE, State.NEW)
    assert first.path[0] == assigned.last_location.location
    assert first.path[-1] == second.path[0] == first.stop.planned_location.point
    assert first.driving_distance_meters.value == pytest.approx(1112, abs=20)
    assert first.driving_duration.seconds > 0
    task = services.get_task(name=task_name("k2"))
    assert task.delivery_vehicle_id == "d1"
    segments = task.journey_sharing_info.remaining_vehicle_journey_segments
    assert len(segments) == 2
    assert not any(each.HasField("stop") for each in segments)
    assert task.journey_sharing_info.last_location == assigned.last_location
    assert len(services.get_task(name=task_name("k1"))
               .journey_sharing_info.remaining_vehicle_journey_segments) == 1


@guess("age of a location")
def test_vehicle_of_the_provider_moves_only_on_report(fleet, assigned, update, services):
    fleet.advance(600)
    location_now = services.get_delivery_vehicle(name=NAME).last_location
    assert (location_now.location, location_now.time_since_update.value) == (assigned.last_location.location, 600)
    info = services.get_task_tracking_info(name=f"{PARENT}/taskTrackingInfo/track-k1")
    assert info.remaining_driving_distance_meters.value == pytest.approx(1112, abs=20)
    moved = update(last_location={"location": location(37.705)["point"]})
    assert moved.last_location.location.latitude == 37.705
    after = services.get_task_tracking_info(name=info.name)
    assert after.remaining_driving_distance_meters.value == pytest.approx(556, abs=20)
    assert after.estimated_arrival_time.seconds > fleet.now


@guess("tasks of a stop that is removed")
@rule("UpdateTaskRequest.task", "removing the stop of a task closes it")
@rule("Task.journey_sharing_info", "is not set for a closed task")
def test_removed_stop_closes_its_tasks(assigned, update, services):
    update(remaining_vehicle_journey_segments=[segment(37.72, "k2", state="ENROUTE")])
    first, second = (services.get_task(name=task_name(each)) for each in ("k1", "k2"))
    assert (first.state, second.state) == (types.Task.State.CLOSED, types.Task.State.OPEN)
    assert not first.HasField("journey_sharing_info") and first.delivery_vehicle_id == "d1"
    assert len(second.journey_sharing_info.remaining_vehicle_journey_segments) == 1


def test_state_of_a_stop_can_be_changed(assigned, update):
    changed = update(remaining_vehicle_journey_segments=[
        segment(37.71, "k1", state="ARRIVED"), segment(37.72, "k2")])
    first, second = changed.remaining_vehicle_journey_segments
    assert first.stop.state == State.ARRIVED
    before = assigned.remaining_vehicle_journey_segments
    assert [first.path, second.path] == [each.path for each in before]


@guess("journey of a delivery vehicle")
def test_invalid_journeys_are_refused(
        assigned, create, add_task, services, update, invalid, missing, failure):
    field = "delivery_vehicle.remaining_vehicle_journey_segments[0].stop"

    def plan(*segments, **more):
        return {"remaining_vehicle_journey_segments": segments, **more}

    assert invalid(update, **plan({"stop": {"state": "NEW"}})) == [f"{field}.planned_location"]
    assert invalid(update, **plan({"stop": {"planned_location": location(1)}})) == [
        f"{field}.state"]
    assert invalid(update, **plan(segment(91))) == [f"{field}.planned_location.point"]
    assert invalid(update, **plan(segment(37.7, "k1", "k1"))) == [f"{field}.tasks[1].task_id"]
    missing(update, "Task", task_name("k9"), **plan(segment(37.7, "k9")))
    other = create("d2").name
    found = failure(update, **plan(segment(37.7, "k1"), name=other))
    assert found.code == "FAILED_PRECONDITION"
    assert found.details["PreconditionFailure"].violations[0].type == "TASK_ASSIGNED"
    update(**plan())
    found = failure(update, **plan(segment(37.7, "k1")))
    assert found.details["PreconditionFailure"].violations[0].type == "TASK_CLOSED"


@guess("route of a delivery vehicle")
@rule("DeliveryVehicle.remaining_distance_meters", "is that of the first segment of a task")
@rule("DeliveryVehicle.remaining_duration", "is that of the first segment of a task")
def test_driver_reports_the_current_route(assigned, update, services):
    updated = update(
        current_route_segment=ROUTE, remaining_distance_meters=900,
        remaining_duration={"seconds": 90}, navigation_status="ENROUTE_TO_DESTINATION")
    assert updated.current_route_segment == ROUTE
    assert updated.remaining_distance_meters.value == 900
    [segment] = services.get_task(
        name=task_name("k1")).journey_sharing_info.remaining_vehicle_journey_segments
    assert segment.driving_distance_meters.value == 900
    assert segment.driving_duration.seconds == 90


@rule("DeliveryVehicle.remaining_distance_meters", "is ignored without a route")
def test_distance_without_a_route_is_ignored(assigned, update):
    assert not update(remaining_distance_meters=900).HasField("remaining_distance_meters")


@rule("UpdateDeliveryVehicleRequest.update_mask", "has at least one field")
@rule("UpdateDeliveryVehicleRequest.delivery_vehicle", "the name cannot be updated")
def test_invalid_masks_are_refused(create, update, invalid):
    create()
    for mask in ([], ["name"], ["wings"]):
        assert invalid(update, mask=mask) == ["update_mask"]
    assert update(mask=["type"], type_="BICYCLE").type_ == Kind.BICYCLE
    assert invalid(update, attributes=[{"key": ""}]) == ["delivery_vehicle.attributes[0].key"]


@rule("DeliveryService.DeleteDeliveryVehicle", "fails if the vehicle has OPEN tasks")
def test_vehicle_with_tasks_cannot_be_deleted(assigned, services, update, failure, missing):
    found = failure(services.delete_delivery_vehicle, name=NAME)
    assert found.code == "FAILED_PRECONDITION"
    assert "k1, k2" in found.message
    update(mask=["remaining_vehicle_journey_segments"])
    assert services.delete_delivery_vehicle(name=NAME) is None
    missing(services.get_delivery_vehicle, "DeliveryVehicle", NAME, name=NAME)


@rule("DeliveryVehicle.remaining_vehicle_journey_segments", "are not in the answer of ListDeliveryVehicles")
@rule("ListDeliveryVehiclesRequest.filter", "supports only attributes")
@rule("ListDeliveryVehiclesRequest.viewport", "the last location is in it")
@rule("ListDeliveryVehiclesResponse.total_size", "counts all pages")
def test_vehicles_are_listed(assigned, create, services, invalid):
    create("d2", last_location={"location": location(37.8)["point"]},
           attributes=[{"key": "depot", "value": "south"}])
    create("d3")

    def listed(**request):
        response = services.list_delivery_vehicles(parent=PARENT, **request)
        return [each.name.rpartition("/")[2] for each in response.delivery_vehicles]

    assert listed() == ["d1", "d2", "d3"]
    assert listed(filter="attributes.depot = south") == ["d2"]
    assert listed(viewport={"low": location(37.79, -122.41)["point"],
                            "high": location(37.81, -122.39)["point"]}) == ["d2"]
    first = services.list_delivery_vehicles(parent=PARENT, page_size=2)
    assert first.total_size == 3
    assert not first.delivery_vehicles[0].remaining_vehicle_journey_segments
    assert listed(page_size=2, page_token=first.next_page_token) == ["d3"]
    for request in ({"page_token": "x"}, {"page_size": -1}, {"filter": "type = AUTO"}):
        assert invalid(services.list_delivery_vehicles, parent=PARENT, **request) == list(request)
    assert invalid(services.list_delivery_vehicles, parent="p") == ["parent"]
