"""Does `tripwire log` show the content of binary logs written with Python's protobuf?"""

import json
import random
import resource
import struct
import subprocess
from datetime import UTC, datetime

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import json_format
from google.rpc import error_details_pb2, status_pb2

from support.command import LONGEST, assert_failed, binary, environment, tripwire
from support.fleet_client import connected_client
from support.merging import OVER, Follower
from peers.recordings import binary_log
from peers.fleet import Fleet
from peers.recordings.log_writer import GET_TRIP, SERVICE, LogWriter
from support.paths import RECORDINGS

DEMO = RECORDINGS / "demo.binlog"
TRIP = "providers/p/trips/t1"
MESSAGES = {
    f"{SERVICE}TripService/GetTrip": (types.GetTripRequest, types.Trip),
    f"{SERVICE}VehicleService/GetVehicle": (types.GetVehicleRequest, types.Vehicle),
}


@pytest.fixture
def log():
    return LogWriter()


@pytest.fixture
def shown(log, tmp_path):
    """Runs `tripwire log` on the current entries of the log."""
    def run(*options):
        binary_log.write(tmp_path / "a.binlog", log.entries)
        return tripwire("log", tmp_path / "a.binlog", *options, TZ="UTC")

    return run


def request(name=TRIP, **more):
    return types.GetTripRequest.pb(types.GetTripRequest(name=name, **more))


def trip(**fields):
    return types.Trip.pb(types.Trip(name=TRIP, **fields))


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


# The timeline of a trip


def stamped(second):
    return {"seconds": 1795253400 + second}


def drive(log):
    """Logs a trip polled every five seconds: it changes, is sent in part, fails and recovers."""
    answers = [
        trip(trip_status="NEW"),
        trip(trip_status="NEW"),
        trip(trip_status="ENROUTE_TO_PICKUP", vehicle_id="v1", eta_to_first_waypoint=stamped(600),
             current_route_segment="_p~iF~ps|U_ulLnnqC", current_route_segment_version=stamped(9),
             last_location={"location": {"latitude": 1}, "update_time": stamped(1)}),
    ]
    for answer in answers:
        log.call(GET_TRIP, request(), answer)
        log.wait(4.965)
    since = {"current_route_segment_version": stamped(9)}
    rest = {"vehicle_id": "v1", "current_route_segment_version": stamped(9),
            "last_location": {"location": {"latitude": 1}, "update_time": stamped(1)}}
    # The response omits the unchanged route.
    log.call(GET_TRIP, request(**since), trip(
        trip_status="ENROUTE_TO_PICKUP", eta_to_first_waypoint=stamped(630), **rest))
    log.wait(4.965)
    for _ in range(3):
        log.call(GET_TRIP, request(**since), code=14, message="backend\x1b is away")
        log.wait(9.965)
    log.wait(60)
    rest["last_location"] = {"location": {"latitude": 2}, "update_time": stamped(100)}
    log.call(GET_TRIP, request(**since), trip(
        trip_status="ARRIVED_AT_PICKUP", eta_to_first_waypoint=stamped(480), **rest))
    log.wait(1)
    log.call(f"{SERVICE}TripService/UpdateTrip", types.UpdateTripRequest.pb(
        types.UpdateTripRequest(name=TRIP)), code=7, message="no")


TIMELINE = """\
2026-11-21, times in UTC
09:30:00.000  call 1    requested the whole trip
09:30:00.035  call 1    status: new
09:30:10.035  call 3    status: enroute to pickup
09:30:10.035  call 3    vehicle: v1
09:30:10.035  call 3    ETA at next stop: 09:40:00
09:30:10.035  call 3    route: 2 points, 253 km
09:30:15.000  call 4    requested changes since 09:30:09 (route)
09:30:20.035  call 5    error: UNAVAILABLE: backend\\u{1b} is away
09:31:50.035  call 8    recovered after 1 min 35 s without a successful response, 3 errors
09:31:50.035  call 8    status: arrived at pickup
09:31:50.035  call 8    ETA at next stop: 09:38:00, 2 min earlier
09:31:50.035  call 8    new vehicle location after 1 min 40 s
09:31:51.070  call 9    UpdateTrip: PERMISSION_DENIED: no
"""


@pytest.mark.parametrize("name", [TRIP, "t1"])
def test_timeline_shows_the_merged_trip(log, shown, name):
    drive(log)
    result = shown("--trip", name)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout == TIMELINE


