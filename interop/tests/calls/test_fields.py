"""Do --fields and FIELD=VALUE select and set the fields of messages?"""

import gzip
import json
import subprocess

import grpc
import pytest

from support.command import assert_failed, tripwire
from peers.servers.reflecting import serving
from support.paths import RECORDINGS
from support.service_calls import SERVICE, answer

DEMO = RECORDINGS / "trip.binlog"
TRIP = "providers/demo/trips/t1"


# --fields.

def test_fields_select_parts_of_the_answer(server):
    common = ["--endpoint", server.address, "--plaintext"]
    whole = answer(tripwire("get", "providers/p/trips/rich", *common))
    fields = "name,lastLocation.location,remaining_waypoints.waypointType"
    result = tripwire("get", "providers/p/trips/rich", *common, "--fields", fields)
    selected = {
        "name": whole["name"],
        "lastLocation": {"location": whole["lastLocation"]["location"]},
        "remainingWaypoints": [
            {key: waypoint[key] for key in ["waypointType"] if key in waypoint}
            for waypoint in whole["remainingWaypoints"]],
    }
    assert answer(result) == selected
    assert result.stdout.startswith("{\n  ")
    called = tripwire("call", "GetTrip", "name=providers/p/trips/rich", *common, "--fields", fields)
    assert answer(called) == selected


def test_fields_of_follow_select_parts_of_each_trip():
    result = tripwire("follow", TRIP, "--replay", DEMO, "--until", "enroute-to-pickup",
                      "--interval", "100ms", "--fields", "tripStatus")
    trips = [json.loads(line)["trip"] for line in result.stdout.splitlines()]
    assert trips and all(list(trip) in ([], ["tripStatus"]) for trip in trips)


@pytest.mark.parametrize("fields, message, hint", [
    ("name,lastLocatoin", "lastLocatoin: maps.fleetengine.v1.Trip has no field lastLocatoin",
     "did you mean lastLocation?"),
    ("name.x", "name.x: name of maps.fleetengine.v1.Trip has no fields", "end the path after name"),
    ("pickupTime.seconds", "pickupTime of maps.fleetengine.v1.Trip has no fields", "end the path"),
    ("name,", "a path is empty", "one comma"),
    ("a..b", "has no field a", "tripwire describe"),
    ("route..b", "a part of the path is empty", "one dot"),
])
def test_wrong_field_is_reported(fields, message, hint):
    for command in ["get"], ["follow"]:
        result = tripwire(*command, TRIP, "--replay", DEMO, "--fields", fields)
        assert_failed(result, 2, message)
        assert hint in result.stderr


@pytest.mark.parametrize("arguments, message", [
    (["get", TRIP, "-o", "svg"], "--fields cannot be used with -o svg"),
    (["follow", TRIP, "-o", "text"], "--fields cannot be used with -o text"),
    (["call", "GetTrip", "--emit-defaults"], "--fields cannot be used with --emit-defaults"),
])
def test_fields_require_json(arguments, message):
    assert_failed(tripwire(*arguments, "--fields", "name"), 2, message)


# Fields of a request.

def test_request_may_be_given_as_fields(address):
    result = tripwire("call", address, f"{SERVICE}/UnaryCall", "--plaintext", "response_size=3",
                      "responseType=COMPRESSABLE", "fill_username=true")
    assert len(answer(result)["payload"]["body"]) == 4


WELL_KNOWN = """
    syntax = "proto3";
    package echo;
    import "google/protobuf/wrappers.proto";
    import "google/protobuf/timestamp.proto";
    service Echo {
      rpc Str(google.protobuf.StringValue) returns (google.protobuf.StringValue);
      rpc Num(google.protobuf.Int64Value) returns (google.protobuf.Int64Value);
      rpc Flag(google.protobuf.BoolValue) returns (google.protobuf.BoolValue);
      rpc Time(google.protobuf.Timestamp) returns (google.protobuf.Timestamp);
    }"""


@pytest.fixture(scope="module")
def echo(tmp_path_factory):
    """A service whose methods return the request; yields its address and its descriptors."""
    folder = tmp_path_factory.mktemp("echo")
    (folder / "echo.proto").write_text(WELL_KNOWN)
    subprocess.run(["protoc", f"-I{folder}", "--include_imports", f"--descriptor_set_out={folder / 'echo.pb'}",
                    "echo.proto"], check=True)
    handler = grpc.method_handlers_generic_handler("echo.Echo", {
        name: grpc.unary_unary_rpc_method_handler(lambda request, _: request)
        for name in ("Str", "Num", "Flag", "Time")})
    with serving(handler) as address:
        yield address, folder / "echo.pb"


@pytest.mark.parametrize("method, field, response", [
    ("Str", "value=Sam", "Sam"), ("Str", "value=", ""), ("Num", "value=7", "7"), ("Flag", "value=true", True)])
