"""Does `tripwire follow` update a terminal and leave only its last view on it?"""

import subprocess
import sys

import pytest

from support.command import at, binary, replayed, tripwire
from support.paths import INTEROP
from support.tmux import Terminal, shell

TRIP = "providers/demo/trips/t1"
NAMES = ["trip", "status", "ETA at next stop", "distance left", "next stop", "vehicle", "vehicle at",
         "heading", "speed", "location from", "refreshed", "error"]


def follow(*arguments):
    """Returns a command line that follows trips below two lines of another program."""
    return "printf 'one\\ntwo\\n'; " + shell(
        binary(), "follow", *arguments, "--interval", "100ms")


@pytest.mark.parametrize("program", ["capture", "tmux"])
def test_terminal_has_no_profile_of_the_developer(program, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", "/home/someone/.config")
    command = ["sh", "-c", "echo $XDG_CONFIG_HOME"]
    if program == "capture":
        script = INTEROP / "support" / "capture.py"
        done = subprocess.run([sys.executable, script, "--", *command], capture_output=True, text=True, check=True)
        assert done.stdout == "/dev/null\n"
    else:
        with Terminal(shell(*command)) as terminal:
            assert terminal.wait_for_end()[1][0] == "/dev/null"


def names(rows):
    """Returns the row names of a trip's view, which take 18 columns."""
    return [row[:18].strip() for row in rows]


def first_columns(rows):
    return [row.split("  ")[0] for row in rows]


def without_ages(rows):
    """Removes the rows that change with time."""
    return [row for row in rows if not row.startswith(("ETA", "refreshed", "location from"))]


@pytest.fixture
def following(fleet):
    """Returns the options to follow all trips of the fleet."""
    return lambda: [*(trip.name for trip in fleet.trips.values()), "--endpoint", fleet.address,
                    "--plaintext"]


@pytest.mark.parametrize("columns", [80, 40])
def test_scrollback_is_unchanged(columns):
    with Terminal("clear; " + shell(
            binary(), "follow", TRIP, *replayed("trip"), "--interval", "100ms"), columns) as terminal:
        code, rows = terminal.wait_for_end()
        assert (code, names(rows)) == (0, NAMES)
        assert "complete" in rows[1]
        assert terminal.history == 0


@pytest.mark.parametrize("columns", [80, 40])
def test_several_trips_are_shown_as_rows(fleet, following, columns):
    trips = [fleet.add_trip(f"t{number}") for number in range(1, 4)]
    with Terminal("clear; " + follow(*following()), columns) as terminal:
        for status in ["NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "COMPLETE"]:
            for trip in trips:
                trip.go(status)
            words = status.lower().replace("_", " ")[:10]
            terminal.wait(lambda rows: sum(words in row for row in rows) == 3)
            assert terminal.history == 0
        code, rows = terminal.wait_for_end()
        assert (code, rows[:2]) == (0, ["one", "two"])
        assert [row.split()[:2] for row in rows[2:]] == [[f"t{n}", "complete"] for n in (1, 2, 3)]
        assert terminal.history == 0


def test_view_of_a_task_has_the_fields_of_get(fleet):
    fleet.add_delivery_vehicle("d1")
    name, server = "providers/p/tasks/d1-1", ["--endpoint", fleet.address, "--plaintext"]
    text = tripwire("get", name, *server, "-o", "text").stdout.splitlines()
    # The view has no time zone.
    wanted = [*first_columns(text)[:-1], "refreshed", "error"]
    with Terminal("clear; " + follow(name, *server), columns=120) as terminal:
        rows = terminal.wait(lambda rows: first_columns(rows) == wanted)
        assert any(row.split() == ["state", "open"] for row in rows)
        terminal.type("C-c")
        assert terminal.wait_for_end()[0] == 130


def test_mixed_resources_are_shown_as_rows(fleet, trip):
    vehicle = fleet.add_delivery_vehicle("d1")
    names = ["trips/t1", "deliveryVehicles/d1", "tasks/d1-1"]

    def are_shown(rows, *texts):
        return [row.split()[0] for row in rows if row] == ["t1", "d1", "d1-1"] and all(
            text in row for row, text in zip(rows, texts))

    with Terminal("clear; " + follow(
            *names, "--provider", "p", "--endpoint", fleet.address, "--plaintext"), 120) as terminal:
        terminal.wait(lambda rows: are_shown(rows, "  enroute to pickup  ", "  6 stops left", "  open  "))
        vehicle.arrive()
        terminal.wait(lambda rows: are_shown(rows, "", "  arrived at destination  ", "  open"))
        vehicle.depart()
        trip.cancel()
        terminal.wait(lambda rows: are_shown(rows, "  canceled", "  5 stops left", "  closed, succeeded"))
        assert terminal.history == 0
        # The vehicle is followed on.
        terminal.type("C-c")
        code, rows = terminal.wait_for_end()
        assert code == 130
        assert rows[:2] == ["one", "two"] and are_shown(rows[2:], "  canceled", "", "  closed, succeeded")


def test_view_that_fills_the_terminal_does_not_scroll(fleet, following):
    for number in range(40):
        fleet.add_trip(f"t{number}")
    with Terminal("clear; " + follow(*following()), rows=10) as terminal:
        first = terminal.wait(lambda rows: sum("new" in row for row in rows) == 8)
        assert first[-1] == "… and 32 more" and len(first) == 9
        for trip in fleet.trips.values():
            trip.go("ENROUTE_TO_PICKUP")
        terminal.wait(lambda rows: sum("enroute to pickup" in row for row in rows) == 8)
        fleet.faults.fail("PERMISSION_DENIED", "no")
        rows = terminal.wait(lambda rows: sum("PERMISSION_DENIED" in row for row in rows) == 4)
        assert rows[-1].startswith("… and 36 more") and len(rows) == 9
        assert terminal.history == 0


def test_view_of_one_trip_survives_a_resize(fleet, following):
    fleet.add_trip("t1").go("ENROUTE_TO_PICKUP")
    with Terminal(follow(*following())) as terminal:
        wide = terminal.wait(lambda rows: names(rows) == NAMES and any("±" in row for row in rows))
        terminal.resize(40)
        narrow = terminal.wait(
            lambda rows: names(rows) == NAMES and any("…" in row for row in rows))
        assert all(len(row) < 40 for row in narrow)
        terminal.resize(80)
        terminal.wait(lambda rows: without_ages(rows) == without_ages(wide) and len(rows) == 12)
        terminal.resize(80, 8)
        terminal.wait(lambda rows: names(rows) == [*NAMES[:5], "refreshed", "error"])
        terminal.resize(80, 24)
        terminal.wait(lambda rows: names(rows) == NAMES)
        assert terminal.history == 0


def test_view_of_several_trips_survives_a_resize(fleet, following):
    for number in range(1, 7):
        fleet.add_trip(f"t{number}").go("ENROUTE_TO_PICKUP")
    fleet.faults.fail("PERMISSION_DENIED", "the token is for another trip " * 6, trip_id="t2")

    def are_whole(rows):
        return [(row.split() or [""])[0] for row in rows] == [
            "t1", "t2", "PERMISSION_DENIED", "t3", "t4", "t5", "t6"]

    with Terminal(f"echo {'w' * 170}; " + follow(*following())) as terminal:
        terminal.wait(are_whole)
        for columns in [40, 80, 30, 80, 120]:
            terminal.resize(columns)
            terminal.wait(lambda rows: are_whole(rows) and len(rows[2]) == columns - 1)
        assert terminal.history == 0
        terminal.type("C-c")
        code, rows = terminal.wait_for_end()
        assert (code, rows[:4]) == (130, ["w" * 120, "w" * 50, "one", "two"])
        assert are_whole(rows[4:])


def test_typed_keys_leave_no_traces(fleet, following):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    with Terminal(follow(*following())) as terminal:
        terminal.wait(lambda rows: names(rows) == NAMES and any("±" in row for row in rows))
        terminal.type("x", "y", *["Enter"] * 30)
        trip.go("ARRIVED_AT_PICKUP")
        terminal.wait(
            lambda rows: names(rows) == NAMES and any("arrived at pickup" in row for row in rows))


def test_warnings_are_printed_below_the_last_view(fleet, following, tmp_path):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    recording = tmp_path / "full.binlog"
    # The number of warnings and their rows vary: none may scroll away.
    with Terminal("ulimit -f 1; " + follow(*following(), "--record", recording), rows=48) as terminal:
        terminal.wait(lambda rows: names(rows) == NAMES and any("±" in row for row in rows))
        trip.go("COMPLETE")
        code, rows = terminal.wait_for_end()
        assert (code, names(rows[2:14])) == (0, NAMES)
        assert rows[14].startswith("warning: ") and "recording paused" in "".join(rows[14:])


@pytest.mark.parametrize("end", [["--fail-fast"], ["--for", "1s"], None], ids=["fail-fast", "for", "Ctrl-C"])
@pytest.mark.parametrize("trips", [1, 2])
def test_last_view_announces_no_poll(fleet, trips, end):
    names = [fleet.add_trip(f"t{number}").name for number in range(trips)]
    fleet.faults.fail("PERMISSION_DENIED", "no")
    with Terminal(shell(binary(), "follow", *names, *at(fleet.address), *(end or []))) as terminal:
        if end is None:
            terminal.wait(lambda rows: sum("next poll in" in row for row in rows) == trips)
            terminal.type("C-c")
        rows = terminal.wait_for_end()[1]
        assert any("PERMISSION_DENIED (client error" in row for row in rows), rows
        assert not any("poll" in row for row in rows), rows


def test_ctrl_c_keeps_the_earlier_output_and_the_view(fleet, following):
    fleet.add_trip("t1").go("ENROUTE_TO_PICKUP")
    with Terminal(follow(*following())) as terminal:
        terminal.wait(lambda rows: names(rows) == NAMES and any("±" in row for row in rows))
        terminal.type("C-c")
        code, rows = terminal.wait_for_end()
        assert (code, rows[:2]) == (130, ["one", "two"])
        assert names(rows[2:]) == NAMES
        assert terminal.history == 0


def test_ctrl_z_keeps_the_view_and_fg_continues(fleet, following):
    fleet.add_trip("t1").go("ENROUTE_TO_PICKUP")
    with Terminal("bash --norc") as terminal:
        terminal.wait(lambda rows: rows[-1].endswith(("$", "#")))
        terminal.type("clear; " + shell(binary(), "follow", *following()), "Enter")
        terminal.wait(lambda rows: names(rows) == NAMES and any("±" in row for row in rows))
        terminal.type("C-z")
        stopped = terminal.wait(lambda rows: any("Stopped" in row for row in rows))
        assert names(stopped)[:len(NAMES)] == NAMES
        terminal.type("fg", "Enter")
        terminal.wait(lambda rows: names(rows) == NAMES)
        terminal.type("C-c")
        rows = terminal.wait(lambda rows: names(rows).count("error") == 2)
        assert any("Stopped" in row for row in rows)
