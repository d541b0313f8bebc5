"""Does the command take the forms that users of grpcurl, kubectl, curl and gh type?"""

import json
import re

import grpc
import pytest

from support.command import assert_failed, binary, tripwire
from peers.servers.reflecting import V1, reflecting_test_service, serving
from support.paths import INTEROP, RECORDINGS
from support.tmux import Terminal, shell

DEMO = RECORDINGS / "trip.binlog"
TRIP = "providers/demo/trips/t1"
SERVICE = "grpc.testing.TestService"
PROTO = INTEROP / "protos/grpc/testing/test.proto"


@pytest.fixture(scope="module")
def address(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes(), V1) as address:
        yield address


def answer(result):
    assert result.code == 0, result.stderr
    return json.loads(result.stdout)


# The server as an operand.

def test_server_may_be_the_first_operand(address):
    result = tripwire("list", address, "--plaintext")
    assert SERVICE in result.stdout.splitlines()
    assert tripwire("list", address, SERVICE, "--plaintext").stdout.startswith(f"{SERVICE}/")
    assert f"service TestService" in tripwire("describe", address, SERVICE, "--plaintext").stdout
    assert answer(tripwire("call", address, f"{SERVICE}/EmptyCall", "--plaintext")) == {}


def test_server_operand_has_priority_over_the_variable(address):
    assert answer(tripwire("call", address, f"{SERVICE}/EmptyCall", "--plaintext",
                           TRIPWIRE_ENDPOINT="127.0.0.1:1")) == {}


def test_server_operand_contradicts_replay():
    result = tripwire("call", "localhost:1", "TripService/GetTrip", "--replay", DEMO)
    assert_failed(result, 2, "localhost:1 cannot be used with --replay")


@pytest.mark.parametrize("arguments", [
    ["call", "127.0.0.1:1", "pkg.Service/Method"], ["list", "127.0.0.1:1"], ["describe", "127.0.0.1:1", "Foo"]])
def test_hint_names_the_server_operand(arguments):
    result = tripwire(*arguments, "--plaintext", TRIPWIRE_ENDPOINT="127.0.0.1:2")
    assert_failed(result, 78, hint="check the port in HOST:PORT (127.0.0.1:1)")


def test_invalid_server_operand_is_named():
    result = tripwire("list", "foo:bar:baz")
    assert_failed(result, 2, "HOST:PORT foo:bar:baz: it has colons")
    assert "--endpoint" not in result.stderr


@pytest.mark.parametrize("command", ["list", "describe"])
def test_types_do_not_come_from_a_recording(command):
    result = tripwire(command, "--replay", DEMO)
    assert_failed(result, 2, "unknown option --replay", hint="use --replay with get")
    assert "--replay" not in tripwire(command, "--help").stdout


# Options.

def test_value_of_a_short_option_may_follow_an_equals_sign():
    plain = tripwire("get", TRIP, "--replay", DEMO, "-o", "text")
    assert tripwire("get", TRIP, "--replay", DEMO, "-o=text").stdout == plain.stdout != ""


def test_value_that_begins_with_an_equals_sign_is_kept_if_it_is_an_argument_of_its_own(server):
    result = tripwire("get", "providers/p/trips/echo", "--endpoint", server.address, "--plaintext",
                      "-H", "x-own: =a", "-H=x-other: =b")
    assert result.attributes["x-own"] == ["=a"]
    assert result.attributes["x-other"] == ["=b"]


def test_k_skips_the_verification_and_q_the_warning(server):
    name = "providers/p/trips/rich"
    loud = tripwire("get", name, "--endpoint", "127.0.0.1:1", "-k")
    assert loud.stderr.startswith("warning: the server's certificate is not verified")
    quiet = tripwire("get", name, "--endpoint", "127.0.0.1:1", "-k", "-q")
    assert loud.stderr.split("\n", 1)[1] == quiet.stderr
    assert_failed(quiet, 78, "connection refused")


def test_quiet_contradicts_verbose():
    assert_failed(tripwire("get", TRIP, "-qv"), 2, "--quiet cannot be used with --verbose")


def test_log_takes_the_format_as_other_commands_do():
    old = tripwire("log", DEMO, "--json")
    for options in ["-o", "json"], ["-o=ndjson"], ["--output", "json"]:
        assert tripwire("log", DEMO, *options).stdout == old.stdout
    assert tripwire("log", DEMO, "-o", "text").stdout == tripwire("log", DEMO).stdout
    timeline = tripwire("log", DEMO, "--trip", "t1", "-o", "json")
    assert timeline.stdout == tripwire("log", DEMO, "--trip", "t1", "--json").stdout


