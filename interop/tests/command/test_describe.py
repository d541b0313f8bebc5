"""Do `tripwire list` and `tripwire describe` find and show types, built in and by reflection?"""

import json
import socket
import subprocess
import sys

import pytest
from google.api import annotations_pb2, http_pb2
from google.protobuf import descriptor_pb2, json_format

from support.command import assert_failed, tripwire
from peers.servers.reflecting import V1, V1ALPHA, handler, correct_answers, serving
from support.paths import INTEROP

FLEET = [
    "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
    "maps.fleetengine.delivery.v1.DeliveryService", "maps.fleetengine.v1.TripService",
    "maps.fleetengine.v1.VehicleService", "tripwire.emulator.v1.EmulatorService"]


def at(address, command, *arguments):
    return tripwire(command, *arguments, "--endpoint", address, "--plaintext")


def compiled(folder, *paths, protoc=("protoc",), source=INTEROP / "dynamic"):
    protoset = folder / f"{paths[0]}.protoset"
    subprocess.run(
        [*protoc, f"-I{source}", "--include_imports", "--include_source_info",
         f"--descriptor_set_out={protoset}", *paths], check=True)
    return protoset


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("old"), "old.proto")


def test_built_in_types_need_no_server():
    assert tripwire("list").stdout.split() == FLEET
    assert json.loads(tripwire("list", "-o", "json").stdout) == FLEET
    methods = tripwire("list", "maps.fleetengine.v1.VehicleService").stdout.split()
    assert methods[0] == "maps.fleetengine.v1.VehicleService/CreateVehicle" and len(methods) == 7
    assert json.loads(tripwire("list", "Health", "-o", "json").stdout)[1] == {
        "name": "grpc.health.v1.Health/Watch", "request": "grpc.health.v1.HealthCheckRequest",
        "response": "grpc.health.v1.HealthCheckResponse", "clientStreaming": False,
        "serverStreaming": True}


def test_built_in_types_equal_the_protos(our_files):
    """Compares every embedded file, except for comments and source locations."""
    for file in our_files:
        if not file.name.startswith(("google/maps/", "google/rpc/", "grpc/reflection/", "grpc/health")):
            continue
        package = file.package
        for message in file.message_type:
            shown = tripwire("describe", f"{package}.{message.name}", "-o", "json").stdout
            assert json_format.Parse(shown, descriptor_pb2.DescriptorProto()) == message
        for service in file.service:
            assert tripwire("list", f"{package}.{service.name}").stdout.split() == [
                f"{package}.{service.name}/{method.name}" for method in service.method]


def test_described_source_compiles_to_the_same_descriptors(old, tmp_path):
    """The source that describe prints compiles to the same descriptors."""
    for name, syntax, protoc in [
            ("old.proto", 'syntax = "proto2";', ["protoc"]),
            ("everything.proto", 'syntax = "proto3";', ["protoc"])]:
        source = INTEROP / "dynamic" if name == "old.proto" else \
            INTEROP.parent / "Tests/WireProtobufTests"
        protoset = compiled(tmp_path, name, protoc=protoc, source=source)
        file = next(file for file in
                    descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file
                    if file.name == name)
        text = f"{syntax} package {file.package};\n"
        text += "".join(f'import "{path}";\n' for path in file.dependency)
        for kind in file.enum_type, file.message_type:
            for part in kind:
                text += tripwire(
                    "describe", f"{file.package}.{part.name}", "--protoset", protoset).stdout
        (tmp_path / "again.proto").write_text(text)
        again = compiled(tmp_path, "again.proto", protoc=protoc, source=tmp_path)
        result = next(file for file in
                      descriptor_pb2.FileDescriptorSet.FromString(again.read_bytes()).file
                      if file.name == "again.proto")
        for wanted in file, result:
            wanted.ClearField("source_code_info")
            wanted.ClearField("extension")
            wanted.ClearField("options")
            wanted.name = "x"
        assert result == file


