"""Tasks of deliveries, and what recipients see of them (DeliveryService)."""

from google.maps.fleetengine_delivery_v1 import types

from support.fleet_model import deliveries, filters
from support.fleet_model.failure import Failed, Invalid, check_page, checked_paths
from support.fleet_model.places import seconds, timestamp
from support.fleet_model.trips import copy_fields

Task, TrackingInfo = types.Task.pb(), types.TaskTrackingInfo.pb()
OPEN, CLOSED = 1, 2
PICKUP, DELIVERY, SCHEDULED_STOP, UNAVAILABLE = 1, 2, 3, 4
PROVIDER, LAST_VEHICLE_LOCATION = 2, 3
CREATED = ["type_", "state", "tracking_id", "planned_location", "task_duration", "target_time_window",
           "task_tracking_view_config", "attributes"]
UPDATED = {"state", "task_outcome", "task_outcome_time", "task_outcome_location", "target_time_window",
           "task_tracking_view_config", "attributes"}
"""All except those that are immutable or maintained by Fleet Engine."""
MOST_IN_BATCH = 500
NEAR = 5
"""The number of stops within which recipients see the route and the location, by default."""
ENUMS = "state", "type", "task_outcome", "task_outcome_location_source"
FILTERED = {name: filters.enum_field(name) for name in ENUMS} | {
    name: filters.text_field(name) for name in ("tracking_id", "delivery_vehicle_id")} | {
    "task_outcome_time": filters.time_field("task_outcome_time")}


def check_create(invalid, request, prefix=""):
    task, field = request.task, f"{prefix}task"
    invalid.name(f"providers/p/tasks/{request.task_id}", "tasks", f"{prefix}task_id")
    invalid.unless(1 <= task.type_ <= 4, f"{field}.type")
    invalid.unless(task.state == OPEN, f"{field}.state")
    if task.type_ in (SCHEDULED_STOP, UNAVAILABLE):
        invalid.unless(not task.tracking_id, f"{field}.tracking_id")
    elif task.type_ in (PICKUP, DELIVERY):
        invalid.name(f"providers/p/taskTrackingInfo/{task.tracking_id}", "taskTrackingInfo", f"{field}.tracking_id")
    if task.planned_location.HasField("point") or task.type_ != UNAVAILABLE:
        invalid.place(task.planned_location, f"{field}.planned_location")
    invalid.unless(seconds(task.task_duration) > 0, f"{field}.task_duration")
    for other, _ in task.ListFields():
        invalid.unless(other.name in (*CREATED, "name"), f"{field}.{other.name}")
    check_common(invalid, task, field)


def check_common(invalid, task, field):
    if task.HasField("target_time_window"):
        window = task.target_time_window
        invalid.unless(window.HasField("start_time") and window.HasField("end_time")
                       and seconds(window.start_time) <= seconds(window.end_time), f"{field}.target_time_window")
    invalid.attributes(task.attributes, f"{field}.attributes")


def add(provider, parent, request):
    stored = Task(name=f"{parent}/tasks/{request.task_id}")
    copy_fields(request.task, stored, CREATED)
    provider.tasks[request.task_id] = stored