def test_quiet_log_prints_no_warnings(tmp_path):
    path = tmp_path / "cut.binlog"
    path.write_bytes(DEMO.read_bytes()[:-3])
    loud, quiet = tripwire("log", path), tripwire("log", path, "-q")
    assert "warning: " in loud.stderr and quiet.stderr == ""
    assert loud.stdout == quiet.stdout


def test_ndjson_of_follow_is_its_json():
    arguments = [TRIP, "--replay", DEMO, "--until", "enroute-to-pickup", "--interval", "100ms"]
    first = [json.loads(tripwire("follow", *arguments, "-o", form).stdout.splitlines()[0])
             for form in ("json", "ndjson")]
    assert first[0]["trip"] == first[1]["trip"] != {}


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
        ("inner." * 200 + "s=1", "nested deeper than"),
        ("i=x", "i=x: "), ("b=1", "b=1: expected true or false"), ("e=SOM", "t.E has no value"),
        ("zz=1", "zz: t.M has no such field"), ("at=now", "expected an RFC 3339 time"),
        ("raw=*", "malformed base64"),
    ]:
        assert_failed(tripwire(*common, argument, cwd=tmp_path), 2, message)
    assert_failed(tripwire(*common, "s=a", "s=b", cwd=tmp_path), 2, "s is not a repeated field")
    assert_failed(tripwire(*common, "x=1", "y=1", cwd=tmp_path), 2, "oneof")
    assert_failed(tripwire(*common, "inner.x=1", "inner.y=1", cwd=tmp_path), 2, "oneof")
    assert_failed(tripwire(*common, "inner.s=a", "inner.s=b", cwd=tmp_path), 2,
                  "inner.s is not a repeated field")
    assert_failed(tripwire(*common, "inner=1", cwd=tmp_path), 2, hint="inner.FIELD=VALUE")
    assert_failed(tripwire(*common, "inner.lisst=1", cwd=tmp_path), 2, hint="inner.list?")
    assert_failed(tripwire(*common, "s=a", "-d", "{}", cwd=tmp_path), 2, "s=a cannot be used with -d")


# .proto files.

def test_types_come_from_a_proto_file(address):
    common = ["--proto", PROTO, "-I", INTEROP / "protos"]
    assert SERVICE in tripwire("list", *common).stdout.splitlines()
    assert "rpc UnaryCall" in tripwire("describe", SERVICE, *common).stdout
    result = tripwire("call", address, f"{SERVICE}/EmptyCall", "--plaintext", *common)
    assert answer(result) == {}


def test_only_the_services_of_the_named_file_are_listed(tmp_path):
    (tmp_path / "a.proto").write_text('syntax = "proto3"; package a; import "b.proto";'
                                      " service A { rpc Get(b.M) returns (b.M); }")
    (tmp_path / "b.proto").write_text('syntax = "proto3"; package b; message M { string s = 1; }'
                                      " service B { rpc Get(M) returns (M); }")
    assert tripwire("list", "--proto", "a.proto", cwd=tmp_path).stdout == "a.A\n"
    assert tripwire("list", "--proto", tmp_path / "a.proto").stdout == "a.A\n"
    assert tripwire("describe", "M", "--proto", tmp_path / "a.proto").code == 0


def test_proto_file_may_be_anywhere(tmp_path):
    folder = tmp_path / "inner"
    (folder / "other").mkdir(parents=True)
    text = 'syntax = "proto3"; package e; message M {} service S { rpc Get(M) returns (M); }'
    for path in tmp_path / "e.proto", folder / "f.proto", folder / "@x":
        path.write_text(text)
    for arguments in [
            [folder / "f.proto"], ["../e.proto"], ["@x"], ["f.proto"], ["./f.proto"],
            ["../e.proto", "-I", "."], [tmp_path / "e.proto", "-I", "other"],
            ["f.proto", "-I", "other"], [folder / "f.proto", "-I", tmp_path], ["e.proto", "-I", ".."]]:
        result = tripwire("list", "--proto", *arguments, cwd=folder)
        assert (result.code, result.stdout) == (0, "e.S\n"), (arguments, result.stderr)


