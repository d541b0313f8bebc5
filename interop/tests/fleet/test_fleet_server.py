"""Does the simulated fleet stop and restart on request, and is it fast enough?"""

import json
import socket
import subprocess
import sys
import time

import grpc
import pytest
from google.api_core import exceptions
from google.maps.fleetengine_delivery_v1 import types as delivery_types
from google.maps.fleetengine_v1 import types

from support.command import LONGEST
from support.fleet_client import connected_client
from support.fleet_services import connected_services
from support.paths import INTEROP
from peers.fleet import Fleet, ServiceAccount
from peers.fleet.process import FleetProcess

MANY = 1000


def get_trip(channel):
    """Returns GetTrip as a function of the trip name."""
    return channel.unary_unary(
        "/maps.fleetengine.v1.TripService/GetTrip",
        request_serializer=lambda name: types.GetTripRequest.pb()(name=name).SerializeToString(),
        response_deserializer=types.Trip.pb().FromString)


def test_fleet_restarts_on_the_same_port():
    with Fleet() as fleet, grpc.insecure_channel(fleet.address) as channel:
        trip, get = fleet.add_trip("t1"), get_trip(channel)
        trip.go("ENROUTE_TO_DROPOFF")
        before = get(trip.name, timeout=LONGEST)
        fleet.stop()
        with pytest.raises(grpc.RpcError) as caught:
            get(trip.name, timeout=LONGEST)
        assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
        fleet.start()
        assert get(trip.name, timeout=LONGEST, wait_for_ready=True) == before


def test_stop_ends_hanging_calls():
    with Fleet() as fleet, grpc.insecure_channel(fleet.address) as channel:
        trip = fleet.add_trip("t1")
        fleet.faults.hang()
        call = get_trip(channel).future(trip.name)
        fleet.journal.wait(lambda calls: len(calls) == 1)
        fleet.stop()
        assert call.exception(LONGEST).code() == grpc.StatusCode.UNAVAILABLE


def test_fleet_serves_tls(certificates):
    with Fleet(certificate=certificates.good) as fleet:
        with connected_client(fleet, authority=certificates.authority) as client:
            assert client.get(fleet.add_trip("t1")).name


def test_killed_fleet_restarts_with_the_same_trips(tmp_path):
    log = tmp_path / "log"
    with FleetProcess("--trips=1", "--log", log, speed=1) as process:
        with grpc.insecure_channel(process.address) as channel:
            get, name = get_trip(channel), "providers/demo/trips/t1"
            before = get(name, timeout=LONGEST)
            process.kill()
            process.start()
            after = get(name, timeout=LONGEST, wait_for_ready=True)
    assert process.example == (
        f"tripwire follow providers/demo/trips/t1 --endpoint {process.address} --plaintext")
    assert before.route == after.route and len(before.route) == 40
    assert before.current_route_segment_version == after.current_route_segment_version
    assert before.eta_to_first_waypoint == after.eta_to_first_waypoint
    assert after.last_location.update_time.ToSeconds() >= before.last_location.update_time.seconds
    assert [json.loads(line)["code"] for line in log.read_text().splitlines()] == ["OK", "OK"]


def test_running_fleet_executes_console_commands(tmp_path):
    key, tls = tmp_path / "key.json", tmp_path / "tls"
    with FleetProcess("--trips=2", "--credentials", key, "--tls", tls, speed=0.1) as process:
        token = ServiceAccount.load_or_create(key).mint("t2")
        with connected_client(process, token, authority=tls / "authority.pem") as client:
            for line, status in [("t2 go ARRIVED_AT_PICKUP", "ARRIVED_AT_PICKUP"),
                                 ("t2 cancel", "CANCELED")]:
                process.run_command(line)
                answer = client.get("providers/demo/trips/t2")
                assert types.TripStatus(answer.trip_status).name == status
            process.run_command("fail ABORTED 1")
            with pytest.raises(exceptions.Aborted):
                client.get("providers/demo/trips/t2")
            process.run_command("expire 4000")
            with pytest.raises(exceptions.Unauthenticated):
                client.get("providers/demo/trips/t2")
        unknown = "no such command, trip, delivery vehicle or task; type help"
        for line, reason in [("t2 fly", unknown), ("t9 cancel", unknown), ("fly", unknown), ("d9-1 fail", unknown),
                             ("t2", "an argument is missing"), ("t2 delay soon", "an argument is missing")]:
            with pytest.raises(AssertionError, match=f"error: {line}: {reason}"):
                process.run_command(line)
        assert "--cacert" in process.example and "--credentials" in process.example
        process.end()
        assert process.process.returncode == 0


def test_a_used_port_is_reported_in_two_lines():
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        result = subprocess.run(
            [sys.executable, "-m", "peers.fleet", "--port", str(port)], cwd=INTEROP, capture_output=True,
            text=True, timeout=LONGEST)
    assert (result.returncode, result.stdout, result.stderr) == (
        1, "", f"error: port {port}: Address already in use\nhint: use another port, or PORT=0 for a free one\n")


def test_running_fleet_changes_deliveries_on_command():
    with FleetProcess("--trips=0", "--deliveries=2", speed=0.1) as process:
        assert process.help == "delivery vehicles d1, d2; type help for the commands"
        assert "providers/demo/deliveryVehicles/d1" in process.example
        with connected_services(process) as services:
            def stops():
                message = services.get_delivery_vehicle(name="providers/demo/deliveryVehicles/d1")
                return [segment.stop.tasks[0].task_id
                        for segment in message.remaining_vehicle_journey_segments]

            before = stops()
            process.run_command("d1 replan")
            assert stops() == before[::-1]
            process.run_command("d1 replan 5 4 3 2 1 0")
            assert stops() == before
            for line in ("d1 delay 60", "d1 reroute", "d1 stop_reports", "d1 resume_reports",
                         "d1-1 fail", "fail_with_details ABORTED 1 GetTask"):
                process.run_command(line)
            services.list_tasks(parent="providers/demo")
            with pytest.raises(exceptions.Aborted) as caught:
                services.get_task(name="providers/demo/tasks/d1-1")
            assert len(caught.value.details) == 10
            process.run_command("advance 100000")
            ended = services.get_task(name="providers/demo/tasks/d1-1")
            assert delivery_types.Task.TaskOutcome(ended.task_outcome).name == "FAILED"
        for line in ("d1 fly", "d1-1 fly"):
            with pytest.raises(AssertionError, match=line):
                process.run_command(line)


def test_thousand_concurrent_calls_are_answered():
    with Fleet(trips=MANY, speed=10) as fleet, grpc.insecure_channel(fleet.address) as channel:
        get = get_trip(channel)
        names = [trip.name for trip in fleet.trips.values()]
        begin = time.monotonic()
        calls = [get.future(name, timeout=LONGEST) for name in names]
        assert [call.result().name for call in calls] == names
        print(f"{MANY / (time.monotonic() - begin):.0f} calls/s")
        assert len(fleet.journal.of()) == MANY
