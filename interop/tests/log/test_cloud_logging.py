"""Does `tripwire log --cloud-logging` fetch the logs of a resource as Cloud Logging's API wants it?"""

import json
import threading
import time
from datetime import datetime, timedelta, timezone

import pytest

from peers.google import GoogleCloud, Identities, credentials_files
from peers.google.cloud_logging import ListLogEntriesResponse, exhausted
from peers.google.signer import Failed
from support.command import assert_failed, binary, tripwire
from support.tmux import Terminal, shell

TYPE = "type.googleapis.com/maps.fleetengine."
NOW = datetime.now(timezone.utc).replace(microsecond=0)


def at(minutes):
    """The time of so many minutes ago."""
    return (NOW - timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def entry(method, minutes, request, response=None, api="v1.", fleet="Fleet", **labels):
    snake = "".join("_" * (index > 0) + c.lower() if c.isupper() else c for index, c in enumerate(method))
    payload = {"@type": f"{TYPE}{api}{method}Log", "request": request}
    return {
        "insertId": f"{method}-{minutes}-{'-'.join(labels.values())}", "timestamp": at(minutes),
        "receiveTimestamp": at(minutes), "severity": "INFO", "labels": labels,
        "logName": f"projects/p/logs/fleetengine.googleapis.com%2F{snake}",
        "resource": {"type": f"fleetengine.googleapis.com/{fleet}", "labels": {"location": "global"}},
        "jsonPayload": payload | ({"response": response} if response is not None else {})}


def trip(trip_id, status, **more):
    return {"name": f"providers/p/trips/{trip_id}", "status": f"TRIP_STATUS_{status}"} | more


def vehicle_update(minutes, vehicle_id):
    vehicle = {"name": f"providers/p/vehicles/{vehicle_id}", "state": "VEHICLE_STATE_ONLINE"}
    return entry("UpdateVehicle", minutes, {"vehicleId": vehicle_id, "vehicle": vehicle}, vehicle,
                 vehicle_id=vehicle_id)


ENTRIES = [
    entry("CreateTrip", 180, {"tripId": "t1"}, trip("t1", "NEW"), trip_id="t1"),
    entry("SearchVehicles", 61, {"parent": "providers/p", "tripId": "t1"}, {}),
    entry("UpdateTrip", 60, {"tripId": "t1", "trip": {"vehicleId": "v1"}},
          trip("t1", "ENROUTE_TO_PICKUP", vehicleId="v1"), trip_id="t1"),
    vehicle_update(59, "v1"), vehicle_update(58, "v2"),
    entry("UpdateTrip", 57, {"tripId": "t2"}, trip("t2", "NEW", vehicleId="v2"), trip_id="t2"),
    entry("GetTrip", 50, {"tripId": "t1"}, trip("t1", "ARRIVED_AT_PICKUP", vehicleId="v1"), trip_id="t1"),
    vehicle_update(40, "v1"),
]


@pytest.fixture
def cloud(certificates, tmp_path):
    identities = Identities()
    home = tmp_path / "home"
    home.mkdir()
    with GoogleCloud(identities, certificates, home) as cloud:
        cloud.user = identities.add_user()
        cloud.user_file = credentials_files.save(
            tmp_path / "user.json", credentials_files.authorized_user(cloud.user, quota_project_id="charged"))
        cloud.logging.add(*ENTRIES)
        yield cloud


@pytest.fixture
def fetch(cloud):
    """Runs the command with the credentials of the user."""
    def run(*arguments, since="2h", **variables):
        return cloud.tripwire("log", "--cloud-logging", "p", "--since", since, *arguments,
                              **{"GOOGLE_APPLICATION_CREDENTIALS": cloud.user_file, "TZ": "UTC"} | variables)
    return run


def rows(result):
    assert result.code == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines() if line[:1].isdigit() and "times in" not in line]
    return [tuple(line[3:5]) for line in lines]


OF_TRIP = [
    ("SearchVehicles", "providers/p"), ("UpdateTrip", "trips/t1"), ("UpdateVehicle", "vehicles/v1"),
    ("GetTrip", "trips/t1"), ("UpdateVehicle", "vehicles/v1")]


def methods(result):
    return [method for method, _ in rows(result)]