def test_text_that_is_not_utf8_is_refused(address):
    method = [f"{SERVICE}/UnaryCall", "--endpoint", address, "--plaintext"]
    assert_failed(tripwire("call", *method, "expect_compressed=\udcff"), 2,
                  "expect_compressed: the value is not UTF-8")
    assert_failed(tripwire("call", *method, "-d", '{"a":"\udcff"}'), 2, "not UTF-8")


def test_mistakes_in_a_proto_file_are_shown_with_their_place(tmp_path):
    (tmp_path / "a.proto").write_text('syntax = "proto3";\nmessage M { string s }\n')
    result = tripwire("list", "--proto", "a.proto", cwd=tmp_path)
    assert_failed(result, 1, "--proto: protoc: a.proto:2:")
    assert "correct the .proto file" in result.stderr
    (tmp_path / "a.proto").write_text('syntax = "proto3"; import "missing.proto";')
    result = tripwire("list", "--proto", "a.proto", cwd=tmp_path)
    assert_failed(result, 1, "--proto: protoc: missing.proto: File not found")
    assert "-I DIR" in result.stderr
    assert_failed(tripwire("list", "--proto", "none.proto", cwd=tmp_path), 1, "none.proto")


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
     "another field of the same oneof is already set",
     f"run 'tripwire describe {POINT}' to show the types of its fields"),
    (["-d", '{"trip": {"pickupPoint": {"terminalPointId": {"placeId": "a", "generatedId": "b"}}}}'],
     "another field of the same oneof is already set", f"run 'tripwire describe {POINT}' to list its fields"),
    (["-d", '{"trip": {"remainingWaypoints": [{}, {"zzzz": 1}]}}'], 'unknown field "zzzz"',
     "run 'tripwire describe maps.fleetengine.v1.TripWaypoint' to list its fields"),
    (["-d", '{"zzzz": 1}'], 'unknown field "zzzz"',
     "run 'tripwire describe maps.fleetengine.v1.UpdateTripRequest' to list its fields"),
])
def test_hint_names_the_message_that_has_the_field(request_, message, hint):
    assert_failed(tripwire("call", "UpdateTrip", *request_, "--replay", DEMO), 2, message, hint=hint)


def test_hints_find_the_types_of_a_proto_file(tmp_path):
    """The type exists only there."""
    (tmp_path / "greet.proto").write_text(
        'syntax = "proto3"; package demo; message Kind { string name = 1; }'
        " service Greeter { rpc Greet(Kind) returns (Kind); }")
    files = ["--proto", "greet.proto", "-I", "."]
    for arguments in (["-d", '{"zzzz": 1}'], ["zzzz=1"], ["--fields", "zzzz"]):
        result = tripwire(
            "call", "demo.Greeter/Greet", "--endpoint", "localhost:1", *files, *arguments, cwd=tmp_path)
        assert_failed(result, 2, "zzzz")
        assert f"run 'tripwire describe demo.Kind {' '.join(files)}' to list its fields" in result.stderr
    assert tripwire("describe", "demo.Kind", *files, cwd=tmp_path).code == 0
    result = tripwire("call", "demo.Greeter/Wrong", "--endpoint", "localhost:1", *files, cwd=tmp_path)
    assert_failed(result, 2, "demo.Greeter has no method Wrong",
                  hint=f"run 'tripwire list demo.Greeter {' '.join(files)}' to list its methods")


def test_missing_protoc_is_named_with_its_package(tmp_path):
    result = tripwire("list", "--proto", "a.proto", PATH=str(tmp_path))
    assert_failed(result, 1, "--proto: protoc is not installed")
    assert "protobuf-compiler" in result.stderr


@pytest.mark.parametrize("options, message", [
    (["--proto", "a", "--protoset", "b"], "--proto cannot be used with --protoset"),
    (["-I", "a"], "--import-path requires --proto"),
])
def test_contrary_options_for_types_are_refused(options, message):
    for command in ["list"], ["call", "a.S/M"]:
        assert_failed(tripwire(*command, *options), 2, message)


# Traces and times.

