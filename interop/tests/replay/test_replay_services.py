"""Do other clients work with the reflection and health services of `tripwire replay`?"""

import json
import signal

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase)

from support.command import LONGEST, TOOLS, assert_failed, exactly, replaying, run, tripwire
from support.paths import RECORDINGS

DEMO = RECORDINGS / "demo.binlog"
TRIPS, VEHICLES = "maps.fleetengine.v1.TripService", "maps.fleetengine.v1.VehicleService"
OWN = ["grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
       "grpc.reflection.v1alpha.ServerReflection"]
TRIP = "providers/demo/trips/t1"


@pytest.fixture(scope="module")
def replay():
    with replaying(DEMO) as (_, address):
        yield address


@pytest.fixture
def channel(replay):
    with grpc.insecure_channel(replay) as channel:
        yield channel


def succeeded(result):
    assert result.returncode == 0, result.stderr
    return result.stdout


def grpcurl(address, *arguments, data=None):
    data = [] if data is None else ["-d", json.dumps(data)]
    return run(TOOLS / "grpcurl", "-plaintext", *data, address, *arguments)


# Reflection


def test_grpcurl_lists_services_and_methods(replay):
    assert succeeded(grpcurl(replay, "list")).split() == [*OWN, TRIPS, VEHICLES]
    assert f"{TRIPS}.GetTrip" in succeeded(grpcurl(replay, "list", TRIPS)).split()


def test_grpcurl_describes_all_listed_services(replay):
    described = succeeded(grpcurl(replay, "describe"))
    assert all(f"{name} is a service" in described for name in [*OWN, TRIPS, VEHICLES])
    assert "string vehicle_id" in succeeded(
        grpcurl(replay, "describe", "maps.fleetengine.v1.Trip"))
    assert grpcurl(replay, "describe", "maps.fleetengine.v1.Tirp").returncode != 0


def test_grpcurl_calls_without_a_schema(replay, protoset):
    with_schema = run(
        TOOLS / "grpcurl", "-plaintext", "-protoset", protoset, "-d", json.dumps({"name": TRIP}),
        replay, f"{TRIPS}/GetTrip")
    assert succeeded(grpcurl(replay, f"{TRIPS}/GetTrip", data={"name": TRIP})) == succeeded(
        with_schema)


def test_buf_curl_calls_without_a_schema(replay):
    answer = succeeded(run(
        TOOLS / "buf", "curl", "--protocol", "grpc", "--http2-prior-knowledge", "-d",
        json.dumps({"name": TRIP}), f"http://{replay}/{TRIPS}/GetTrip"))
    assert json.loads(answer)["name"] == TRIP


def test_grpcio_finds_types_by_reflection(channel):
    database = ProtoReflectionDescriptorDatabase(channel)
    assert list(database.get_services()) == [*OWN, TRIPS, VEHICLES]
    pool = descriptor_pool.DescriptorPool(database)
    trip = pool.FindMessageTypeByName("maps.fleetengine.v1.Trip")
    assert trip.fields_by_name["trip_status"].number == 3
    for name in OWN:
        assert pool.FindServiceByName(name).methods
    get = pool.FindServiceByName(TRIPS).methods_by_name["GetTrip"]
    request = message_factory.GetMessageClass(get.input_type)(name=TRIP)
    answer = channel.unary_unary(f"/{TRIPS}/GetTrip")(request.SerializeToString(), timeout=LONGEST)
    assert message_factory.GetMessageClass(get.output_type).FromString(answer).name == TRIP


def test_grpcio_finds_extension_numbers(channel):
    database = ProtoReflectionDescriptorDatabase(channel)
    assert list(database.FindAllExtensionNumbers("google.protobuf.MethodOptions")) == [72295728, 72295729]
    with pytest.raises(KeyError):
        database.FindAllExtensionNumbers("google.protobuf.Absent")


def test_tripwire_finds_types_by_reflection(replay):
    at = ["--endpoint", replay, "--plaintext"]
    assert tripwire("list", *at).stdout.split() == [*OWN, TRIPS, VEHICLES]
    described = tripwire("describe", *at)
    assert (described.code, TRIPS in described.stdout) == (0, True)
    called = tripwire("call", f"{TRIPS}/GetTrip", "-d", json.dumps({"name": TRIP}), *at)
    assert exactly(called.stdout)["name"] == TRIP


def test_recorded_reflection_is_replayed(tmp_path, protoset):
    """The recording includes the reflection responses of a server whose types are unknown."""
    from google.protobuf import timestamp_pb2
    from grpc_reflection.v1alpha import reflection_pb2

    from peers.recordings.binary_log import write
    from tests.replay.test_replay_course import call

    file = descriptor_pb2.FileDescriptorProto(name="echo.proto", package="test", syntax="proto3")
    file.message_type.add(name="Word").field.add(name="text", number=1, type=9, label=1)
    file.service.add(name="Echo").method.add(
        name="Talk", input_type=".test.Word", output_type=".test.Word")
    answer = reflection_pb2.ServerReflectionResponse()
    answer.file_descriptor_response.file_descriptor_proto.append(file.SerializeToString())
    reflection_call = call(
        1, ("CLIENT_HEADER", 0), ("CLIENT_MESSAGE", 0, b""),
        ("SERVER_MESSAGE", 0, answer.SerializeToString()), ("CANCEL", 0))
    reflection_call[0].client_header.method_name = (
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
    word = b"\n\2hi"
    talk = call(
        2, ("CLIENT_HEADER", 0), ("CLIENT_MESSAGE", 0, word), ("CLIENT_HALF_CLOSE", 0),
        ("SERVER_HEADER", 0), ("SERVER_MESSAGE", 0, word), ("SERVER_TRAILER", 0, 0, ""))
    write(tmp_path / "echo.binlog", reflection_call + talk)
    with replaying(tmp_path / "echo.binlog") as (_, address):
        assert succeeded(grpcurl(address, "list")).split() == [*OWN, "test.Echo"]
        answer = succeeded(grpcurl(address, "test.Echo/Talk", data={"text": "hi"}))
        assert json.loads(answer) == {"text": "hi"}


# Health


def health(address, service=None, method="Check", *arguments):
    return grpcurl(
        *arguments, address, f"grpc.health.v1.Health/{method}",
        data={} if service is None else {"service": service})


@pytest.mark.parametrize("service", [None, TRIPS, *OWN])
def test_service_is_serving(replay, service):
    assert json.loads(succeeded(health(replay, service))) == {"status": "SERVING"}


def test_unknown_service_has_no_health(replay):
    result = health(replay, "maps.fleetengine.v1.Absent")
    assert "NotFound" in result.stderr
    assert_failed(
        tripwire("call", "grpc.health.v1.Health/Check", "-d", '{"service": "x"}', "--endpoint",
                 replay, "--plaintext"), 69, "NOT_FOUND")


def test_watchers_are_notified_of_the_stop():
    with replaying(DEMO) as (process, address), grpc.insecure_channel(address) as channel:
        watch = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"", timeout=LONGEST)
        assert next(watch) == b"\x08\x01"
        process.send_signal(signal.SIGTERM)
        assert next(watch) == b"\x08\x02"
        with pytest.raises(grpc.RpcError):
            next(watch)
        assert watch.code() == grpc.StatusCode.UNAVAILABLE
        assert process.wait(LONGEST) == 0