def test_value_of_a_wrapper_is_a_field(echo, method, field, response):
    address, protoset = echo
    assert answer(tripwire("call", address, f"Echo/{method}", field, "--plaintext",
                           "--protoset", protoset)) == response


@pytest.mark.parametrize("method, field, error", [
    ("Num", "value=x", "value=x: malformed number"),
    ("Str", "text=x", "text: google.protobuf.StringValue has no such field"),
    ("Time", "seconds=1", "FIELD=VALUE: the fields of google.protobuf.Timestamp cannot be set"),
])
def test_wrong_value_of_a_well_known_type_is_reported(echo, method, field, error):
    address, protoset = echo
    assert_failed(tripwire("call", address, f"Echo/{method}", field, "--plaintext", "--protoset", protoset), 2,
                  error)


def test_descriptors_come_from_stdin_and_may_be_compressed(echo, tmp_path):
    address, protoset = echo
    packed = tmp_path / "echo.pb.gz"
    packed.write_bytes(gzip.compress(protoset.read_bytes()))
    called = ["call", address, "Echo/Str", "value=a", "--plaintext"]
    assert answer(tripwire(*called, "--protoset", packed)) == "a"
    for data in protoset.read_bytes(), packed.read_bytes():
        assert answer(tripwire(*called, "--protoset", "-", stdin=data)) == "a"
        assert tripwire("list", "--protoset", "-", stdin=data).stdout == "echo.Echo\n"
        assert "rpc Str" in tripwire("describe", "echo.Echo", "--protoset", "-", stdin=data).stdout


@pytest.mark.parametrize("arguments, error", [
    (["call", "A/B", "--protoset", "-", "-d", "-"], "the request is read from it"),
    (["call", "A/B", "--protoset", "-", "--token-file", "-"], "the token is read from it"),
    (["list", "--protoset", "-", "-H", "@-"], "the headers are read from it"),
    (["log", "-", "--protoset", "-"], "the recording is read from it"),
    (["replay", "-", "--protoset", "-"], "the recording is read from it"),
])
def test_descriptors_do_not_share_stdin(arguments, error):
    assert_failed(tripwire(*arguments), 2, error=f"--protoset - cannot read stdin: {error}",
                  hint="write the descriptors to a file, and pass it with --protoset FILE")


def test_damaged_descriptors_are_reported(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(1000))[:-4])
    assert_failed(tripwire("list", "--protoset", tmp_path / "a.gz"), 1,
                  f"--protoset: {tmp_path / 'a.gz'}: the gzip data is damaged: ")
    assert_failed(tripwire("list", "--protoset", "-"), 1, error="--protoset: stdin: no file descriptors found")