@pytest.mark.parametrize("symbol, text", [
    ("tripwire.dynamic.Old.renamed",
     'optional int32 renamed = 18 [json_name = "other.name", deprecated = true];'),
    ("Old.text", 'optional string text = 2 [default = "some \\"text\\""];'),
    ("Closed", "  // The first value, which is the default, is not 0.\n  CLOSED_FIVE = 5;"),
    ("Closed.CLOSED_ZERO", "CLOSED_ZERO = 0;"),
    ("tripwire.dynamic.Scope", "extend tripwire.dynamic.Old {"),
])
def test_parts_of_types_are_described(old, symbol, text):
    result = tripwire("describe", symbol, "--protoset", old)
    assert result.code == 0 and text in result.stdout, result


def test_templates_have_every_field():
    """A template has every field and is accepted as a request."""
    for name, module in [("maps.fleetengine.v1.Trip", None), ("google.rpc.Status", None)]:
        shown = tripwire("describe", name, "-o", "template")
        assert shown.code == 0, shown.stderr
        fields = json.loads(tripwire("describe", name, "-o", "json").stdout)["field"]
        assert set(json.loads(shown.stdout)) == {field["jsonName"] for field in fields}
    request = tripwire("describe", "SearchTrips", "-o", "template").stdout
    assert json.loads(request)["minimumStaleness"] == "0s"
    assert_failed(tripwire("call", "SearchTrips", "-d", request, "--endpoint", "127.0.0.1:1",
                           "--plaintext"), 78)
    for wrong in [["describe"], ["describe", "TripService"], ["list"]]:
        assert_failed(tripwire(*wrong, "-o", "template"), 2, "-o template")


def test_templates_of_recursive_types_end(tmp_path):
    (tmp_path / "loop.proto").write_text("""
        syntax = "proto3"; package t; import "google/protobuf/struct.proto";
        import "google/protobuf/any.proto"; import "google/protobuf/wrappers.proto";
        message Loop { Loop next = 1; repeated Loop more = 2; map<string, Loop> by_name = 3;
          google.protobuf.Value value = 4; google.protobuf.Any any = 5;
          google.protobuf.Int64Value number = 6; oneof a { string b = 7; E c = 8; } }
        enum E { ZERO = 0; }
        """ + "".join(
            f"message D{n} {{ " + " ".join(f"D{n + 1} f{i} = {i};" for i in range(1, 11)) + " }\n"
            for n in range(20)) + "message D20 {}")
    protoset = tmp_path / "loop.protoset"
    subprocess.run(["protoc", f"-I{tmp_path}", "--include_imports",
                    f"--descriptor_set_out={protoset}", "loop.proto"], check=True)
    shown = tripwire("describe", "t.Loop", "-o", "template", "--protoset", protoset).stdout
    inner = {"more": [], "byName": {}}
    assert json.loads(shown) == {
        "next": inner, "more": [inner], "byName": {"": inner}, "value": None, "any": {},
        "number": "0", "b": ""}
    # Without a limit the template would have 10^20 fields.
    deep = tripwire("describe", "D0", "-o", "template", "--protoset", protoset)
    assert deep.code == 0 and len(deep.stdout) < 1_000_000


def test_method_options_are_described():
    shown = tripwire("describe", "TripService/GetTrip").stdout
    assert "// Returns one trip." in shown and "option (google.api.routing) = {" in shown


