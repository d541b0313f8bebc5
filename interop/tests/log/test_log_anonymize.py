"""Does a copy made by `tripwire log --anonymize` contain only allowed data?"""

import base64
import json
import math
import os
import stat
import struct

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import any_pb2, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field
from google.rpc import status_pb2

from support.command import assert_failed, replaying, tripwire
from peers.recordings import binary_log
from peers.recordings.filled import Filler
from peers.fleet.road import s2
from peers.recordings.log_writer import GET_TRIP, SERVICE, LogWriter
from support.paths import RECORDINGS

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


@pytest.fixture
def copy(tmp_path):
    """Makes an anonymous copy of entries; returns the command's result and the path of the copy."""
    def make(entries):
        binary_log.write(tmp_path / "a.binlog", entries)
        (tmp_path / "copy.binlog").unlink(missing_ok=True)
        result = tripwire("log", tmp_path / "a.binlog", "--anonymize", tmp_path / "copy.binlog")
        assert (result.code, result.stdout) == (0, ""), result.stderr
        return result, tmp_path / "copy.binlog"

    return make


def shown(path):
    result = tripwire("log", path, "--json")
    assert (result.code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


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
        assert not any(struct.pack("<d", degrees) in plain for degrees in place), place
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


def test_invalid_places_are_omitted(copy):
    log = LogWriter()
    nan = float("nan")
    odd = [{"latitude": nan}, {"latitude": 481, "longitude": 115}, {"latitude": 0, "longitude": 0},
           {"latitude": 48, "longitude": 11}]
    log.call(GET_TRIP, b"", types.Trip.pb(types.Trip(
        route=odd, current_route_segment="no polyline", last_location={"heading": 7})))
    result, path = copy(log.entries)
    answer = [line["message"]["decoded"] for line in shown(path) if "SERVER_M" in line["type"]][0]
    assert len(answer["route"]) == 2 and answer["route"][0] == {}
    assert "currentRouteSegment" not in answer
    assert answer["lastLocation"] == {"heading": 0}
    assert "warning: omitted: Trip.route (2 values): coordinates out of range\n" in result.stderr
    assert "Trip.current_route_segment (1 value): not a valid polyline\n" in result.stderr


def test_payloads_of_the_wrong_kind_are_omitted(copy):
    """Readers ignore a payload of the wrong kind, so the copy omits it."""
    log = LogWriter()
    call = log.begin(GET_TRIP, b"")
    for kind in "UNKNOWN", "SERVER_HEADER", "CLIENT_MESSAGE", "CLIENT_HALF_CLOSE", "CANCEL":
        log.add(call, kind).client_header.method_name = "/trips/john.smith@example.com"
        log.add(call, kind).trailer.status_code = 5
    log.add(call, "CLIENT_HALF_CLOSE").message.data = b"secret"
    log.end(call)
    log.entries[-1].MergeFromString(b"\x12\x00")
    log.add(call, "CANCEL").type = 99
    log.entries[0].client_header.method_name = GET_TRIP[1:]
    result, path = copy(log.entries)
    entries = binary_log.read(path)
    assert len(entries) == len(log.entries) - 1
    assert [(e.type, e.WhichOneof("payload")) for e in entries if e.WhichOneof("payload")] == [
        (1, "client_header"), (3, "message"), (6, "trailer")]
    assert entries[0].client_header.method_name == GET_TRIP
    assert "payloads of the wrong kind (11 values)" in result.stderr
    assert "entries of unknown kinds (1 value)" in result.stderr


def test_unknown_fields_of_numeric_messages_are_omitted_and_reported(copy):
    log = LogWriter()
    trip = types.Trip.pb(types.Trip(last_location={
        "location": {"latitude": 48.10013, "longitude": 11.50011}, "heading": 90,
        "flp_heading_degrees": 91, "speed": {"value": 3}, "update_time": {"seconds": 1}}))
    location = trip.last_location
    for inner in (location.location, location.heading, location.flp_heading_degrees, location.speed,
                  location.update_time):
        # A field of number 1015.
        inner.MergeFromString(b"\xba\x3f\x06secret")
    log.call(GET_TRIP, b"", trip)
    result, path = copy(log.entries)
    assert b"secret" not in path.read_bytes()
    for name, count in [("Int32Value", 2), ("DoubleValue", 1), ("Timestamp", 1), ("LatLng", 1)]:
        values = "1 value" if count == 1 else f"{count} values"
        assert f"omitted: unknown fields of {name} ({values})\n" in result.stderr


def test_unknown_enum_values_and_codes_are_omitted(copy):
    log = LogWriter()
    trip = types.Trip.pb(types.Trip(number_of_passengers=2))
    trip.MergeFromString(b"\x18\xb9\x60")
    assert trip.trip_status == 12345
    log.call(GET_TRIP, b"", trip)
    log.call(GET_TRIP, b"", code=491711223,
             details=status_pb2.Status(code=-491711223).SerializeToString())
    result, path = copy(log.entries)
    assert [e.trailer.status_code for e in binary_log.read(path) if e.HasField("trailer")] == [0, 2]
    (answer,) = [line["message"]["decoded"] for line in shown(path) if "SERVER_M" in line["type"]]
    assert answer == {"numberOfPassengers": 2}
    assert "Trip.trip_status (1 value): unknown number" in result.stderr
    assert "status codes unknown to gRPC (2 values)" in result.stderr
    trailers = [line["trailer"] for line in shown(path) if "trailer" in line]
    assert [trailer.get("status") for trailer in trailers] == [None, {"code": 2}]


def test_well_known_metadata_is_kept(copy):
    kept = [("x-goog-api-client", "gl-python/3.11.2 grpc/1.85.1 gax/2.44.0 gapic/0.6.1 pb/7.36.2"),
            ("retry-after", "30"), ("server-timing", "gfet4t7; dur=56")]
    odd = [("x-goog-api-client", "gl-python/Alice alice/1 gl-go gl-java/1.2 gl-js/20261122"),
           ("x-goog-api-client", "cred-type/alice"), ("retry-after", "alice"),
           ("server-timing", "alice; dur=1"), ("x-goog-user-project", "alice"),
           ("x-alice", "alice"), ("x-alice-2", "alice")]
    log = LogWriter()
    log.call(GET_TRIP, b"", b"", metadata=kept + odd)
    result, path = copy(log.entries)
    (header,) = [e.client_header for e in binary_log.read(path) if e.HasField("client_header")]
    assert [(e.key, e.value.decode()) for e in header.metadata.entry] == [
        *kept, ("x-goog-api-client", "gl-java/1.2")]
    # The counts include headers and trailers.
    warnings = [line for line in result.stderr.splitlines() if "omitted: " in line]
    assert warnings == [f"warning: omitted: {what}" for what in (
        "metadata retry-after (2 values)", "metadata server-timing (2 values)",
        "metadata x-goog-api-client (2 values)", "metadata x-goog-user-project (2 values)",
        "parts of x-goog-api-client (8 values)", "unknown metadata (4 values)")]


@pytest.mark.parametrize("text, kept", [
    ("driver Will Short at Long Field is not allowed", "* at * is not allowed"),
    ("Will Short: Page Down", "*"),
    ("GetTrip is UNAVAILABLE: HTTP 503 from Fleet Engine. Please retry",
     "GetTrip is UNAVAILABLE: HTTP 503 from Fleet Engine. Please retry"),
    ("Deadline Exceeded", "Deadline Exceeded"),
    ("failed to connect to all addresses; last error: UNKNOWN: ipv4:1.2.3.4:50051: Failed to connect"
     " to remote host: Connection refused",
     "failed to connect to all addresses; last error: UNKNOWN: * Failed to connect to remote host:"
     " Connection refused"),
    ("the server's message cannot be decoded: Trip.name at byte 3: truncated",
     "the server's message cannot be decoded: Trip.name at byte 3: truncated"),
    ("Field trip_status is required, not will_short or RATE_LIMIT_EXCEEDED",
     "* trip_status is required, not * or RATE_LIMIT_EXCEEDED"),
    ("Not found, Please", "Not found, *"), ("Dr. Error", "*"),
    ("Request failed. Please retry, PLEASE", "Request failed. Please retry, *")])
def test_status_messages_keep_only_known_words(copy, text, kept):
    log = LogWriter()
    log.call(GET_TRIP, b"", code=7, message=text)
    _, path = copy(log.entries)
    (message,) = [e.trailer.status_message for e in binary_log.read(path) if e.HasField("trailer")]
    assert message == kept


def test_undecodable_messages_keep_their_length(copy):
    log = LogWriter()
    log.call(GET_TRIP, b"", b"\x0a\x63" + b"Alice!!", code=13)
    result, path = copy(log.entries)
    assert "warning: omitted: messages that cannot be read (1 value)\n" in result.stderr
    (answer,) = [e for e in binary_log.read(path) if e.type == e.EVENT_TYPE_SERVER_MESSAGE]
    assert (answer.message.length, answer.message.data, answer.payload_truncated) == (9, b"", True)
    replayed = tripwire("get", "providers/p/trips/t1", "--replay", path)
    assert "truncated in the recording" in replayed.stderr
    assert "size limit" not in replayed.stderr


def test_content_of_the_copy_is_reported(copy):
    result, path = copy(binary_log.read(DEMO))
    *left_out, last = result.stderr.splitlines()
    assert last == f"{path}: 3 calls, 2 trips, 1 vehicle"
    assert all(line.startswith("warning: omitted: ") and len(line) < 100 for line in left_out)


@pytest.mark.parametrize("entries, words, hint", [
    ([], "the recording contains no calls", "pass a recording with calls, such as one made with"),
    (None, "the recording has no calls of Fleet Engine (2 calls read)",
     "pass a recording with calls of Fleet Engine")])
def test_empty_copy_is_not_written(tmp_path, entries, words, hint):
    if entries is None:
        log = LogWriter()
        log.call("/grpc.health.v1.Health/Check", b"", b"")
        log.call("/grpc.health.v1.Health/Check", b"", b"")
        entries = log.entries
    binary_log.write(tmp_path / "a.binlog", entries)
    result = tripwire("log", tmp_path / "a.binlog", "--anonymize", tmp_path / "copy.binlog",
                      "--mapping", tmp_path / "mapping")
    assert_failed(result, 1, f"copy.binlog: {words}", hint=hint)
    assert [path.name for path in tmp_path.iterdir()] == ["a.binlog"]


def test_mapping_lists_the_replacements(tmp_path):
    copy, mapping = tmp_path / "copy.binlog", tmp_path / "mapping"
    umask = os.umask(0)
    try:
        assert tripwire("log", DEMO, "--anonymize", copy, "--mapping", mapping).code == 0
    finally:
        os.umask(umask)
    assert stat.S_IMODE(mapping.stat().st_mode) == 0o600
    pairs = [json.loads(line) for line in mapping.read_text().splitlines()]
    assert {pair["replacement"]: pair["original"] for pair in pairs} == {
        "provider-1": "demo", "request-1": "a1b2c3d4", "trip-1": "t1", "trip-2": "missing",
        "vehicle-1": "v1"}
    before = mapping.read_bytes()
    assert_failed(tripwire("log", DEMO, "--anonymize", tmp_path / "b", "--mapping", mapping), 1,
                  "mapping: File exists", hint=", or remove the existing file")
    assert mapping.read_bytes() == before and not (tmp_path / "b").exists()
    assert_failed(tripwire("log", DEMO, "--anonymize", copy, "--mapping", tmp_path / "c"), 1,
                  "copy.binlog: File exists", hint=", or remove the existing file")
    assert not (tmp_path / "c").exists()
    assert_failed(tripwire("log", DEMO, "--mapping", tmp_path / "c"), 2, "--anonymize")
    assert_failed(
        tripwire("log", DEMO, "--anonymize", tmp_path / "c", "--mapping", tmp_path / "c"), 2,
        error=f"--mapping {tmp_path / 'c'}: the same file as --anonymize",
        hint="pass another file with --mapping")
    missing = tmp_path / "none" / "c"
    assert_failed(
        tripwire("log", DEMO, "--anonymize", missing), 1,
        error=f"--anonymize {missing}: No such file or directory",
        hint="check that the directory of --anonymize exists and is writable")


def test_copy_can_be_replayed_and_listed(copy):
    _, path = copy(binary_log.read(DEMO))
    result = tripwire("get", "providers/provider-1/trips/trip-1", "--replay", path)
    assert (result.code, result.json["vehicleId"]) == (0, "vehicle-1")
    result = tripwire("get", "providers/provider-1/trips/trip-2", "--replay", path)
    assert_failed(result, 69, "providers/provider-1/trips/trip-2 does not exist")
    original, copied = [tripwire("log", log, "--trip", name, TZ="UTC").stdout
                   for log, name in [(DEMO, "t1"), (path, "trip-1")]]
    assert original.replace("v1", "vehicle-1") == copied


def test_copy_is_private_and_never_overwrites(tmp_path):
    path = tmp_path / "copy.binlog"
    umask = os.umask(0)
    try:
        assert tripwire("log", DEMO, "--anonymize", path).code == 0
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    result = tripwire("log", DEMO, "--anonymize", path)
    assert_failed(result, 1, "copy.binlog: File exists",
                  hint=", or remove the existing file")
    assert path.read_bytes() == before


@pytest.mark.parametrize("options", [["--anonymize", DEMO], ["--anonymize", "c", "--mapping", DEMO]])
def test_recording_is_not_the_copy(options):
    option = options[-2]
    assert_failed(
        tripwire("log", DEMO, *options), 2, error=f"{option} {DEMO}: this file is being read",
        hint=f"choose another path for {option}")


def test_empty_selection_is_not_copied(tmp_path):
    result = tripwire("log", DEMO, "--slow", "9h", "--anonymize", tmp_path / "copy.binlog")
    assert_failed(result, 1, f"--anonymize {tmp_path}/copy.binlog: no call matches the selection (3 calls read)",
                  hint="select other calls")
    assert "warning: no call matches" not in result.stderr


def test_other_files_are_not_copied(tmp_path):
    result = tripwire("log", "/etc/passwd", "--anonymize", tmp_path / "copy.binlog")
    assert_failed(result, 1, "not a gRPC binary log")
    assert not (tmp_path / "copy.binlog").exists()


def test_output_that_cannot_be_created_is_reported(tmp_path):
    assert_failed(
        tripwire("log", DEMO, "--anonymize", tmp_path / "no" / "copy.binlog"), 1, "No such file")
