"""Does `tripwire log --cloud-logging` fetch the logs of a resource, and show them as those of an export?"""

import json

import pytest

from peers.recordings.two_sides import TwoSides
from support.command import assert_failed, tripwire
from support.logged_calls import ENTRIES, OF_TRIP, at, entry, methods, rows
from support.paths import RECORDINGS


def test_the_vehicle_of_a_trip_and_searches_for_it_come_along(fetch, cloud):
    result = fetch("--resource", "trips/t1")
    assert methods(result) == [method for method, _ in OF_TRIP]
    assert "vehicles/v2" not in result.stdout and "trips/t2" not in result.stdout
    first, second = cloud.logging.requests
    assert list(first.resource_names) == ["projects/p"] and first.page_size == 100
    assert first.filter.startswith(
        '(resource.type="fleetengine.googleapis.com/Fleet") AND (logName:"logs/fleetengine.googleapis.com%2F")'
        ' AND (timestamp>="')
    assert 'labels.vehicle_id="v1"' in second.filter and "trip_id" not in second.filter
    for metadata in cloud.logging.metadata:
        assert metadata["x-goog-user-project"] == "charged"


@pytest.mark.parametrize("name", ["t1", "trips/t1", "providers/p/trips/t1"])
def test_a_resource_has_several_forms(fetch, name):
    assert methods(fetch("--resource", name)) == [method for method, _ in OF_TRIP]


def test_all_resources_are_fetched_by_default(fetch, cloud):
    assert len(rows(fetch())) == 7
    assert len(cloud.logging.requests) == 1


def test_period_is_exact(fetch, cloud):
    result = fetch("--resource", "vehicles/v1", "--until", at(40), since=at(59))
    assert methods(result) == ["UpdateVehicle"]
    assert f'timestamp>="{at(59)}") AND (timestamp<"{at(40)}")' in cloud.logging.requests[0].filter


def test_deliveries_come_with_their_tasks(fetch, cloud):
    more = {"api": "delivery.v1.", "fleet": "DeliveryFleet"}
    segments = [{"stop": {"tasks": [{"taskId": "x1"}]}}, {"stop": {"tasks": [{"taskId": "x2"}]}}]
    cloud.logging.add(
        entry("UpdateDeliveryVehicle", 30, {}, {"remainingVehicleJourneySegments": segments}, **more,
              delivery_vehicle_id="d1"),
        *(entry("UpdateTask", 20, {}, {"deliveryVehicleId": "d1"}, **more, task_id=name) for name in ("x1", "x2", "x3")))
    result = fetch("--resource", "deliveryVehicles/d1")
    assert rows(result) == [("UpdateDeliveryVehicle", "deliveryVehicles/d1"), ("UpdateTask", "tasks/x1"),
                            ("UpdateTask", "tasks/x2")]
    assert [request.filter.rpartition(" AND ")[2] for request in cloud.logging.requests] == [
        '(labels.delivery_vehicle_id="d1")', '(labels.task_id="x1" OR labels.task_id="x2")']
    cloud.logging.requests.clear()
    result = fetch("--resource", "tasks/x3")
    assert rows(result) == [("UpdateDeliveryVehicle", "deliveryVehicles/d1"), ("UpdateTask", "tasks/x3")]
    assert [request.filter.rpartition(" AND ")[2] for request in cloud.logging.requests] == [
        '(labels.task_id="x3")', '(labels.delivery_vehicle_id="d1")']


@pytest.mark.parametrize("name", ['t1" OR labels.trip_id="t2', "t1\\", 'x") OR ("a"="a'])
def test_no_name_changes_the_filter(fetch, cloud, name):
    cloud.logging.add(entry("GetTrip", 30, {"tripId": name}, {}, trip_id=name))
    result = fetch("--resource", name)
    assert len(rows(result)) == 1, result.stdout


def test_views_are_those_of_an_import(fetch, tmp_path):
    saved = tmp_path / "saved.json"
    result = fetch("--resource", "trips/t1", "--save", saved)
    assert result.stderr == f"{saved}: 5 log entries\n"
    entries = json.loads(saved.read_text())
    # Those of the vehicle follow those of the trip.
    assert [each["timestamp"] for each in entries] == [at(61), at(60), at(50), at(59), at(40)]
    assert entries[1] == ENTRIES[2]
    for options in [], ["-o", "json"], ["--trip", "t1"], ["--timeline", "vehicles/v1"], ["--summary"], ["--call", 2]:
        read = tripwire("log", "--import-cloud-logging", saved, *options, TZ="UTC")
        resource = [] if "--trip" in options or "--timeline" in options else ["--resource", "trips/t1"]
        shown = fetch(*options, *resource)
        assert (shown.code, read.code) == (0, 0), shown.stderr
        if "vehicles/v1" not in options:
            assert shown.stdout == read.stdout, options
    page = tmp_path / "map.html"
    assert fetch("--resource", "t1", "--map", page).code == 0
    assert "<html" in page.read_text()


def test_the_saved_file_replaces_no_other(fetch, cloud, tmp_path):
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert_failed(fetch("--save", other), 1, f"--save {other}")
    assert other.read_text() == "{}" and cloud.logging.requests == []


def test_other_logs_are_not_fetched(fetch, cloud):
    cloud.logging.add(entry("GetTrip", 30, {"tripId": "t1"}, {}, trip_id="t1") | {"logName": "projects/p/logs/mine"})
    assert rows(fetch("--resource", "trips/t1")) == OF_TRIP


