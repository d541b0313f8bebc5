"""Does `tripwire get` print the same JSON as Python's json_format?"""

import re

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import json_format

from support.command import exactly, get
from peers.servers import scenarios

Trip, Vehicle = types.Trip.pb(), types.Vehicle.pb()

RESOURCES = [(f"trips/{each}", Trip, make) for each, make in scenarios.TRIPS.items()
             if each != "large"]
RESOURCES += [(f"vehicles/{each}", Vehicle, make) for each, make in scenarios.VEHICLES.items()]


def python_json(message_class, make, resource):
    message = make(f"providers/p/{resource}")
    if isinstance(message, bytes):
        message = message_class.FromString(message)
    return json_format.MessageToJson(message, indent=2, ensure_ascii=False) + "\n"


def layout(text):
    """Returns the text with numbers replaced, which have more than one valid form."""
    return re.sub(r"-?\d[\d.eE+-]*(?=,?$)", "#", text, flags=re.MULTILINE)


@pytest.mark.parametrize("resource, message_class, make", RESOURCES, ids=[r[0] for r in RESOURCES])
def test_values_are_equal_to_the_last_digit(server, resource, message_class, make):
    result = get(server, resource)
    assert (result.code, result.stderr) == (0, "")
    assert result.json == exactly(python_json(message_class, make, resource))


@pytest.mark.parametrize("resource", ["trips/t1", "vehicles/v1", "trips/empty"])
def test_field_order_and_indentation_are_equal(server, resource):
    [(message_class, make)] = [r[1:] for r in RESOURCES if r[0] == resource]
    assert layout(get(server, resource).stdout) == layout(
        python_json(message_class, make, resource))


def test_every_field_of_a_trip_is_compared(server):
    printed = set(get(server, "trips/rich").json)
    assert printed == {field.json_name for field in Trip.DESCRIPTOR.fields}


def test_every_field_of_a_vehicle_is_compared(server):
    printed = set(get(server, "vehicles/rich").json)
    assert printed == {field.json_name for field in Vehicle.DESCRIPTOR.fields}


def test_unknown_enum_value_is_a_number(server):
    assert get(server, "trips/unknown-enum").json["tripStatus"] == 99


def test_unknown_fields_are_counted_only_with_v(server):
    quiet, verbose = get(server, "trips/unknown-field"), get(server, "trips/unknown-field", "-v")
    assert quiet.stdout == verbose.stdout
    assert quiet.stderr == ""
    assert re.search(r"\b3 (unknown )?fields?\b", verbose.stderr)
    assert "unknown" in verbose.stderr


def test_output_json_is_the_default(server):
    assert get(server, "trips/t1", "-o", "json").stdout == get(server, "trips/t1").stdout