def test_the_vehicle_of_a_trip_and_searches_for_it_come_along(fetch, cloud):
    result = fetch("--resource", "trips/t1")
    assert methods(result) == [method for method, _ in OF_TRIP]
    assert "vehicles/v2" not in result.stdout and "trips/t2" not in result.stdout
    first, second = cloud.logging.requests
    assert list(first.resource_names) == ["projects/p"] and first.page_size == 1000
    assert first.filter.startswith('(resource.type="fleetengine.googleapis.com/Fleet") AND (timestamp>="')
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
    fetch("--resource", "deliveryVehicles/d1")
    assert [request.filter.rpartition(" AND ")[2] for request in cloud.logging.requests] == [
        '(labels.delivery_vehicle_id="d1")', '(labels.task_id="x1" OR labels.task_id="x2")']
    cloud.logging.requests.clear()
    fetch("--resource", "tasks/x3")
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
    assert [each["timestamp"] for each in entries] == [at(61), at(60), at(59), at(50), at(40)]
    assert entries[1] == {key: value for key, value in ENTRIES[2].items()}
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


def test_calls_are_selected_by_other_criteria(fetch):
    assert methods(fetch("--resource", "t1", "--method", "GetTrip")) == ["GetTrip"]


def test_pages_are_fetched_in_turn(fetch, cloud):
    cloud.logging.page = 2
    assert methods(fetch("--resource", "trips/t1")) == [method for method, _ in OF_TRIP]
    # Three entries about the trip, and two of its vehicle.
    assert [bool(request.page_token) for request in cloud.logging.requests] == [False, True, False]
    first, second, _ = cloud.logging.requests
    assert (first.filter, first.page_size) == (second.filter, second.page_size)


def test_an_empty_page_is_not_the_end(fetch, cloud):
    def fault(request, number):
        if number == 1:
            return ListLogEntriesResponse(next_page_token="later")
        request.page_token = ""
        return None
    cloud.logging.fault = fault
    assert methods(fetch("--resource", "trips/t1")) == [method for method, _ in OF_TRIP]


def test_a_repeated_page_token_is_an_error(fetch, cloud):
    cloud.logging.fault = lambda *_: ListLogEntriesResponse(next_page_token="same")
    assert_failed(fetch(), 64 + 13, "the server repeats a page token", lines=["in google.logging.v2.LoggingSer"])
    assert len(cloud.logging.requests) == 2


def test_a_quota_is_waited_out(fetch, cloud):
    def fault(request, number):
        if number == 1:
            raise exhausted(delay=1.25)
    cloud.logging.fault = fault
    start = time.monotonic()
    result = fetch("--resource", "trips/t1")
    assert methods(result) == [method for method, _ in OF_TRIP]
    assert time.monotonic() - start >= 1.25
    assert result.stderr == "warning: --cloud-logging p: the quota for reads is used up; waiting 1.25 s\n"


def test_a_timeout_ends_the_wait_for_the_quota(fetch, cloud):
    def fault(request, number):
        raise exhausted()
    cloud.logging.fault = fault
    result = fetch("--timeout", "50s")
    assert_failed(result, 64 + 8, "Quota exceeded", hint="more than 60 of the quota ReadRequestsPerMinutePerProject")
    assert len(cloud.logging.requests) == 1


def test_the_server_may_be_unavailable_for_a_while(fetch, cloud):
    def fault(request, number):
        if number == 1:
            raise Failed("UNAVAILABLE", "try again")
    cloud.logging.fault = fault
    assert methods(fetch("--resource", "trips/t1")) == [method for method, _ in OF_TRIP]


def test_a_missing_permission_has_the_command_that_grants_it(fetch, cloud):
    cloud.logging.readers = []
    hint = ["grant the permission logging.logEntries.list on projects/p: gcloud projects add-iam-policy-binding p",
            "--role=roles/logging.viewer"]
    assert_failed(fetch(), 64 + 7, "Permission 'logging.logEntries.list' denied", hint=hint)

    def fault(request, number):
        raise Failed("PERMISSION_DENIED", "Permission denied for all log views")
    cloud.logging.fault = fault
    assert_failed(fetch(), 64 + 7, "Permission denied for all log views", hint=hint)


def test_no_entries(fetch, tmp_path):
    result = fetch("--resource", "trips/t9", "--save", tmp_path / "saved.json")
    assert_failed(result, 1, "--cloud-logging p: no log entries of trips/t9 in this period")
    assert not (tmp_path / "saved.json").exists()


def test_unknown_project(fetch):
    result = fetch("--cloud-logging", "other")
    assert_failed(result, 64 + 5, "Project does not exist", hint="gcloud projects describe other")


def test_a_key_signs_a_token_for_the_api(fetch, cloud, tmp_path):
    account = cloud.identities.add_account("reader")
    key = credentials_files.save(tmp_path / "key.json", credentials_files.service_account(account))
    cloud.logging.readers = [account.email]
    assert len(rows(fetch("--credentials", key))) == 7
    assert cloud.tokens.requests == []


