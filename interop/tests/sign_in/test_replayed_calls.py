"""Is nobody asked for a token for calls that a recording answers?"""

import json

import pytest

from support.nats.server import NATSServer
from support.paths import RECORDINGS
from support.relay import Process, Reader, relay

TRIP = "providers/demo/trips/t1"
COMMANDS = {
    "get": ["get", TRIP], "follow": ["follow", TRIP, "--until", "enroute-to-pickup"],
    "call": ["call", "maps.fleetengine.v1.TripService/GetTrip", "-d", json.dumps({"name": TRIP})],
    "doctor": ["doctor", TRIP],
}
SOURCES = {
    "command": lambda cast, path, ran: ["--access-token", f"command:touch {ran}; exit 1"],
    "token command": lambda cast, path, ran: ["--token-command", f"touch {ran}; exit 1"],
    "file": lambda cast, path, ran: ["--access-token", path],
    "signer": lambda cast, path, ran: ["--access-token", path, "--sign-as", cast.signer.email],
    "missing file": lambda cast, path, ran: ["--access-token", "/none.json"],
    "missing token": lambda cast, path, ran: ["--token-file", "/none.jwt"],
    "missing key": lambda cast, path, ran: ["--credentials", "/none.json"],
}


def run(cloud, *arguments, **variables):
    """Runs a command with the recording of the demo, without the options for other servers."""
    process = cloud.start_alone(*arguments, "--replay", RECORDINGS / "demo.binlog", variables=variables)
    stdout, stderr = process.communicate(timeout=300)
    return process.returncode, stdout.decode(), stderr.decode()


def assert_nobody_was_asked(cloud, ran):
    assert not ran.exists() and not cloud.tokens.requests and not cloud.signer.calls and not cloud.metadata.requests


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("source", SOURCES)
def test_option_is_not_used(cloud, cast, user_file, tmp_path, command, source):
    ran = tmp_path / "ran"
    code, stdout, stderr = run(cloud, *COMMANDS[command], *SOURCES[source](cast, user_file, ran))
    assert (code, stderr) == (0, ""), stdout
    assert "t1" in stdout
    if command == "doctor":
        assert "token    not needed: a recording answers the calls" in stdout
    assert_nobody_was_asked(cloud, ran)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("variables", [
    {"TRIPWIRE_SIGN_AS": "a@p.iam.gserviceaccount.com"}, {"TRIPWIRE_TOKEN": "/none.jwt"},
    {"TRIPWIRE_CREDENTIALS_JSON": "{}"}, {"GOOGLE_APPLICATION_CREDENTIALS": "/none.json"},
], ids=lambda variables: list(variables)[0])
def test_variable_is_not_used(cloud, cast, user_file, tmp_path, command, variables):
    code, _, stderr = run(cloud, *COMMANDS[command], **{"GOOGLE_APPLICATION_CREDENTIALS": user_file} | variables)
    assert (code, stderr) == (0, "")
    assert_nobody_was_asked(cloud, tmp_path / "ran")


@pytest.mark.parametrize("command", COMMANDS)
def test_profile_is_not_used(cloud, cast, user_file, tmp_path, command):
    settings = {"access-token": f"command:touch {tmp_path}/ran; exit 1", "sign-as": cast.signer.email}
    (tmp_path / "tripwire").mkdir()
    (tmp_path / "tripwire" / "config.json").write_text(json.dumps({"profiles": {"default": settings}}))
    code, _, stderr = run(cloud, *COMMANDS[command], XDG_CONFIG_HOME=tmp_path)
    assert (code, stderr) == (0, "")
    assert_nobody_was_asked(cloud, tmp_path / "ran")


def test_trace_says_so(cloud, user_file):
    _, _, stderr = run(cloud, *COMMANDS["get"], "-v", "--access-token", user_file)
    assert "* --access-token is not used: a recording answers the calls\n" in stderr
    assert "googleapis.com" not in stderr and "warning" not in stderr


def test_worker_asks_nobody(cloud, cast, tmp_path):
    folder = tmp_path / "nats"
    folder.mkdir()
    with NATSServer(folder) as nats, Process(
            nats, "work", "--interval", "200ms", "--replay", RECORDINGS / "demo.binlog", "--access-token",
            f"command:touch {tmp_path}/ran; exit 1", "--sign-as", cast.signer.email) as worker, \
            Reader(nats, TRIP) as reader:
        assert relay(nats, "want", "--pin", TRIP).code == 0
        reader.until(lambda state: state.trip.name == TRIP)
        assert not worker.errors
    assert_nobody_was_asked(cloud, tmp_path / "ran")
