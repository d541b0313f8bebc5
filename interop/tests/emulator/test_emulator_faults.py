"""Do faults reach clients over gRPC and HTTP, from options, files and calls, and does virtual time move them?"""

import contextlib
import json
import socket
import threading
import time
from urllib.parse import urlsplit

import grpc
import pytest
import requests
from google.api_core import exceptions
from google.rpc import error_details_pb2

from support import rest
from support.command import LONGEST, TOOLS, assert_failed, at, run, tripwire
from support.emulator import emulating
from support.fleet_services import connected_services

SERVICE = "tripwire.emulator.v1.EmulatorService"
VEHICLE = "providers/p/vehicles/v1"
START = "2026-11-21T09:30:00Z"


class Controlled:
    """An emulator with REST, whose vehicle v1 drives, and Google's clients."""

    def __init__(self, emulator, services):
        self.emulator, self.services = emulator, services

    def rest(self, method, path, body=None):
        return rest.request(self.emulator.url, method, path, body)

    def fault(self, **fault):
        """Creates a fault; returns it."""
        answer = self.rest("POST", "/emulator/v1/faults", fault)
        assert answer.status == 200, answer.body
        return answer.json

    def faults(self):
        return self.rest("GET", "/emulator/v1/faults").json.get("faults", [])

    def advance(self, duration):
        answer = self.rest("POST", "/emulator/v1/time:advance", {"duration": duration})
        assert answer.status == 200, answer.body
        return answer.json["time"]

    def grpcurl(self, method, request):
        return run(
            TOOLS / "grpcurl", "-plaintext", "-d", json.dumps(request), self.emulator.address, f"{SERVICE}/{method}")

    def vehicle(self):
        return self.services.get_vehicle(name=VEHICLE)


@contextlib.contextmanager
def controlled(*options):
    with emulating("--rest", "127.0.0.1:0", "--virtual-time", "--start-time", START, *options) as emulator, \
            connected_services(emulator) as services:
        fleet = Controlled(emulator, services)
        driven = fleet.rest("POST", f"/emulator/v1/{VEHICLE}:drive", {
            "points": [{"latitude": 1, "longitude": 1}, {"latitude": 1.01, "longitude": 1}], "speed": 10})
        assert driven.status == 200, driven.body
        yield fleet


@pytest.fixture(scope="module")
def shared():
    with controlled() as fleet:
        yield fleet


@pytest.fixture
def fleet(shared):
    assert shared.rest("DELETE", "/emulator/v1/faults").status == 200
    return shared


@pytest.mark.parametrize("code, error, status", [
    (14, exceptions.ServiceUnavailable, 503), (7, exceptions.PermissionDenied, 403), (4, exceptions.DeadlineExceeded, 504)])
def test_calls_fail_with_the_status(fleet, code, error, status):
    fault = fleet.fault(methods=["GetVehicle"], resource="vehicles/v1", status={"code": code, "message": "on purpose"})
    with pytest.raises(error, match="on purpose"):
        fleet.vehicle()
    answer = fleet.rest("GET", f"/v1/{VEHICLE}")
    assert answer.status == status and answer.error["message"] == "on purpose"
    assert [each["calls"] for each in fleet.faults()] == ["2"]
    with pytest.raises(exceptions.NotFound):
        fleet.services.get_vehicle(name="providers/p/vehicles/v2")
    assert fleet.rest("DELETE", f"/emulator/v1/{fault['name']}").status == 200
    assert fleet.vehicle().name == VEHICLE


def test_details_of_a_status_reach_clients(fleet):
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R", "domain": "d"}
    fleet.fault(status={"code": 9, "message": "no", "details": [info]})
    with pytest.raises(exceptions.FailedPrecondition) as caught:
        fleet.vehicle()
    assert caught.value.reason == "R"
    assert fleet.rest("GET", f"/v1/{VEHICLE}").error["details"] == [info]


def test_quota_has_the_details_of_google(fleet):
    fleet.fault(methods=["GetVehicle"], quota={"callsPerMinute": 1})
    fleet.vehicle()
    fleet.advance("20s")
    with pytest.raises(exceptions.ResourceExhausted) as caught:
        fleet.vehicle()
    details = {type(each): each for each in caught.value.details}
    assert details[error_details_pb2.RetryInfo].retry_delay.seconds == 40
    assert details[error_details_pb2.QuotaFailure].violations[0].subject == "project:p"
    assert caught.value.reason == "RATE_LIMIT_EXCEEDED"
    assert caught.value.metadata["quota_limit_value"] == "1"
    assert fleet.rest("GET", f"/v1/{VEHICLE}").status == 429
    fleet.advance("40s")
    fleet.vehicle()


