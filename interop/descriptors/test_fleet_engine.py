"""Do our Fleet Engine protos equal those of PyPI's google-maps-fleetengine?"""

import inspect
import re

import grpc
from google.maps.fleetengine_v1 import types
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import (
    VehicleServiceGrpcTransport,
)

from descriptors.compare import differences, shape_of_files, shape_of_services

PACKAGE = "maps.fleetengine.v1"
NAMES = ["fleetengine", "header", "traffic", "trip_api", "trips", "vehicle_api", "vehicles"]
PATHS = [f"google/maps/fleetengine/v1/{name}.proto" for name in NAMES]


def their_class(message):
    """Returns the upstream Python class of a message, given its descriptor."""
    found = types
    for part in message.full_name.removeprefix(PACKAGE + ".").split("."):
        found = getattr(found, part)
    return found


def their_deprecated(descriptor):
    """Returns whether a message or field is deprecated according to the upstream docstrings.

    The upstream descriptors do not include it.
    """
    if hasattr(descriptor, "fields"):
        return their_class(descriptor).__doc__.startswith("Deprecated")
    attributes = inspect.cleandoc(their_class(descriptor.containing_type).__doc__)
    after = re.split(rf"(?m)^    {descriptor.name} \(.*\):$", attributes)[1]
    return "Deprecated" in re.split(r"(?m)^    \w+ \(.*\):$", after)[0]


def their_files():
    classes = [getattr(types, name) for name in types.__all__]
    files = {c.pb().DESCRIPTOR.file for c in classes if hasattr(c, "pb")}
    return sorted(files, key=lambda file: file.name)


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


def their_methods():
    channel = RecordingChannel()
    for transport in TripServiceGrpcTransport, VehicleServiceGrpcTransport:
        with grpc.insecure_channel("127.0.0.1:1") as unused:
            stub = transport(channel=unused)
        # The stub requests each method again, now from our channel.
        stub._logged_channel = channel
        stub._stubs.clear()
        for name, member in vars(transport).items():
            if isinstance(member, property):
                getattr(stub, name)
    return channel.methods


def test_messages_and_enums_equal_upstream(ours):
    theirs = shape_of_files(their_files(), deprecated=their_deprecated)
    assert len([name for name in theirs if theirs[name]["kind"] == "field"]) > 250
    assert differences(shape_of_files(ours(*PATHS)), theirs) == []


def test_methods_equal_upstream(ours):
    theirs = their_methods()
    assert len(theirs) == 13
    assert differences(shape_of_services(ours(*PATHS)), theirs) == []