@pytest.fixture
def two_sides(cloud, tmp_path):
    """The paths of a client's recording of a trip whose driver's app stops, and of the server's log, which Cloud Logging
    has, too."""
    story = TwoSides()
    story.run(60)
    story.is_driver_silent = True
    story.run(60)
    cloud.logging.project = "demo"
    cloud.logging.add(*story.server.entries)
    return story.write(tmp_path)


@pytest.mark.parametrize("view", [
    ["--trip", "t1", "--explain"], ["--trip", "t1"], ["--trip", "t1", "--locations", "-o", "json"], ["--summary"], []])
def test_the_log_is_the_other_side_of_a_recording(fetch, two_sides, view):
    client, server = two_sides
    imported = tripwire("log", client, "--import-cloud-logging", server, *view, TZ="UTC")
    assert imported.code == 0
    fetched = fetch(client, *view, project="demo", since=None)
    assert (fetched.code, fetched.stdout, fetched.stderr) == (0, imported.stdout, imported.stderr)


def test_the_period_is_by_the_clock_of_the_server(fetch, cloud, tmp_path):
    story = TwoSides(clock_error=7_200)
    story.run(60)
    cloud.logging.project = "demo"
    cloud.logging.add(*story.server.entries)
    client, server = story.write(tmp_path)
    fetched = fetch(client, "--trip", "t1", "--explain", project="demo", since=None)
    imported = tripwire("log", client, "--import-cloud-logging", server, "--trip", "t1", "--explain", TZ="UTC")
    assert (fetched.code, fetched.stdout) == (0, imported.stdout), fetched.stderr


def test_a_period_may_be_shorter_than_the_recording(fetch, cloud, two_sides):
    client, _ = two_sides
    begin, end = (cloud.logging.entries[index].timestamp.ToJsonString() for index in (-20, -1))
    result = fetch(client, "--trip", "t1", "--explain", "--until", end, project="demo", since=begin)
    assert result.code == 0
    assert "the recording is longer than the period of --since and --until" in result.stderr
    assert f'(timestamp>="{begin}") AND (timestamp<"{end}")' in cloud.logging.requests[0].filter


def test_a_timeline_may_have_more_resources(fetch):
    result = fetch("--trip", "t1", "--resource", "trips/t2", "-o", "json")
    assert result.code == 0
    assert '"ARRIVED_AT_PICKUP"' in result.stdout


def test_settings_of_calls_are_not_read_for_files(tmp_path):
    log = RECORDINGS / "trip.binlog"
    configuration = tmp_path / "tripwire"
    configuration.mkdir()
    (configuration / "config.json").write_text("no JSON")
    result = tripwire(
        "log", log, TZ="UTC", TRIPWIRE_ENDPOINT="http://x/", TRIPWIRE_PLAINTEXT="maybe", TRIPWIRE_TOKEN=" ",
        TRIPWIRE_SIGN_AS="nobody", TRIPWIRE_CREDENTIALS_JSON="{", TRIPWIRE_PROFILE="missing",
        XDG_CONFIG_HOME=str(tmp_path))
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout == tripwire("log", log, TZ="UTC").stdout


def test_calls_are_selected_by_other_criteria(fetch):
    assert methods(fetch("--resource", "t1", "--method", "GetTrip")) == ["GetTrip"]


def test_no_entries(fetch, tmp_path):
    result = fetch("--resource", "trips/t9", "--save", tmp_path / "saved.json")
    assert_failed(result, 1, "--cloud-logging p: no log entries of trips/t9 in this period")
    assert not (tmp_path / "saved.json").exists()


@pytest.mark.parametrize("arguments, words", [
    (["--cloud-logging", "p"], "--cloud-logging requires --since"),
    (["--cloud-logging", "p", "--since", "1h", "-"], "- cannot be read twice"),
    (["--cloud-logging", "p", "--since", "1h", "--trip", "t1", "--compare", "f"], "--compare"),
    (["--cloud-logging", "p", "--since", "1h", "--follow"], "--follow"),
    (["--cloud-logging", "p", "--since", "1h", "--until", "2h"], "--until is not after --since"),
    (["--cloud-logging", "p", "--since", "1h", "--import-cloud-logging", "f"], "--import-cloud-logging"),
    (["--cloud-logging", "p", "--since", "1h", "--save", "-"], "--save -"),
    (["--cloud-logging", "p", "--since", "1h", "--resource", "taskTrackingInfo/x"], "tracking IDs"),
    (["--cloud-logging", "p", "--since", "1h", "--resource", "providers/q/trips/t1"], "not in the project"),
    (["--cloud-logging", "p", "--since", "1h", "--resource", "cars/t1"], "not the name of a resource"),
    (["--cloud-logging", "projects/p", "--since", "1h"], "must not contain"),
    (["a.binlog", "--save", "f"], "--save requires --cloud-logging"),
    (["a.binlog", "--access-token", "adc"], "--access-token requires --cloud-logging"),
    (["a.binlog", "--call", "1", "--since", "1h"], "--call cannot be used with --since"),
    (["a.binlog", "--trip", "t1", "--explain", "--until", "1h"], "--explain cannot be used with --until"),
    (["a.binlog", "--trip", "t1", "--locations", "--since", "1h"], "--locations cannot be used with --since"),
    (["a.binlog", "--trip", "t1", "--resource", "t1"], "--trip cannot be used with --resource"),
])
def test_invalid_command_lines(arguments, words):
    assert_failed(tripwire("log", *arguments), 2, words)