def test_v_traces_without_frames_and_vv_with_them():
    arguments = ["get", TRIP, "--replay", DEMO]
    brief = tripwire(*arguments, "-v").stderr.splitlines()
    assert any(line.startswith("> :path: /maps.fleetengine.v1.TripService/GetTrip") for line in brief)
    assert not [line for line in brief if line[0] in "{}"]
    for options in ["-vv"], ["-v", "-v"], ["-vvv"]:
        lines = tripwire(*arguments, *options).stderr.splitlines()
        assert [line for line in lines if line.startswith("} HEADERS stream=1 ")]
        assert [line for line in lines if line.startswith("{ DATA stream=1 ")]


def test_timing_is_json_with_the_times_of_each_step(server):
    result = tripwire("get", "providers/p/trips/rich", "--endpoint", server.address, "--plaintext",
                      "--timing", "json")
    assert result.code == 0
    timing = json.loads(result.stderr)["timing"]
    assert timing.pop("method") == "maps.fleetengine.v1.TripService/GetTrip"
    assert timing.pop("code") == "OK"
    assert list(timing) == ["connectMs", "settingsMs", "firstByteMs", "messagesMs", "totalMs"]
    total = timing.pop("totalMs")
    assert 0 < sum(timing.values()) <= total


def test_trace_and_timing_have_the_same_times(server):
    result = tripwire("get", "providers/p/trips/rich", "--endpoint", server.address, "--plaintext",
                      "--timing", "json", "-v")
    (line,) = [line for line in result.stderr.splitlines() if line.startswith('{"timing"')]
    total = json.loads(line)["timing"]["totalMs"]
    (summary,) = [line for line in result.stderr.splitlines() if line.startswith("* OK after ")]
    value, unit = summary.removeprefix("* OK after ").partition(":")[0].split()
    assert float(value) == pytest.approx(total / {"ms": 1, "s": 1000}[unit], rel=0.01)


def test_timing_of_calls_by_reflection_and_of_failures(address):
    result = tripwire("call", address, f"{SERVICE}/UnimplementedCall", "--plaintext", "--timing", "json")
    assert result.code == 76
    times = [json.loads(line)["timing"] for line in result.stderr.splitlines() if line[0] == "{"]
    assert [time["code"] for time in times][-1] == "UNIMPLEMENTED"
    assert "reflectionMs" in times[-1]


def test_connect_to_changes_only_the_address(server):
    arguments = ["get", "providers/p/trips/echo", "--endpoint", "fleet.example:443", "--plaintext"]
    result = tripwire(*arguments, "--connect-to", f"fleet.example:443:{server.address}", "-v")
    assert result.code == 0, result.stderr
    assert "> :authority: fleet.example:443" in result.stderr.splitlines()
    assert f"* connected to {server.address}" in result.stderr
    other = tripwire(*arguments, "--connect-to", f"other.example:443:{server.address}",
                     "--timeout", "5s")
    assert_failed(other, 78, "fleet.example")
    refused = tripwire(*arguments, "--connect-to", "::127.0.0.1:1")
    assert_failed(refused, 78, hint="check that the server is running, and check the port in"
                                    " --connect-to (127.0.0.1:1)")


@pytest.mark.parametrize("command", [["get"], ["follow"], ["map"], ["relay", "want"], ["doctor"]])
def test_name_of_a_collection_is_not_that_of_a_trip(command):
    assert_failed(tripwire(*command, "tasks", "--provider", "p"), 2,
                  error="NAME: the ID is missing after tasks",
                  hint='pass tasks/ID, or trips/tasks if the ID is "tasks"')


# Color.

def test_color_marks_errors(server):
    arguments = ["get", "providers/p/trips/missing", "--endpoint", server.address, "--plaintext"]
    plain = tripwire(*arguments)
    colored = tripwire(*arguments, "--color", "always", NO_COLOR="1")
    assert plain.stderr.startswith("error: ")
    assert colored.stderr.startswith("\x1b[31merror:\x1b[0m ")
    assert re.sub("\x1b\\[[0-9]*m", "", colored.stderr) == plain.stderr
    assert tripwire(*arguments, "--color", "never").stderr == plain.stderr


@pytest.mark.parametrize("variables, color", [({}, True), ({"NO_COLOR": "1"}, False),
                                              ({"TERM": "dumb"}, False)])
def test_terminal_gets_colors_unless_the_environment_forbids_them(variables, color):
    words = [f"{name}={value}" for name, value in variables.items()]
    with Terminal(shell("env", *words, binary(), "get", "x", "--color", "auto")) as terminal:
        terminal.wait_for_end()
        assert ("\x1b[31merror:" in terminal.colors) == color
