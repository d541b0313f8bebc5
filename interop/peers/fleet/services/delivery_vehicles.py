"""The methods of DeliveryService about delivery vehicles."""

from google.maps.fleetengine_delivery_v1 import types
from google.protobuf import empty_pb2

from peers.fleet.deliveries.answers import copy_driver_fields, delivery_vehicle_message
from peers.fleet.deliveries.vehicle import DeliveryStop
from peers.fleet.services import names
from peers.fleet.services.errors import (
    Violations, already_exists, failed_precondition, invalid, not_found,
)
from peers.fleet.services.filters import lookup, parse_filter
from peers.fleet.services.masks import copy_fields, fields_of, public
from peers.fleet.services.pages import page_of
from peers.fleet.services.vehicle_lists import in_viewport
from peers.fleet.services.vehicles import check_attributes, fill_attributes, report_location

SETTABLE = {"name", "type_", "last_location", "attributes"}
"""The fields that CreateDeliveryVehicle accepts. It ignores the name."""
KEPT = {"type_", "attributes", "navigation_status"}
ROUTE = {
    "current_route_segment", "current_route_segment_end_point", "remaining_distance_meters",
    "remaining_duration",
}


def vehicle_of(fleet, name, field="name"):
    """Returns the delivery vehicle with this name."""
    vehicle_id = names.resource_id(
        fleet, name, "deliveryVehicles", "DELIVERY_VEHICLE", field)
    if not (vehicle := fleet.delivery_vehicles.get(vehicle_id)):
        raise not_found("DeliveryVehicle", name)
    vehicle.catch_up(fleet.now)
    return vehicle


def get_delivery_vehicle(fleet, request):
    return delivery_vehicle_message(fleet, vehicle_of(fleet, request.name))


def create_delivery_vehicle(fleet, request):
    given, violations = request.delivery_vehicle, Violations()
    names.check_parent(fleet, violations, request.parent)
    names.check_id(violations, "delivery_vehicle_id", request.delivery_vehicle_id)
    violations.require(request.HasField("delivery_vehicle"), "delivery_vehicle")
    for field, _ in given.ListFields():
        violations.require(
            field.name in SETTABLE, f"delivery_vehicle.{public(field.name)}", "must not be set")
    check_attributes(violations, given.attributes, "delivery_vehicle.attributes")
    violations.raise_any()
    name = names.name(fleet, "deliveryVehicles", request.delivery_vehicle_id)
    if request.delivery_vehicle_id in fleet.delivery_vehicles:
        raise already_exists("DeliveryVehicle", name)
    vehicle = fleet.new_delivery_vehicle(request.delivery_vehicle_id)
    copy_fields(["attributes"], given, vehicle.details)
    if given.type_:
        vehicle.details.type_ = given.type_
    fill_attributes(vehicle.details.attributes)
    report_location(fleet, vehicle, given, "delivery_vehicle")
    return delivery_vehicle_message(fleet, vehicle)


def delete_delivery_vehicle(fleet, request):
    vehicle = vehicle_of(fleet, request.name)
    if tasks := vehicle.tasks:
        ids = ", ".join(task.id for task in tasks)
        raise failed_precondition("DELIVERY_VEHICLE_HAS_TASKS", request.name, f"has the tasks {ids}")
    del fleet.delivery_vehicles[vehicle.id]
    return empty_pb2.Empty()


def update_delivery_vehicle(fleet, request):
    given, violations = request.delivery_vehicle, Violations()
    vehicle = vehicle_of(fleet, given.name, "delivery_vehicle.name")
    fields = set(fields_of(request.update_mask, given, {"name"}))
    if "attributes" in fields:
        check_attributes(violations, given.attributes, "delivery_vehicle.attributes")
    violations.raise_any()
    stops = None
    if "remaining_vehicle_journey_segments" in fields:
        stops = stops_of(fleet, vehicle, given.remaining_vehicle_journey_segments)
    if "last_location" in fields:
        report_location(fleet, vehicle, given, "delivery_vehicle")
    if stops is not None:
        vehicle.assign_stops(stops, fleet.now)
    if "current_route_segment" in fields or ROUTE & fields and given.current_route_segment:
        copy_driver_fields(given, vehicle)
    copy_fields(KEPT & fields, given, vehicle.details)
    fill_attributes(vehicle.details.attributes)
    return delivery_vehicle_message(fleet, vehicle)


def stops_of(fleet, vehicle, segments):
    """Returns the stops of a new journey, whose tasks must be open and not on another vehicle."""
    stops, seen = [], set()
    for index, segment in enumerate(segments):
        field = f"delivery_vehicle.remaining_vehicle_journey_segments[{index}].stop"
        stop = segment.stop
        violations = Violations()
        violations.require(stop.HasField("planned_location"), f"{field}.planned_location")
        violations.require_point(
            stop.planned_location.point, f"{field}.planned_location.point")
        violations.require(stop.state, f"{field}.state")
        violations.raise_any()
        tasks = []
        for info in stop.tasks:
            if info.task_id in seen:
                raise invalid(f"{field}.tasks", f"has {info.task_id} twice")
            seen.add(info.task_id)
            tasks.append(task_to_assign(fleet, vehicle, info.task_id))
        point = stop.planned_location.point
        stops.append(DeliveryStop(
            (point.latitude, point.longitude), tuple(task.id for task in tasks),
            sum(task.seconds for task in tasks), stop.state))
    return stops


def task_to_assign(fleet, vehicle, task_id):
    name = names.name(fleet, "tasks", task_id)
    if not (task := fleet.tasks.get(task_id)):
        raise not_found("Task", name)
    if not task.is_open:
        raise failed_precondition("TASK_CLOSED", name, "is CLOSED")
    if task.is_assigned and task.vehicle is not vehicle:
        raise failed_precondition("TASK_ASSIGNED", name, f"is assigned to {task.vehicle.id}")
    return task


def list_delivery_vehicles(fleet, request):
    violations = Violations()
    names.check_parent(fleet, violations, request.parent)
    violations.raise_any()
    matches = parse_filter(request.filter)
    fleet.catch_up()
    found = [
        message for message in (
            delivery_vehicle_message(fleet, vehicle, segments=False)
            for vehicle in fleet.delivery_vehicles.values())
        if in_viewport(request, message.last_location.location) and matches(lookup(message))]
    page, token = page_of(found, request)
    return types.ListDeliveryVehiclesResponse.pb()(
        delivery_vehicles=page, next_page_token=token, total_size=len(found))
