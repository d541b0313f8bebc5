"""Does live.sh check a project under the real host name, with a fleet on loopback in its place?"""

import re
import stat
import subprocess
from types import SimpleNamespace

import pytest

from peers.fleet import Fleet, ServiceAccount
from peers.recordings import binary_log
from support.command import LONGEST, binary, environment, tripwire
from support.paths import INTEROP

HOST = "fleetengine.googleapis.com"
PROJECT = "acme-secret"
TITLES = [
    "check the connection and the token", "search active trips", "search trips", "get a trip",
    "follow the trip", "list vehicles", "get a vehicle", "search vehicles near one of them",
    "list delivery vehicles", "get a delivery vehicle", "list tasks", "get a task",
    "track a shipment",
]
TRIPS, DELIVERIES = TITLES[1:8], TITLES[8:]


@pytest.fixture
def account():
    return ServiceAccount.make(PROJECT)


@pytest.fixture
def serve(certificates, account):
    """Makes a fleet that has the certificate of Fleet Engine and checks tokens. If it has trips, it has the idle vehicle
    idle1, too."""
    def serve(**what):
        fleet = Fleet(speed=10, provider=PROJECT, account=account, certificate=certificates.fleet_engine, **what)
        if what:
            fleet.vehicle("idle1")
        return fleet

    return serve


@pytest.fixture
def live(tmp_path, certificates, account):
    """Runs live.sh for the fleet at an address; the result has the outcome of each check."""
    key = account.save(tmp_path / "key.json")

    def run(address, *before, **variables):
        out = tmp_path / "out.binlog"
        done = subprocess.run(
            [*before, "sh", INTEROP / "live.sh", PROJECT, key, out], capture_output=True,
            timeout=LONGEST, env=environment(**{
                "TRIPWIRE_BIN": binary(), "TRIPWIRE_LIVE_TIME": "2s", "TRIPWIRE_LIVE_OPTIONS":
                f"--connect-to {HOST}:443:{address} --cacert {certificates.authority}",
                # These would send the calls, or the files, somewhere else.
                "TRIPWIRE_ENDPOINT": "127.0.0.1:1", "TRIPWIRE_TOKEN": "another", **variables}))
        stdout = done.stdout.decode()
        assert account.info["private_key"][100:140] not in stdout
        assert "eyJ" not in stdout
        outcomes = {title: outcome.strip() for outcome, title in re.findall(
            r"^(ok|none|no access|skipped|failed) {2,}(.*)$", stdout, re.MULTILINE)}
        return SimpleNamespace(
            code=done.returncode, stdout=stdout, stderr=done.stderr.decode(), outcomes=outcomes,
            out=out)

    return run


def methods(path):
    return {entry.client_header.method_name.split("/")[-1] for entry in binary_log.read(path)
            if entry.HasField("client_header")}


def test_every_check_succeeds(serve, live):
    with serve(trips=2, deliveries=1) as fleet:
        result = live(fleet.address)
        calls = fleet.journal.of()
    assert (result.code, result.stderr) == (0, ""), result.stdout
    assert result.outcomes == dict.fromkeys(TITLES, "ok")
    assert result.stdout.endswith("\n13 ok, 0 none, 0 no access, 0 failed\n")
    assert {call.method for call in calls} == {
        "SearchTrips", "GetTrip", "ListVehicles", "GetVehicle", "SearchVehicles",
        "ListDeliveryVehicles", "GetDeliveryVehicle", "ListTasks", "GetTask", "GetTaskTrackingInfo"}
    for call in calls:
        granted = call.claims["authorization"]
        if call.method in ("GetTrip", "GetTask", "GetVehicle", "GetDeliveryVehicle",
                           "GetTaskTrackingInfo"):
            assert "*" not in granted.values(), (call.method, granted)
        else:
            assert set(granted.values()) == {"*"}, (call.method, granted)


def test_copy_of_the_recording_is_anonymous(serve, live, tmp_path):
    with serve(trips=1, deliveries=1) as fleet:
        result = live(fleet.address)
    assert stat.S_IMODE(result.out.stat().st_mode) == 0o600
    content = result.out.read_bytes()
    shown = tripwire("log", result.out, "-o", "json").stdout
    for secret in PROJECT, "idle1", "track-d1-1", "d1-1", "127.0.0.1", "eyJ":
        assert secret.encode() not in content and secret not in shown, secret
    assert {"SearchTrips", "GetTrip", "GetVehicle"} <= methods(result.out)
    # No other file is left.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key.json", "out.binlog"]


