"""Do routing rules, timeouts and the retry policy match Google's own clients?"""

import json

import grpc
from google.api import routing_pb2
from google.api_core import exceptions
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import (
    VehicleServiceGrpcTransport,
)

from support.paths import PROTOS
from descriptors.test_fleet_engine import PATHS

CONFIG = PROTOS / "google/maps/fleetengine/v1/fleetengine_grpc_service_config.json"


def seconds(text):
    assert text.endswith("s")
    return float(text[:-1])


def our_config():
    """Returns the timeout in seconds and the retry policy by method path."""
    return {
        f"/{name['service']}/{name['method']}": (seconds(config["timeout"]), config["retryPolicy"])
        for config in json.loads(CONFIG.read_text())["methodConfig"]
        for name in config["name"]
    }


def their_config():
    """Returns the timeout in seconds and the Retry, or None, by method path."""
    config = {}
    with grpc.insecure_channel("127.0.0.1:1") as channel:
        for transport in TripServiceGrpcTransport, VehicleServiceGrpcTransport:
            service = transport.__name__.removesuffix("GrpcTransport")
            stub = transport(channel=channel)
            for name in (name for name in vars(transport) if callable(getattr(stub, name, None))):
                wrapped = stub._wrapped_methods.get(getattr(stub, name))
                if wrapped:
                    method = "".join(word.capitalize() for word in name.split("_"))
                    config[f"/maps.fleetengine.v1.{service}/{method}"] = (
                        wrapped._timeout, wrapped._retry)
    return config


def test_timeouts_and_retries_equal_those_of_pypi():
    ours, theirs = our_config(), their_config()
    assert len(theirs) == 13
    assert set(ours) == {path for path, (_, retry) in theirs.items() if retry}
    for path, (timeout, policy) in ours.items():
        their_timeout, retry = theirs[path]
        assert timeout == getattr(their_timeout, "_timeout", their_timeout)
        assert seconds(policy["initialBackoff"]) == retry._initial
        assert seconds(policy["maxBackoff"]) == retry._maximum
        assert policy["backoffMultiplier"] == retry._multiplier
        assert policy["maxAttempts"] == 5
        assert policy["retryableStatusCodes"] == ["UNAVAILABLE"]
        assert retry._predicate(exceptions.ServiceUnavailable("down"))
        assert not retry._predicate(exceptions.DeadlineExceeded("late"))


def test_every_method_is_routed_by_the_provider(our_files):
    methods = [
        (file, method) for file in our_files if file.name in PATHS
        for service in file.service for method in service.method
    ]
    assert len(methods) == 13
    for file, method in methods:
        [parameter] = method.options.Extensions[routing_pb2.routing].routing_parameters
        request = next(m for m in file.message_type if m.name == method.input_type.split(".")[-1])
        assert parameter.path_template == "{provider_id=providers/*}"
        wanted = "name" if any(field.name == "name" for field in request.field) else "parent"
        assert parameter.field == wanted, method.name
        assert any(field.name == wanted for field in request.field), method.name
