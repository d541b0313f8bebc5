"""The simulated route of a delivery vehicle, and its change along the way."""

from google.maps.fleetengine_delivery_v1 import types

from peers.fleet.deliveries.task import State, Task
from peers.fleet.deliveries.vehicle import DeliveryStop
from peers.fleet.serving.answer import set_point, set_time

Kind = types.Task.Type
KINDS = [Kind.DELIVERY, Kind.PICKUP, Kind.DELIVERY, Kind.UNAVAILABLE, Kind.SCHEDULED_STOP]
UNTRACKED = {Kind.UNAVAILABLE, Kind.SCHEDULED_STOP}
"""The kinds of tasks that have no tracking ID."""
SECONDS = 30
"""The duration of a task."""
EARLY, LATE = 900, 2700
"""How long before and after the start of the route the first time window begins and ends, in seconds."""


def add_route(fleet, vehicle, points, at, *, tasks=1, failures=3, replan_after=2):
    """Plans a route with a stop at each point and adds its tasks, such as d1-1, with IDs in order.

    Every task with a number divisible by `failures` fails; None means that none does. After
    `replan_after` stops, the next two stops change places, and a stop with the task d1-urgent comes first.
    """
    stops, number = [], 0
    for index, point in enumerate(points):
        ids = []
        for _ in range(tasks):
            number += 1
            task = add_task(
                fleet, f"{vehicle.id}-{number}", KINDS[index % len(KINDS)], point, at,
                will_fail=bool(failures) and number % failures == 0)
            ids.append(task.id)
        stops.append(stop_of(fleet, point, ids))
    vehicle.details.attributes.add(key="depot", value="north", string_value="north")
    vehicle.assign_stops(stops, at)
    if replan_after is not None:
        vehicle.replans[replan_after] = lambda at: change_route(fleet, vehicle, at)


def change_route(fleet, vehicle, at):
    """Changes the places of the next two stops and adds an urgent stop before them."""
    count = len(vehicle.stops)
    if count < 2:
        return
    vehicle.replan([1, 0, *range(2, count)], at)
    ends = [vehicle.position(at), vehicle.stops[0].point]
    halfway = tuple(round(sum(each) / 2, 6) for each in zip(*ends))
    task = add_task(fleet, f"{vehicle.id}-urgent", Kind.DELIVERY, halfway, at)
    vehicle.insert(stop_of(fleet, halfway, [task.id]), 0, at)


def stop_of(fleet, point, task_ids):
    """Returns a stop for these tasks of the fleet."""
    return DeliveryStop(
        point, tuple(task_ids), sum(fleet.tasks[task_id].seconds for task_id in task_ids))


def add_task(fleet, task_id, kind, point, at, will_fail=False):
    """Adds an open task at a point. Its tracking ID is its ID with the prefix track-."""
    message = types.Task.pb()(type_=kind, state=State.OPEN)
    if kind not in UNTRACKED:
        message.tracking_id = f"track-{task_id}"
    set_point(message.planned_location.point, point)
    message.task_duration.FromSeconds(SECONDS)
    set_time(message.target_time_window.start_time, at - EARLY)
    set_time(message.target_time_window.end_time, at + LATE)
    message.attributes.add(key="parcels", number_value=2)
    task = fleet.tasks[task_id] = Task(task_id, message, will_fail)
    return task
