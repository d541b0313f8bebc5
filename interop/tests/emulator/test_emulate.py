"""Does `tripwire emulate` serve Google's clients, other tools and the commands?"""

import contextlib
import json
import signal
import time

import grpc
import pytest
from google.maps.fleetengine_v1 import types
from grpc_health.v1 import health_pb2, health_pb2_grpc

from support.command import LONGEST, TOOLS, assert_failed, at, run, tripwire
from support.emulator import emulating
from support.fleet_client import connected_client
from support.fleet_services import connected_services
from support.nats.server import until

STATUSES = [
    "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]


@pytest.fixture(scope="module")
def demo():
    with emulating("--seed", "demo", "--speed", 1000) as emulator:
        yield emulator


def grpcurl(emulator, *arguments):
    done = run(TOOLS / "grpcurl", "-plaintext", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_first_lines_name_the_address_and_a_command(demo):
    contents = "3 vehicles and 1 delivery vehicle of providers/demo"
    assert demo.lines[0] == f"listening on {demo.address} (plaintext): {contents}\n"
    command = f"tripwire follow providers/demo/trips/t1 --endpoint {demo.address} --plaintext"
    assert demo.lines[1] == command + "\n"
    result = tripwire(*command.split()[1:], "--for", "1s", "-o", "json")
    assert json.loads(result.stdout.splitlines()[0])["trip"]["name"] == "providers/demo/trips/t1"


def test_the_command_of_a_demo_that_goes_on_names_the_present_trip(tmp_path):
    options = "--seed", "demo", "--state", tmp_path / "fleet.db"
    for trip in "t1", "t1-2":
        with emulating(*options) as emulator:
            assert emulator.lines[1].startswith(f"tripwire follow providers/demo/trips/{trip} --endpoint ")


def test_demo_trips_pass_every_status():
    """As seen by somebody who asks often enough. The second trip of a vehicle follows the first."""
    with emulating("--seed", "demo", "--vehicles", 4, "--speed", 200) as emulator, \
            connected_services(emulator) as services:
        seen = []

        def is_over():
            trip = services.get_trip(name="providers/demo/trips/t4")
            status = type(trip).DESCRIPTOR.fields_by_name["trip_status"].enum_type.values_by_number[trip.trip_status].name
            if status not in seen[-1:]:
                seen.append(status)
            return status == "COMPLETE"

        until(is_over, lambda: seen, pause=0.01)
        assert seen == STATUSES
        until(lambda: "providers/demo/trips/t4-2" in [
            each.name for each in services.search_trips(parent="providers/demo").trips], "the next trip")


def test_vehicles_move(demo):
    with connected_services(demo) as services:
        before = services.get_vehicle(name="providers/demo/vehicles/v1").last_location
        until(lambda: services.get_vehicle(name="providers/demo/vehicles/v1").last_location.location
              != before.location, "another location")


def test_grpcurl_calls_by_reflection(demo):
    assert "maps.fleetengine.v1.TripService" in grpcurl(demo, demo.address, "list").split()
    answer = json.loads(grpcurl(
        demo, "-d", '{"name": "providers/demo/trips/t2"}', demo.address, "maps.fleetengine.v1.TripService/GetTrip"))
    assert answer["vehicleId"] == "v2"


def test_health_is_reported(demo):
    with grpc.insecure_channel(demo.address) as channel:
        request = health_pb2.HealthCheckRequest(service="maps.fleetengine.v1.TripService")
        assert health_pb2_grpc.HealthStub(channel).Check(request, timeout=LONGEST).status == 1


def test_commands_create_follow_and_delete():
    with emulating() as emulator:
        assert emulator.lines[0].endswith(": no resources\n")
        options = at(emulator.address)
        result = tripwire(
            "create", "providers/p/vehicles/v1", *options, "--data",
            '{"vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 2,'
            ' "vehicleType": {"category": "AUTO"}}')
        assert result.code == 0, result.stderr
        trip = {"tripType": "EXCLUSIVE", "vehicleId": "v1", "pickupPoint": {"point": {"latitude": 1, "longitude": 2}}}
        assert tripwire("create", "providers/p/trips/t1", *options, "--data", json.dumps(trip)).code == 0
        assert tripwire("get", "providers/p/trips/t1", *options).json["tripStatus"] == "NEW"
        assert_failed(tripwire("delete", "providers/p/trips/t1", *options, "--yes"), 64 + 9)


def test_unknown_methods_are_unimplemented(demo):
    with grpc.insecure_channel(demo.address) as channel, pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/maps.fleetengine.v1.TripService/FlyTrip")(b"", timeout=LONGEST)
    assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED
    assert caught.value.details() == "Fleet Engine has no method /maps.fleetengine.v1.TripService/FlyTrip"


@pytest.mark.parametrize("request_bytes", [b"\xff", b"\x1a\x05ab", bytes(100_000)])
def test_requests_that_are_no_messages_are_refused(demo, request_bytes):
    with grpc.insecure_channel(demo.address) as channel, pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/maps.fleetengine.v1.TripService/GetTrip")(request_bytes, timeout=LONGEST)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_tokens_can_be_required():
    with emulating("--seed", "demo", "--require-token") as emulator:
        with connected_client(emulator) as client, pytest.raises(Exception, match="missing required authentication"):
            client.get("providers/demo/trips/t1")
        with connected_client(emulator, "any") as client:
            assert client.get("providers/demo/trips/t1").vehicle_id == "v1"


def test_tls_is_served(certificates):
    good = certificates.good
    with emulating("--seed", "demo", "--tls-cert", good.chain, "--tls-key", good.key) as emulator:
        assert "(TLS)" in emulator.lines[0]
        with connected_client(emulator, authority=certificates.authority) as client:
            assert client.get("providers/demo/trips/t1").name == "providers/demo/trips/t1"


def test_calls_are_logged_and_recorded(tmp_path):
    log = tmp_path / "calls.binlog"
    with emulating("--seed", "demo", "-v", "--record", log) as emulator:
        with connected_client(emulator) as client:
            client.get("providers/demo/trips/t1")
        line = emulator.process.stdout.readline().decode()
        assert "GetTrip providers/demo/trips/t1 OK" in line
        emulator.process.send_signal(signal.SIGTERM)
        assert emulator.process.wait(LONGEST) == 0
    assert "GetTrip" in tripwire("log", log).stdout


def test_emulator_survives_clients_that_break_off(demo):
    for _ in range(20):
        with grpc.insecure_channel(demo.address) as channel:
            search = channel.unary_unary("/maps.fleetengine.v1.TripService/SearchTrips")
            request = types.SearchTripsRequest.pb(types.SearchTripsRequest(parent="providers/demo"))
            with contextlib.suppress(grpc.RpcError):
                search(request.SerializeToString(), timeout=0.001)
    with connected_client(demo) as client:
        assert client.get("providers/demo/trips/t1").name


@pytest.mark.parametrize("arguments, code, error", [
    (["x"], 2, "unexpected argument x"),
    (["--speed", "2"], 2, "--speed"),
    (["--seed", "demo", "--vehicles", "0"], 2, "--vehicles"),
    (["--listen", "192.0.2.1:50051"], 1, "192.0.2.1:50051"),
])
def test_wrong_options_are_refused(arguments, code, error):
    assert_failed(tripwire("emulate", *arguments), code, error)


def test_signal_stops_the_emulator():
    with emulating("--seed", "demo") as emulator:
        start = time.monotonic()
        emulator.process.send_signal(signal.SIGINT)
        assert emulator.process.wait(LONGEST) == 0 and time.monotonic() - start < 5
