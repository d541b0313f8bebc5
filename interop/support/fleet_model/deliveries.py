"""Delivery vehicles and their journeys (DeliveryService)."""

from google.maps.fleetengine_delivery_v1 import types

from support.fleet_model import filters
from support.fleet_model.failure import Failed, Invalid, check_page, checked_paths, stored_attributes
from support.fleet_model.places import SPEED, decoded, duration, meters, reported, rest, seconds, seen
from support.fleet_model.trips import copy_fields, location_of
from support.fleet_model.vehicles import inside

Vehicle, Segment = types.DeliveryVehicle.pb(), types.VehicleJourneySegment.pb()
OPEN, CLOSED, ARRIVED = 1, 2, 3
CREATED = ["type_", "last_location", "attributes"]
ROUTE = ["current_route_segment", "current_route_segment_end_point", "remaining_distance_meters", "remaining_duration"]
JOURNEY = "remaining_vehicle_journey_segments"
UPDATED = {"type", "last_location", "attributes", *ROUTE, JOURNEY, "navigation_status", "past_locations"}
AT_STOP = 100
"""The distance in meters between the end of a route and the stop that it leads to."""


class StoredDeliveryVehicle:
    def __init__(self, name):
        self.message = Vehicle(name=name)
        self.id = name.rpartition("/")[2]
        self.reported_at = 0
        """When the driver's app reported the remaining duration."""
        self.arrived_at = None
        """When the vehicle arrived at its first stop, if it is there."""


def check_fields(invalid, vehicle, given):
    if "current_route_segment" in given:
        invalid.route(vehicle.current_route_segment, "delivery_vehicle.current_route_segment")
    if "attributes" in given:
        invalid.attributes(vehicle.attributes, "delivery_vehicle.attributes")
    if "last_location" in given and vehicle.HasField("last_location"):
        invalid.location(vehicle.last_location, "delivery_vehicle.last_location")
    if given & {"type", "type_"}:
        invalid.unless(0 <= vehicle.type_ <= 4, "delivery_vehicle.type")


def create(model, request):
    invalid, vehicle = Invalid(), request.delivery_vehicle
    invalid.parent(request.parent)
    vehicle_id = request.delivery_vehicle_id
    invalid.name(f"providers/p/deliveryVehicles/{vehicle_id}", "deliveryVehicles", "delivery_vehicle_id")
    invalid.unless(request.HasField("delivery_vehicle"), "delivery_vehicle")
    for field, _ in vehicle.ListFields():
        invalid.unless(field.name in (*CREATED, "name"), f"delivery_vehicle.{field.name}")
    check_fields(invalid, vehicle, set(CREATED))
    invalid.raise_any()
    provider = model.provider(request.parent)
    if request.delivery_vehicle_id in provider.delivery_vehicles:
        raise Failed("ALREADY_EXISTS")
    stored = StoredDeliveryVehicle(f"{request.parent}/deliveryVehicles/{request.delivery_vehicle_id}")
    store(stored, vehicle, CREATED, model.now)
    provider.delivery_vehicles[stored.id] = stored
    return answer(provider, stored, model.now)


def store(stored, vehicle, fields, now):
    copy_fields(vehicle, stored.message, fields)
    stored_attributes(stored.message)
    # The default is AUTO.
    stored.message.type_ = stored.message.type_ or 1
    if "last_location" in fields and vehicle.HasField("last_location"):
        stored.message.last_location.CopyFrom(reported(vehicle.last_location, now))


def update(model, request):
    invalid, vehicle = Invalid(), request.delivery_vehicle
    provider = model.provider_of(vehicle.name, "deliveryVehicles", "delivery_vehicle.name")
    paths = checked_paths(request.update_mask, UPDATED)
    stored = provider.find_delivery_vehicle(vehicle.name)
    if JOURNEY in paths:
        check_journey(invalid, vehicle.remaining_vehicle_journey_segments)
        invalid.raise_any()
        check_tasks(provider, stored, vehicle.remaining_vehicle_journey_segments)
    check_fields(invalid, vehicle, paths)
    invalid.raise_any()
    simple = {"type_" if path == "type" else path for path in paths} & {*CREATED, "navigation_status"}
    store(stored, vehicle, simple, model.now)
    if "current_route_segment" in paths and not vehicle.current_route_segment:
        end_route(stored)
    if JOURNEY in paths:
        plan(provider, stored, vehicle.remaining_vehicle_journey_segments, model.now)
    if vehicle.current_route_segment:
        copy_fields(vehicle, stored.message, paths & set(ROUTE))
        if "remaining_duration" in paths:
            stored.reported_at = model.now
    return answer(provider, stored, model.now)