def test_every_flat_type_is_accepted(tmp_path):
    (tmp_path / "t.proto").write_text("""
        syntax = "proto3";
        package t;
        import "google/protobuf/timestamp.proto";
        import "google/protobuf/duration.proto";
        import "google/protobuf/wrappers.proto";
        import "google/protobuf/field_mask.proto";
        import "google/protobuf/struct.proto";
        enum E { NONE = 0; SOME = 1; }
        message M {
          string s = 1; bool b = 2; int64 i = 3; double d = 4; bytes raw = 5; E e = 6;
          google.protobuf.Timestamp at = 7; google.protobuf.Duration span = 8;
          google.protobuf.StringValue text = 9; google.protobuf.BoolValue flag = 10;
          google.protobuf.FieldMask mask = 11; repeated int32 list = 12; E number = 13;
          M inner = 14; map<string, string> map = 15; oneof o { int32 x = 16; int32 y = 17; }
          repeated M inners = 18; google.protobuf.Struct object = 19;
        }
        service S { rpc Call(M) returns (M); }
    """)
    common = ["call", "t.S/Call", "--proto", "t.proto", "--plaintext"]
    sent = ["s=true", "b=true", "i=-5", "d=1e3", "raw=AAE=", "e=SOME", "at=2026-11-21T10:00:00Z",
            "span=1.5s", "text=true", "flag=false", "mask=a,bC", "list=1", "list=2", "number=1",
            "x=1", "inner.s=\u0301a=b", "inner.inner.list=3", "inner.list=1", "inner.inner.list=4",
            "inner.inner.at=2026-11-21T10:00:00Z"]
    # Without serializers, the handler returns the bytes of the request.
    echo = grpc.method_handlers_generic_handler("t.S", {
        "Call": grpc.unary_unary_rpc_method_handler(lambda request, context: request)})
    with serving(echo) as address:
        result = tripwire(*common, *sent, "--endpoint", address, cwd=tmp_path)
    assert answer(result) == {
        "s": "true", "b": True, "i": "-5", "d": 1000, "raw": "AAE=", "e": "SOME",
        "at": "2026-11-21T10:00:00Z", "span": "1.500s", "text": "true", "flag": False, "mask": "a,bC",
        "list": [1, 2], "number": "SOME", "x": 1,
        "inner": {"s": "\u0301a=b", "list": [1],
                  "inner": {"list": [3, 4], "at": "2026-11-21T10:00:00Z"}}}
    common += ["--endpoint", "127.0.0.1:1"]
    for argument, message in [
        ("inner=1", "inner is a message"), ("map=1", "map is a map"),
        ("s.x=1", "s.x=1: s is not a message"), ("map.k=1", "map is a map"),
        ("inner.inners.s=1", "inner.inners is a repeated field"),
        ("inner.zz=1", "inner.zz: t.M has no such field"), ("inner.=1", "inner.=1: a part of the path is empty"),
        ("inner..s=1", "a part of the path is empty"), (".s=1", "a part of the path is empty"),
        ("inner.at.seconds=1", "inner.at is a google.protobuf.Timestamp"),
        ("object.a=1", "object is a google.protobuf.Struct"),
        ("inner.b=1", "inner.b=1: expected true or false"),
        ("inner." * 200 + "s=1", "nested deeper than"), ("inner." * 15_000 + "s=1", "nested deeper than"),
        ("i=x", "i=x: "), ("b=1", "b=1: expected true or false"), ("e=SOM", "t.E has no value"),
        ("zz=1", "zz: t.M has no such field"), ("at=now", "expected an RFC 3339 time"),
        ("raw=*", "malformed base64"),
    ]:
        assert_failed(tripwire(*common, argument, cwd=tmp_path), 2, message)
    assert_failed(tripwire(*common, "s=a", "s=b", cwd=tmp_path), 2, "s is not a repeated field")
    assert_failed(tripwire(*common, "x=1", "y=1", cwd=tmp_path), 2, "y cannot be set together with x")
    assert_failed(tripwire(*common, "inner.x=1", "inner.y=1", cwd=tmp_path), 2,
                  "y cannot be set together with x")
    assert_failed(tripwire(*common, "inner.s=a", "inner.s=b", cwd=tmp_path), 2,
                  "inner.s is not a repeated field")
    assert_failed(tripwire(*common, "inner=1", cwd=tmp_path), 2, hint="inner.FIELD=VALUE")
    assert_failed(tripwire(*common, "inner.lisst=1", cwd=tmp_path), 2, hint="inner.list?")
    assert_failed(tripwire(*common, "s=a", "-d", "{}", cwd=tmp_path), 2, "s=a cannot be used with -d")


@pytest.mark.parametrize("field, message, hint", [
    ("view=FOO", "has no value", "run 'tripwire describe maps.fleetengine.v1.TripView' to list its values"),
    ("current_route_segment_version=x", "expected an RFC 3339 time",
     "run 'tripwire describe maps.fleetengine.v1.GetTripRequest' to show the types of its fields"),
])
def test_wrong_value_of_a_field_is_reported(field, message, hint):
    assert_failed(tripwire("call", "GetTrip", field, "--replay", DEMO), 2, field, message, hint=hint)


POINT = "maps.fleetengine.v1.TerminalPointId"


@pytest.mark.parametrize("request_, message, hint", [
    (["trip.number_of_passengers=abc"], "malformed number",
     "run 'tripwire describe maps.fleetengine.v1.Trip' to show the types of its fields"),
    (["trip.last_location.location.latitude=x"], "malformed number",
     "run 'tripwire describe google.type.LatLng' to show the types of its fields"),
    (["trip.pickup_point.terminal_point_id.place_id=a", "trip.pickup_point.terminal_point_id.generated_id=b"],
     "generatedId cannot be set together with placeId",
     f"run 'tripwire describe {POINT}' to show the types of its fields"),
    (["-d", '{"trip": {"pickupPoint": {"terminalPointId": {"placeId": "a", "generatedId": "b"}}}}'],
     "1:63: UpdateTripRequest.trip.pickup_point.terminal_point_id.generated_id: generatedId cannot be set together"
     " with placeId", "remove generatedId or placeId"),
    (["-d", '{"trip": {"remainingWaypoints": [{}, {"zzzz": 1}]}}'], 'unknown field "zzzz"',
     "run 'tripwire describe maps.fleetengine.v1.TripWaypoint' to list its fields"),
    (["-d", '{"zzzz": 1}'], 'unknown field "zzzz"',
     "run 'tripwire describe maps.fleetengine.v1.UpdateTripRequest' to list its fields"),
])
def test_hint_names_the_message_that_has_the_field(request_, message, hint):
    assert_failed(tripwire("call", "UpdateTrip", *request_, "--replay", DEMO), 2, message, hint=hint)