def test_other_sources_of_access_tokens(fetch, cloud, tmp_path):
    token = cloud.identities.issue("anna@example.com")
    path = tmp_path / "token"
    path.write_text(token)
    path.chmod(0o600)
    assert len(rows(fetch("--access-token", path, GOOGLE_APPLICATION_CREDENTIALS=None))) == 7
    assert len(rows(fetch("--token-file", path, GOOGLE_APPLICATION_CREDENTIALS=None))) == 7
    assert cloud.logging.metadata[-1]["authorization"] == f"Bearer {token}"
    fetch("--quota-project", "mine")
    assert cloud.logging.metadata[-1]["x-goog-user-project"] == "mine"


def test_no_credential_is_shown(fetch, cloud):
    def fault(request, number):
        raise Failed("INTERNAL", f"got {cloud.logging.metadata[-1]['authorization']}")
    cloud.logging.fault = fault
    result = fetch("-v", "--retries", "0")
    assert result.code == 64 + 13
    for secret in cloud.identities.secrets():
        assert secret not in result.stdout + result.stderr


def test_signed_tokens_are_for_fleet_engine_only(fetch, cloud):
    result = fetch("--sign-as", "signer@p.iam.gserviceaccount.com")
    assert_failed(result, 2, "--sign-as signs tokens for Fleet Engine only")
    assert cloud.logging.requests == []
    # A variable is for the other commands.
    assert len(rows(fetch(TRIPWIRE_SIGN_AS="signer@p.iam.gserviceaccount.com"))) == 7


def test_settings_for_fleet_engine_do_not_apply(fetch):
    result = fetch(TRIPWIRE_ENDPOINT="localhost:1", TRIPWIRE_TOKEN="eyJhbGciOiJSUzI1NiJ9.e30.x")
    assert len(rows(result)) == 7


def test_another_endpoint(fetch, cloud, tmp_path):
    path = tmp_path / "token"
    path.write_text(cloud.identities.issue("anna@example.com"))
    path.chmod(0o600)
    result = tripwire(
        "log", "--cloud-logging", "p", "--since", "2h", "--endpoint", f"localhost:{cloud.logging.port}",
        "--authority", "logging.googleapis.com", "--cacert", cloud.authority, "--token-file", path, TZ="UTC")
    assert len(rows(result)) == 7


@pytest.mark.parametrize("arguments, words", [
    (["--cloud-logging", "p"], "--cloud-logging requires --since"),
    (["--cloud-logging", "p", "--since", "1h", "a.binlog"], "--cloud-logging cannot be used with FILE"),
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
])
def test_invalid_command_lines(arguments, words):
    assert_failed(tripwire("log", *arguments), 2, words)


def test_progress_is_shown_on_a_terminal(cloud):
    held = threading.Event()

    def fault(request, number):
        if number == 2:
            held.wait(60)
    cloud.logging.fault, cloud.logging.page = fault, 2
    command = shell(
        "env", f"GOOGLE_APPLICATION_CREDENTIALS={cloud.user_file}", "TZ=UTC", binary(), "log", "--cloud-logging", "p",
        "--since", "2h", "--resource", "t1", *cloud.options)
    try:
        with Terminal(command) as terminal:
            terminal.wait(lambda rows: any("2 log entries" in row for row in rows))
            held.set()
            code, rows = terminal.wait_for_end()
    finally:
        held.set()
    assert code == 0 and "log entries" not in "".join(rows)


class TestDoctor:
    def run(self, cloud, *arguments):
        result = cloud.tripwire("doctor", "--cloud-logging", "p", "-o", "json", *arguments,
                                GOOGLE_APPLICATION_CREDENTIALS=cloud.user_file)
        report = json.loads(result.stdout)
        return result.code, {step["name"]: step for step in report["steps"]}

    def test_permission_is_there(self, cloud):
        code, steps = self.run(cloud)
        assert code == 0
        assert steps["call"]["message"] == "projects/p: log entries can be read"
        (request,) = cloud.logging.requests
        assert request.page_size == 1 and request.filter == ""

    def test_permission_is_missing(self, cloud):
        cloud.logging.readers = []
        code, steps = self.run(cloud)
        assert code == 64 + 7 and steps["call"]["outcome"] == "failed"
        assert steps["token"]["outcome"] == "ok"
        assert "gcloud projects add-iam-policy-binding p" in steps["call"]["hint"]
        assert "--role=roles/logging.viewer" in steps["call"]["hint"]
