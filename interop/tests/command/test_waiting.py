"""Does a command on a terminal say what it waits for, and erase that?"""

import json
import socket

import pytest

from support.command import PATIENT, binary
from support.paths import RECORDINGS
from support.tmux import Terminal, shell

READING = "reading from the terminal; press Ctrl-D to end the input"


def tripwire(*arguments):
    """Returns a command line on a cleared terminal."""
    return "clear; " + shell(binary(), *arguments)


@pytest.mark.parametrize("arguments, code", [
    (["token", "inspect"], 1), (["log", "-"], 0), (["replay", "-"], 1),
    (["token", "mint", "--trip", "t1", "--credentials", "-"], 1),
    (["get", "providers/p/trips/t1", "--token-file", "-", "--endpoint", "127.0.0.1:1"], 1),
])
def test_command_that_reads_the_terminal_says_so(arguments, code):
    with Terminal(tripwire(*arguments)) as terminal:
        terminal.wait(lambda rows: rows == [READING])
        terminal.type("C-d")
        assert terminal.wait_for_end()[0] == code


def test_request_from_the_terminal(server):
    with Terminal(tripwire(
            "call", "TripService/GetTrip", "-d", "@-", "--endpoint", server.address, "--plaintext",
            "--timeout", PATIENT) + " | grep -o ENROUTE_TO_PICKUP") as terminal:
        terminal.wait(lambda rows: rows == [READING])
        terminal.type(json.dumps({"name": "providers/p/trips/t1"}), "Enter", "C-d")
        code, rows = terminal.wait_for_end()
        assert code == 0 and rows[-1] == "ENROUTE_TO_PICKUP"
        assert rows.count(READING) == 1


def test_redirected_input_is_not_announced():
    with Terminal(tripwire("token", "inspect") + " < /dev/null") as terminal:
        code, rows = terminal.wait_for_end()
        assert code == 1 and not any(READING in row for row in rows)


@pytest.fixture
def silent():
    """The address of a socket that accepts connections and sends nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("arguments", [
    ["get", "providers/p/trips/t1"], ["call", "TripService/GetTrip", "-d", "{}"],
    ["search", "trips", "providers/p"], ["list"],
])
def test_slow_connection_is_shown_and_erased(silent, arguments):
    with Terminal(tripwire(
            *arguments, "--endpoint", silent, "--plaintext", "--timeout", PATIENT)) as terminal:
        terminal.wait(lambda rows: rows == [f"connecting to {silent} …"])
        terminal.type("C-c")
        code, rows = terminal.wait_for_end()
        assert code == 130 and not any("connecting" in row for row in rows)


def test_slow_answer_is_shown_and_erased(own_server):
    with Terminal(tripwire(
            "get", "providers/p/trips/slow", "--endpoint", own_server.address, "--plaintext",
            "--timeout", PATIENT)) as terminal:
        terminal.wait(lambda rows: rows == [f"waiting for {own_server.address} …"])
        terminal.type("C-c")
        code, rows = terminal.wait_for_end()
        assert code == 130 and not any("waiting" in row for row in rows)


def test_error_takes_the_place_of_the_line(silent):
    with Terminal(tripwire(
            "get", "providers/p/trips/t1", "--endpoint", silent, "--plaintext", "--timeout",
            "3s")) as terminal:
        code, rows = terminal.wait_for_end()
        assert code == 68 and rows[0].startswith("error: DEADLINE_EXCEEDED")


def test_redirected_errors_have_no_line(silent, tmp_path):
    errors = tmp_path / "errors"
    with Terminal(tripwire(
            "get", "providers/p/trips/t1", "--endpoint", silent, "--plaintext", "--timeout",
            "3s") + f" 2> {errors}") as terminal:
        assert terminal.wait_for_end()[0] == 68
    assert errors.read_text().startswith("error: DEADLINE_EXCEEDED")


def test_followed_trips_have_no_line():
    with Terminal(tripwire(
            "follow", "providers/demo/trips/t1", "--replay", RECORDINGS / "trip.binlog",
            "--interval", "100ms", "-o", "text") + " > /dev/null") as terminal:
        assert terminal.wait_for_end() == (0, [])
