"""Does `tripwire log` show the content of binary logs written with Python's protobuf?"""

import json
import subprocess

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import json_format
from google.rpc import error_details_pb2, status_pb2

from support.command import LONGEST, assert_failed, binary, environment, tripwire
from peers.recordings import binary_log
from peers.recordings.log_writer import GET_TRIP, SERVICE, request, trip
from support.paths import RECORDINGS

DEMO = RECORDINGS / "demo.binlog"
MESSAGES = {
    f"{SERVICE}TripService/GetTrip": (types.GetTripRequest, types.Trip),
    f"{SERVICE}VehicleService/GetVehicle": (types.GetVehicleRequest, types.Vehicle),
}


# The list


def test_demo_recording_is_listed():
    result = tripwire("log", DEMO, TZ="UTC")
    assert (result.code, result.stderr) == (0, "")
    day, header, *calls = result.stdout.splitlines()
    assert day == "2026-11-21, times in UTC, names relative to providers/demo/"
    assert header.split() == "call time method resource status latency req resp".split()
    assert [line.split()[:5] for line in calls] == [
        ["1", "09:30:00.000", "GetTrip", "trips/t1", "OK"],
        ["2", "09:30:00.006", "GetVehicle", "vehicles/v1", "OK"],
        ["3", "09:30:00.012", "GetTrip", "trips/missing", "NOT_FOUND"],
    ]


def test_stdin_is_read(tmp_path):
    result = tripwire("log", "-", stdin=DEMO.read_bytes(), TZ="UTC")
    assert result == tripwire("log", DEMO, TZ="UTC")


def test_client_and_server_calls_with_reused_ids_are_separate(log, shown):
    for logger in ["LOGGER_CLIENT", "LOGGER_SERVER"] * 2:
        first = len(log.entries)
        log.call(GET_TRIP, request(), trip())
        for entry in log.entries[first:]:
            entry.call_id, entry.logger = 1, getattr(entry, logger)
    lines = shown().stdout.splitlines()[2:]
    assert ["server" in line for line in lines] == [False, True] * 2
    assert all(" OK " in line for line in lines)


def test_unfinished_calls_are_reported(log, shown):
    log.begin(GET_TRIP, request())
    log.add(log.begin(GET_TRIP, request()), "CANCEL")
    lines = shown().stdout.splitlines()[2:]
    assert "unfinished" in lines[0] and "cancelled" in lines[1]


def test_closed_reader_is_not_an_error(log, tmp_path):
    for _ in range(20_000):
        log.call(GET_TRIP, request(), trip())
    binary_log.write(tmp_path / "long.binlog", log.entries)
    command = f"{binary()} log {tmp_path / 'long.binlog'} | head -3; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, timeout=LONGEST, env=environment())
    assert done.stdout.decode().splitlines()[-1] == "141"
    assert done.stderr == b""


# JSON


def test_every_json_object_equals_its_entry():
    entries = binary_log.read(DEMO)
    lines = [json.loads(line) for line in tripwire("log", DEMO, "--json").stdout.splitlines()]
    assert len(lines) == len(entries)
    method = None
    for line, entry in zip(lines, entries):
        expected = json_format.MessageToDict(entry)
        assert line.pop("call") == entry.call_id
        method = entry.client_header.method_name or method
        if entry.HasField("message"):
            kind = MESSAGES[method]["SERVER" in line["type"]]
            message = kind.pb().FromString(entry.message.data)
            # Equal numbers may have different texts.
            assert json_format.ParseDict(line["message"].pop("decoded"), kind.pb()()) == message
            del expected["message"]["data"]
        if entry.trailer.status_details:
            status = status_pb2.Status.FromString(entry.trailer.status_details)
            assert line["trailer"].pop("status") == json_format.MessageToDict(status)
            del expected["trailer"]["statusDetails"]
        for part, is_ours in [(line, True), (expected, False)]:
            for item in part.get("clientHeader", {}).get("metadata", {}).get("entry", []):
                item.pop("text" if is_ours else "value")
        # Fields that are not set may be missing.
        expected.setdefault("trailer", {}).setdefault("statusCode", 0)
        line.setdefault("trailer", {}).setdefault("statusCode", 0)
        assert line == expected


def test_protoset_decodes_messages_of_other_services(log, shown, test_protoset):
    log.call("/grpc.testing.TestService/UnaryCall", b"\x10\x07", b"\x12\x03ann")
    unknown = [json.loads(line) for line in shown("--json").stdout.splitlines()]
    assert unknown[1]["message"] == {"length": 2, "data": "EAc="}
    known = [json.loads(line)
             for line in shown("--json", "--protoset", test_protoset).stdout.splitlines()]
    assert known[1]["message"] == {"length": 2, "decoded": {"responseSize": 7}}
    assert known[3]["message"] == {"length": 5, "decoded": {"username": "ann"}}


# One call


def test_one_call_is_shown_completely():
    result = tripwire("log", DEMO, "--call", 3, TZ="UTC")
    assert (result.code, result.stderr) == (0, "")
    for words in ["call 3: /maps.fleetengine.v1.TripService/GetTrip", "+1.0 ms", "deadline 15 s",
                  '"name": "providers/demo/trips/missing"', "NOT_FOUND", "it was never created",
                  "request ID a1b2c3d4", "x-goog-request-params: provider_id=providers%2Fdemo"]:
        assert words in result.stdout


def test_unknown_call_number_is_reported():
    assert_failed(tripwire("log", DEMO, "--call", 4), 1,
                  error="--call 4: the recording has only 3 calls")


@pytest.mark.parametrize("arguments", [
    [], ["a", "--call", "0"], ["a", "--call", "1", "--errors"], ["a", "--since", "noon"], ["a", "--call", "1", "--trip", "t"],
    ["a", "--anonymize", "b", "--json"], ["a", "--yaml"], ["a", "--trip", ""]])
def test_usage_error_exits_with_2(arguments):
    assert_failed(tripwire("log", *arguments), 2)


def test_status_details_are_shown(log, shown):
    status = status_pb2.Status(code=8)
    retry = error_details_pb2.RetryInfo()
    retry.retry_delay.FromMilliseconds(2_500)
    status.details.add().Pack(retry)
    log.call(GET_TRIP, request(), code=8, details=status.SerializeToString())
    log.call(GET_TRIP, request(), code=8, details=b"\xff")
    assert "retry after 2.5 s" in shown("--call", 1).stdout
    assert "not a google.rpc.Status" in shown("--call", 2).stdout
