"""The DeliveryVehicle and Task that the methods return."""

from google.maps.fleetengine_delivery_v1 import types

from peers.fleet.services import names
from peers.fleet.services.vehicle_answer import fill_provided_location, speed_of
from peers.fleet.serving.answer import set_location, set_point
from peers.fleet.services.masks import copy_fields

DeliveryVehicle, Task = types.DeliveryVehicle.pb(), types.Task.pb()
Navigation = types.DeliveryVehicleNavigationStatus
DRIVER = (
    "current_route_segment", "current_route_segment_end_point", "remaining_distance_meters",
    "remaining_duration")
"""The fields about the current route that the driver's app reports."""


def delivery_vehicle_message(fleet, vehicle, segments=True):
    message = DeliveryVehicle()
    message.CopyFrom(vehicle.details)
    message.name = names.name(fleet, "deliveryVehicles", vehicle.id)
    fill_location(message.last_location, vehicle, fleet.now)
    if vehicle.drives and vehicle.drive:
        fill_current_route(message, vehicle, fleet.now)
    if segments:
        fill_segments(message.remaining_vehicle_journey_segments, fleet, vehicle)
    return message


def fill_location(message, vehicle, now):
    if not fill_provided_location(message, vehicle):
        set_location(message, vehicle.report(now), speed_of(vehicle) if vehicle.drives else 0.0, now)


def fill_current_route(message, vehicle, now):
    path = rest_of(vehicle, now)
    message.navigation_status = (
        Navigation.ARRIVED_AT_DESTINATION if vehicle.stands else Navigation.ENROUTE_TO_DESTINATION)
    message.current_route_segment = vehicle.drive.path.s2.encode()
    set_point(message.current_route_segment_end_point, vehicle.legs[0].stop.point)
    message.remaining_distance_meters.value = round(path.length)
    message.remaining_duration.FromNanoseconds(seconds_left(vehicle, now))


def rest_of(vehicle, now):
    """Returns the path from the last reported location to the next stop."""
    drive = vehicle.drive
    return drive.path.after(drive.meters(vehicle.report(now).time))


def seconds_left(vehicle, now):
    """Returns the driving time to the next stop, in nanoseconds."""
    return round(max(vehicle.drive.arrival - now, 0) * 1e6) * 1000


def fill_segments(segments, fleet, vehicle):
    """Fills the journey of a vehicle. The first segment begins where the stop was added to it."""
    for index, leg in enumerate(vehicle.legs):
        segment = segments.add()
        stop = segment.stop
        set_point(stop.planned_location.point, leg.stop.point)
        stop.state = vehicle.state(index)
        for task_id in leg.stop.tasks:
            task = fleet.tasks[task_id].message
            info = stop.tasks.add(task_id=task_id, task_duration=task.task_duration)
            if task.HasField("target_time_window"):
                info.target_time_window.CopyFrom(task.target_time_window)
        fill_driving(segment, vehicle, leg.path)


def fill_driving(segment, vehicle, path):
    segment.driving_distance_meters.value = round(path.length)
    segment.driving_duration.FromNanoseconds(round(path.length / vehicle.speed * 1e6) * 1000)
    for latitude, longitude in path.points:
        segment.path.add(latitude=latitude, longitude=longitude)


def task_message(fleet, task):
    message = Task()
    message.CopyFrom(task.message)
    message.name = names.name(fleet, "tasks", task.id)
    if task.vehicle:
        message.delivery_vehicle_id = task.vehicle.id
    if task.is_assigned:
        fill_journey_sharing(message.journey_sharing_info, task, fleet.now)
    return message


def index_of(task):
    """Returns the index of the stop of an assigned task."""
    return next(index for index, stop in enumerate(task.vehicle.stops) if task.id in stop.tasks)


def fill_journey_sharing(info, task, now):
    """Fills the stops up to that of the task, without their tasks, and the location of the vehicle."""
    vehicle = task.vehicle
    for index, leg in enumerate(vehicle.legs[:index_of(task) + 1]):
        segment = info.remaining_vehicle_journey_segments.add()
        if index > 0:
            fill_driving(segment, vehicle, leg.path)
        elif not vehicle.stands:
            fill_driving(segment, vehicle, rest_of(vehicle, now))
            segment.driving_duration.FromNanoseconds(seconds_left(vehicle, now))
            fill_from_driver(segment, vehicle)
        else:
            fill_arrived(segment)
    fill_location(info.last_location, vehicle, now)
    info.last_location_snappable = bool(vehicle.drives or vehicle.details.current_route_segment)


def fill_arrived(segment):
    segment.driving_distance_meters.value = 0
    segment.driving_duration.FromSeconds(0)


def fill_from_driver(segment, vehicle):
    """Replaces the values by those that the driver's app reported, if it did."""
    if vehicle.details.HasField("remaining_distance_meters"):
        segment.driving_distance_meters.CopyFrom(vehicle.details.remaining_distance_meters)
    if vehicle.details.HasField("remaining_duration"):
        segment.driving_duration.CopyFrom(vehicle.details.remaining_duration)


def copy_driver_fields(source, vehicle):
    copy_fields(DRIVER, source, vehicle.details)
