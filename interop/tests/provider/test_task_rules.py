"""Does the emulator serve tasks, as their provider changes them?"""

import pytest
from google.maps.fleetengine_delivery_v1 import types

from support.rules import guess, rule

PARENT = "providers/p"
State, Outcome, Source = (
    types.Task.State, types.Task.TaskOutcome, types.Task.TaskOutcomeLocationSource)
PLACE = {"point": {"latitude": 37.71, "longitude": -122.4}}


def name(task_id="k1"):
    return f"{PARENT}/tasks/{task_id}"


def new_task(**fields):
    task = {"type_": "DELIVERY", "state": "OPEN", "tracking_id": "track-1",
            "planned_location": PLACE, "task_duration": {"seconds": 60}} | fields
    return {field: value for field, value in task.items() if value is not None}


@pytest.fixture
def create(services):
    def create(task_id="k1", **fields):
        return services.create_task(parent=PARENT, task_id=task_id, task=new_task(**fields))

    return create


@pytest.fixture
def update(services):
    def update(mask=None, task_id="k1", **fields):
        return services.update_task(
            task={"name": name(task_id)} | fields,
            update_mask={"paths": list(fields) if mask is None else mask})

    return update


@pytest.fixture
def assign(services):
    """Plans a route of the vehicle d1 to these tasks."""
    def assign(*task_ids):
        services.create_delivery_vehicle(
            parent=PARENT, delivery_vehicle_id="d1", delivery_vehicle={"last_location": {
                "location": {"latitude": 37.7, "longitude": -122.4}}})
        services.update_delivery_vehicle(
            delivery_vehicle={
                "name": f"{PARENT}/deliveryVehicles/d1", "remaining_vehicle_journey_segments": [
                    {"stop": {"planned_location": PLACE, "state": "NEW",
                              "tasks": [{"task_id": each}]}} for each in task_ids]},
            update_mask={"paths": ["remaining_vehicle_journey_segments"]})

    return assign


@rule("CreateTaskRequest.task", "the optional fields are used, and the name is ignored")
def test_created_task_has_the_given_fields(create, services):
    window = {"start_time": {"seconds": 100}, "end_time": {"seconds": 200}}
    created = create(
        name="ignored", target_time_window=window,
        attributes=[{"key": "parcels", "number_value": 2}, {"key": "fragile", "bool_value": True}],
        task_tracking_view_config={"route_polyline_points_visibility": {"never": True}})
    assert created.name == name() and created.tracking_id == "track-1"
    assert (created.type_, created.state) == (types.Task.Type.DELIVERY, State.OPEN)
    assert created.target_time_window.end_time.seconds == 200
    assert created.attributes[1].bool_value
    assert created.task_tracking_view_config.route_polyline_points_visibility.never
    assert not created.delivery_vehicle_id and not created.HasField("journey_sharing_info")
    assert services.get_task(name=name()) == created


@rule("CreateTaskRequest.task", "planned_location is optional for UNAVAILABLE")
def test_break_needs_no_location_and_no_tracking_id(create):
    created = create(type_="UNAVAILABLE", tracking_id=None, planned_location=None)
    assert created.type_ == types.Task.Type.UNAVAILABLE


@guess("duration of a task")
@rule("CreateTaskRequest.task", "needs type, state OPEN, planned_location and task_duration")
@rule("CreateTaskRequest.task", "tracking_id is required, except for UNAVAILABLE and SCHEDULED_STOP")
@rule("CreateTaskRequest.task", "other fields must not be set")
@rule("Task.tracking_id", "follows the rules for IDs")
@rule("Task.attributes", "have unique keys")
@pytest.mark.parametrize("fields, wrong", [
    ({"type_": None}, "type"),
    ({"state": "CLOSED"}, "state"),
    ({"state": None}, "state"),
    ({"tracking_id": None}, "tracking_id"),
    ({"tracking_id": "a/b"}, "tracking_id"),
    ({"type_": "UNAVAILABLE"}, "tracking_id"),
    ({"type_": "SCHEDULED_STOP"}, "tracking_id"),
    ({"planned_location": None}, "planned_location"),
    ({"planned_location": {"point": {"longitude": 181}}}, "planned_location.point"),
    ({"task_duration": None}, "task_duration"),
    ({"task_duration": {"seconds": 0}}, "task_duration"),
    ({"task_outcome": "FAILED"}, "task_outcome"),
    ({"task_outcome_time": {"seconds": 1}}, "task_outcome_time"),
    ({"task_outcome_location": PLACE}, "task_outcome_location"),
    ({"delivery_vehicle_id": "d1"}, "delivery_vehicle_id"),
    ({"journey_sharing_info": {"last_location_snappable": True}}, "journey_sharing_info"),
    ({"target_time_window": {"start_time": {"seconds": 2}, "end_time": {"seconds": 1}}},
     "target_time_window"),
    ({"attributes": [{"key": "a"}, {"key": "a"}]}, "attributes"),
])
def test_invalid_tasks_are_refused(create, invalid, fields, wrong):
    assert invalid(create, **fields) == [f"task.{wrong}"]


