"""Does the emulator answer any request with OK or an error that says what is wrong?"""

import random

import grpc
import pytest

from support.command import LONGEST
from peers.fleet import Fleet
from peers.fleet.methods import METHODS
from peers.recordings.filled import filled

PARENT = "providers/p"
NAMES = {
    "trips": "t1", "billableTrips": "b1", "vehicles": "v1", "deliveryVehicles": "d1",
    "tasks": "d1-1", "taskTrackingInfo": "track-d1-1"}
COLLECTIONS = {
    "BillableTrip": "billableTrips", "Trip": "trips", "DeliveryVehicle": "deliveryVehicles", "Vehicle": "vehicles",
    "Task": "tasks", "TaskTrackingInfo": "taskTrackingInfo"}
"""The collection of each method, by the end of its name."""
EXPECTED = {
    "OK", "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION"}


@pytest.fixture
def fleet():
    with Fleet(trips=1, deliveries=1) as fleet:
        fleet.trips["t1"].go("ENROUTE_TO_PICKUP")
        yield fleet


@pytest.fixture
def call(fleet):
    """Calls a method with the bytes of a request; returns the code."""
    with grpc.insecure_channel(fleet.address) as channel:
        def call(method, request):
            try:
                channel.unary_unary(method.path)(request.SerializeToString(), timeout=LONGEST)
            except grpc.RpcError as error:
                assert error.details()
                return error.code().name
            return "OK"

        yield call


def named(message, method):
    """Sets the valid names in a request."""
    kind = method.name.removesuffix("Attributes").removesuffix("s")
    collection = next(collection for end, collection in COLLECTIONS.items() if kind.endswith(end))
    fields = message.DESCRIPTOR.fields_by_name
    if "parent" in fields:
        message.parent = PARENT
    if "name" in fields:
        message.name = f"{PARENT}/{collection}/{NAMES[collection]}"
    for field in ("task", "delivery_vehicle"):
        if field in fields and method.name.startswith("Update"):
            getattr(message, field).name = f"{PARENT}/{collection}/{NAMES[collection]}"
    return message


def shuffled(request, dice):
    """Returns the request without some of its fields, at any depth."""
    changed = type(request)()
    changed.CopyFrom(request)
    for field, value in list(changed.ListFields()):
        if dice.random() < 0.3:
            changed.ClearField(field.name)
        elif field.message_type and not field.is_repeated:
            getattr(changed, field.name).CopyFrom(shuffled(value, dice))
    return changed


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_any_request_is_answered(call, method):
    assert call(method, method.request()) in EXPECTED
    assert call(method, filled(method.request)) in EXPECTED
    assert call(method, named(filled(method.request), method)) in EXPECTED
    dice = random.Random(method.name)
    for _ in range(40):
        assert call(method, named(shuffled(filled(method.request), dice), method)) in EXPECTED


@pytest.mark.parametrize(
    "method", [each for each in METHODS.values() if each.name.startswith("Update")],
    ids=lambda method: method.name)
def test_any_field_can_be_in_the_mask(fleet, call, method):
    message = next(field.message_type for field in method.request.DESCRIPTOR.fields
                   if field.name in ("trip", "vehicle", "task", "delivery_vehicle", "attributes"))
    for field in message.fields:
        request = named(filled(method.request), method)
        if "update_mask" in method.request.DESCRIPTOR.fields_by_name:
            del request.update_mask.paths[:]
            request.update_mask.paths.append(field.name)
        assert call(method, request) in EXPECTED, field.name