def test_timeline_is_available_as_json(log, shown):
    drive(log)
    lines = [json.loads(line) for line in shown("--trip", TRIP, "--json").stdout.splitlines()]
    assert {line["name"] for line in lines} == {TRIP}
    checks = [(line["check"], line["call"]) for line in lines if line["event"] == "check"]
    assert checks == [("error", 8), ("stale", 8), ("jump", 8), ("error", 9)]
    lines = [line for line in lines if line["event"] != "check"]
    events = [(line["event"], line["call"]) for line in lines]
    assert events == [
        ("asked", 1), ("changed", 1), ("status", 1), ("changed", 3), ("status", 3), ("vehicle", 3),
        ("eta", 3), ("route", 3), ("asked", 4), ("changed", 4), ("error", 5), ("recovered", 8),
        ("changed", 8), ("status", 8), ("eta", 8), ("location", 8), ("call", 9)]
    by_event = dict(zip(events, lines))
    assert by_event["changed", 1]["changed"] == ["name", "tripStatus"]
    assert {"tripStatus", "vehicleId", "etaToFirstWaypoint"} <= set(by_event["changed", 3]["changed"])
    assert by_event["status", 3]["status"] == "ENROUTE_TO_PICKUP"
    assert by_event["status", 3]["before"] == "NEW"
    assert by_event["asked", 4]["since"] == {"currentRouteSegmentVersion": "2026-11-21T09:30:09Z"}
    assert by_event["error", 5]["code"] == "UNAVAILABLE"
    assert by_event["error", 5]["message"] == "backend\x1b is away"
    assert (by_event["recovered", 8]["seconds"], by_event["recovered", 8]["errors"]) == (95, 3)
    assert by_event["eta", 8]["eta"] == "2026-11-21T09:38:00Z"
    assert by_event["status", 8]["time"] == "2026-11-21T09:31:50.035Z"


def drive_through(fleet, log):
    """Polls a trip of the fleet with version stamps until it is over; returns the number of polls."""
    driven = fleet.add_trip("t1", intermediates=1, begins=20)
    with connected_client(fleet) as client:
        follower = Follower(client, driven)
        for polls in range(1, 1_000):
            log.now = datetime.fromtimestamp(fleet.now, UTC)
            asked = types.GetTripRequest.pb(types.GetTripRequest(
                name=driven.name, **follower.stamps()))
            log.call(GET_TRIP, asked, client.get(driven, **follower.stamps()))
            if follower.refresh().trip_status in OVER:
                return polls
            fleet.advance(5)
    pytest.fail("the trip never ends")


