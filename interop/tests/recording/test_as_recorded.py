"""Does the command report a recording like the peer that was recorded?

The recording has the expected output. A recording that no longer matches its peer fails live.
"""

import base64
import json

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import empty_pb2, json_format
from google.rpc import status_pb2

from support.command import at, exactly, replayed, tripwire
from peers.recordings import binary_log
from peers.servers import failures
from support.paths import RECORDINGS

NAMES = ["demo", "methods", "statuses"]
ANSWERS = {
    "DeleteTrip": empty_pb2.Empty, "DeleteVehicle": empty_pb2.Empty,
    "ReportBillableTrip": empty_pb2.Empty, "SearchTrips": types.SearchTripsResponse.pb(),
    "ListVehicles": types.ListVehiclesResponse.pb(),
    "SearchVehicles": types.SearchVehiclesResponse.pb(),
    "UpdateVehicleAttributes": types.UpdateVehicleAttributesResponse.pb(),
}


class Call:
    """A unary call of Fleet Engine in a recording."""

    def __init__(self, name, entries):
        self.recording = name
        self.method = entries[0].client_header.method_name
        short = self.method.rpartition("/")[2]
        request = getattr(types, f"{short}Request").pb()
        self.request = request.FromString(entries[1].message.data)
        self.trailer = entries[-1].trailer
        self.headers = [e.server_header for e in entries if e.HasField("server_header")]
        resource = types.Trip.pb() if short.endswith("Trip") else types.Vehicle.pb()
        self.answers = [
            ANSWERS.get(short, resource).FromString(e.message.data)
            for e in entries[2:] if e.HasField("message")]

    @property
    def resource_of_request(self):
        """The last part of the name of the requested resource."""
        return getattr(self.request, "name", "").rpartition("/")[2]

    def __str__(self):
        return f"{self.recording}-{self.method.rpartition('/')[2]}-{self.resource_of_request}"

    def make(self, source, *options):
        return tripwire(
            "call", self.method, "-d", "-", "--retries", 0, *options, *source,
            stdin=json_format.MessageToJson(self.request).encode())


def calls_in(name):
    entries = {}
    for entry in binary_log.read(RECORDINGS / f"{name}.binlog"):
        entries.setdefault(entry.call_id, []).append(entry)
    return [Call(name, call) for call in entries.values()]


CALLS = [call for name in NAMES for call in calls_in(name)]
EACH = pytest.mark.parametrize("call", CALLS, ids=map(str, CALLS))


@pytest.fixture(params=["live", "recorded"])
def source(request):
    """Returns the options to call the peer, or to replay its recording."""
    if request.param == "recorded":
        return replayed
    address = request.getfixturevalue("server").address
    return lambda _: at(address)


@EACH
def test_call_equals_its_recording(source, call):
    result = call.make(source(call.recording), "--error-format", "json")
    code = call.trailer.status_code
    assert result.code == (64 + code if code else 0)
    if code:
        assert result.stdout == ""
        error = json.loads(result.stderr)
        assert error["number"] == code
        assert error["message"] == call.trailer.status_message
        assert details(error["details"]) == details(recorded_details(call.trailer))
    else:
        [answer] = call.answers
        assert result.stderr == ""
        assert result.json == exactly(json_format.MessageToJson(answer))


def recorded_details(trailer):
    """Returns the JSON of the recorded details, except those of unknown types."""
    status = status_pb2.Status.FromString(trailer.status_details)
    known = [each for each in status.details if each.type_url != failures.unknown_detail().type_url]
    return [json_format.MessageToDict(each) for each in known]


def details(found):
    return [each for each in found if each["@type"] != failures.unknown_detail().type_url]


@pytest.mark.parametrize("resource_id", ["metadata", "all-metadata", "down-in-the-middle", "missing"])
def test_metadata_is_traced(source, resource_id):
    [call] = [each for each in calls_in("statuses")
              if each.resource_of_request == resource_id and "Trip" in each.method]
    trace = call.make(source("statuses"), "-v").stderr.splitlines()
    for event in (*call.headers, call.trailer):
        for entry in event.metadata.entry:
            value = entry.value.decode() if not entry.key.endswith("-bin") else (
                base64.b64encode(entry.value).decode().rstrip("="))
            assert f"< {entry.key}: {value}" in trace
    # A trailers-only response has no headers before its status.
    status = next(index for index, line in enumerate(trace) if line.startswith("< grpc-status:"))
    headed = any(line.startswith("* response started") for line in trace[:status])
    assert headed is bool(call.headers)


def test_get_equals_its_recording(source):
    trip = tripwire("get", "providers/demo/trips/t1", *source("demo"))
    [call] = [each for each in calls_in("demo") if str(each) == "demo-GetTrip-t1"]
    assert trip.code == 0
    assert trip.json == exactly(json_format.MessageToJson(call.answers[0]))
