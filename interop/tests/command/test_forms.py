"""Does the command take the forms that users of grpcurl, kubectl, curl and gh type?"""

import json
import re

import pytest

from support.command import assert_failed, binary, tripwire
from peers.servers.reflecting import V1, reflecting_test_service
from support.paths import RECORDINGS
from support.tmux import Terminal, shell
from support.service_calls import SERVICE, answer

DEMO = RECORDINGS / "trip.binlog"
TRIP = "providers/demo/trips/t1"


@pytest.fixture(scope="module")
def address(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes(), V1) as address:
        yield address


# The server as an operand.

def test_server_may_be_the_first_operand(address):
    result = tripwire("list", address, "--plaintext")
    assert SERVICE in result.stdout.splitlines()
    assert tripwire("list", address, SERVICE, "--plaintext").stdout.startswith(f"{SERVICE}/")
    assert f"service TestService" in tripwire("describe", address, SERVICE, "--plaintext").stdout
    assert answer(tripwire("call", address, f"{SERVICE}/EmptyCall", "--plaintext")) == {}


def test_server_operand_has_priority_over_the_variable(address):
    assert answer(tripwire("call", address, f"{SERVICE}/EmptyCall", "--plaintext",
                           TRIPWIRE_ENDPOINT="127.0.0.1:1")) == {}


def test_server_operand_contradicts_replay():
    result = tripwire("call", "localhost:1", "TripService/GetTrip", "--replay", DEMO)
    assert_failed(result, 2, "localhost:1 cannot be used with --replay")


@pytest.mark.parametrize("arguments", [
    ["call", "127.0.0.1:1", "pkg.Service/Method"], ["list", "127.0.0.1:1"], ["describe", "127.0.0.1:1", "Foo"]])
def test_hint_names_the_server_operand(arguments):
    result = tripwire(*arguments, "--plaintext", TRIPWIRE_ENDPOINT="127.0.0.1:2")
    assert_failed(result, 78, hint="check the port in HOST:PORT (127.0.0.1:1)")


def test_invalid_server_operand_is_named():
    result = tripwire("list", "foo:bar:baz")
    assert_failed(result, 2, "HOST:PORT foo:bar:baz: it has colons")
    assert "--endpoint" not in result.stderr


@pytest.mark.parametrize("command", ["list", "describe"])
def test_types_do_not_come_from_a_recording(command):
    result = tripwire(command, "--replay", DEMO)
    assert_failed(result, 2, "unknown option --replay", hint="use --replay with a command that makes a call")
    assert "--replay" not in tripwire(command, "--help").stdout


# Options.

def test_value_of_a_short_option_may_follow_an_equals_sign():
    plain = tripwire("get", TRIP, "--replay", DEMO, "-o", "text")
    assert tripwire("get", TRIP, "--replay", DEMO, "-o=text").stdout == plain.stdout != ""


def test_value_that_begins_with_an_equals_sign_is_kept_if_it_is_an_argument_of_its_own(server):
    result = tripwire("get", "providers/p/trips/echo", "--endpoint", server.address, "--plaintext",
                      "-H", "x-own: =a", "-H=x-other: =b")
    assert result.attributes["x-own"] == ["=a"]
    assert result.attributes["x-other"] == ["=b"]


def test_k_skips_the_verification_and_q_the_warning(server):
    name = "providers/p/trips/rich"
    loud = tripwire("get", name, "--endpoint", "127.0.0.1:1", "-k")
    assert loud.stderr.startswith("warning: the server's certificate is not verified")
    quiet = tripwire("get", name, "--endpoint", "127.0.0.1:1", "-k", "-q")
    assert loud.stderr.split("\n", 1)[1] == quiet.stderr
    assert_failed(quiet, 78, "connection refused")


def test_quiet_contradicts_verbose():
    assert_failed(tripwire("get", TRIP, "-qv"), 2, "--quiet cannot be used with --verbose")


def test_log_takes_the_format_as_other_commands_do():
    old = tripwire("log", DEMO, "--json")
    for options in ["-o", "json"], ["-o=ndjson"], ["--output", "json"]:
        assert tripwire("log", DEMO, *options).stdout == old.stdout
    assert tripwire("log", DEMO, "-o", "text").stdout == tripwire("log", DEMO).stdout
    timeline = tripwire("log", DEMO, "--trip", "t1", "-o", "json")
    assert timeline.stdout == tripwire("log", DEMO, "--trip", "t1", "--json").stdout


def test_quiet_log_prints_no_warnings(tmp_path):
    path = tmp_path / "cut.binlog"
    path.write_bytes(DEMO.read_bytes()[:-3])
    loud, quiet = tripwire("log", path), tripwire("log", path, "-q")
    assert "warning: " in loud.stderr and quiet.stderr == ""
    assert loud.stdout == quiet.stdout


def test_ndjson_of_follow_is_its_json():
    arguments = [TRIP, "--replay", DEMO, "--until", "enroute-to-pickup", "--interval", "100ms"]
    first = [json.loads(tripwire("follow", *arguments, "-o", form).stdout.splitlines()[0])
             for form in ("json", "ndjson")]
    assert first[0]["trip"] == first[1]["trip"] != {}


