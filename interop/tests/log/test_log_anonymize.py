"""Does a copy made by `tripwire log --anonymize` contain only allowed data?"""

import base64
import struct

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import any_pb2, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field
from google.rpc import status_pb2

from support.command import tripwire
from peers.recordings import binary_log
from peers.recordings.filled import Filler
from peers.recordings import s2
from peers.recordings.log_writer import GET_TRIP, SERVICE, LogWriter
from support.paths import RECORDINGS
from support.recordings.anonymized import shown

DEMO = RECORDINGS / "demo.binlog"
API = "google/maps/fleetengine/v1/"
DELIVERY_API = "google/maps/fleetengine/delivery/v1/delivery_api.proto"


class Secrets(Filler):
    """Fills messages with unique texts, places and numbers, and remembers them."""

    def __init__(self):
        super().__init__()
        self.texts, self.places, self.polylines = [], [], []

    def text(self, about):
        self.texts.append(f"s{len(self.texts):04}ecret-{about}")
        return self.texts[-1]

    def fill(self, message):
        match message.DESCRIPTOR.full_name:
            case "google.type.LatLng":
                message.latitude, message.longitude = self.place()
            case "google.protobuf.FieldMask":
                message.paths.extend([self.text("path"), "trip_status"])
            case "google.protobuf.Timestamp" | "google.protobuf.Duration":
                message.seconds = 1795253400
            case name if name.endswith("Attribute"):
                super().fill(message)
                # A number can identify someone as well as a name.
                if message.HasField("number_value"):
                    message.number_value = self.place()[0]
            case _:
                super().fill(message)

    def place(self):
        number = len(self.places)
        self.places.append((48.1 + number * 0.000173, 11.5 + number * 0.000291))
        return self.places[-1]

    def fill_field(self, message, field):
        if field.name == "altitude":
            message.altitude.value = self.place()[1]
        else:
            super().fill_field(message, field)

    def scalar(self, field):
        if field.name in ("current_route_segment", "encoded_path_to_waypoint"):
            points = [self.place() for _ in range(3)]
            write = [s2.encoded, encoded][len(self.polylines) % 2]
            self.polylines.append(write(points))
            line = self.polylines[-1]
            return line.encode() if field.type == Field.TYPE_BYTES else line
        if field.type != Field.TYPE_STRING:
            return super().scalar(field)
        return self.text(field.name)


def encoded(points):
    """Encodes points in Google's polyline format."""
    text, before = "", (0, 0)
    for point in points:
        now = [round(degrees * 1e5) for degrees in point]
        for difference in (now[0] - before[0], now[1] - before[1]):
            rest = ~(difference << 1) if difference < 0 else difference << 1
            while rest >= 32:
                text += chr((rest & 31 | 32) + 63)
                rest >>= 5
            text += chr(rest + 63)
        before = now
    return text


def places(json_value):
    return [(point.get("latitude", 0), point.get("longitude", 0))
            for point in points(json_value)]