def test_http_rules_of_a_protoset_are_described(tmp_path):
    file = descriptor_pb2.FileDescriptorProto(
        name="rest.proto", package="rest", syntax="proto3",
        dependency=["google/api/annotations.proto"])
    file.message_type.add(name="M")
    method = file.service.add(name="S").method.add(
        name="Get", input_type=".rest.M", output_type=".rest.M")
    method.options.Extensions[annotations_pb2.http].get = "/v1/{name=things/*}"
    files = descriptor_pb2.FileDescriptorSet(file=[file])
    for imported in annotations_pb2, http_pb2, descriptor_pb2:
        imported.DESCRIPTOR.CopyToProto(files.file.add())
    path = tmp_path / "rest.protoset"
    path.write_bytes(files.SerializeToString())
    shown = tripwire("describe", "rest.S", "--protoset", path).stdout
    assert 'option (google.api.http) = { get: "/v1/{name=things/*}" };' in shown


def test_editions_are_described(tmp_path):
    protoset = compiled(tmp_path, "edition.proto",
                        protoc=[sys.executable, "-m", "grpc_tools.protoc"])
    assert "  Edition" not in tripwire("describe", "Open", "--protoset", protoset).stdout
    assert "repeated int32 packed = 3;" in tripwire(
        "describe", "Edition", "--protoset", protoset).stdout


def test_unknown_names_are_reported(old):
    assert_failed(tripwire("describe", "SearchTripsReqest"), 2,
                  error="SearchTripsReqest was not found in the built-in descriptors",
                  hint="did you mean maps.fleetengine.v1.SearchTripsRequest?")
    assert_failed(tripwire("describe", "Nedy", "--protoset", old), 2, "old.proto", hint="Needy?")
    assert_failed(tripwire("describe", "GetTrp"), 2,
                  error="GetTrp was not found in the built-in descriptors",
                  hint="did you mean maps.fleetengine.v1.TripService.GetTrip?")
    for method in "Tripservice/GetTrip", "Nope.GetTrip", "tripservice/gettrip":
        assert_failed(tripwire("describe", method), 2, "was not found",
                      hint="did you mean maps.fleetengine.v1.TripService.GetTrip?")
    assert_failed(tripwire("describe", "TRIP"), 2, "was not found",
                  hint="did you mean maps.fleetengine.v1.Trip?")
    assert_failed(tripwire("describe", "TripStaus"), 2, "was not found",
                  hint="did you mean maps.fleetengine.v1.TripStatus?")
    for command in "list", "describe":
        assert_failed(tripwire(command, ""), 2, error="'' is not the name of a service or type")
    assert_failed(tripwire("list", "Some"), 2, error="Some was not found in the built-in descriptors",
                  hint="--protoset")
    assert_failed(tripwire("list", "TripServce"), 2,
                  hint="did you mean maps.fleetengine.v1.TripService?")


def test_listing_a_message_is_a_usage_error():
    assert_failed(tripwire("list", "SearchTripsRequest"), 2,
                  error="SearchTripsRequest is not a service",
                  hint="run 'tripwire describe maps.fleetengine.v1.SearchTripsRequest' to show it")
    assert "did you mean" not in tripwire("list", "SearchTripsReqest").stderr


def test_method_is_described_without_its_service():
    assert tripwire("describe", "SearchTrips").stdout \
        == tripwire("describe", "TripService/SearchTrips").stdout != ""


def test_package_is_described_by_its_services_and_types():
    lines = tripwire("describe", "maps.fleetengine.v1").stdout.splitlines()
    assert lines[:3] == ["package maps.fleetengine.v1", "service maps.fleetengine.v1.TripService",
                         "service maps.fleetengine.v1.VehicleService"]
    assert "message maps.fleetengine.v1.Trip" in lines and "enum maps.fleetengine.v1.TripStatus" in lines
    assert [line.split()[0] for line in lines[1:]] == sorted(
        (line.split()[0] for line in lines[1:]), key=["service", "message", "enum"].index)
    contents = json.loads(tripwire("describe", "maps.fleetengine.v1", "-o", "json").stdout)
    assert list(contents) == ["package", "services", "messages", "enums", "extensions"]
    assert [f"{kind[:-1]} {name}" for kind in list(contents)[1:] for name in contents[kind]] == lines[1:]
    assert_failed(tripwire("describe", "maps.fleetengine.v1", "-o", "template"), 2, "-o template")
    assert_failed(tripwire("describe", "maps.fleetengine.v3"), 2, "was not found")
    assert_failed(tripwire("list", "maps.fleetengine.v1"), 2, error="maps.fleetengine.v1 is not a service",
                  hint="run 'tripwire describe maps.fleetengine.v1' to show it")


