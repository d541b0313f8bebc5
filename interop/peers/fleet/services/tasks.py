"""The methods of DeliveryService about tasks, except UpdateTask."""

from google.maps.fleetengine_delivery_v1 import types
from google.protobuf import empty_pb2

from peers.fleet.deliveries.answers import task_message
from peers.fleet.deliveries.plan import UNTRACKED
from peers.fleet.deliveries.task import State, Task
from peers.fleet.deliveries.tracking import best_task, tracking_message
from peers.fleet.services import names
from peers.fleet.services.errors import (
    Violations, already_exists, failed_precondition, not_found,
)
from peers.fleet.services.filters import lookup, parse_filter
from peers.fleet.services.masks import public
from peers.fleet.services.pages import page_of
from peers.fleet.services.vehicles import check_attributes

SETTABLE = {
    "name", "type_", "state", "tracking_id", "planned_location", "task_duration",
    "target_time_window", "task_tracking_view_config", "attributes",
}
"""The fields that CreateTask accepts. It ignores the name."""
MAX_BATCH = 500
FILTERED = (
    "delivery_vehicle_id", "state", "task_outcome", "task_outcome_location_source",
    "task_outcome_time", "tracking_id", "type")
"""The fields that filters can use besides attributes."""


def task_of(fleet, name, field="name"):
    """Returns the task with this name."""
    task_id = names.resource_id(fleet, name, "tasks", "TASK", field)
    if task_id not in fleet.tasks:
        # A vehicle may have added it since the last call.
        fleet.catch_up()
    if not (task := fleet.tasks.get(task_id)):
        raise not_found("Task", name)
    if task.vehicle:
        task.vehicle.catch_up(fleet.now)
    return task


def get_task(fleet, request):
    return task_message(fleet, task_of(fleet, request.name))


def create_task(fleet, request):
    violations = Violations()
    check_create(fleet, violations, request, "")
    violations.raise_any()
    return add(fleet, request)


def batch_create_tasks(fleet, request):
    violations = Violations()
    names.check_parent(fleet, violations, request.parent)
    violations.require(request.requests, "requests")
    violations.require(
        len(request.requests) <= MAX_BATCH, "requests", f"has more than {MAX_BATCH} tasks")
    for index, each in enumerate(request.requests):
        violations.require(
            each.parent in ("", request.parent), f"requests[{index}].parent",
            "differs from the parent of the batch")
        violations.require(
            not each.HasField("header") or each.header == request.header,
            f"requests[{index}].header", "differs from the header of the batch")
        check_create(fleet, violations, each, f"requests[{index}].", has_parent=False)
    ids = [each.task_id for each in request.requests]
    violations.require(len(set(ids)) == len(ids), "requests", "has a task ID twice")
    violations.raise_any()
    for task_id in ids:
        check_new(fleet, task_id)
    return types.BatchCreateTasksResponse.pb()(
        tasks=[add(fleet, each) for each in request.requests])


def check_create(fleet, violations, request, prefix, has_parent=True):
    """Adds the violations of a CreateTaskRequest, which may be part of a batch."""
    given = request.task
    if has_parent:
        names.check_parent(fleet, violations, request.parent)
    names.check_id(violations, f"{prefix}task_id", request.task_id)
    field = f"{prefix}task."
    violations.require(given.type_, f"{field}type")
    violations.require(given.state == State.OPEN, f"{field}state", "must be OPEN")
    if given.type_ in UNTRACKED:
        violations.require(
            not given.tracking_id, f"{field}tracking_id",
            "must not be set for UNAVAILABLE and SCHEDULED_STOP")
    elif given.type_:
        names.check_id(violations, f"{field}tracking_id", given.tracking_id)
    violations.require(
        given.HasField("planned_location") or given.type_ == types.Task.Type.UNAVAILABLE,
        f"{field}planned_location")
    violations.require_point(given.planned_location.point, f"{field}planned_location.point")
    violations.require(
        given.task_duration.ToNanoseconds() > 0, f"{field}task_duration", "must be positive")
    for each, _ in given.ListFields():
        violations.require(each.name in SETTABLE, f"{field}{public(each.name)}", "must not be set")
    check_window(violations, given, field)
    check_attributes(violations, given.attributes, f"{field}attributes")


def check_window(violations, given, field):
    window = given.target_time_window
    violations.require(
        window.start_time.ToNanoseconds() <= window.end_time.ToNanoseconds(),
        f"{field}target_time_window", "ends before it starts")


def check_new(fleet, task_id):
    if task_id in fleet.tasks:
        raise already_exists("Task", names.name(fleet, "tasks", task_id))


def add(fleet, request):
    check_new(fleet, request.task_id)
    message = types.Task.pb()()
    message.CopyFrom(request.task)
    message.ClearField("name")
    task = fleet.tasks[request.task_id] = Task(request.task_id, message)
    return task_message(fleet, task)


def delete_task(fleet, request):
    task = task_of(fleet, request.name)
    if task.is_assigned:
        raise failed_precondition(
            "TASK_ASSIGNED", request.name, f"is OPEN and assigned to {task.vehicle.id}")
    del fleet.tasks[task.id]
    return empty_pb2.Empty()


def list_tasks(fleet, request):
    violations = Violations()
    names.check_parent(fleet, violations, request.parent)
    violations.raise_any()
    matches = parse_filter(request.filter, FILTERED, ordered=("task_outcome_time",))
    fleet.catch_up()
    found = [task for task in fleet.tasks.values() if matches(lookup_of(task))]
    page, token = page_of(found, request, lambda task: task.id)
    return types.ListTasksResponse.pb()(
        tasks=[task_message(fleet, task) for task in page], next_page_token=token,
        total_size=len(found))


def lookup_of(task):
    """Returns the function of the values of a task that a filter takes."""
    message = task.message
    return lookup(
        message,
        delivery_vehicle_id=task.vehicle.id if task.vehicle else None,
        state=State(message.state).name,
        task_outcome=types.Task.TaskOutcome(message.task_outcome).name,
        task_outcome_location_source=types.Task.TaskOutcomeLocationSource(
            message.task_outcome_location_source).name,
        task_outcome_time=message.task_outcome_time.ToNanoseconds()
        if message.HasField("task_outcome_time") else None,
        tracking_id=message.tracking_id or None,
        type=types.Task.Type(message.type_).name)


def get_task_tracking_info(fleet, request):
    tracking_id = names.resource_id(fleet, request.name, "taskTrackingInfo", "TRACKING_ID")
    fleet.catch_up()
    tasks = [task for task in fleet.tasks.values() if task.message.tracking_id == tracking_id]
    if not tasks:
        raise not_found("TaskTrackingInfo", request.name)
    return tracking_message(fleet, best_task(tasks))