@rule("CreateTaskRequest.task_id", "follows the rules for IDs")
@rule("CreateTaskRequest.parent", "has the form providers/{provider}")
def test_parent_and_id_are_checked(services, invalid):
    assert invalid(services.create_task, parent="p", task_id="a#b", task=new_task()) == [
        "parent", "task_id"]


@rule("CreateTaskRequest.task_id", "is unique")
def test_task_is_created_once(create, failure):
    create()
    found = failure(create)
    assert found.code == "ALREADY_EXISTS"
    assert found.details["ResourceInfo"].resource_name == name()


@rule("GetTaskRequest.name", "has the form providers/{provider}/tasks/{task}")
@rule("GetTaskTrackingInfoRequest.name", "has the form providers/{provider}/taskTrackingInfo/{tracking_id}")
def test_missing_tasks_are_reported(services, update, missing, invalid):
    for method in (services.get_task, services.delete_task):
        missing(method, "Task", name(), name=name())
        assert invalid(method, name="k1") == ["name"]
    missing(update, "Task", name(), task_outcome="FAILED")
    assert invalid(services.update_task, task={"name": "k1"}) == ["task.name"]
    tracking = f"{PARENT}/taskTrackingInfo/track-1"
    missing(services.get_task_tracking_info, "TaskTrackingInfo", tracking, name=tracking)
    assert invalid(services.get_task_tracking_info, name=name()) == ["name"]


# Batches


@rule("BatchCreateTasksResponse.tasks", "are the created tasks")
def test_batch_creates_all_tasks(services):
    response = services.batch_create_tasks(parent=PARENT, requests=[
        {"task_id": "k1", "task": new_task()},
        {"parent": PARENT, "task_id": "k2", "task": new_task(type_="PICKUP")}])
    assert [each.name for each in response.tasks] == [name("k1"), name("k2")]
    assert services.get_task(name=name("k2")) == response.tasks[1]


@rule("BatchCreateTasksRequest.parent", "those of the requests are empty or the same")
@rule("BatchCreateTasksRequest.header", "those of the requests are empty or the same")
def test_batch_creates_all_tasks_or_none(fleet, create, services, invalid, failure):
    assert set(invalid(services.batch_create_tasks, parent=PARENT, header={"trace_id": "y"}, requests=[
        {"task_id": "k1", "task": new_task()},
        {"parent": "providers/q", "task_id": "k1", "task": new_task(state=None)},
        {"header": {"trace_id": "x"}, "task_id": "k?", "task": new_task()}])) == {
        "requests[1].parent", "requests[1].task.state", "requests[1].task_id", "requests[2].header",
        "requests[2].task_id"}
    create("k2")
    found = failure(services.batch_create_tasks, parent=PARENT, requests=[
        {"task_id": each, "task": new_task()} for each in ("k1", "k2")])
    assert found.code == "ALREADY_EXISTS"
    assert [task.name for task in services.list_tasks(parent=PARENT).tasks] == [name("k2")]


@rule("BatchCreateTasksRequest.requests", "are at most 500")
def test_batch_has_up_to_500_tasks(services, invalid):
    requests = [{"task_id": f"k{number}", "task": new_task()} for number in range(501)]
    assert invalid(services.batch_create_tasks, parent=PARENT) == ["requests"]
    assert invalid(services.batch_create_tasks, parent=PARENT, requests=requests) == ["requests"]
    assert len(services.batch_create_tasks(parent=PARENT, requests=requests[1:]).tasks) == 500


# Updates


@rule("Task.task_outcome_location", "is the last location of the vehicle by default")
@rule("Task.task_outcome_location_source", "is LAST_VEHICLE_LOCATION by default")
def test_outcome_is_at_the_vehicle_by_default(fleet, create, assign, update):
    create()
    assign("k1")
    updated = update(task_outcome="FAILED")
    assert updated.task_outcome == Outcome.FAILED
    assert updated.task_outcome_location_source == Source.LAST_VEHICLE_LOCATION
    assert updated.task_outcome_location.point.latitude == 37.7
    assert updated.task_outcome_time.ToMicroseconds() / 1e6 == pytest.approx(fleet.now)
    assert updated.state == State.OPEN


@rule("Task.task_outcome_location_source", "is PROVIDER for a place of the provider")
def test_outcome_can_have_a_place_and_a_time(create, update):
    create()
    updated = update(
        task_outcome="SUCCEEDED", task_outcome_location=PLACE,
        task_outcome_time={"seconds": 1234})
    assert updated.task_outcome_location_source == Source.PROVIDER
    assert updated.task_outcome_location.point.latitude == 37.71
    assert updated.task_outcome_time.seconds == 1234


@guess("outcome of a task")
@rule("UpdateTaskRequest.task", "task_outcome cannot be changed")
def test_outcome_is_final(create, update, failure):
    create()
    update(task_outcome="SUCCEEDED")
    assert update(task_outcome="SUCCEEDED").task_outcome == Outcome.SUCCEEDED
    found = failure(update, task_outcome="FAILED")
    assert found.code == "FAILED_PRECONDITION"
    [violation] = found.details["PreconditionFailure"].violations
    assert (violation.type, violation.subject) == ("TASK_OUTCOME", name())


