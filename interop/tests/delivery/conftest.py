"""A grpcio server for the methods that read and change resources, with the types of Google's packages."""

import json
import re
from types import SimpleNamespace

import grpc
import pytest
from google.maps import fleetengine_delivery_v1, fleetengine_v1
from google.protobuf import empty_pb2

from peers.servers.listening import Listening
from peers.tokens.service_account import ServiceAccount

PARENT = "providers/p"
# Collection, field and service of each type.
TYPES = {
    "Trip": ("trips", "trip", fleetengine_v1, "maps.fleetengine.v1.TripService"),
    "Vehicle": ("vehicles", "vehicle", fleetengine_v1, "maps.fleetengine.v1.VehicleService"),
    "Task": ("tasks", "task", fleetengine_delivery_v1,
             "maps.fleetengine.delivery.v1.DeliveryService"),
    "DeliveryVehicle": ("deliveryVehicles", "delivery_vehicle", fleetengine_delivery_v1,
                        "maps.fleetengine.delivery.v1.DeliveryService"),
}


class Deliveries(Listening, grpc.GenericRpcHandler):
    """Keeps resources by name, and the requests with their metadata."""

    def __init__(self):
        self.resources = {}
        self.calls = []
        self.page_size = 2
        self._failures = {}
        super().__init__(self, workers=4)

    def add(self, type_name, id, **fields):
        collection, _, module, _ = TYPES[type_name]
        name = f"{PARENT}/{collection}/{id}"
        self.resources[name] = getattr(module, type_name).pb()(name=name, **fields)
        return self.resources[name]

    def fail(self, method, code, message, after=0):
        """Lets a method fail after some calls that succeed."""
        self._failures[method] = (after, grpc.StatusCode[code], message)

    @property
    def requests(self):
        return [call.request for call in self.calls]

    def service(self, details):
        service, method = details.method.rsplit("/", 1)
        module = fleetengine_delivery_v1 if "delivery" in service else fleetengine_v1
        request_type = getattr(module, f"{method}Request").pb()

        def answer(request, context):
            self.calls.append(SimpleNamespace(
                path=details.method, request=request, metadata=dict(details.invocation_metadata)))
            return self.answer(service, method, request, context)

        return grpc.unary_unary_rpc_method_handler(
            answer, request_deserializer=request_type.FromString,
            response_serializer=lambda message: message if isinstance(message, bytes)
            else message.SerializeToString())

    def answer(self, service, method, request, context):
        verb = re.match("[A-Z][a-z]+", method)[0]
        type_name = method.removeprefix(verb)
        after, *failure = self._failures.get(method, (len(self.calls),))
        if len(self.calls) > after:
            context.abort(*failure)
        if method == "BatchCreateTasks":
            tasks = [self.create("Task", each.task_id, each.task) for each in request.requests]
            return fleetengine_delivery_v1.BatchCreateTasksResponse.pb()(tasks=tasks)
        if method == "ReportBillableTrip":
            return empty_pb2.Empty()
        if verb == "List":
            return self.page(type_name, request)
        if verb == "Create":
            field = TYPES[type_name][1]
            return self.create(
                type_name, getattr(request, f"{field}_id"), getattr(request, field))
        changed = getattr(request, TYPES[type_name][1]) if verb == "Update" else request
        if changed.name not in self.resources:
            context.abort(grpc.StatusCode.NOT_FOUND, f"{changed.name} does not exist")
        if verb == "Update":
            return self.update(changed, request.update_mask)
        if verb == "Get":
            return self.resources[request.name]
        del self.resources[request.name]
        return empty_pb2.Empty()

    def create(self, type_name, id, message):
        collection, _, _, _ = TYPES[type_name]
        assert not message.name
        message.name = f"{PARENT}/{collection}/{id}"
        self.resources[message.name] = message
        return message

    def update(self, message, mask):
        """Replaces the fields of the mask."""
        updated = self.resources[message.name]
        for path in mask.paths:
            resource, given = updated, message
            *outer, path = path.split(".")
            for name in outer:
                resource, given = getattr(resource, name), getattr(given, name)
            # In Python, a field with the name of a built-in function ends with an underscore.
            fields = resource.DESCRIPTOR.fields_by_name
            field = fields[path if path in fields else path + "_"]
            resource.ClearField(field.name)
            if field.is_repeated:
                getattr(resource, field.name).extend(getattr(given, field.name))
            elif field.message_type:
                if given.HasField(field.name):
                    getattr(resource, field.name).CopyFrom(getattr(given, field.name))
            else:
                setattr(resource, field.name, getattr(given, field.name))
        return updated

    def page(self, type_name, request):
        type_name = type_name.removesuffix("s")
        collection, field, module, _ = TYPES[type_name]
        found = [r for name, r in self.resources.items() if f"/{collection}/" in name]
        start = int(request.page_token or 0)
        end = start + self.page_size
        response = getattr(module, f"List{type_name}sResponse").pb()(
            next_page_token=str(end) if end < len(found) else "", total_size=len(found))
        getattr(response, field + "s").extend(found[start:end])
        return response


@pytest.fixture
def deliveries():
    with Deliveries() as server:
        yield server


@pytest.fixture(scope="session")
def service_account(tmp_path_factory):
    """The path of a new key."""
    path = tmp_path_factory.mktemp("account") / "key.json"
    path.write_text(json.dumps(ServiceAccount.make().info))
    return path