def test_latency_delays_calls_and_does_not_block_others(fleet):
    fleet.fault(methods=["GetVehicle"], latency="0.5s")
    start = time.monotonic()
    slow = threading.Thread(target=lambda: fleet.rest("GET", f"/v1/{VEHICLE}"))
    slow.start()
    assert fleet.rest("GET", "/v1/providers/p/vehicles?vehicleTypeCategories=AUTO").status == 200
    assert fleet.vehicle().name == VEHICLE
    assert time.monotonic() - start >= 0.5
    slow.join()
    assert time.monotonic() - start < LONGEST
    assert [each["calls"] for each in fleet.faults()] == ["2"]


def test_connections_are_cut(fleet):
    fleet.fault(methods=["GetVehicle"], times=2, disconnect={})
    with pytest.raises(exceptions.ServiceUnavailable):
        fleet.vehicle()
    with pytest.raises(requests.ConnectionError):
        requests.get(f"{fleet.emulator.url}/v1/{VEHICLE}", timeout=LONGEST)
    assert fleet.vehicle().name == VEHICLE


def test_silent_calls_last_until_their_deadline(fleet):
    fleet.fault(methods=["GetVehicle"], silence={})
    with grpc.insecure_channel(fleet.emulator.address) as channel, pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/maps.fleetengine.v1.VehicleService/GetVehicle")(b"", timeout=0.2)
    assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    with pytest.raises(requests.ReadTimeout):
        requests.get(f"{fleet.emulator.url}/v1/{VEHICLE}", timeout=0.2)
    url = urlsplit(fleet.emulator.url)
    for _ in range(300):
        with socket.create_connection((url.hostname, url.port)) as leaving:
            leaving.sendall(f"GET /v1/{VEHICLE} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    assert int(fleet.faults()[0]["calls"]) >= 2


def test_control_is_reached_by_reflection_and_needs_no_token():
    with controlled("--require-token", "--fault", "UNAVAILABLE") as fleet:
        listed = fleet.grpcurl("ListFaults", {})
        assert json.loads(listed.stdout)["faults"][0]["status"]["code"] == 14
        assert json.loads(fleet.grpcurl("AdvanceTime", {"duration": "3600s"}).stdout) == {"time": "2026-11-21T10:30:00Z"}
        assert fleet.grpcurl("DeleteFaults", {}).returncode == 0
        with pytest.raises(exceptions.Unauthenticated):
            fleet.vehicle()
        failed = fleet.grpcurl("CreateFault", {"fault": {"methods": ["FlyTrip"], "silence": {}}})
        assert "InvalidArgument" in failed.stderr and "fault.methods[0]" in failed.stderr


def test_drive_carries_out_a_trip_in_virtual_time():
    with controlled() as fleet:
        fleet.services.create_trip(parent="providers/p", trip_id="t1", trip={
            "trip_type": "EXCLUSIVE", "vehicle_id": "v1", "pickup_point": {"point": {"latitude": 1, "longitude": 1.01}},
            "dropoff_point": {"point": {"latitude": 1, "longitude": 1.02}}})
        answer = fleet.rest("POST", f"/emulator/v1/{VEHICLE}:drive", {"speed": 10, "wait": "60s"})
        # 1,112 m to each stop, from where the vehicle is now, and a minute between them.
        assert answer.json["endTime"].startswith("2026-11-21T09:34:4")

        def status():
            return fleet.services.get_trip(name="providers/p/trips/t1").trip_status

        seen = [status()]
        for _ in range(6):
            fleet.advance("50s")
            seen.append(status())
        # ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP, ENROUTE_TO_DROPOFF, COMPLETE
        assert seen == [2, 2, 2, 3, 4, 4, 5]


def test_drive_carries_out_tasks_in_virtual_time():
    name, place = "providers/p/deliveryVehicles/d1", {"point": {"latitude": 1, "longitude": 1.01}}
    with controlled() as fleet:
        path = f"/emulator/v1/{name}:drive"
        assert fleet.rest("POST", path, {}).status == 404
        fleet.services.create_delivery_vehicle(parent="providers/p", delivery_vehicle_id="d1", delivery_vehicle={
            "last_location": {"location": {"latitude": 1, "longitude": 1}}})
        fleet.services.create_task(parent="providers/p", task_id="k1", task={
            "type_": "DELIVERY", "state": "OPEN", "tracking_id": "s1", "planned_location": place,
            "task_duration": {"seconds": 30}})
        fleet.services.update_delivery_vehicle(
            delivery_vehicle={"name": name, "remaining_vehicle_journey_segments": [
                {"stop": {"planned_location": place, "state": "NEW", "tasks": [{"task_id": "k1"}]}}]},
            update_mask={"paths": ["remaining_vehicle_journey_segments"]})
        refused = fleet.rest("POST", path, {"wait": "60s"})
        assert (refused.status, refused.json["error"]["status"]) == (400, "INVALID_ARGUMENT")
        # 1,112 m to the stop, and half a minute there.
        assert fleet.rest("POST", path, {"speed": 10}).json["endTime"].startswith("2026-11-21T09:32:2")
        fleet.advance("120s")
        task = fleet.services.get_task(name="providers/p/tasks/k1")
        # OPEN without an outcome, then CLOSED and SUCCEEDED.
        assert (task.state, task.task_outcome) == (1, 0)
        fleet.advance("60s")
        task = fleet.services.get_task(name="providers/p/tasks/k1")
        assert (task.state, task.task_outcome) == (2, 1)


def test_time_of_the_system_cannot_be_advanced():
    with emulating() as emulator:
        result = tripwire("call", f"{SERVICE}/AdvanceTime", *at(emulator.address), "--data", '{"duration": "1s"}')
        assert_failed(result, 64 + 9, "--virtual-time")


def test_file_begins_with_faults(tmp_path):
    file = tmp_path / "faults.json"
    file.write_text(json.dumps({"faults": [
        {"methods": ["GetVehicle"], "times": 1, "status": {"code": 14, "message": "from the file"}},
        {"resource": "vehicles/v2", "quota": {}}]}))
    with controlled("--faults", file, "--fault", "latency=1ms") as fleet:
        assert [each["name"] for each in fleet.faults()] == ["faults/1", "faults/2", "faults/3"]
        with pytest.raises(exceptions.ServiceUnavailable, match="from the file"):
            fleet.vehicle()
        fleet.vehicle()
        with pytest.raises(exceptions.ResourceExhausted):
            fleet.services.get_vehicle(name="providers/p/vehicles/v2")


@pytest.mark.parametrize("text, error", [
    ("{", ":1:2: "),
    ('{"faults": [\n  {"methods": ["FlyTrip"], "silence": {}}]}', ":2:16: faults[0].methods[0]: "),
    ('{"faults": [\n  {"status": {"code": "UNAVAILABLE"}}]}', ":2:24: faults[0].status.code: "),
    ('{"faults": [{}]}', ":1:13: faults[0]: has no effect"),
])
def test_errors_of_a_file_have_their_place(tmp_path, text, error):
    file = tmp_path / "faults.json"
    file.write_text(text)
    assert_failed(tripwire("emulate", "--faults", file), 1, f"--faults: {file}{error}")


@pytest.mark.parametrize("arguments, error", [
    (["--fault", "UNAVAIABLE"], "expected a status such as UNAVAILABLE"),
    (["--fault", "silence,method=FlyTrip"], 'method is "FlyTrip"'),
    (["--fault", "latency=2h"], "at most one hour"),
    (["--start-time", START], "--virtual-time"),
    (["--virtual-time", "--start-time", "noon"], "expected an RFC 3339 time"),
])
def test_wrong_options_are_refused(arguments, error):
    assert_failed(tripwire("emulate", *arguments), 2, error)


def test_state_keeps_virtual_changes(tmp_path):
    """A state file and virtual time go together."""
    with controlled("--state", tmp_path / "state.db") as fleet:
        fleet.advance("60s")
        place = fleet.vehicle().last_location.location
    with emulating("--state", tmp_path / "state.db") as emulator, connected_services(emulator) as services:
        assert services.get_vehicle(name=VEHICLE).last_location.location == place