def test_package_of_a_protoset_or_a_server_is_described(acme):
    wanted = "package acme.v1\nservice acme.v1.TripService\nmessage acme.v1.Trip\n"
    assert tripwire("describe", "acme.v1", "--protoset", acme).stdout == wanted
    files = descriptor_pb2.FileDescriptorSet.FromString(acme.read_bytes()).file
    with serving(handler(V1, correct_answers(["acme.v1.TripService", V1], files))) as address:
        assert at(address, "describe", "acme.v1").stdout == wanted


# Extensions.

EXTENSIONS = """syntax = "proto2"; package g;
message M { extensions 100 to 199; }
extend M {
  // How many.
  optional int32 ext = 100;
  repeated group Inner = 101 { optional int32 x = 1; }
}
message Scope {
  extend M {
    // Inside.
    optional Scope nested = 102;
  }
}
service S { rpc Do(M) returns (M); }
"""


@pytest.mark.parametrize("symbol, shown", [
    ("g.ext", "// g.ext, g.proto\nextend g.M {\n  // How many.\n  optional int32 ext = 100;\n}\n"),
    ("inner", "// g.inner, g.proto\nextend g.M {\n  repeated group Inner = 101 {\n"
              "    optional int32 x = 1;\n  }\n}\n"),
    ("Scope.nested", "// g.Scope.nested, g.proto\nextend g.M {\n  // Inside.\n"
                     "  optional g.Scope nested = 102;\n}\n"),
])
def test_extensions_are_described(tmp_path, symbol, shown):
    (tmp_path / "g.proto").write_text(EXTENSIONS)
    protoset = compiled(tmp_path, "g.proto", source=tmp_path)
    files = descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file
    assert tripwire("describe", symbol, "--proto", "g.proto", cwd=tmp_path).stdout == shown
    with serving(handler(V1, correct_answers(["g.S", V1], files))) as address:
        result = at(address, "describe", symbol)
        # Reflection omits comments.
        assert result.stdout == "".join(
            line for line in shown.splitlines(True) if not line.startswith(" ") or "//" not in line)
    proto = json.loads(tripwire("describe", symbol, "--protoset", protoset, "-o", "json").stdout)
    assert proto["extendee"] == ".g.M"


def test_extensions_are_not_methods_or_services(tmp_path):
    (tmp_path / "g.proto").write_text(EXTENSIONS)
    files = ["--proto", "g.proto"]
    assert tripwire("describe", "g", *files, cwd=tmp_path).stdout.splitlines() == [
        "package g", "service g.S", "message g.Inner", "message g.M", "message g.Scope",
        "extension g.ext", "extension g.inner"]
    assert_failed(tripwire("list", "g.ext", *files, cwd=tmp_path), 2, error="g.ext is not a service",
                  hint="run 'tripwire describe g.ext --proto g.proto' to show it")
    assert_failed(tripwire("call", "g.ext", *files, cwd=tmp_path), 2, "METHOD: g.ext was not found")
    assert_failed(tripwire("describe", "g.ext", "-o", "template", *files, cwd=tmp_path), 2, "-o template")


# Reflection.

@pytest.mark.parametrize("versions", [[V1], [V1ALPHA], [V1, V1ALPHA]])
def test_types_are_listed_and_described_by_reflection(our_files, versions):
    names = ["maps.fleetengine.v1.TripService", *versions]
    with serving(*(handler(version, correct_answers(names, our_files)) for version in versions)) as address:
        assert at(address, "list").stdout.split() == sorted(names)
        assert at(address, "list", "TripService").stdout.split()[0].endswith("/CreateTrip")
        assert "rpc GetTrip(" in at(address, "describe").stdout