def test_timeline_of_a_whole_trip_is_short(log, shown):
    with Fleet(start=1795253400) as fleet:
        polls = drive_through(fleet, log)
    lines = [json.loads(line) for line in shown("--trip", "t1", "--json").stdout.splitlines()]
    assert [line["status"] for line in lines if line["event"] == "status"] == [
        "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
        "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]
    assert [line["stops"] for line in lines if line["event"] == "stops"] == [3, 2, 1, 0]
    # A field that a response omits as unchanged is not a change.
    assert not {line["event"] for line in lines} & {"partial", "outdated", "gap", "error"}
    # The text is shorter than the JSON, which has every change.
    assert polls > 50 and len([line for line in lines if line["event"] != "changed"]) < polls
    assert all(line["changed"] for line in lines if line["event"] == "changed")


def test_trip_that_fails_at_the_end_is_reported(log, shown):
    log.call(GET_TRIP, request(), trip(trip_status="NEW"))
    for _ in range(4):
        log.wait(10)
        log.call(GET_TRIP, request(), code=14)
    log.begin(GET_TRIP, request())
    assert shown("--trip", "t1").stdout.splitlines()[-2:] == [
        "09:30:40.175            still failing at the end: 4 errors, no successful response for 40.14 s",
        "09:30:40.175  call 6    GetTrip has no end in the recording"]


def test_unknown_trip_is_reported_with_the_known_ones(log, shown):
    log.call(GET_TRIP, request(), trip())
    assert_failed(shown("--trip", "t2"), 1,
                  error=f"--trip t2: not in the recording, which contains {TRIP}")
    assert_failed(shown("--trip", "trips/t1"), 1, TRIP)


# Damaged and malicious files


def framed(data):
    return struct.pack(">I", len(data)) + data


def test_damaged_files_exit_with_0_or_1(tmp_path):
    data, dice = DEMO.read_bytes(), random.Random(6)
    path, copy = tmp_path / "damaged.binlog", tmp_path / "copy.binlog"
    for _ in range(50):
        damaged = bytearray(data)
        for _ in range(dice.choice([1, 5, 50])):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        path.write_bytes(damaged[:dice.randrange(len(damaged))])
        copy.unlink(missing_ok=True)
        for options in [], ["--json"], ["--call", "1"], ["--trip", "t1"], ["--anonymize", copy]:
            assert tripwire("log", path, *options).code in (0, 1)


@pytest.mark.parametrize("cut", [0, 1, 4, 5, 100, 1000, 2400, 4409])
def test_truncated_log_is_shown_up_to_its_end(tmp_path, cut):
    path = tmp_path / "cut.binlog"
    path.write_bytes(DEMO.read_bytes()[:cut])
    result = tripwire("log", path, "--json")
    assert result.code == 0
    assert ("is truncated" in result.stderr) == (cut != 0)
    whole = tripwire("log", DEMO, "--json").stdout
    assert whole.startswith(result.stdout)


@pytest.mark.parametrize("data", [
    b"\xff" * 1000, bytes(1000), b"\0\0\0\1\xff", framed(b"\xff" * 100), random.Random(1).randbytes(
        100_000), b"\3\xff\xff\xff" + bytes(1000)],
    ids=["ff", "zeros", "one-byte", "garbage", "random", "long"])
def test_file_that_is_not_a_log_is_reported(tmp_path, data):
    (tmp_path / "no.binlog").write_bytes(data)
    result = tripwire("log", tmp_path / "no.binlog")
    assert result.stdout == "" and "no.binlog" in result.stderr
    assert result.code == (0 if "is truncated" in result.stderr else 1)


def test_entries_after_a_truncated_one_are_shown(tmp_path):
    data = DEMO.read_bytes()
    (tmp_path / "torn.binlog").write_bytes(data[:700] + data)
    result = tripwire("log", tmp_path / "torn.binlog")
    assert result.code == 0
    assert len(result.stdout.splitlines()) == 6
    assert "entry 5 at byte 327: truncated: 373 bytes skipped" in result.stderr


def test_unreadable_rest_is_reported_after_the_readable_entries(tmp_path):
    claim = b"\0\x0f\0\0\x10\1\x7a\xf0\xff\x3b"
    (tmp_path / "noise.binlog").write_bytes(DEMO.read_bytes() + b"\1" * 4 + claim * 300_000)
    result = tripwire("log", tmp_path / "noise.binlog", TZ="UTC")
    assert (result.code, result.stdout) == (1, tripwire("log", DEMO, TZ="UTC").stdout)
    assert "error: " in result.stderr and "entry 17 at byte 4410" in result.stderr


def test_control_characters_and_long_texts_are_harmless(log, shown, tmp_path):
    nasty = "\x1b[2J\u202e\x9b\r\n" + "a\u0301\u0301" * 500_000
    log.call(nasty, b"", b"", code=3, message=nasty, metadata=[("x-a", nasty), (nasty, "a")])
    log.call(GET_TRIP, request(nasty), trip(vehicle_id=nasty), message=nasty)
    log.call(GET_TRIP, request("providers/\x1b/trips/t1"), trip(vehicle_id=nasty))
    for options in [], ["--call", 1], ["--call", 2], ["--trip", "t1"], ["--json"]:
        result = shown(*options)
        assert result.code == 0, result.stderr
        lines = result.stdout.split("\n")
        for line in lines:
            # JSON keeps DEL and C1 characters if stdout is not a terminal.
            assert not any(mark in line for mark in "\x1b\r"), options
            assert options == ["--json"] or "\x9b" not in line and "\u202e" not in line
        if options in ([], ["--trip", "t1"]):
            assert max(map(len, lines)) < 5_000
    copied = shown("--anonymize", tmp_path / "copy.binlog")
    assert copied.code == 0
    assert "\x1b" not in copied.stderr and len(copied.stderr) < 1_000
    assert (tmp_path / "copy.binlog").stat().st_size < 2_000


def test_non_finite_and_extreme_numbers_are_shown(log, shown):
    nan, infinite = float("nan"), float("inf")
    log.call(GET_TRIP, request(), trip(
        trip_status="NEW", route=[{"latitude": nan, "longitude": infinite}] * 2,
        eta_to_first_waypoint={"seconds": 2**62}, last_location={
            "location": {"latitude": nan}, "heading": -5, "speed": infinite}))
    log.entries[0].timestamp.seconds = -2**63
    log.entries[-1].timestamp.seconds = 2**63 - 1
    for options in [], ["--call", 1], ["--trip", "t1"], ["--trip", "t1", "--json"], ["--json"]:
        result = shown(*options)
        assert (result.code, result.stderr) == (0, ""), options
        assert result.stdout


def test_long_log_is_read_in_linear_time(log, tmp_path):
    """The limit is loose, because this is a debug build. It excludes quadratic time."""
    answer = trip(trip_status="NEW", route=[{"latitude": 1, "longitude": 2}] * 50)
    for _ in range(3_000):
        log.call(GET_TRIP, request(), answer)
        log.wait(5)
    binary_log.write(tmp_path / "long.binlog", log.entries)
    for options in [], ["--json"], ["--trip", "t1"], ["--call", 3_000]:
        before = child_cpu_time()
        result = tripwire("log", tmp_path / "long.binlog", *options)
        assert result.code == 0, result.stderr
        assert child_cpu_time() - before < 20


def child_cpu_time():
    """Returns the CPU time of the ended child processes in seconds."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


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
