"""Does `tripwire log --cloud-logging` call Cloud Logging as its API wants it, and bear what a server may answer?"""

import json
import signal
import threading
import time

import pytest

from peers.google import credentials_files
from peers.google.cloud_logging import ListLogEntriesResponse, exhausted
from peers.google.signer import Failed
from support.command import assert_failed, binary, tripwire
from support.logged_calls import OF_TRIP, entry, methods, rows
from support.memory import peak_memory
from support.tmux import Terminal, shell


def test_pages_are_fetched_in_turn(fetch, cloud):
    cloud.logging.page = 2
    assert methods(fetch("--resource", "trips/t1")) == [method for method, _ in OF_TRIP]
    # Three entries about the trip, and two of its vehicle.
    assert [bool(request.page_token) for request in cloud.logging.requests] == [False, True, False]
    first, second, _ = cloud.logging.requests
    assert first.filter == second.filter


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


def test_pages_without_end_are_an_error(fetch, cloud):
    tokens = iter("aba")
    cloud.logging.fault = lambda *_: ListLogEntriesResponse(next_page_token=next(tokens))
    assert_failed(fetch(), 64 + 13, "the server repeats a page token", lines=["in google.logging.v2.LoggingSer"])


def test_entries_that_are_not_understood_are_counted(fetch, cloud):
    text = entry("GetTrip", 30, {}, trip_id="t1") | {"insertId": "text", "textPayload": "hello"}
    del text["jsonPayload"]
    long = entry("GetTrip", 29, {"tripId": "x" * (5 << 20)}, trip_id="t1") | {"insertId": "long"}
    cloud.logging.add(text, long, *(entry("FlyTrip", 28, {}, trip_id="t1") | {"insertId": f"{n}"} for n in range(3)))
    number = entry("GetTrip", 27, {"tripId": "t1", "x": 0.0}, trip_id="t1") | {"insertId": "number"}
    cloud.logging.add(number)
    cloud.logging.entries[-1].json_payload["request"]["x"] = float("nan")
    result = fetch("--resource", "trips/t1")
    assert rows(result) == OF_TRIP
    reasons = result.stderr.splitlines()
    assert len(reasons) == 4 and all(line.startswith("warning: p: entry ") for line in reasons)
    for reason, words in zip(reasons, ["no @type", "longer than 4 MiB", "and 2 more: ", "nan is not a JSON number"]):
        assert words in reason and reason.endswith(": skipped")


def test_a_response_that_does_not_decode(fetch, cloud):
    cloud.logging.serialize = lambda response: b"\x0a\x7f"
    assert_failed(fetch("--retries", "0"), 64 + 13)


def test_a_broken_entry_is_skipped(fetch, cloud):
    # The timestamp of the entry is no message.
    cloud.logging.serialize = lambda response: b"\x0a\x02\x4a\x7f" + response.SerializeToString()
    result = fetch("--resource", "vehicles/v1")
    assert methods(result) == ["UpdateVehicle"] * 2
    assert "warning: p: entry 1: " in result.stderr


def test_a_server_that_stalls(fetch, cloud, tmp_path):
    held = threading.Event()
    cloud.logging.page = 2
    cloud.logging.fault = lambda request, number: held.wait(60) and None if number > 1 else None
    saved = tmp_path / "saved.json"
    result = fetch("--timeout", "3s", "--save", saved)
    held.set()
    assert_failed(result, 64 + 4, lines=[f"warning: {saved} is not written; 2 log entries are discarded"])
    assert not saved.exists() and not list(tmp_path.glob(".*"))


def test_an_interrupted_fetch_says_what_is_lost(cloud, tmp_path):
    held, reached = threading.Event(), threading.Event()

    def fault(request, number):
        if number == 2:
            reached.set()
            held.wait(60)
    cloud.logging.fault, cloud.logging.page = fault, 2
    saved = tmp_path / "saved.json"
    process = cloud.start("log", "--cloud-logging", "p", "--since", "2h", "--save", saved,
                          variables={"GOOGLE_APPLICATION_CREDENTIALS": cloud.user_file})
    assert reached.wait(60)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    held.set()
    assert process.returncode == 130 and stdout == b""
    assert stderr.decode() == f"warning: {saved} is not written; 2 log entries are discarded\n"
    assert not saved.exists() and not list(tmp_path.glob(".*"))


@pytest.mark.long
@pytest.mark.parametrize("size, count", [(14, 100_000), (1_200, 2_300)], ids=["small entries", "large entries"])
def test_much_is_fetched_in_little_memory(cloud, tmp_path, size, count):
    vehicle = {"name": "providers/p/vehicles/v1", "attributes": [
        {"key": f"k{number}", "value": "v" * 20} for number in range(size)]}
    cloud.logging.add(entry("UpdateVehicle", 1, {"vehicleId": "v1"}, vehicle, vehicle_id="v1"))
    given = 0

    def fault(request, number):
        nonlocal given
        page = ListLogEntriesResponse(entries=cloud.logging.entries[-1:] * min(request.page_size, count - given))
        for each in page.entries:
            each.insert_id = f"{given}"
            given += 1
        page.next_page_token = f"{number}" if given < count else ""
        return page
    cloud.logging.fault = fault
    saved = tmp_path / "saved.json"
    peak = peak_memory(
        binary(), "log", "--cloud-logging", "p", "--since", "2h", "--resource", "vehicles/v1", "--save", saved,
        *cloud.options, env=cloud.environment(GOOGLE_APPLICATION_CREDENTIALS=cloud.user_file))
    assert len(json.loads(saved.read_text())) == count
    assert saved.stat().st_size > 100e6
    assert peak < 200e6


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


def test_unknown_project(fetch):
    result = fetch(project="other")
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


@pytest.mark.parametrize("profile", [
    {}, {"endpoint": "localhost:1", "plaintext": True, "sign-as": "signer@p.iam.gserviceaccount.com"},
    {"token-command": "echo x"}], ids=["none", "server", "token"])
@pytest.mark.parametrize("variables", [
    {}, {"TRIPWIRE_ENDPOINT": "localhost:1", "TRIPWIRE_TOKEN": "eyJhbGciOiJSUzI1NiJ9.e30.x"},
    {"TRIPWIRE_ENDPOINT": "https://x/", "TRIPWIRE_PLAINTEXT": "maybe", "TRIPWIRE_TOKEN": " ",
     "TRIPWIRE_SIGN_AS": "nobody"}], ids=["", "variables", "invalid"])
def test_settings_for_fleet_engine_do_not_apply(fetch, tmp_path, profile, variables):
    folder = tmp_path / "tripwire"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"profiles": {"default": profile}}))
    assert len(rows(fetch(XDG_CONFIG_HOME=tmp_path, **variables))) == 7


def test_another_endpoint(fetch, cloud, tmp_path):
    path = tmp_path / "token"
    path.write_text(cloud.identities.issue("anna@example.com"))
    path.chmod(0o600)
    result = tripwire(
        "log", "--cloud-logging", "p", "--since", "2h", "--endpoint", f"localhost:{cloud.logging.port}",
        "--authority", "logging.googleapis.com", "--cacert", cloud.authority, "--token-file", path, TZ="UTC")
    assert len(rows(result)) == 7


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
