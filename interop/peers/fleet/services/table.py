"""The methods of the three services."""

from google.maps.fleetengine_delivery_v1 import types as delivery_types
from google.maps.fleetengine_v1 import types

from peers.fleet.services import (
    delivery_vehicles, task_updates, tasks, trip_updates, trips, vehicle_lists, vehicle_search,
    vehicles,
)
from peers.fleet.services.names import last_segment
from peers.fleet.serving.methods import Method, methods, name_id

TRIPS, VEHICLES = "maps.fleetengine.v1.TripService", "maps.fleetengine.v1.VehicleService"
DELIVERIES = "maps.fleetengine.delivery.v1.DeliveryService"


def of(name):
    """Returns the class of a request of on-demand trips."""
    return getattr(types, f"{name}Request").pb()


def of_delivery(name):
    return getattr(delivery_types, f"{name}Request").pb()


trip, _ = methods(TRIPS, "trips", "tripid")
billable_trip, _ = methods(TRIPS, "billableTrips", "tripid")
vehicle, all_vehicles = methods(VEHICLES, "vehicles", "vehicleid")
delivery_vehicle, all_delivery_vehicles = methods(
    DELIVERIES, "deliveryVehicles", "deliveryvehicleid")
task, all_tasks = methods(DELIVERIES, "tasks", "taskid")
tracking, _ = methods(DELIVERIES, "taskTrackingInfo", "trackingid")

METHODS = [
    trip("GetTrip", of("GetTrip"), trips.get_trip, name_id, takes_age=True),
    trip("CreateTrip", of("CreateTrip"), trips.create_trip, lambda request: request.trip_id),
    trip("DeleteTrip", of("DeleteTrip"), trips.delete_trip, name_id),
    trip("UpdateTrip", of("UpdateTrip"), trip_updates.update_trip, name_id),
    billable_trip(
        "ReportBillableTrip", of("ReportBillableTrip"), trips.report_billable_trip, name_id),
    # A driver may search the trips of the vehicle.
    Method(
        TRIPS, "SearchTrips", of("SearchTrips"), lambda _: "",
        lambda request: (
            ("vehicleid", request.vehicle_id) if request.vehicle_id else ("tripid", "*")),
        trips.search_trips),

    vehicle("GetVehicle", of("GetVehicle"), vehicles.get_vehicle, name_id),
    vehicle(
        "CreateVehicle", of("CreateVehicle"), vehicles.create_vehicle,
        lambda request: request.vehicle_id),
    vehicle("DeleteVehicle", of("DeleteVehicle"), vehicles.delete_vehicle, name_id),
    vehicle("UpdateVehicle", of("UpdateVehicle"), vehicles.update_vehicle, name_id),
    vehicle(
        "UpdateVehicleAttributes", of("UpdateVehicleAttributes"),
        vehicles.update_vehicle_attributes, name_id),
    all_vehicles("ListVehicles", of("ListVehicles"), vehicle_lists.list_vehicles),
    all_vehicles("SearchVehicles", of("SearchVehicles"), vehicle_search.search_vehicles),

    delivery_vehicle(
        "GetDeliveryVehicle", of_delivery("GetDeliveryVehicle"),
        delivery_vehicles.get_delivery_vehicle, name_id),
    delivery_vehicle(
        "CreateDeliveryVehicle", of_delivery("CreateDeliveryVehicle"),
        delivery_vehicles.create_delivery_vehicle, lambda request: request.delivery_vehicle_id),
    delivery_vehicle(
        "DeleteDeliveryVehicle", of_delivery("DeleteDeliveryVehicle"),
        delivery_vehicles.delete_delivery_vehicle, name_id),
    delivery_vehicle(
        "UpdateDeliveryVehicle", of_delivery("UpdateDeliveryVehicle"),
        delivery_vehicles.update_delivery_vehicle,
        lambda request: last_segment(request.delivery_vehicle.name)),
    all_delivery_vehicles(
        "ListDeliveryVehicles", of_delivery("ListDeliveryVehicles"),
        delivery_vehicles.list_delivery_vehicles),

    task("GetTask", of_delivery("GetTask"), tasks.get_task, name_id),
    task(
        "CreateTask", of_delivery("CreateTask"), tasks.create_task,
        lambda request: request.task_id),
    task("DeleteTask", of_delivery("DeleteTask"), tasks.delete_task, name_id),
    task(
        "UpdateTask", of_delivery("UpdateTask"), task_updates.update_task,
        lambda request: last_segment(request.task.name)),
    Method(
        DELIVERIES, "BatchCreateTasks", of_delivery("BatchCreateTasks"), lambda _: "",
        lambda request: ("taskids", [each.task_id for each in request.requests]),
        tasks.batch_create_tasks),
    all_tasks("ListTasks", of_delivery("ListTasks"), tasks.list_tasks),
    tracking(
        "GetTaskTrackingInfo", of_delivery("GetTaskTrackingInfo"), tasks.get_task_tracking_info,
        name_id),
]