@rule("UpdateTaskRequest.task", "an assigned task is not closed by an update")
def test_assigned_task_is_closed_by_its_vehicle(create, assign, update, failure):
    create("k1"), create("k2")
    assign("k1")
    found = failure(update, state="CLOSED")
    assert found.details["PreconditionFailure"].violations[0].type == "TASK_ASSIGNED"
    assert update(state="CLOSED", task_id="k2").state == State.CLOSED
    assert failure(update, state="OPEN", task_id="k2").code == "FAILED_PRECONDITION"


@rule("UpdateTaskRequest.update_mask", "names the fields to update")
def test_other_fields_are_updated_by_their_mask(create, update):
    create(attributes=[{"key": "a", "string_value": "1"}])
    updated = update(
        mask=["attributes", "target_time_window"], attributes=[{"key": "b", "string_value": "2"}],
        target_time_window={"start_time": {"seconds": 4}, "end_time": {"seconds": 5}}, task_outcome="FAILED")
    assert [each.key for each in updated.attributes] == ["b"]
    assert updated.target_time_window.end_time.seconds == 5
    assert updated.task_outcome == Outcome.TASK_OUTCOME_UNSPECIFIED


@rule("UpdateTaskRequest.task", "fields that Fleet Engine maintains are not updated")
@rule("Task.planned_location", "is immutable")
@pytest.mark.parametrize("field", [
    "name", "journey_sharing_info", "task_outcome_location_source", "delivery_vehicle_id",
    "type", "tracking_id", "planned_location", "task_duration", "wings"])
def test_fields_that_cannot_be_updated(create, update, invalid, field):
    create()
    assert invalid(update, mask=[field]) == ["update_mask"]


@rule("UpdateTaskRequest.update_mask", "has at least one field")
def test_invalid_updates_are_refused(create, update, invalid):
    create()
    assert invalid(update) == ["update_mask"]
    assert invalid(update, task_outcome_location={"point": {"latitude": 91}}) == [
        "task.task_outcome_location.point"]
    assert invalid(update, state=0, target_time_window={
        "start_time": {"seconds": 2}, "end_time": {"seconds": 1}}) == [
        "task.state", "task.target_time_window"]


@rule("DeliveryService.DeleteTask", "fails if the task is OPEN and assigned")
def test_assigned_task_cannot_be_deleted(create, assign, services, failure, missing):
    create("k1"), create("k2")
    assign("k1")
    found = failure(services.delete_task, name=name())
    assert found.code == "FAILED_PRECONDITION"
    assert found.details["PreconditionFailure"].violations[0].type == "TASK_ASSIGNED"
    assert services.delete_task(name=name("k2")) is None
    missing(services.get_task, "Task", name("k2"), name=name("k2"))


# Lists


@rule("ListTasksRequest.page_token", "other parameters must match")
@rule("ListTasksResponse.total_size", "counts all pages")
def test_tasks_are_listed_by_page(create, services, invalid):
    for number in range(3):
        create(f"k{number}")
    first = services.list_tasks(parent=PARENT, page_size=2)
    second = services.list_tasks(parent=PARENT, page_size=2, page_token=first.next_page_token)
    assert [each.name for each in [*first.tasks, *second.tasks]] == [
        name(f"k{number}") for number in range(3)]
    assert (first.total_size, second.total_size, second.next_page_token) == (3, 3, "")
    for request in ({"page_token": "x"}, {"page_size": -1}, {"filter": "color = red"}):
        assert invalid(services.list_tasks, parent=PARENT, **request) == list(request)
    assert invalid(services.list_tasks, parent=PARENT, filter="state = OPEN",
                   page_token=first.next_page_token) == ["page_token"]
    assert invalid(services.list_tasks, parent="p") == ["parent"]


@rule("ListTasksRequest.filter", "compares the properties of tasks")
def test_tasks_are_listed_by_filter(create, assign, update, services):
    create("k1", attributes=[{"key": "floor", "number_value": 2}])
    create("k2", type_="PICKUP", tracking_id="track-2")
    create("k3")
    assign("k1", "k2")
    update(task_id="k3", task_outcome="FAILED", task_outcome_time={"seconds": 1000}, state="CLOSED")

    def listed(text):
        return [each.name.rpartition("/")[2]
                for each in services.list_tasks(parent=PARENT, filter=text).tasks]

    assert listed("delivery_vehicle_id = d1") == ["k1", "k2"]
    assert listed("state = CLOSED") == ["k3"]
    assert listed("type = PICKUP OR task_outcome = FAILED") == ["k2", "k3"]
    assert listed("tracking_id = track-1 AND state = OPEN") == ["k1"]
    assert listed('attributes.floor = "2"') == ["k1"]
    assert listed('task_outcome_time < "1970-01-01T01:00:00Z"') == ["k3"]
    assert listed("task_outcome_location_source = LAST_VEHICLE_LOCATION") == []