@pytest.fixture
def acme(tmp_path):
    """A service and a type with the same short names as in Fleet Engine."""
    (tmp_path / "acme.proto").write_text(
        'syntax = "proto3"; package acme.v1; message Trip { string plate = 1; }'
        "service TripService { rpc GetTrip(Trip) returns (Trip); }")
    return compiled(tmp_path, "acme.proto", source=tmp_path)


def test_server_types_have_priority_over_built_in_types(acme):
    files = descriptor_pb2.FileDescriptorSet.FromString(acme.read_bytes()).file
    with serving(handler(V1, correct_answers(["acme.v1.TripService", V1], files))) as address:
        assert "string plate = 1;" in at(address, "describe", "Trip").stdout
        assert at(address, "list", "TripService").stdout == "acme.v1.TripService/GetTrip\n"
        assert "* method acme.v1.TripService/GetTrip" in at(address, "call", "GetTrip", "-v").stderr
        # Short names that the server does not have, and full names, are built in.
        assert "rpc GetVehicle(" in at(address, "describe", "VehicleService").stdout
        assert "vehicle_id" in at(address, "describe", "maps.fleetengine.v1.Trip").stdout


def test_protoset_has_priority_over_built_in_types(acme):
    assert "string plate = 1;" in tripwire("describe", "Trip", "--protoset", acme).stdout
    assert tripwire(
        "list", "TripService", "--protoset", acme).stdout == "acme.v1.TripService/GetTrip\n"


def test_built_in_types_need_no_reflection(server):
    assert "rpc GetTrip(" in at(server.address, "describe", "TripService").stdout


def test_missing_reflection_is_reported(server):
    assert_failed(at(server.address, "list"), 76, "UNIMPLEMENTED",
                  hint="has no reflection service")


def test_deadline_that_reflection_uses_up_has_its_cause():
    """A short name, which may also be a built-in one, is looked up at the server first."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        result = at(address, "call", "ServerReflectionInfo", "--timeout", "200ms")
        assert_failed(result, 68, "the deadline passed before the call started: cannot look up ServerReflectionInfo"
                      f" by reflection: the deadline passed while connecting to {address}: ", hint=address)


def test_built_in_type_is_shown_with_a_warning_if_the_server_cannot_be_asked():
    result = at("127.0.0.1:1", "list", "TripService")
    assert result.code == 0 and "TripService/GetTrip" in result.stdout
    assert result.stderr.startswith("warning: cannot look up TripService by reflection: ")
    assert result.stderr.endswith("; showing the built-in TripService\n")


@pytest.mark.parametrize("symbol, message, hint", [
    ("Trip.trip_statu", "maps.fleetengine.v1.Trip has no member trip_statu",
     "did you mean maps.fleetengine.v1.Trip.trip_status?"),
    ("TripService/GetTripp", "maps.fleetengine.v1.TripService has no member GetTripp",
     "did you mean maps.fleetengine.v1.TripService.GetTrip?"),
    ("TripView.NOPE", "maps.fleetengine.v1.TripView has no member NOPE",
     "run 'tripwire describe maps.fleetengine.v1.TripView' to list its members"),
])
def test_misspelled_member_of_a_known_type_is_reported(symbol, message, hint):
    assert_failed(tripwire("describe", symbol), 2, message, hint=hint)


def test_messages_of_a_relay_are_built_in():
    names = ["PollError", "PollRequest", "ResourceState", "TripState"]
    listed = tripwire("describe", "tripwire.relay.v1").stdout.splitlines()
    assert listed[1:] == [f"message tripwire.relay.v1.{name}" for name in names]
    for name in names:
        assert f"\nmessage {name} {{\n" in tripwire("describe", f"tripwire.relay.v1.{name}").stdout
