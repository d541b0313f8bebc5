"""Does the proxy in front of the emulator inject the configured faults, and keep a journal of the calls?"""

import time

import grpc
import pytest
from google.api_core import exceptions
from google.maps import fleetengine_delivery_v1, fleetengine_v1

from peers.fleet.methods import METHODS
from peers.servers import failures
from support.command import LONGEST


@pytest.fixture
def call(fleet):
    """GetTrip with requests and responses as bytes."""
    with grpc.insecure_channel(fleet.address) as channel:
        yield channel.unary_unary("/maps.fleetengine.v1.TripService/GetTrip")


def request(trip):
    """Returns the bytes of a GetTripRequest, whose field 3 is the name."""
    return bytes([3 << 3 | 2, len(trip.name)]) + trip.name.encode()


def code(client, trip):
    """Returns the status code of a failed call."""
    with pytest.raises(exceptions.GoogleAPICallError) as caught:
        client.get(trip)
    return caught.value.grpc_status_code.name


def test_every_method_of_google_is_served():
    clients = [fleetengine_v1.TripServiceClient, fleetengine_v1.VehicleServiceClient,
               fleetengine_delivery_v1.DeliveryServiceClient]
    known = {name for client in clients for name in vars(client) if name.startswith((
        "get_", "create_", "delete_", "update_", "list_", "search_", "batch_", "report_"))}
    names = {name.replace("_", "") for name in known - {"get_mtls_endpoint_and_cert_source", "get_transport_class"}}
    assert {name.lower() for name in METHODS} == names


@pytest.mark.parametrize("code", failures.CODES, ids=lambda code: code.name)
def test_every_code_is_returned_with_every_detail(fleet, client, trip, code):
    details = failures.all_details()
    fleet.faults.fail(code.name, "Ausfall: ☃", *details, times=1)
    with pytest.raises(exceptions.GoogleAPICallError) as caught:
        client.get(trip)
    error = caught.value
    assert (error.grpc_status_code, error.message, error.details) == (code, "Ausfall: ☃", details)
    assert client.get(trip).name == trip.name


def test_faults_apply_to_one_resource_or_method_and_end(fleet, client, services, trip):
    fleet.faults.fail("UNAVAILABLE", times=1)
    fault = fleet.faults.fail("ABORTED", trip_id="t1")
    fleet.faults.fail("DATA_LOSS", method="GetVehicle")
    assert [code(client, trip) for _ in range(3)] == ["UNAVAILABLE", "ABORTED", "ABORTED"]
    assert client.get(fleet.add_trip("t2"))
    fault.withdraw()
    assert client.get(trip)
    with pytest.raises(exceptions.DataLoss):
        services.get_vehicle(name="providers/p/vehicles/v1")


def test_hanging_call_ends_when_the_client_cancels(fleet, client, trip, call):
    fleet.faults.hang(times=1)
    hanging = call.future(request(trip), timeout=LONGEST)
    fleet.journal.wait(lambda calls: len(calls) == 1)
    hanging.cancel()
    assert fleet.journal.wait_for_calls(1)[0].code == "CANCELLED"
    assert client.get(trip)


def test_hanging_call_ends_when_the_fault_is_withdrawn(fleet, trip, call):
    fault = fleet.faults.hang()
    hanging = call.future(request(trip), timeout=LONGEST)
    fleet.journal.wait(lambda calls: len(calls) == 1)
    assert not hanging.done()
    fault.withdraw()
    assert hanging.result()


def test_slow_fault_delays_the_response(fleet, client, trip):
    fleet.faults.slow(0.2, times=1)
    begin = time.monotonic()
    assert client.get(trip)
    assert time.monotonic() - begin >= 0.2


def test_garble_fault_returns_an_invalid_message(fleet, trip, call):
    fleet.faults.garble(times=1)
    assert call(request(trip), timeout=LONGEST) == b"\x0a\xffno trip"


def test_journal_records_requests_and_responses(fleet, client, trip):
    answer = client.get(trip)
    stamp = answer.current_route_segment_version
    client.get(trip, current_route_segment_version=stamp, route_format_type=2, view=1)
    fleet.faults.fail("INTERNAL", times=1)
    assert code(client, trip) == "INTERNAL"
    first, second, third = fleet.journal.wait_for_calls(3, "t1")
    assert (first.stamps, first.code, first.claims) == ({}, "OK", None)
    assert second.stamps == {"current_route_segment_version": stamp.ToNanoseconds()}
    assert (second.format, second.view) == ("ENCODED_POLYLINE_TYPE", "SDK")
    assert "grpc-python" in second.user_agent
    assert first.bytes == answer.ByteSize() > second.bytes > 0
    assert (third.code, third.bytes) == ("INTERNAL", 0)
    assert fleet.journal.bytes("t1") == first.bytes + second.bytes