def test_nothing_leaves_loopback(serve, live, tmp_path):
    log = tmp_path / "strace.log"
    with serve(trips=1, deliveries=1) as fleet:
        result = live(
            fleet.address, "strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", log)
        assert result.code == 0, result.stdout
        trace = log.read_text()
        addresses = set(re.findall(r'inet_addr\("([^"]*)"\)|inet_pton\(AF_INET6, "([^"]*)"', trace))
        assert addresses == {("127.0.0.1", "")}
        ports = set(re.findall(r"sin_port=htons\((\d+)\)", trace))
        assert ports == {fleet.address.split(":")[1]}


def test_empty_project_has_nothing_to_get(serve, live):
    with serve() as fleet:
        result = live(fleet.address)
    assert (result.code, result.stderr) == (0, ""), result.stdout
    assert set(result.outcomes.values()) == {"ok", "none", "skipped"}
    assert [title for title, outcome in result.outcomes.items() if outcome == "none"] == [
        "search active trips", "search trips", "list vehicles", "list delivery vehicles",
        "list tasks"]


@pytest.mark.parametrize("code", ["PERMISSION_DENIED", "UNIMPLEMENTED"])
@pytest.mark.parametrize("used, unused, denied", [
    (TRIPS, DELIVERIES, ["ListDeliveryVehicles", "ListTasks"]),
    (DELIVERIES, TRIPS, ["SearchTrips", "ListVehicles"]),
])
def test_project_with_one_api(serve, live, code, used, unused, denied):
    with serve(trips=1, deliveries=1) as fleet:
        for method in denied:
            fleet.faults.fail(code, "not for you", method=method)
        result = live(fleet.address)
    assert result.code == 0, result.stdout
    assert {result.outcomes[title] for title in used} == {"ok"}
    assert {result.outcomes[title] for title in unused} == {"no access", "skipped"}
    assert f"error: {code}: not for you" in result.stdout
    assert re.search("No access to the API for .*: the project does not use it", result.stdout)


def test_project_without_access_fails(serve, live):
    with serve(trips=1) as fleet:
        fleet.faults.fail("PERMISSION_DENIED", "not for you")
        result = live(fleet.address)
    assert result.code == 1, result.stdout
    assert "No call of Fleet Engine succeeded." in result.stdout


@pytest.mark.parametrize("code", ["NOT_FOUND", "PERMISSION_DENIED"])
def test_failed_check_has_an_error_and_a_hint(serve, live, code):
    with serve(trips=1, deliveries=1) as fleet:
        fleet.faults.fail(code, "on purpose", method="GetTask")
        result = live(fleet.address)
    assert result.code == 1, result.stdout
    assert result.outcomes["get a task"] == ("failed" if code == "NOT_FOUND" else "no access")
    assert f"             error: {code}: on purpose\n             hint: " in result.stdout
    assert result.stdout.endswith(", 1 failed\n")
    assert result.out.exists()


def test_unreachable_server_ends_the_checks(live, certificates):
    result = live("127.0.0.1:1")
    assert result.code == 1
    assert result.outcomes == {TITLES[0]: "failed"}
    assert "hint: " in result.stdout
    assert not result.out.exists()


def test_invalid_key_ends_the_checks(serve, live, tmp_path):
    (tmp_path / "key.json").write_text("no key")
    with serve() as fleet:
        result = live(fleet.address)
        assert not fleet.journal.of()
    assert result.code == 1
    assert result.outcomes == {TITLES[0]: "failed"}
    assert "failed   token" in result.stdout and "hint: " in result.stdout


@pytest.mark.parametrize("arguments, words", [
    ([], "expected two or three arguments"),
    (["p/q", "KEY"], "PROJECT must be the ID of a Cloud project"),
    (["p", "/missing"], "CREDENTIALS must be a readable file"),
    (["p", "KEY", "KEY"], "already exists"),
])
def test_invalid_arguments_are_rejected(tmp_path, account, arguments, words):
    key = account.save(tmp_path / "key.json")
    arguments = [str(key) if argument == "KEY" else argument for argument in arguments]
    done = subprocess.run(["sh", INTEROP / "live.sh", *arguments], capture_output=True,
                          env=environment(TRIPWIRE_BIN=binary()), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()