def end_route(stored):
    for field in ROUTE:
        stored.message.ClearField(field)


def check_journey(invalid, segments):
    tasks = []
    for number, segment in enumerate(segments):
        field = f"delivery_vehicle.{JOURNEY}[{number}].stop"
        invalid.place(segment.stop.planned_location, f"{field}.planned_location")
        invalid.unless(1 <= segment.stop.state <= 3, f"{field}.state")
        for each, task in enumerate(segment.stop.tasks):
            invalid.unless(task.task_id and task.task_id not in tasks, f"{field}.tasks[{each}].task_id")
            tasks.append(task.task_id)


def check_tasks(provider, stored, segments):
    for segment in segments:
        for each in segment.stop.tasks:
            if each.task_id not in provider.tasks:
                raise Failed("NOT_FOUND")
    for segment in segments:
        for each in segment.stop.tasks:
            task = provider.tasks[each.task_id]
            if task.state == CLOSED or task.delivery_vehicle_id not in ("", stored.id):
                raise Failed("FAILED_PRECONDITION")


def place(segment):
    return segment.stop.planned_location.point


def plan(provider, stored, segments, now):
    """Replaces the journey: assigns the tasks of new stops, and closes those of removed ones."""
    journey = stored.message.remaining_vehicle_journey_segments
    old, new = list(journey), []
    for number, segment in enumerate(segments):
        made = Segment()
        made.CopyFrom(segment)
        before = place(segments[number - 1]) if number else None
        kept = kept_segment(old, segments, place(segment), before)
        add_way(made, kept, before or location_of(stored))
        new.append(made)
    ids = {each.task_id for segment in new for each in segment.stop.tasks}
    for segment in old:
        for each in segment.stop.tasks:
            if each.task_id not in ids and each.task_id in provider.tasks:
                provider.tasks[each.task_id].state = CLOSED
    for task_id in ids:
        provider.tasks[task_id].delivery_vehicle_id = stored.id
    # The route leads to the first stop.
    is_same = [place(each) for each in old[:1]] == [place(each) for each in new[:1]]
    if not is_same:
        end_route(stored)
    is_there = bool(new) and new[0].stop.state == ARRIVED
    stored.arrived_at = ((is_same and stored.arrived_at) or now) if is_there else None
    del journey[:]
    journey.extend(new)


def kept_segment(old, new, stop, before):
    """Returns the old segment of a stop if it has the same way: from the same stop, or from one that is removed."""
    for index, segment in enumerate(old):
        if place(segment) == stop:
            last = place(old[index - 1]) if index else None
            if last not in [place(each) for each in new]:
                last = None
            return segment if last == before else None
    return None


def length_of(path):
    return sum(meters(*ends) for ends in zip(path, path[1:]))


def add_way(segment, kept, begin):
    """Adds the way to a stop where the request has none: as before, or on a straight line."""
    is_given = segment.path or segment.HasField("driving_distance_meters") or segment.HasField("driving_duration")
    if kept and not is_given:
        copy_fields(kept, segment, ["path", "driving_distance_meters", "driving_duration"])
    if not segment.path and begin:
        segment.path.extend([begin, place(segment)])
    if segment.path and not segment.HasField("driving_distance_meters"):
        segment.driving_distance_meters.value = round(length_of(segment.path))
    if segment.HasField("driving_distance_meters") and not segment.HasField("driving_duration"):
        segment.driving_duration.CopyFrom(duration(segment.driving_distance_meters.value / SPEED))


def way_to(vehicle, task):
    """Returns the segments up to a task, without the stops. The first is from the vehicle to its next stop."""
    journey = vehicle.message.remaining_vehicle_journey_segments
    task_id = task.name.rpartition("/")[2]
    last = next(number for number, each in enumerate(journey)
                if task_id in [info.task_id for info in each.stop.tasks])
    found = []
    for each in journey[:last + 1]:
        part = Segment()
        part.CopyFrom(each)
        part.ClearField("stop")
        found.append(part)
    present_way(vehicle, journey[0], found[0])
    return found