def create(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    check_create(invalid, request)
    invalid.raise_any()
    provider = model.provider(request.parent)
    if request.task_id in provider.tasks:
        raise Failed("ALREADY_EXISTS")
    add(provider, request.parent, request)
    return answer(provider, provider.tasks[request.task_id], model.now)


def create_batch(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    invalid.unless(1 <= len(request.requests) <= MOST_IN_BATCH, "requests")
    ids = [each.task_id for each in request.requests]
    for number, each in enumerate(request.requests):
        prefix = f"requests[{number}]."
        invalid.unless(each.parent in ("", request.parent), f"{prefix}parent")
        invalid.unless(not request.HasField("header") or not each.HasField("header") or each.header == request.header,
                       f"{prefix}header")
        check_create(invalid, each, prefix)
        invalid.unless(each.task_id not in ids[:number], f"{prefix}task_id")
    invalid.raise_any()
    provider = model.provider(request.parent)
    if any(each in provider.tasks for each in ids):
        raise Failed("ALREADY_EXISTS")
    for each in request.requests:
        add(provider, request.parent, each)
    return types.BatchCreateTasksResponse.pb()(
        tasks=[answer(provider, provider.tasks[each], model.now) for each in ids])


def get(model, request):
    provider = model.provider_of(request.name, "tasks")
    return answer(provider, provider.find_task(request.name), model.now)


def assigned(task):
    return task.state == OPEN and task.delivery_vehicle_id


def delete(model, request):
    provider = model.provider_of(request.name, "tasks")
    task = provider.find_task(request.name)
    if assigned(task):
        raise Failed("FAILED_PRECONDITION")
    del provider.tasks[request.name.rpartition("/")[2]]


def update(model, request):
    invalid, given = Invalid(), request.task
    provider = model.provider_of(given.name, "tasks", "task.name")
    paths = checked_paths(request.update_mask, UPDATED)
    task = provider.find_task(given.name)
    if "state" in paths:
        invalid.unless(given.state in (OPEN, CLOSED), "task.state")
    if "task_outcome" in paths:
        invalid.unless(given.task_outcome in (0, 1, 2), "task.task_outcome")
    if "task_outcome_location" in paths and given.task_outcome_location.HasField("point"):
        invalid.place(given.task_outcome_location, "task.task_outcome_location")
    checked = Task()
    copy_fields(given, checked, paths & {"target_time_window", "attributes"})
    check_common(invalid, checked, "task")
    invalid.raise_any()
    if "task_outcome" in paths and task.task_outcome not in (0, given.task_outcome):
        raise Failed("FAILED_PRECONDITION")
    if "state" in paths and given.state != task.state and (task.state == CLOSED or task.delivery_vehicle_id):
        raise Failed("FAILED_PRECONDITION")
    first = "task_outcome" in paths and given.task_outcome and not task.task_outcome
    copy_fields(given, task, paths)
    if "task_outcome_location" in paths and given.HasField("task_outcome_location"):
        task.task_outcome_location_source = PROVIDER
    elif first:
        vehicle = provider.delivery_vehicles.get(task.delivery_vehicle_id)
        if vehicle and vehicle.message.HasField("last_location"):
            task.task_outcome_location.point.CopyFrom(vehicle.message.last_location.location)
            task.task_outcome_location_source = LAST_VEHICLE_LOCATION
    if first and "task_outcome_time" not in paths:
        task.task_outcome_time.CopyFrom(timestamp(model.now))
    return answer(provider, task, model.now)


def answer(provider, task, now):
    """Returns a task as GetTask answers it: with the way to it, but without the stops."""
    found = Task()
    found.CopyFrom(task)
    if assigned(task) and task.delivery_vehicle_id in provider.delivery_vehicles:
        vehicle = provider.delivery_vehicles[task.delivery_vehicle_id]
        info = found.journey_sharing_info
        info.SetInParent()
        info.remaining_vehicle_journey_segments.extend(deliveries.way_to(vehicle, task))
        if vehicle.message.HasField("last_location"):
            info.last_location.CopyFrom(deliveries.seen(vehicle.message.last_location, now))
            info.last_location_snappable = bool(vehicle.message.current_route_segment)
    return found


def listed(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    invalid.raise_any()
    filter_ = filters.parsed(request.filter, FILTERED)
    check_page(request)
    provider = model.provider(request.parent)
    return [answer(provider, task, model.now) for _, task in sorted(provider.tasks.items()) if filter_(task)]


def track(model, request):
    provider = model.provider_of(request.name, "taskTrackingInfo")
    tracking_id = request.name.rpartition("/")[2]
    found = [task for _, task in sorted(provider.tasks.items()) if task.tracking_id == tracking_id]
    if not found:
        raise Failed("NOT_FOUND")
    # The open task, then one with a vehicle, then the last outcome.
    task = max(found, key=lambda each: (each.state == OPEN, bool(each.delivery_vehicle_id),
                                        seconds(each.task_outcome_time)))
    info = TrackingInfo(name=request.name, tracking_id=tracking_id, state=task.state, task_outcome=task.task_outcome,
                        attributes=task.attributes)
    for field in "planned_location", "target_time_window", "task_outcome_time":
        if task.HasField(field):
            getattr(info, field).CopyFrom(getattr(task, field))
    if assigned(task) and task.delivery_vehicle_id in provider.delivery_vehicles:
        show_way(info, provider, provider.delivery_vehicles[task.delivery_vehicle_id], task, model.now)
    return info


def show_way(info, provider, vehicle, task, now):
    """Adds what the task's configuration lets the recipient see of the vehicle."""
    segments, config = deliveries.way_to(vehicle, task), task.task_tracking_view_config
    count, distance = len(segments), None
    if all(each.HasField("driving_distance_meters") for each in segments):
        distance = sum(each.driving_distance_meters.value for each in segments)
    arrival = deliveries.arrival(provider, vehicle, task, now)

    def visible(field, default=True):
        option = getattr(config, f"{field}_visibility")
        kind = option.WhichOneof("visibility_option")
        found = {"remaining_stop_count_threshold": count, "remaining_driving_distance_meters_threshold": distance,
                 "duration_until_estimated_arrival_time_threshold": arrival and arrival - now}
        if kind not in found:
            return {"always": True, "never": False, None: default}[kind]
        limit = getattr(option, kind)
        return found[kind] is not None and found[kind] <= (limit if isinstance(limit, int) else seconds(limit))

    if visible("remaining_stop_count"):
        info.remaining_stop_count.value = count
    if distance is not None and visible("remaining_driving_distance"):
        info.remaining_driving_distance_meters.value = distance
    if arrival and visible("estimated_arrival_time"):
        info.estimated_arrival_time.CopyFrom(timestamp(arrival))
    if arrival and visible("estimated_task_completion_time"):
        info.estimated_task_completion_time.CopyFrom(timestamp(deliveries.completion(provider, vehicle, task, now)))
    if visible("vehicle_location", count <= NEAR) and vehicle.message.HasField("last_location"):
        info.vehicle_location.CopyFrom(deliveries.seen(vehicle.message.last_location, now))
    if visible("route_polyline_points", count <= NEAR):
        for segment in segments:
            joins = segment.path and list(info.route_polyline_points[-1:]) == list(segment.path[:1])
            info.route_polyline_points.extend(segment.path[1 if joins else 0:])
