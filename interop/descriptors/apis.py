"""The two APIs of Fleet Engine: our protos, and PyPI's packages."""

import inspect
import re
from dataclasses import dataclass
from types import ModuleType

import grpc
from google.maps import fleetengine_delivery_v1, fleetengine_v1
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import (
    DeliveryServiceGrpcTransport,
)
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import (
    VehicleServiceGrpcTransport,
)


@dataclass(frozen=True)
class Service:
    transport: type
    client: type

    @property
    def name(self):
        return self.transport.__name__.removesuffix("GrpcTransport")


@dataclass(frozen=True)
class Api:
    package: str
    folder: str
    names: tuple
    config: str
    module: ModuleType
    services: tuple
    # How many there are at least, so that a test that finds none fails.
    fields: int
    methods: int

    def __str__(self):
        return self.package

    @property
    def paths(self):
        return [f"{self.folder}/{name}.proto" for name in self.names]

    @property
    def config_path(self):
        return f"{self.folder}/{self.config}"

    def their_class(self, message):
        """Returns the upstream Python class of a message, given its descriptor."""
        found = self.module.types
        for part in message.full_name.removeprefix(self.package + ".").split("."):
            found = getattr(found, part)
        return found

    def their_deprecated(self, descriptor):
        """Returns whether a message or field is deprecated according to the upstream docstrings.

        The upstream descriptors do not include it.
        """
        if hasattr(descriptor, "fields"):
            return self.their_class(descriptor).__doc__.startswith("Deprecated")
        attributes = inspect.cleandoc(self.their_class(descriptor.containing_type).__doc__)
        after = re.split(rf"(?m)^    {descriptor.name} \(.*\):$", attributes)[1]
        return "Deprecated" in re.split(r"(?m)^    \w+ \(.*\):$", after)[0]

    def their_files(self):
        types = self.module.types
        classes = [getattr(types, name) for name in types.__all__]
        files = {c.pb().DESCRIPTOR.file for c in classes if hasattr(c, "pb")}
        return sorted(files, key=lambda file: file.name)

    def their_methods(self):
        """Returns the types of each method by its path."""
        channel = RecordingChannel()
        for service in self.services:
            with grpc.insecure_channel("127.0.0.1:1") as unused:
                stub = service.transport(channel=unused)
            # The stub requests each method again, now from our channel.
            stub._logged_channel = channel
            stub._stubs.clear()
            for name, member in vars(service.transport).items():
                if isinstance(member, property):
                    getattr(stub, name)
        return channel.methods

    def their_config(self):
        """Returns the timeout in seconds and the Retry, or None, by method path."""
        config = {}
        with grpc.insecure_channel("127.0.0.1:1") as channel:
            for service in self.services:
                stub = service.transport(channel=channel)
                names = [n for n in vars(service.transport) if callable(getattr(stub, n, None))]
                for name in names:
                    wrapped = stub._wrapped_methods.get(getattr(stub, name))
                    if wrapped:
                        config[f"/{self.package}.{service.name}/{camel_case(name)}"] = (
                            wrapped._timeout, wrapped._retry)
        return config

    def their_routing(self):
        """Returns the field in the routing header by method path, from the client's code."""
        routing = {}
        for service in self.services:
            for name, method in inspect.getmembers(service.client, inspect.isfunction):
                field = re.search(
                    r"routing_param_regex\.match\(request\.([\w.]+)\)", inspect.getsource(method))
                if field:
                    routing[f"/{self.package}.{service.name}/{camel_case(name)}"] = field[1]
        return routing


class RecordingChannel(grpc.Channel):
    """A channel without calls that records the methods requested by a stub."""

    def __init__(self):
        self.methods = {}

    def unary_unary(self, path, request_serializer, response_deserializer, **_):
        def name(codec):
            of = codec.__self__
            return (of.pb() if hasattr(of, "pb") else of).DESCRIPTOR.full_name

        self.methods[path] = dict(
            request=name(request_serializer), response=name(response_deserializer),
            client_streaming=False, server_streaming=False)

    unary_stream = stream_unary = stream_stream = subscribe = unsubscribe = close = None


def camel_case(name):
    return "".join(word.capitalize() for word in name.split("_"))


TRIPS = Api(
    package="maps.fleetengine.v1", folder="google/maps/fleetengine/v1",
    names=("fleetengine", "header", "traffic", "trip_api", "trips", "vehicle_api", "vehicles"),
    config="fleetengine_grpc_service_config.json", module=fleetengine_v1,
    services=(
        Service(TripServiceGrpcTransport, fleetengine_v1.TripServiceClient),
        Service(VehicleServiceGrpcTransport, fleetengine_v1.VehicleServiceClient),
    ),
    fields=250, methods=13)

DELIVERIES = Api(
    package="maps.fleetengine.delivery.v1", folder="google/maps/fleetengine/delivery/v1",
    names=(
        "common", "delivery_api", "delivery_vehicles", "header", "task_tracking_info", "tasks",
    ),
    config="fleetengine_delivery_grpc_service_config.json", module=fleetengine_delivery_v1,
    services=(Service(DeliveryServiceGrpcTransport, fleetengine_delivery_v1.DeliveryServiceClient),),
    fields=150, methods=12)

APIS = [TRIPS, DELIVERIES]
PATHS = [path for api in APIS for path in api.paths]