def points(value):
    if isinstance(value, dict):
        if "latitude" in value:
            yield value
        for inner in value.values():
            yield from points(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from points(inner)


@pytest.fixture
def full(ours):
    """A log whose messages and error details have a secret in every field, and these secrets."""
    secrets, log = Secrets(), LogWriter()

    def secret(descriptor):
        message = message_factory.GetMessageClass(descriptor)()
        secrets.fill(message)
        unknown = secrets.text("unknown").encode()
        # An unknown field, with the number 15000.
        return message.SerializeToString() + b"\xc2\xa9\x07" + bytes([len(unknown)]) + unknown

    details = status_pb2.Status(code=9, message=secrets.text("inner"))
    (rpc,) = ours("google/rpc/error_details.proto")
    for name, detail in rpc.message_types_by_name.items():
        details.details.add(type_url=f"type.googleapis.com/google.rpc.{name}", value=secret(detail))
        details.details.add(type_url=f"{secrets.text('url')}/google.rpc.{name}", value=b"")
    details.details.append(any_pb2.Any(
        type_url=f"x/{secrets.text('type')}", value=secrets.text("any").encode()))
    metadata = [
        ("x-goog-request-params", f"provider_id=providers%2F{secrets.text('provider')}"
         f"&{secrets.text('name')}={secrets.text('value')}"),
        ("google-cloud-resource-prefix", f"providers/{secrets.text('prefix')}"),
        (secrets.text("key"), secrets.text("value")), ("x-bin", secrets.text("bytes")),
    ]
    name = f"providers/{secrets.text('project')}/trips/{secrets.text('trip')}"
    message = f"no {name} at '{secrets.text('place')}': {secrets.text('why')}, 48.1371,11.5754"
    for file in ours(API + "trip_api.proto", API + "vehicle_api.proto", DELIVERY_API):
        for service in file.services_by_name.values():
            for method in service.methods:
                path = f"/{service.full_name}/{method.name}"
                log.call(path, secret(method.input_type), secret(method.output_type),
                         metadata=metadata)
                log.call(path, secret(method.input_type), code=9, message=message,
                         details=details.SerializeToString(), metadata=metadata)
    log.call(f"/{secrets.text('service')}/Do", secrets.text("request").encode(),
             secrets.text("answer").encode(), metadata=metadata)
    log.end(999, message=secrets.text("lost"))
    log.call(GET_TRIP, b"\x1a\x7f" + secrets.text("broken").encode(),
             b"\xff" + secrets.text("broken").encode())
    cut = log.add_message(log.begin(GET_TRIP, b""), "SERVER_MESSAGE", secrets.text("cut").encode())
    cut.payload_truncated = True
    log.end(log.entries[-1].call_id, details=secrets.text("details").encode())
    for entry in log.entries:
        if entry.HasField("client_header"):
            entry.client_header.authority = secrets.text("host")
        entry.peer.type = 1 + entry.call_id % 3
        entry.peer.address, entry.peer.ip_port = secrets.text("peer"), 40_000 + entry.call_id
        entry.MergeFromString(b"\xc2\xa9\x07\x06secret")
    secrets.texts.append("secret")
    return log.entries, secrets


def test_copy_contains_no_text_number_or_place(full, copy, tmp_path):
    entries, secrets = full
    assert len(secrets.texts) > 500 and len(secrets.places) > 500 and len(secrets.polylines) > 20
    result, path = copy(entries)
    before = (tmp_path / "a.binlog").read_bytes()
    assert all(text.encode() in before for text in secrets.texts + secrets.polylines)
    assert sum(struct.pack("<d", place[0]) in before for place in secrets.places) > 400
    plain = path.read_bytes() + b"\n" + tripwire("log", path, "--json").stdout.encode()
    for text in secrets.texts + secrets.polylines:
        assert text.encode() not in plain, text
        # The text must not appear inside Base64 either.
        for shift in range(3):
            inside = base64.b64encode(b"x" * shift + text.encode())[4:-4]
            if len(inside) > 6:
                assert inside not in plain and inside.replace(b"+", b"-") not in plain
    for place in secrets.places:
        # One coordinate of a moved place can equal one of an original place by chance.
        assert not all(struct.pack("<d", degrees) in plain for degrees in place), place
    near = {(round(n, 3), round(e, 3)) for n, e in secrets.places}
    assert len(near) > 200
    assert not near.intersection((round(n, 3), round(e, 3)) for n, e in places(shown(path)))
    for words in ["omitted: 2 calls of /s", "1 call whose first event is not in the recording", "Vehicle.attributes",
                  "Task.attributes", "DeliveryVehicle.attributes", "ListTasksRequest.filter",
                  "ListDeliveryVehiclesRequest.viewport", "DeliveryVehicleLocation.altitude",
                  "DeliveryRequestHeader.device_model",
                  "details of unknown types", "unknown fields of Trip",
                  "messages that cannot be read", "unknown metadata",
                  "parts of x-goog-request-params (", "unknown fields of entries"]:
        assert words.replace("2 calls of", "1 call of") in result.stderr, words


def test_copy_contains_all_calls_of_fleet_engine(full, copy):
    entries, _ = full
    _, path = copy(entries)
    other = next(e.call_id for e in entries if e.client_header.method_name.endswith("/Do"))
    ours = [e for e in entries if e.call_id not in (999, other)]
    new = binary_log.read(path)
    assert [(e.call_id, e.type, e.timestamp) for e in new] == [
        (e.call_id, e.type, e.timestamp) for e in ours]
    # Numbers, times and enums are kept, as in the responses of all 25 methods.
    answers = [line["message"]["decoded"] for line in shown(path)
               if line["type"] == "EVENT_TYPE_SERVER_MESSAGE" and "decoded" in line["message"]]
    assert len(answers) == 25
    assert all(len(answer) > 5 for answer in answers if "tripStatus" in answer)
    statuses = [line["trailer"]["status"] for line in shown(path) if "status" in line.get(
        "trailer", {})]
    assert all(any("RetryInfo" in d["@type"] and d["retryDelay"] for d in s["details"])
               for s in statuses)


def test_equal_names_get_equal_replacements(copy):
    log = LogWriter()
    name, other = "providers/acme/trips/blue", "providers/acme/trips/red"
    vehicle = "providers/acme/vehicles/van"
    answer = types.Trip.pb(types.Trip(
        name=name, vehicle_id="van", remaining_waypoints=[{"trip_id": "red"}, {"trip_id": "blue"}]))
    metadata = [("x-goog-request-params", "provider_id=providers%2Facme")]
    log.call(GET_TRIP, types.GetTripRequest.pb(types.GetTripRequest(name=name)), answer,
             metadata=metadata)
    log.call(f"{SERVICE}VehicleService/GetVehicle",
             types.GetVehicleRequest.pb(types.GetVehicleRequest(name=vehicle)),
             types.Vehicle.pb(types.Vehicle(name=vehicle, current_trips=["blue", "red"])))
    log.call(GET_TRIP, types.GetTripRequest.pb(types.GetTripRequest(name=other)), code=5,
             message=f"Trip '{other}' of van was not found, Alice.")
    _, path = copy(log.entries)
    lines = shown(path)
    trips = "providers/provider-1/trips/trip-"
    messages = [line["message"]["decoded"] for line in lines if "message" in line]
    assert messages == [
        {"name": trips + "1"},
        {"name": trips + "1", "vehicleId": "vehicle-1",
         "remainingWaypoints": [{"tripId": "trip-2"}, {"tripId": "trip-1"}]},
        {"name": "providers/provider-1/vehicles/vehicle-1"},
        {"name": "providers/provider-1/vehicles/vehicle-1", "currentTrips": ["trip-1", "trip-2"]},
        {"name": trips + "2"},
    ]
    assert lines[0]["clientHeader"]["metadata"]["entry"] == [
        {"key": "x-goog-request-params", "text": "provider_id=providers%2Fprovider-1"}]
    assert lines[-1]["trailer"]["statusMessage"] == (
        f"Trip '{trips}2' of vehicle-1 was not found, *")


def test_every_copy_moves_places_differently(copy):
    first, second = [places(shown(copy(binary_log.read(DEMO))[1])) for _ in range(2)]
    assert first != second and len(first) == len(second)
