"""Do calls get tokens from keys and commands, and are secrets never shown?"""

import email.utils
import json
import os
import signal
import time

import pytest

from peers.servers.dated import dated_server
from support.command import LONGEST, assert_failed, bearer, get, start, tripwire
from support.following import following


# Tokens of calls


@pytest.mark.parametrize("resource, authorization", [
    ("trips/echo", {"tripid": "echo"}),
])
def test_credentials_sign_for_the_requested_trip(keys, server, resource, authorization):
    token = bearer(get(server, resource, "--credentials", keys.path))
    assert keys.claims(token)["authorization"] == authorization


def test_credentials_sign_for_any_method(keys, server):
    result = tripwire(
        "call", "maps.fleetengine.v1.TripService/GetTrip", "-d",
        '{"name": "providers/p/trips/echo"}', "--endpoint", server.address, "--plaintext",
        "--credentials", keys.path)
    assert keys.claims(bearer(result))["authorization"] == {"tripid": "echo"}


def test_command_gets_the_resource_of_its_token(server):
    line = 'echo "$TRIPWIRE_RESOURCE=$TRIPWIRE_TRIP_ID"'
    assert bearer(get(server, "trips/echo", "--token-command", line)) == \
        "providers/p/trips/echo=echo"


def test_variable_of_the_parent_is_replaced(server):
    # A Character of "=" and a combining mark is not "=".
    line = 'env | grep -c ^TRIPWIRE_TRIP_ID='
    result = get(server, "trips/echo", "--token-command", line, TRIPWIRE_TRIP_ID="\u0301")
    assert bearer(result) == "1"


@pytest.mark.parametrize("response", [
    '{"token": "abc", "expiresIn": 60}',
    '{"jwt": "abc", "expirationTimestamp": 4102444800000}',  # the backend of Google's samples
])
def test_token_command_may_print_json(server, response):
    line = f"echo '{response}'"
    assert bearer(get(server, "trips/echo", "--token-command", line)) == "abc"


@pytest.mark.parametrize("offset, hint", [
    (-3 * 3600, "set the clock of this machine, for example with NTP: by the clock of the server, this token"
                " is not valid for another "),
    (3 * 3600, "set the clock of this machine, for example with NTP: by the clock of the server, this one"
               " expired "),
    (0, "use another key in --credentials"),
])
def test_clock_of_this_machine_is_compared(keys, offset, hint):
    with dated_server(email.utils.formatdate(time.time() + offset, usegmt=True)) as address:
        result = tripwire("get", "providers/p/trips/t1", "--endpoint", address, "--plaintext",
                          "--credentials", keys.path)
        follow = tripwire("follow", "providers/p/trips/t1", "--endpoint", address, "--plaintext",
                          "--credentials", keys.path, "--fail-fast")
    assert_failed(result, 80, "UNAUTHENTICATED: JWT is not yet valid", hint=hint)
    assert json.loads(follow.stdout)["error"]["hint"].startswith(hint)


def test_failing_token_command_is_reported(own_server):
    line = "echo secret; (echo no account; echo; echo password=hunter2; echo log in) >&2; exit 7"
    result = get(own_server, "trips/echo", "--token-command", line)
    assert_failed(result, 80, "exit code 7: no account | password=*** | log in", 
                  hint="run the token command by hand", lines=["never sent"])
    assert "secret" not in result.stderr and "hunter2" not in result.stderr
    assert own_server.arrived.empty()


def test_failing_token_command_is_not_run_for_every_poll(server, tmp_path):
    """The command runs again two seconds later. Every poll reports its failure."""
    times = tmp_path / "times"
    times.touch()
    line = f"date +%s.%N >> {times}; echo 'log in again' >&2; exit 1"
    options = ["--plaintext", "--token-command", line]
    with following(server.address, "providers/p/trips/t1", options=options) as follow:
        error = follow.until_error("UNAUTHENTICATED")["error"]
        assert "log in again" in error["message"]
        follow.wait_until(lambda: times.read_text().count("\n") >= 2)
    first, second = map(float, times.read_text().split()[:2])
    assert second - first >= 2


def test_token_for_all_runs_the_command_once(server, tmp_path):
    for options, runs in ([], 2), (["--token-for-all"], 1):
        count, names = tmp_path / f"count{runs}", {"providers/p/trips/t1", "providers/p/trips/t2"}
        options = [*options, "--plaintext", "--token-command",
                   f"echo >> {count}; sleep 0.2; echo abc"]
        with following(server.address, *names, options=options) as follow:
            while names:
                names.discard(follow.until(lambda line: line["name"] in names)["name"])
        assert count.read_text() == "\n" * runs


