"""UpdateTask."""

from google.maps.fleetengine_delivery_v1 import types

from peers.fleet.deliveries.answers import task_message
from peers.fleet.deliveries.task import State
from peers.fleet.services.errors import Violations, failed_precondition, invalid
from peers.fleet.services.masks import copy_fields, fields_of, public
from peers.fleet.services.tasks import check_window, task_of
from peers.fleet.services.vehicles import check_attributes

SERVER_OWNED = {
    "name", "delivery_vehicle_id", "journey_sharing_info", "task_outcome_location_source",
}
IMMUTABLE = {"type_", "tracking_id", "planned_location", "task_duration"}
COPIED = {"target_time_window", "task_tracking_view_config", "attributes"}
OUTCOME = {"task_outcome", "task_outcome_time", "task_outcome_location"}


def update_task(fleet, request):
    given = request.task
    task = task_of(fleet, given.name, "task.name")
    fields = set(fields_of(request.update_mask, given, SERVER_OWNED))
    if immutable := IMMUTABLE & fields:
        raise invalid("update_mask", f"names {public(min(immutable))!r}, which is immutable")
    violations = Violations()
    if "attributes" in fields:
        check_attributes(violations, given.attributes, "task.attributes")
    if "target_time_window" in fields:
        check_window(violations, given, "task.")
    if "state" in fields:
        violations.require(given.state, "task.state")
    violations.require_point(given.task_outcome_location.point, "task.task_outcome_location.point")
    violations.raise_any()
    check_state(task, given, fields)
    if OUTCOME & fields:
        set_outcome(fleet, task, given, fields)
    if "state" in fields and given.state == State.CLOSED:
        task.close()
    copy_fields(COPIED & fields, given, task.message)
    return task_message(fleet, task)


def check_state(task, given, fields):
    """Raises FAILED_PRECONDITION if the state of the task does not permit the update."""
    name, now = given.name, task.message.task_outcome
    if "state" in fields:
        if given.state == State.OPEN and not task.is_open:
            raise failed_precondition("TASK_CLOSED", name, "is CLOSED")
        if given.state == State.CLOSED and task.is_assigned:
            raise failed_precondition(
                "TASK_ASSIGNED", name, f"is assigned to {task.vehicle.id}, whose stop has to go")
    if "task_outcome" in fields and now and given.task_outcome != now:
        raise failed_precondition(
            "TASK_OUTCOME", name, f"already has the outcome {types.Task.TaskOutcome(now).name}")


def set_outcome(fleet, task, given, fields):
    """Sets the outcome. Without a time or location, these are now and where the vehicle is."""
    outcome = given.task_outcome if "task_outcome" in fields else task.message.task_outcome
    has_time = "task_outcome_time" in fields and given.HasField("task_outcome_time")
    if "task_outcome" in fields and not task.message.task_outcome:
        task.set_outcome(outcome, fleet.now)
    if has_time:
        task.message.task_outcome_time.CopyFrom(given.task_outcome_time)
    if "task_outcome_location" in fields and given.HasField("task_outcome_location"):
        task.message.task_outcome_location.CopyFrom(given.task_outcome_location)
        task.message.task_outcome_location_source = (
            types.Task.TaskOutcomeLocationSource.PROVIDER)