# Traces and times.

def test_v_traces_without_frames_and_vv_with_them():
    arguments = ["get", TRIP, "--replay", DEMO]
    brief = tripwire(*arguments, "-v").stderr.splitlines()
    assert any(line.startswith("> :path: /maps.fleetengine.v1.TripService/GetTrip") for line in brief)
    assert not [line for line in brief if line[0] in "{}"]
    for options in ["-vv"], ["-v", "-v"], ["-vvv"]:
        lines = tripwire(*arguments, *options).stderr.splitlines()
        assert [line for line in lines if line.startswith("} HEADERS stream=1 ")]
        assert [line for line in lines if line.startswith("{ DATA stream=1 ")]


def test_timing_is_json_with_the_times_of_each_step(server):
    result = tripwire("get", "providers/p/trips/rich", "--endpoint", server.address, "--plaintext",
                      "--timing", "json")
    assert result.code == 0
    timing = json.loads(result.stderr)["timing"]
    assert timing.pop("method") == "maps.fleetengine.v1.TripService/GetTrip"
    assert timing.pop("code") == "OK"
    assert list(timing) == ["connectMs", "settingsMs", "firstByteMs", "messagesMs", "totalMs"]
    total = timing.pop("totalMs")
    assert 0 < sum(timing.values()) <= total


def test_trace_and_timing_have_the_same_times(server):
    result = tripwire("get", "providers/p/trips/rich", "--endpoint", server.address, "--plaintext",
                      "--timing", "json", "-v")
    (line,) = [line for line in result.stderr.splitlines() if line.startswith('{"timing"')]
    total = json.loads(line)["timing"]["totalMs"]
    (summary,) = [line for line in result.stderr.splitlines() if line.startswith("* OK after ")]
    value, unit = summary.removeprefix("* OK after ").partition(":")[0].split()
    assert float(value) == pytest.approx(total / {"ms": 1, "s": 1000}[unit], rel=0.01)


def test_timing_of_calls_by_reflection_and_of_failures(address):
    result = tripwire("call", address, f"{SERVICE}/UnimplementedCall", "--plaintext", "--timing", "json")
    assert result.code == 76
    times = [json.loads(line)["timing"] for line in result.stderr.splitlines() if line[0] == "{"]
    assert [time["code"] for time in times][-1] == "UNIMPLEMENTED"
    assert "reflectionMs" in times[-1]


@pytest.mark.parametrize("command", ["list", "describe"])
def test_timing_of_reflection_alone(address, command):
    result = tripwire(command, address, SERVICE, "--plaintext", "--timing", "json")
    assert result.code == 0, result.stderr
    timing = json.loads(result.stderr)["timing"]
    assert timing["method"].endswith("/ServerReflectionInfo") and timing["reflectionMs"] > 0


def test_connect_to_changes_only_the_address(server):
    arguments = ["get", "providers/p/trips/echo", "--endpoint", "fleet.example:443", "--plaintext"]
    result = tripwire(*arguments, "--connect-to", f"fleet.example:443:{server.address}", "-v")
    assert result.code == 0, result.stderr
    assert "> :authority: fleet.example:443" in result.stderr.splitlines()
    assert f"* connected to {server.address}" in result.stderr
    other = tripwire(*arguments, "--connect-to", f"other.example:443:{server.address}",
                     "--timeout", "5s")
    assert_failed(other, 78, "fleet.example")
    refused = tripwire(*arguments, "--connect-to", "::127.0.0.1:1")
    assert_failed(refused, 78, hint="check that the server is running, and check the port in"
                                    " --connect-to (127.0.0.1:1)")


@pytest.mark.parametrize("command", [["get"], ["follow"], ["map"], ["relay", "want"], ["doctor"]])
def test_name_of_a_collection_is_not_that_of_a_trip(command):
    assert_failed(tripwire(*command, "tasks", "--provider", "p"), 2,
                  error="NAME: the ID is missing after tasks",
                  hint="pass tasks/ID, or list them: tripwire search tasks")


# Color.

def test_color_marks_errors(server):
    arguments = ["get", "providers/p/trips/missing", "--endpoint", server.address, "--plaintext"]
    plain = tripwire(*arguments)
    colored = tripwire(*arguments, "--color", "always", NO_COLOR="1")
    assert plain.stderr.startswith("error: ")
    assert colored.stderr.startswith("\x1b[31merror:\x1b[0m ")
    assert re.sub("\x1b\\[[0-9]*m", "", colored.stderr) == plain.stderr
    assert tripwire(*arguments, "--color", "never").stderr == plain.stderr


@pytest.mark.parametrize("variables, color", [({}, True), ({"NO_COLOR": "1"}, False),
                                              ({"TERM": "dumb"}, False)])
def test_terminal_gets_colors_unless_the_environment_forbids_them(variables, color):
    words = [f"{name}={value}" for name, value in variables.items()]
    with Terminal(shell("env", *words, binary(), "get", "x", "--color", "auto")) as terminal:
        terminal.wait_for_end()
        assert ("\x1b[31merror:" in terminal.colors) == color
