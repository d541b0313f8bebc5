"""Does `tripwire log` read the exports of Cloud Logging that fleet-debugger reads, in all their forms, and
write one?"""

import gzip
import json
import re
import subprocess

import pytest

from support.command import assert_failed, binary, tripwire
from peers.fleet.methods import snake_case
from peers.recordings import binary_log
from peers.recordings.two_sides import TwoSides
from support.paths import RECORDINGS

TRIP = RECORDINGS / "trip.binlog"
TYPE = "type.googleapis.com/maps.fleetengine.v1."
PROJECT = "projects/p"


def entry(method, time, request=None, response=None, error=None, **labels):
    """A log entry of Fleet Engine, as `gcloud logging read --format=json` prints it."""
    payload = {"@type": f"{TYPE}{method}Log", "request": request, "response": response,
               "errorResponse": error}
    return {
        "insertId": f"{method}{time}",
        "jsonPayload": {key: value for key, value in payload.items() if value is not None},
        "labels": labels,
        "logName": f"{PROJECT}/logs/fleetengine.googleapis.com%2F{snake_case(method)}",
        "receiveTimestamp": f"2026-11-21T09:30:{time + 1:02}.5Z",
        "resource": {"type": "fleetengine.googleapis.com/Fleet",
                     "labels": {"location": "global", "resource_container": PROJECT}},
        "timestamp": f"2026-11-21T09:30:{time:02}Z",
    }


def place(latitude):
    return {"latitude": latitude, "longitude": 11.5}


def trip(status, **more):
    return {"name": "providers/p/trips/t1", "status": f"TRIP_STATUS_{status}", "tripType": "EXCLUSIVE_TRIP",
            "pickupPoint": {"point": place(48.1), "pointHandle": "h"}, **more}


def vehicle_update(time, latitude):
    location = {"rawLocation": place(latitude), "rawLocationTime": f"2026-11-21T09:30:{time:02}Z",
                "serverTime": f"2026-11-21T09:30:{time:02}.2Z", "locSensor": "LOCATION_SENSOR_GPS", "speed": 8.5}
    vehicle = {"name": "providers/p/vehicles/v1", "state": "VEHICLE_STATE_ONLINE", "lastLocation": location}
    return entry("UpdateVehicle", time, {"vehicleId": "v1", "updateMask": "lastLocation", "vehicle": vehicle},
                 vehicle | {"currentTrips": ["t1"], "supportedTrips": ["EXCLUSIVE_TRIP"]}, vehicle_id="v1")


ENTRIES = [
    entry("CreateTrip", 0, {"tripId": "t1", "trip": trip("NEW")}, trip("NEW"), trip_id="t1"),
    entry("UpdateTrip", 5, {"tripId": "t1", "trip": {"vehicleId": "v1"}, "updateMask": "vehicleId"},
          trip("ENROUTE_TO_PICKUP", vehicleId="v1"), trip_id="t1"),
    vehicle_update(10, 48.101),
    vehicle_update(15, 48.1014),
    vehicle_update(20, 48.2),
    entry("UpdateTrip", 25, {"tripId": "t2"}, None,
          {"httpStatusCode": 404, "code": "NOT_FOUND", "message": "no such trip"}, trip_id="t2"),
    entry("GetTrip", 30, {"tripId": "t1"}, trip("ARRIVED_AT_PICKUP", vehicleId="v1"), trip_id="t1"),
]


def lowered(value):
    """As older data sets have their names."""
    if isinstance(value, dict):
        return {key.lower().replace("_", ""): lowered(item) for key, item in value.items()}
    return [lowered(item) for item in value] if isinstance(value, list) else value


def wrapped(value):
    """Numbers as some exports have them."""
    if isinstance(value, dict):
        return {key: wrapped(item) for key, item in value.items()}
    return {"value": value} if isinstance(value, float) else value


