"""Does `tripwire log` read rotated recordings as one, choose calls, fit a terminal, and show what README
says?"""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from google.maps.fleetengine_v1 import types

from command import LONGEST, binary, environment, tripwire
from peers import binary_log
from peers.log_writer import GET_TRIP, LogWriter
from places import INTEROP, RECORDINGS

REQUEST = types.GetTripRequest.pb(types.GetTripRequest(name="providers/p/trips/t1"))


def rotated(folder, names, calls=30):
    """A log of so many calls, cut at any entry into files of these names, the last one the oldest."""
    log = LogWriter()
    for number in range(calls):
        log.call(GET_TRIP, REQUEST, b"", code=14 if number % 10 == 3 else 0)
        log.wait(5)
    dice = random.Random(4)
    cuts = sorted(dice.sample(range(len(log.entries)), len(names) - 1))
    parts = zip([0, *cuts], [*cuts, len(log.entries)], reversed(names))
    for start, end, name in parts:
        binary_log.write(folder / name, log.entries[start:end])
    binary_log.write(folder / "whole", log.entries)


def test_a_rotated_recording_is_read_as_one(tmp_path):
    names = ["r.binlog", *(f"r.binlog.{number}" for number in range(1, 6))]
    rotated(tmp_path, names)
    for options in [], ["--json"], ["--call", 17], ["--trip", "t1"], ["--errors"], ["--summary"]:
        whole = tripwire("log", tmp_path / "whole", *options)
        parts = tripwire("log", *sorted(tmp_path.glob("r.binlog*")), *options)
        assert parts == whole and (whole.code, whole.stderr) == (0, ""), options


def test_pipes_are_read_as_files_are(tmp_path):
    rotated(tmp_path, ["r", "r.1"])
    command = f"gzip r.1; {binary()} log <(zcat r.1.gz) - < r"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=LONGEST,
                          env=environment(), cwd=tmp_path)
    assert done.stdout.decode() == tripwire("log", tmp_path / "whole").stdout
    assert "this is gzip" in tripwire("log", tmp_path / "r.1.gz").stderr


def test_the_calls_that_are_wanted_are_shown(tmp_path):
    rotated(tmp_path, ["r"])
    whole, copy = tmp_path / "whole", tmp_path / "copy.binlog"
    local = "10:30:40", "2026-11-21 10:30:40", "2026-11-21T09:30:40Z"
    for since in local:
        options = ["--errors", "--since", since, "--method", "GetTrip"]
        listed = tripwire("log", whole, *options, TZ="<+01>-1").stdout.splitlines()[2:]
        assert [line.split()[0] for line in listed] == ["14", "24"]
        lines = tripwire("log", whole, *options, "--json", TZ="<+01>-1").stdout.splitlines()
        entries = [json.loads(line) for line in lines]
        assert {entry["call"] for entry in entries} == {14, 24}
        assert len([entry for entry in entries if "trailer" in entry]) == 2
    assert tripwire("log", whole, "--anonymize", copy, "--status", 14).code == 0
    counted = json.loads(tripwire("log", copy, "--summary", "--json").stdout)
    assert (counted["calls"], counted["statuses"]) == (3, {"UNAVAILABLE": 3})
    assert counted["latencySeconds"] == {"p50": 0.035, "p99": 0.035, "max": 0.035}


def on_terminal(columns, *arguments):
    """What the command shows on a terminal of that width, a line of text each."""
    done = subprocess.run(
        [sys.executable, INTEROP / "capture.py", "--columns", str(columns), "--", binary(),
         *map(str, arguments)], capture_output=True, timeout=LONGEST, env=environment(TZ="UTC"))
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("name", ["demo", "trip", "flapping", "statuses", "methods", "streams"])
def test_list_and_story_fit_a_terminal(name):
    path = RECORDINGS / f"{name}.binlog"
    piped = tripwire("log", path, TZ="UTC").stdout.splitlines()
    lines = on_terminal(80, "log", path)
    assert max(map(len, lines)) <= 80
    # What is cut, or stands below, is no number, no time and no size.
    assert lines[1].endswith("  resp")
    kept = [line.split()[:2] for line in lines if line[0].isdigit()]
    assert kept == [line.split()[:2] for line in piped if line[0].isdigit()]
    wide = on_terminal(300, "log", path)
    assert wide == piped
    if name in ("trip", "flapping"):
        story = on_terminal(60, "log", path, "--trip", "t1")
        assert max(map(len, story)) <= 60
        assert " ".join(" ".join(story).split()) == " ".join(
            tripwire("log", path, "--trip", "t1", TZ="UTC").stdout.split())


# README


def shown_in_readme():
    """Its examples of `tripwire log`: commands behind a $, and what they show."""
    text = (INTEROP.parent / "README.md").read_text()
    blocks = re.findall(r"^```\n(\$ tripwire log (?:.*\n)*?)```$", text, re.MULTILINE)
    return [pytest.param(block.splitlines(), id=block.splitlines()[0]) for block in blocks]


def test_the_readme_has_examples():
    assert len(shown_in_readme()) == 4


@pytest.mark.parametrize("lines", shown_in_readme())
def test_the_readme_shows_what_comes(lines, tmp_path):
    (tmp_path / "interop").symlink_to(INTEROP)
    (tmp_path / "tripwire").symlink_to(Path(binary()).absolute())
    came = []
    for line in lines:
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line[2:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=LONGEST, cwd=tmp_path,
                env=environment(TZ="UTC", PATH=f"{tmp_path}:{os.environ['PATH']}"))
            came += [line, *done.stdout.decode().splitlines()]
    if "…" in lines:
        left_out = lines.index("…")
        came[left_out:len(came) - (len(lines) - left_out - 1)] = ["…"]
    assert lines == came