def test_secret_on_stderr_of_the_command_is_masked(own_server, keys):
    result = get(own_server, "trips/echo", "--token-command",
                 f"{os.environ['TRIPWIRE_BIN']} token mint --credentials {keys.path} --trip t1 >&2;"
                 " exit 1")
    assert_failed(result, 80, "exit code 1: ***")
    assert "eyJ" not in result.stderr


def test_token_command_ends_at_the_deadline(own_server):
    result = get(own_server, "trips/echo", "--token-command", f"sleep {2 * LONGEST}", "--timeout",
                 "500ms")
    assert_failed(
        result, 68,
        error="DEADLINE_EXCEEDED: --token-command: the deadline passed before the command ended",
        hint="run the token command by hand to see why it is slow, or raise --timeout")
    assert "server/network error" not in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_token_command_is_killed_with_tripwire(own_server, tmp_path, number):
    """The signal also kills the child processes of the command."""
    pids = tmp_path / "pids"
    os.mkfifo(pids)
    process = start(
        "get", "providers/p/trips/echo", "--endpoint", own_server.address, "--plaintext",
        "--token-command", f"sleep 100 & echo $$ $! > {pids}; wait")
    children = [int(pid) for pid in pids.read_text().split()]
    process.send_signal(number)
    assert process.wait(LONGEST) == (-number if number == signal.SIGQUIT else 128 + number)
    end = time.monotonic() + LONGEST
    for pid in children:
        while is_running(pid):
            assert time.monotonic() < end, f"{pid} is still running"
            time.sleep(0.01)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("options", [
    ["--token-file", "a", "--credentials", "b"], ["--token-command", "a", "--credentials", "b"],
    ["--token-command", "a", "--token-file", "b"],
])
@pytest.mark.parametrize("command", [
    ["get", "providers/p/trips/t"], ["call", "GetTrip"], ["list"], ["describe"],
    ["follow", "providers/p/trips/t"],
])
def test_token_options_exclude_each_other(command, options):
    assert_failed(tripwire(*command, *options), 2, "cannot be used with --")


def test_token_options_override_the_variable(server, keys):
    token = bearer(
        get(server, "trips/echo", "--token-command", "echo command", TRIPWIRE_TOKEN="variable"))
    assert token == "command"
    token = bearer(get(server, "trips/echo", "--credentials", keys.path, TRIPWIRE_TOKEN="variable"))
    assert keys.claims(token)


# Secrets


@pytest.mark.parametrize("resource, code", [("trips/t1", 0), ("trips/fails-UNAUTHENTICATED", 80)])
def test_key_and_token_are_not_shown(keys, server, resource, code):
    secrets = [line for line in keys.private.splitlines() if "-" not in line]
    result = get(server, resource, "-v", "--credentials", keys.path)
    assert result.code == code
    assert "authorization" in result.stderr.lower()
    for text in result.stdout, result.stderr:
        assert "eyJ" not in text
        assert not [secret for secret in secrets if secret in text]
    token = "tokenoftheprogram"
    result = get(server, resource, "-v", "--token-command", f"echo {token}")
    assert result.code == code
    assert token not in result.stderr + result.stdout


@pytest.mark.parametrize("arguments", [
    ("get", "providers/p/trips/t1", "--credentials"),
    ("get", "providers/p/trips/t1", "--token-file"),
    ("token", "mint", "--trip", "t1", "--credentials"),
    ("token", "inspect"),
])
@pytest.mark.parametrize("secret", [
    '{"type": "service_account", "private_key": "hush"}',
    "eyJhbGciOiJSUzI1NiJ9.hush.hush",
    "-----BEGIN PRIVATE KEY-----\nhush",
])
def test_secret_given_instead_of_a_file_is_not_shown(arguments, secret):
    # The argument follows --, because it may begin with a dash.
    last = ["--", secret] if arguments[-1] == "inspect" else [secret]
    result = tripwire(*arguments, *last)
    assert result.code != 0
    assert "hush" not in result.stderr + result.stdout
    if secret.startswith("eyJ") and "--credentials" not in arguments:
        hint = "pass the token on stdin with --token-file -" if "get" in arguments else \
            "pass the token on stdin: tripwire token inspect -"
        assert f"hint: {hint}\n" in result.stderr