FORMS = {
    "array": json.dumps(ENTRIES),
    "indented": json.dumps(ENTRIES, indent=2),
    "newest first": json.dumps(ENTRIES[::-1]),
    "lines": "\n".join(map(json.dumps, ENTRIES)) + "\n",
    "objects with commas": ",\n".join(map(json.dumps, ENTRIES)),
    "data set": json.dumps({"vehicle": "v1", "rawLogs": ENTRIES, "bounds": {"north": 1}}),
    "older data set": json.dumps({"rawLogs": [lowered(entry) for entry in ENTRIES]}),
    "entries.list": json.dumps({"entries": ENTRIES, "nextPageToken": "more"}),
    "wrapped": json.dumps([wrapped(entry) for entry in ENTRIES]),
}


def imported(path, *options, **more):
    return tripwire("log", "--import-cloud-logging", path, *options, **more)


@pytest.fixture
def logs(tmp_path):
    path = tmp_path / "logs.json"
    path.write_text(FORMS["array"])
    return path


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_read_as_the_same_calls(form, tmp_path, logs):
    path = tmp_path / "other.json"
    path.write_text(FORMS[form])
    for options in ["--json"], [], ["--trip", "t1"], ["--trip", "t1", "--json"], ["--call", 3]:
        given, other = imported(logs, *options), imported(path, *options)
        assert given.code == 0 and other.stdout == given.stdout, options


def test_the_list_has_each_call(logs):
    result = imported(logs)
    # pointHandle is not a field of the API.
    assert result.stderr == f"warning: {logs}: 4 unknown fields ignored, such as pointHandle\n"
    assert [line.split()[3:6] for line in result.stdout.splitlines()[2:]] == [
        ["CreateTrip", "trips/t1", "OK"], ["UpdateTrip", "trips/t1", "OK"],
        ["UpdateVehicle", "vehicles/v1", "OK"], ["UpdateVehicle", "vehicles/v1", "OK"],
        ["UpdateVehicle", "vehicles/v1", "OK"], ["UpdateTrip", "trips/t2", "NOT_FOUND"],
        ["GetTrip", "trips/t1", "OK"]]
    assert "NOT_FOUND" in imported(logs, "--errors").stdout
    assert '"rawLocationSensor"' not in imported(logs, "--call", 3).stdout
    assert '"locationSensor": "GPS"' in imported(logs, "--call", 3).stdout


def test_the_history_has_the_updates_of_the_trip_and_its_vehicle(logs):
    lines = [json.loads(line) for line in imported(logs, "--trip", "t1", "--json").stdout.splitlines()]
    assert [line["status"] for line in lines if line["event"] == "status"] == [
        "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP"]
    assert [line["vehicleId"] for line in lines if line["event"] == "vehicle"] == ["v1"]
    jumps = [line for line in lines if line.get("check") == "jump"]
    assert [(jump["call"], jump["time"], jump["seconds"]) for jump in jumps] == [
        (5, "2026-11-21T09:30:15Z", 5)]


def test_the_file_may_be_a_pipe_or_compressed(logs, tmp_path):
    expected = imported(logs).stdout
    assert imported("-", stdin=logs.read_bytes()).stdout == expected
    packed = tmp_path / "logs.json.gz"
    packed.write_bytes(gzip.compress(logs.read_bytes()))
    assert imported(packed).stdout == expected