def has_route(vehicle):
    """Whether the driver's app has reported a route that ends at the first stop."""
    route = decoded(vehicle.message.current_route_segment.decode())
    return bool(route) and meters(route[-1], place(vehicle.message.remaining_vehicle_journey_segments[0])) <= AT_STOP


def present_way(vehicle, first, part):
    """Sets the way from the vehicle to its next stop: the reported one, or a straight line."""
    message = vehicle.message
    if first.stop.state == ARRIVED:
        part.driving_distance_meters.value = 0
        part.driving_duration.Clear()
        part.driving_duration.SetInParent()
        del part.path[:]
        return
    here, route = location_of(vehicle), []
    if has_route(vehicle):
        route = decoded(message.current_route_segment.decode())
    path = rest(route or [place(first)], here)
    if here or route:
        length = length_of(path)
        del part.path[:]
        part.path.extend(path)
        part.driving_distance_meters.value = round(length)
        part.driving_duration.CopyFrom(duration(round(length) / SPEED))
    if route:
        for field, target in (("remaining_distance_meters", "driving_distance_meters"),
                              ("remaining_duration", "driving_duration")):
            if message.HasField(field):
                getattr(part, target).CopyFrom(getattr(message, field))
        if message.HasField("remaining_distance_meters") and not message.HasField("remaining_duration"):
            part.driving_duration.CopyFrom(duration(message.remaining_distance_meters.value / SPEED))


def arrival(provider, vehicle, task, now):
    """Returns when the vehicle arrives at the stop of a task, after the tasks of earlier stops; nothing if unknown.

    A vehicle that is late has not arrived.
    """
    journey = vehicle.message.remaining_vehicle_journey_segments
    first, *others = way_to(vehicle, task)
    if not first.HasField("driving_duration"):
        return None
    begin = now
    if has_route(vehicle) and vehicle.message.HasField("remaining_duration"):
        begin = vehicle.reported_at
    elif vehicle.message.HasField("last_location"):
        begin = seconds(vehicle.message.last_location.server_time)
    at = vehicle.arrived_at or max(now, begin + seconds(first.driving_duration))
    for number, segment in enumerate(others):
        at += sum(seconds(provider.tasks[each.task_id].task_duration) for each in journey[number].stop.tasks)
        at = max(now, at) + seconds(segment.driving_duration)
    return at


def completion(provider, vehicle, task, now):
    """Returns when a task is done: after those before it at its stop."""
    task_id, at = task.name.rpartition("/")[2], arrival(provider, vehicle, task, now)
    for segment in vehicle.message.remaining_vehicle_journey_segments:
        ids = [each.task_id for each in segment.stop.tasks]
        if task_id in ids and at:
            at += sum(seconds(provider.tasks[each].task_duration) for each in ids[:ids.index(task_id) + 1])
    return at


def get(model, request):
    provider = model.provider_of(request.name, "deliveryVehicles")
    return answer(provider, provider.find_delivery_vehicle(request.name), model.now, windows=True)


def delete(model, request):
    provider = model.provider_of(request.name, "deliveryVehicles")
    stored = provider.find_delivery_vehicle(request.name)
    if any(task.state == OPEN and task.delivery_vehicle_id == stored.id for task in provider.tasks.values()):
        raise Failed("FAILED_PRECONDITION")
    del provider.delivery_vehicles[stored.id]


def answer(provider, stored, now, windows=False):
    """Returns a vehicle with the durations of its tasks, and their time windows as GetDeliveryVehicle does."""
    found = Vehicle()
    found.CopyFrom(stored.message)
    found.ClearField("past_locations")
    if found.HasField("last_location"):
        found.last_location.CopyFrom(seen(stored.message.last_location, now))
    for segment in found.remaining_vehicle_journey_segments:
        for info in segment.stop.tasks:
            task = provider.tasks.get(info.task_id)
            info.task_duration.CopyFrom(task.task_duration)
            if windows and task.HasField("target_time_window"):
                info.target_time_window.CopyFrom(task.target_time_window)
    return found


def listed(model, request):
    invalid = Invalid()
    invalid.parent(request.parent)
    invalid.raise_any()
    filter_ = filters.parsed(request.filter)
    check_page(request)
    provider, found = model.provider(request.parent), []
    for _, stored in sorted(provider.delivery_vehicles.items()):
        if filter_(stored.message) and (not request.HasField("viewport") or inside(stored.message, request.viewport)):
            vehicle = answer(provider, stored, model.now)
            vehicle.ClearField(JOURNEY)
            found.append(vehicle)
    return found
