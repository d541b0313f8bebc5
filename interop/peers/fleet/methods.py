"""The methods of Fleet Engine's three services, with the types of Google's packages."""

import re
from dataclasses import dataclass

from google.maps.fleetengine_delivery_v1 import types as delivery_types
from google.maps.fleetengine_v1 import types
from google.protobuf import empty_pb2

SERVICES = {
    "maps.fleetengine.v1.TripService": (types, [
        "GetTrip", "CreateTrip", "DeleteTrip", "UpdateTrip", "ReportBillableTrip", "SearchTrips"]),
    "maps.fleetengine.v1.VehicleService": (types, [
        "GetVehicle", "CreateVehicle", "DeleteVehicle", "UpdateVehicle", "UpdateVehicleAttributes", "ListVehicles",
        "SearchVehicles"]),
    "maps.fleetengine.delivery.v1.DeliveryService": (delivery_types, [
        "GetDeliveryVehicle", "CreateDeliveryVehicle", "DeleteDeliveryVehicle", "UpdateDeliveryVehicle",
        "ListDeliveryVehicles", "GetTask", "CreateTask", "DeleteTask", "UpdateTask", "BatchCreateTasks", "ListTasks",
        "GetTaskTrackingInfo"]),
}
COLLECTIONS = {"trip_id": "trips", "vehicle_id": "vehicles", "task_id": "tasks",
               "delivery_vehicle_id": "deliveryVehicles", "tracking_id": "taskTrackingInfo"}
"""The collection of each kind of resource by the name of its ID, in requests and in the labels of Google's logs."""


@dataclass(frozen=True)
class Method:
    path: str
    request: type
    """The class of the request, of protobuf."""
    response: type

    @property
    def name(self):
        return self.path.rpartition("/")[2]

    def resource(self, request):
        """Returns what a call is about, such as tasks/k1; empty if it is about several resources."""
        for changed in "delivery_vehicle", "task":
            if self.name.startswith("Update") and changed in request.DESCRIPTOR.fields_by_name:
                request = getattr(request, changed)
        if name := getattr(request, "name", ""):
            return "/".join(name.split("/")[-2:])
        if self.name.startswith("Create"):
            return next(f"{collection}/{getattr(request, field)}" for field, collection in COLLECTIONS.items()
                        if field in request.DESCRIPTOR.fields_by_name)
        return ""


def response_of(module, name):
    """Returns the class of a method's response, of protobuf."""
    for wanted in f"{name}Response", re.sub("^(Get|Create|Update)", "", name):
        if hasattr(module, wanted):
            return getattr(module, wanted).pb()
    return empty_pb2.Empty


METHODS = {name: Method(f"/{service}/{name}", getattr(module, f"{name}Request").pb(), response_of(module, name))
           for service, (module, names) in SERVICES.items() for name in names}


def snake_case(method):
    """Returns the name of a method as Google's logs and Python clients have it: get_trip for GetTrip."""
    return re.sub("(?<!^)(?=[A-Z])", "_", method).lower()


def labels(resource):
    """Returns the labels that Google's logs have for a resource: {"trip_id": "t1"} for trips/t1."""
    collection, _, resource_id = resource.partition("/")
    return {label: resource_id for label, known in COLLECTIONS.items() if known == collection}