@pytest.mark.parametrize("text, words, hint", [
    ("", "the file has no log entries", "gcloud logging read"),
    ("[1]", "1: entry 1: expected a JSON object", "gcloud logging read"),
    ('[{"a":', "the file ends in the middle of an entry", "gcloud logging read"),
    ('{"a":1}', "entry 1: no @type and no request: not a Fleet Engine log entry", "gcloud logging read"),
])
def test_a_file_without_calls_is_reported(text, words, hint, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(text)
    assert_failed(imported(path), 1, f"--import-cloud-logging {path}:", words, hint=hint)


UTF_16 = "convert it first: iconv -f UTF-16 -t UTF-8 "
UNZIP = "decompress it first: unzip -p "


@pytest.mark.parametrize("content, name, action", [
    (b"PK\x03\x04", "zip", UNZIP), (b"PK\x05\x06" + bytes(18), "zip", UNZIP), (b"PK\x07\x08PK\x03\x04", "zip", UNZIP),
    (b"\xff\xfe" + FORMS["array"].encode("utf-16-le"), "UTF-16", UTF_16),
    (b"\xfe\xff" + FORMS["array"].encode("utf-16-be"), "UTF-16", UTF_16),
])
def test_a_file_in_another_format_is_refused_with_the_command_that_converts_it(content, name, action, tmp_path):
    path, packed = tmp_path / "some logs.json", tmp_path / "some logs.json.gz"
    path.write_bytes(content)
    packed.write_bytes(gzip.compress(content))
    for place, operand in (path, f'"{path}"'), (packed, f'<(gzip -dc "{packed}")'):
        result = imported(place)
        assert_failed(result, 1, f"--import-cloud-logging {place}: the content looks like {name}",
                      hint=f"{action}{operand} | tripwire log --import-cloud-logging -")
    if name == "UTF-16":
        (command,) = [line for line in result.stderr.splitlines() if "iconv" in line]
        command = command.partition("first: ")[2].replace("| tripwire", f"| {binary()}")
        shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
        assert [line.split()[3] for line in shown.stdout.splitlines()[2:]] == [
            each["jsonPayload"]["@type"].removeprefix(TYPE).removesuffix("Log") for each in ENTRIES]


def test_the_calls_of_a_truncated_gzip_file_are_shown(tmp_path):
    path = tmp_path / "cut.json.gz"
    many = [entry("GetTrip", index % 60, {"tripId": f"t{index}"}, trip("NEW")) | {"insertId": str(index)}
            for index in range(3_000)]
    whole = gzip.compress(json.dumps(many).encode())
    path.write_bytes(whole[:-2_000])
    result = imported(path)
    count = len(result.stdout.splitlines()) - 2
    assert result.code == 0 and 2_000 < count < 3_000
    damage = f"the gzip data is damaged at byte {len(whole) - 2_000}: unexpected end of file"
    first, second, *_ = result.stderr.splitlines()
    assert first == f"warning: {path}: {damage}: the rest is skipped"
    assert re.fullmatch(re.escape(f"warning: {path}:1:") + r"\d+: the file ends in the middle of an entry", second)
    # The place is that of the first byte which is missing from the text.
    column = int(second.split(":")[3])
    text = json.dumps(many)
    assert text[:column - 1].count('"insertId"') in (count, count + 1)
    # Only the checksum is missing.
    path.write_bytes(whole[:-3])
    result = imported(path)
    assert result.code == 0 and len(result.stdout.splitlines()) == 3_000 + 2
    assert result.stderr.splitlines()[0].endswith("unexpected end of file: the rest is skipped")
    path.write_bytes(whole[:12])
    assert_failed(imported(path), 1, f"--import-cloud-logging {path}: the gzip data is damaged at byte 12",
                  hint="copy the file again")


@pytest.mark.parametrize("options", [
    ["--import-cloud-logging", "a", "--import-cloud-logging", "b"], ["--since", "1h", "--since", "2h"],
    ["--until", "1h", "--until", "1h"], ["--trip", "a", "--trip", "b"], ["--method", "a", "--method", "b"],
    ["--map", "a", "--map", "b"], ["-o", "json", "-o", "text"]])
def test_an_option_with_one_value_is_given_once(options):
    result = tripwire("log", TRIP, *options)
    assert_failed(result, 2, error=f"{options[2]} is given more than once", hint=f"pass {options[2]} once")


def test_options_that_are_repeatable(logs):
    listed = imported(logs, "--resource", "t1", "--resource", "v1", "--status", "OK", "--status", "NOT_FOUND")
    assert listed.code == 0 and len(listed.stdout.splitlines()) == 6 + 2


def renamed(value, provider):
    return json.loads(json.dumps(value).replace("projects/p", f"projects/{provider}").replace(
        "providers/p/", f"providers/{provider}/"))


def test_the_same_id_in_two_providers_is_two_resources(tmp_path):
    path = tmp_path / "both.json"
    # The same insert IDs and times, as two projects may have them.
    other = renamed(ENTRIES, "q")
    other[-1]["jsonPayload"]["response"]["status"] = "TRIP_STATUS_CANCELED"
    path.write_text(json.dumps([entry for pair in zip(ENTRIES, other) for entry in pair]))
    assert len(imported(path).stdout.splitlines()) == 2 * len(ENTRIES) + 2
    both = imported(path, "--trip", "t1").stdout
    assert "providers/p/trips/t1 (server)  status: arrived" in both
    assert "providers/q/trips/t1 (server)  status: canceled" in both
    for name, last in ("p", "ARRIVED_AT_PICKUP"), ("q", "CANCELED"):
        (tmp_path / "one.json").write_text(json.dumps(ENTRIES if name == "p" else other))
        for options in ["-o", "json"], ["--explain", "-o", "json"], ["--locations", "-o", "json"]:
            selected = imported(path, "--trip", f"providers/{name}/trips/t1", *options)
            alone = imported(tmp_path / "one.json", "--trip", "t1", *options)
            without = [re.sub(r'"call":\d+,?|call \d+', "", text.stdout) for text in (selected, alone)]
            assert selected.code == 0 and without[0] == without[1], options
        statuses = [json.loads(line).get("status") for line in imported(
            path, "--trip", f"providers/{name}/trips/t1", "-o", "json").stdout.splitlines()]
        assert [status for status in statuses if status][-1] == last
    for option in "--explain", "--locations":
        assert_failed(imported(path, "--trip", "t1", option), 1, "--trip t1: several resources have this ID",
                      hint="pass --trip providers/p/trips/t1")


def test_an_entry_without_a_request_and_a_response_is_no_call(tmp_path):
    path = tmp_path / "logs.json"
    path.write_text(json.dumps([ENTRIES[0], entry("GetTrip", 1, trip_id="t1"), ENTRIES[1]]))
    result = imported(path)
    assert [line.split()[3] for line in result.stdout.splitlines()[2:]] == ["CreateTrip", "UpdateTrip"]
    assert f"warning: {path}:1: entry 2: no request, no response and no error: not a call: skipped\n" in result.stderr


def test_an_export_of_both_sides_has_each_call_once(tmp_path):
    story = TwoSides()
    story.run(60)
    client, server = story.write(tmp_path)
    alone, both = tmp_path / "alone.json", tmp_path / "both.json"
    assert imported(server, "--export-cloud-logging", alone).code == 0
    result = tripwire("log", client, "--import-cloud-logging", server, "--export-cloud-logging", both)
    assert result.code == 0
    methods = [[each["jsonPayload"]["@type"] for each in json.loads(path.read_text())] for path in (alone, both)]
    assert methods[0] == methods[1] and f"{TYPE}GetTripLog" in methods[0]
    polls = len({each.call_id for each in binary_log.read(client)})
    assert result.stderr.splitlines()[-1].endswith(f"; {polls} calls of the client left out")


def test_the_map_of_both_sides_counts_a_trip_once(tmp_path):
    story = TwoSides()
    story.run(60)
    client, server = story.write(tmp_path)
    result = tripwire("log", client, "--import-cloud-logging", server, "--map", tmp_path / "map.html")
    assert result.code == 0 and " calls, 1 trip, 1 vehicle, " in result.stderr.splitlines()[-1]


def test_a_field_that_cannot_be_read_is_skipped(tmp_path):
    path = tmp_path / "logs.json"
    path.write_text(json.dumps([entry("GetTrip", 1, response=trip("NEW", numberOfPassengers=[1]))]))
    result = imported(path, "--trip", "t1")
    assert result.code == 0 and "call 1    status: new\n" in result.stdout
    assert (f"warning: {path}:1: field of entry 1: response: Trip.number_of_passengers: expected a number:"
            " skipped\n") in result.stderr


def test_a_missing_file_is_reported(tmp_path):
    assert_failed(imported(tmp_path / "none"), 1, "none: No such file or directory",
                  hint="check the path in --import-cloud-logging")


def test_a_recording_is_reported():
    assert_failed(imported(TRIP), 1, ":1: entry 1 and 55 more: expected a JSON object",
                  hint="read a recording without --import-cloud-logging: tripwire log FILE")


@pytest.mark.long
def test_a_gzip_bomb_is_limited(tmp_path):
    path = tmp_path / "bomb"
    path.write_bytes(gzip.compress(b" " * (257 << 20), 1))
    assert_failed(imported(path), 1, "longer than 256 MiB", hint="export the logs of a shorter time range")


def test_invalid_entries_are_skipped(tmp_path):
    path = tmp_path / "some.json"
    others = [entry(f"Update{number}", 1) for number in range(12)]
    path.write_text(json.dumps([ENTRIES[0]] + 20 * [entry("UpdateThing", 1)] + others + [ENTRIES[1]]))
    result = imported(path)
    assert result.code == 0 and len(result.stdout.splitlines()) == 4
    assert result.stderr.count(": skipped\n") == 10
    assert (f"warning: {path}:1: entry 2 and 19 more: {TYPE}UpdateThingLog is not a method of Fleet Engine: skipped\n"
            in result.stderr)
    assert f"warning: {path}: 3 more entries skipped\n" in result.stderr


LINES = [json.dumps(each) for each in ENTRIES]
ANOTHER = "another object begins in the middle of the entry"
NOT_AN_OBJECT = "expected a JSON object"


@pytest.mark.parametrize("damage, reasons", [
    (LINES[0][:300], [f"4: entry 4: {ANOTHER}"]),
    (LINES[0][:LINES[0].index("TripLog")], ["4: entry 4: a string of the entry has no end in its line"]),
    (LINES[0][:-40] + "\n" + LINES[1][:100],
     [f"4: entry 4: {ANOTHER}", "5: entry 5: a string of the entry has no end in its line"]),
    ("ERROR: gcloud crashed (OSError): disk full", [f"4: entry 4: {NOT_AN_OBJECT}"]),
    ("\n\n \r\n", []),
    ("42\nnull\n\"text\"\ntrue", [f"4: entry 4 and 3 more: {NOT_AN_OBJECT}"]),
    ("[]", []),
    ("}\n]", [f"4: entry 4 and 1 more: {NOT_AN_OBJECT}"]),
    ("{}", ["4: entry 4: no @type and no request: not a Fleet Engine log entry"]),
], ids=["truncated", "truncated in a string", "two truncated", "garbage", "blank", "no objects", "empty array",
        "brackets", "empty object"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_damaged_line_costs_only_itself(damage, reasons, end, packed, tmp_path):
    path = tmp_path / "logs.json"
    text = ("\ufeff" + end.join(LINES[:3] + [damage] + LINES[3:]) + end).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    result = imported(path)
    methods = [line.split()[3] for line in result.stdout.splitlines()[2:]]
    assert methods == [each["jsonPayload"]["@type"].removeprefix(TYPE).removesuffix("Log") for each in ENTRIES]
    warnings = [line for line in result.stderr.splitlines() if line.endswith(": skipped")]
    assert warnings == [f"warning: {path}:{reason}: skipped" for reason in reasons]


def test_a_prefix_before_an_entry_is_skipped_alone(tmp_path):
    path = tmp_path / "logs.txt"
    lines = [f"2026-11-21T09:30:01Z INFO worker: {line}" for line in LINES]
    lines[3] = lines[3][:120]
    path.write_text("\n".join(lines))
    result = imported(path)
    assert len(result.stdout.splitlines()) == len(ENTRIES) - 1 + 2
    assert f"warning: {path}:1: entry 1 and 5 more: {NOT_AN_OBJECT}: skipped\n" in result.stderr
    assert f"warning: {path}:4: entry 8: " in result.stderr


@pytest.mark.parametrize("indent", [None, 0, 2], ids=["one line", "flush", "indented"])
@pytest.mark.parametrize("key", ["resource", "labels", "request"])
def test_a_broken_element_costs_only_itself(indent, key, tmp_path):
    path = tmp_path / "logs.json"
    broken = json.dumps({**ENTRIES[3], "insertId": "broken"}, indent=indent)
    start = broken.index(f'"{key}"')
    end = broken.index("}", start)
    elements = [json.dumps(each, indent=indent) for each in ENTRIES]
    elements[3:3] = [broken[:end] + broken[end + 1:]]
    text = ("," if indent is None else ",\n").join(elements)
    if indent:
        text = "\n".join(" " * indent + line for line in text.splitlines())
    path.write_text("[" + "\n" * (indent is not None) + text + "\n]")
    result = imported(path)
    assert len(result.stdout.splitlines()) == len(ENTRIES) + 2, result.stderr
    assert " entry 4: " in result.stderr and result.stderr.count(": skipped\n") == 1


def test_lines_that_are_all_damaged_are_read_in_little_time(tmp_path):
    path = tmp_path / "logs.json"
    path.write_text('{"a":[1,\n' * 20_000 + '{"a":{\n' * 20_000 + LINES[0])
    result = imported(path)
    assert result.code == 0 and len(result.stdout.splitlines()) == 1 + 2
    counts = re.findall(r"entry \d+(?: and (\d+) more)?: .*: skipped", result.stderr)
    assert sum(int(count or 0) + 1 for count in counts) == 40_000


def test_a_truncated_file_has_its_whole_entries(tmp_path):
    path = tmp_path / "cut.json"
    path.write_text(json.dumps(ENTRIES)[:-20])
    result = imported(path)
    assert result.code == 0 and len(result.stdout.splitlines()) == len(ENTRIES) + 1
    assert result.stderr.startswith(f"warning: {path}:1:")
    assert ": the file ends in the middle of an entry\n" in result.stderr


def test_it_cannot_be_followed(logs):
    assert_failed(imported(logs, "-f"), 2, "--import-cloud-logging")


def test_an_export_has_the_calls_and_the_updates_of_the_vehicle(tmp_path):
    path = tmp_path / "out.json"
    result = tripwire("log", TRIP, "--export-cloud-logging", path)
    assert (result.code, result.stdout, result.stderr) == (0, "", f"{path}: 67 calls and 64 added updates of vehicles\n")
    assert path.stat().st_mode & 0o777 == 0o600
    entries = json.loads(path.read_text())
    first = entries[0]
    assert first["logName"] == "projects/demo/logs/fleetengine.googleapis.com%2Fget_trip"
    assert first["labels"] == {"trip_id": "t1"}
    assert first["jsonPayload"]["@type"] == TYPE + "GetTripLog"
    assert first["jsonPayload"]["request"]["tripId"] == "t1"
    assert first["jsonPayload"]["response"]["tripStatus"] == "NEW"
    derived = [entry for entry in entries if entry["labels"].get("tripwire") == "derived"]
    assert len(derived) == len(entries) - 67 > 30
    update = derived[0]["jsonPayload"]
    assert update["@type"] == TYPE + "UpdateVehicleLog"
    assert update["response"]["currentTrips"] == ["t1"]
    assert update["response"]["lastLocation"]["rawLocation"]["latitude"] != 0
    # Without them, the file has the same calls.
    history = imported(path, "--trip", "t1", "--json").stdout
    statuses = [line.get("status") for line in map(json.loads, history.splitlines())]
    again = tripwire("log", TRIP, "--trip", "t1", "--json").stdout
    assert statuses and [s for s in statuses if s] == [
        s for s in (json.loads(line).get("status") for line in again.splitlines()) if s]
    assert len(imported(path).stdout.splitlines()) == 67 + 2


@pytest.mark.parametrize("name", ["trip", "canceled"])
def test_an_exported_trip_has_the_same_history(name, tmp_path):
    recording, path = RECORDINGS / f"{name}.binlog", tmp_path / "out.json"
    assert tripwire("log", recording, "--export-cloud-logging", path).code == 0

    def history(*source):
        events = [json.loads(line) for line in
                  tripwire("log", *source, "--trip", "t1", "--json").stdout.splitlines()]
        for event in events:
            event.pop("logger", None)
            # A log entry has one time: the start of a call and its response differ by some milliseconds.
            event.update({key: value[:19] for key, value in event.items() if str(value).endswith("Z")})
            event.update(seconds=round(event.get("seconds", 0), 1))
        return events

    assert history("--import-cloud-logging", path) == history(recording)


def test_a_log_with_the_next_stop_alone_keeps_the_later_ones(tmp_path):
    stops = [{"location": {"point": place(48 + number)}, "tripId": "t1", "waypointType": kind}
             for number, kind in enumerate(["PICKUP_WAYPOINT_TYPE", "DROP_OFF_WAYPOINT_TYPE"])]
    vehicle = {"name": "providers/p/vehicles/v1", "currentTrips": ["t1"]}
    path = tmp_path / "next.json"
    path.write_text(json.dumps([
        entry("UpdateTrip", 1, {"tripId": "t1"}, trip("NEW", remainingWaypoints=stops)),
        entry("UpdateVehicle", 2, {"vehicleId": "v1"}, vehicle | {"currentRouteSegmentEndPoint": stops[0]}),
        entry("UpdateTrip", 3, {"tripId": "t1"}, trip("NEW", currentRouteSegmentEndPoint=stops[0])),
        entry("UpdateVehicle", 4, {"vehicleId": "v1"}, vehicle | {"currentRouteSegmentEndPoint": stops[1]}),
    ]))
    lines = [json.loads(line) for line in imported(path, "--trip", "t1", "--json").stdout.splitlines()]
    assert [(line["call"], line["stops"]) for line in lines if line["event"] == "stops"] == [(1, 2), (4, 1)]


def test_an_export_of_an_import_has_the_same_calls(logs, tmp_path):
    path = tmp_path / "out.json"
    assert imported(logs, "--export-cloud-logging", path).code == 0
    assert imported(path, "--json").stdout == imported(logs, "--json").stdout
    assert_failed(imported(logs, "--export-cloud-logging", logs), 2, "this file is being read")


def test_an_export_has_errors_and_only_fleet_engine(tmp_path):
    path = tmp_path / "out.json"
    tripwire("log", RECORDINGS / "demo.binlog", "--export-cloud-logging", path)
    error = json.loads(path.read_text())[-1]
    assert error["severity"] == "ERROR"
    assert error["jsonPayload"]["errorResponse"] == {
        "httpStatusCode": 404, "code": "NOT_FOUND",
        "message": "providers/demo/trips/missing does not exist"}
    result = tripwire("log", RECORDINGS / "streams.binlog", "--export-cloud-logging", tmp_path / "none")
    assert_failed(result, 1, "the recording has no calls of Fleet Engine",
                  hint="pass a recording with calls of Fleet Engine")
    result = tripwire("log", RECORDINGS / "streams.binlog", "--status", "OK", "--export-cloud-logging",
                      tmp_path / "none")
    assert_failed(result, 1, "the selection has no calls of Fleet Engine", hint="select other calls")
    assert not (tmp_path / "none").exists()


def test_calls_that_cannot_be_exported_are_reported(tmp_path):
    path, log = tmp_path / "out.json", tmp_path / "out.binlog"
    entries = [entry for entry in binary_log.read(TRIP) if entry.call_id == 1]
    for entry in entries:
        entry.payload_truncated = entry.payload_truncated or entry.HasField("message")
    binary_log.write(log, entries)
    assert_failed(tripwire("log", log, "--export-cloud-logging", path), 1,
                  error=f"--export-cloud-logging {path}: 1 call omitted: a message is incomplete or invalid",
                  hint="pass a recording with complete, valid calls")
    assert not path.exists()
