"""Does an anonymous copy omit what cannot be anonymized, and report it?"""

import pytest
from google.maps.fleetengine_v1 import types
from google.rpc import status_pb2

from support.command import tripwire
from peers.recordings import binary_log
from peers.recordings.log_writer import GET_TRIP, LogWriter
from support.recordings.anonymized import shown


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
