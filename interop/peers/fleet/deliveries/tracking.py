"""The TaskTrackingInfo that GetTaskTrackingInfo returns: what the recipient of a shipment may see."""

from google.maps.fleetengine_delivery_v1 import types

from peers.fleet.deliveries.answers import fill_location, index_of, rest_of, seconds_left
from peers.fleet.deliveries.task import State
from peers.fleet.services import names
from peers.fleet.services.masks import copy_fields
from peers.fleet.serving.answer import set_time

Option = types.TaskTrackingViewConfig.VisibilityOption.pb()
NEAR, ALWAYS = Option(remaining_stop_count_threshold=5), Option(always=True)
VISIBILITY = {
    "route_polyline_points": ("route_polyline_points_visibility", NEAR),
    "vehicle_location": ("vehicle_location_visibility", NEAR),
    "estimated_arrival_time": ("estimated_arrival_time_visibility", ALWAYS),
    "estimated_task_completion_time": ("estimated_task_completion_time_visibility", ALWAYS),
    "remaining_driving_distance_meters": ("remaining_driving_distance_visibility", ALWAYS),
    "remaining_stop_count": ("remaining_stop_count_visibility", ALWAYS),
}
"""The option for each field, and the option where the task has none."""
COMMON = (
    "tracking_id", "state", "task_outcome", "task_outcome_time", "planned_location",
    "target_time_window", "attributes")


def tracking_message(fleet, task):
    message = types.TaskTrackingInfo.pb()(
        name=names.name(fleet, "taskTrackingInfo", task.message.tracking_id))
    copy_fields(COMMON, task.message, message)
    if task.is_assigned:
        fill_journey(message, fleet, task)
        hide(message, task.message.task_tracking_view_config, fleet.now)
    return message


def best_task(tasks):
    """Returns the task to show of several with one tracking ID: an open one, or the one that ended last."""
    return max(tasks, key=lambda task: (
        task.message.state == State.OPEN, task.vehicle is not None,
        task.message.task_outcome_time.ToNanoseconds()))


def fill_journey(message, fleet, task):
    """Fills everything about the way to the stop of the task."""
    vehicle, index, now = task.vehicle, index_of(task), fleet.now
    fill_location(message.vehicle_location, vehicle, now)
    message.remaining_stop_count.value = index + 1
    paths = [leg.path for leg in vehicle.legs[:index + 1]]
    paths[0] = rest_of(vehicle, now)
    message.remaining_driving_distance_meters.value = round(sum(path.length for path in paths))
    # Each path begins where the one before ends.
    points = [*paths[0].points, *(point for path in paths[1:] for point in path.points[1:])]
    for latitude, longitude in points:
        message.route_polyline_points.add(latitude=latitude, longitude=longitude)
    *_, (leg, _, eta) = list(vehicle.timetable())[:index + 1]
    if not vehicle.drives:
        eta += now - vehicle.drive.arrival + seconds_left(vehicle, now) / 1e9
    set_time(message.estimated_arrival_time, eta)
    stop = leg.stop.tasks
    work = sum(fleet.tasks[each].seconds for each in stop[:stop.index(task.id) + 1])
    set_time(message.estimated_task_completion_time, eta + work / vehicle.speedup)


def hide(message, config, now):
    """Clears the fields that the recipient may not see yet."""
    stops = message.remaining_stop_count.value
    meters = message.remaining_driving_distance_meters.value
    seconds = message.estimated_arrival_time.ToNanoseconds() / 1e9 - now
    for field, (name, default) in VISIBILITY.items():
        option = getattr(config, name) if config.HasField(name) else default
        if not is_visible(option, stops, meters, seconds):
            message.ClearField(field)


def is_visible(option, stops, meters, seconds):
    kind = option.WhichOneof("visibility_option")
    if kind == "remaining_stop_count_threshold":
        return stops <= option.remaining_stop_count_threshold
    if kind == "remaining_driving_distance_meters_threshold":
        return meters <= option.remaining_driving_distance_meters_threshold
    if kind == "duration_until_estimated_arrival_time_threshold":
        limit = option.duration_until_estimated_arrival_time_threshold
        return seconds <= limit.ToNanoseconds() / 1e9
    return kind == "always"
