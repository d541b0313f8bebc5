"""Does the simulated fleet inject the configured faults, as often as configured?"""

import time

import grpc
import pytest
from google.api_core import exceptions
from google.rpc import error_details_pb2, status_pb2

from support.command import LONGEST
from peers.servers import failures


@pytest.fixture
def call(fleet):
    """GetTrip with requests and responses as bytes."""
    with grpc.insecure_channel(fleet.address) as channel:
        yield channel.unary_unary("/maps.fleetengine.v1.TripService/GetTrip")


def failure(client, trip, **more):
    """Returns the status code and the exception of a failed call."""
    with pytest.raises(exceptions.GoogleAPICallError) as caught:
        client.get(trip, **more)
    return caught.value.grpc_status_code, caught.value


@pytest.mark.parametrize("code", failures.CODES, ids=lambda code: code.name)
def test_every_code_is_returned_with_every_detail(fleet, client, trip, code):
    details = failures.all_details()
    fleet.faults.fail(code.name, "Ausfall: ☃", *details, times=1)
    found, error = failure(client, trip)
    assert (found, error.message, error.details) == (code, "Ausfall: ☃", details)
    assert client.get(trip).name == trip.name


def test_faults_occur_as_often_as_configured(fleet, client, trip):
    fleet.faults.fail("UNAVAILABLE", times=2)
    fleet.faults.fail("ABORTED", times=1)
    assert [failure(client, trip)[0].name for _ in range(3)] == [
        "UNAVAILABLE", "UNAVAILABLE", "ABORTED"]
    assert client.get(trip)


def test_fault_lasts_until_it_is_withdrawn(fleet, client, trip):
    fault = fleet.faults.fail("INTERNAL")
    for _ in range(3):
        assert failure(client, trip)[0] == grpc.StatusCode.INTERNAL
    fault.withdraw()
    assert client.get(trip)


def test_fault_can_apply_to_one_trip(fleet, client, trip):
    fleet.faults.fail("DATA_LOSS", trip_id="t1")
    assert failure(client, trip)[0] == grpc.StatusCode.DATA_LOSS
    assert client.get(fleet.add_trip("t2"))


def test_exceeded_quota_returns_a_retry_delay(fleet, client, trip):
    fleet.faults.exceed_quota(2.5)
    code, error = failure(client, trip)
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    retry = error_details_pb2.RetryInfo()
    retry.retry_delay.FromMilliseconds(2500)
    assert error.details == [retry]


def test_pushback_is_sent_in_the_trailers(fleet, client, trip):
    fleet.faults.fail("UNAVAILABLE", pushback=70)
    trailers = dict(failure(client, trip)[1].response.trailing_metadata())
    assert trailers["grpc-retry-pushback-ms"] == "70"


def test_status_details_repeat_code_and_message(fleet, client, trip):
    fleet.faults.fail("NOT_FOUND", "gone", error_details_pb2.ErrorInfo(reason="GONE"))
    trailers = dict(failure(client, trip)[1].response.trailing_metadata())
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    assert (status.code, status.message) == (5, "gone")


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


def test_old_fault_returns_an_earlier_trip(fleet, client, trip):
    before = client.get(trip)
    fleet.advance(30)
    trip.go("COMPLETE")
    fleet.advance(15)
    fleet.faults.old(45, times=1)
    assert client.get(trip) == before
    assert not client.get(trip).remaining_waypoints


def test_garble_fault_returns_an_invalid_message(fleet, trip, call):
    fleet.faults.garble(times=1)
    assert call(request(trip), timeout=LONGEST) == b"\x0a\xffno trip"


def request(trip):
    """Returns the bytes of a GetTripRequest, whose field 3 is the name."""
    return bytes([3 << 3 | 2, len(trip.name)]) + trip.name.encode()


@pytest.mark.parametrize("name, code", [
    ("providers/p/trips/t9", "NOT_FOUND"),
    ("providers/p/trips/", "INVALID_ARGUMENT"),
    ("providers/p/trips/t1/more", "INVALID_ARGUMENT"),
    ("t1", "INVALID_ARGUMENT"),
])
def test_unknown_and_malformed_names_are_rejected(client, trip, name, code):
    assert failure(client, name)[0].name == code


def test_journal_records_requests_and_responses(fleet, client, trip):
    answer = client.get(trip)
    stamp = answer.current_route_segment_version
    client.get(trip, current_route_segment_version=stamp, route_format_type=2, view=1)
    fleet.faults.fail("INTERNAL", times=1)
    failure(client, trip)
    first, second, third = fleet.journal.wait_for_calls(3, "t1")
    assert (first.stamps, first.code, first.claims) == ({}, "OK", None)
    assert second.stamps == {"current_route_segment_version": stamp.ToNanoseconds()}
    assert (second.format, second.view) == ("ENCODED_POLYLINE_TYPE", "SDK")
    assert "grpc-python" in second.user_agent
    assert first.bytes == answer.ByteSize() > second.bytes > 0
    assert (third.code, third.bytes) == ("INTERNAL", 0)
    assert fleet.journal.bytes("t1") == first.bytes + second.bytes
