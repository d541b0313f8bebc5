"""Does `tripwire log` read rotated recordings, filter calls, fit a terminal, and match its examples?"""

import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from google.maps.fleetengine_v1 import types

from support.command import LONGEST, assert_failed, binary, environment, running, tripwire, watched
from peers.recordings import binary_log
from peers.recordings.log_writer import GET_TRIP, LogWriter
from peers.recordings.two_sides import TwoSides
from support.paths import INTEROP, RECORDINGS

DEMO = RECORDINGS / "demo.binlog"
REQUEST = types.GetTripRequest.pb(types.GetTripRequest(name="providers/p/trips/t1"))


def rotated(folder, names, calls=30):
    """Writes a log split at random entries into files of these names, the oldest last."""
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


def test_rotated_files_are_read_as_one_recording(tmp_path):
    names = ["r.binlog", *(f"r.binlog.{number}" for number in range(1, 6))]
    rotated(tmp_path, names)
    for options in [], ["--json"], ["--call", 17], ["--trip", "t1"], ["--errors"], ["--summary"]:
        whole = tripwire("log", tmp_path / "whole", *options)
        parts = tripwire("log", *sorted(tmp_path.glob("r.binlog*")), *options)
        assert parts == whole and (whole.code, whole.stderr) == (0, ""), options


def test_pipes_are_read_like_files(tmp_path):
    rotated(tmp_path, ["r", "r.1"])
    command = f"{binary()} log <(cat r.1) - < r"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=LONGEST,
                          env=environment(), cwd=tmp_path)
    assert done.stdout.decode() == tripwire("log", tmp_path / "whole").stdout


def test_files_compressed_by_logrotate_are_read(tmp_path):
    rotated(tmp_path, ["r", "r.1", "r.2"])
    for name in "r.1", "r.2":
        path = tmp_path / name
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    whole = tripwire("log", tmp_path / "whole")
    assert tripwire("log", *sorted(tmp_path.glob("r*"))) == whole
    packed = gzip.compress((tmp_path / "whole").read_bytes())
    assert tripwire("log", "-", stdin=packed) == whole
    half = tripwire("log", "-", stdin=packed[:len(packed) // 2])
    assert half.code == 0
    assert (f"stdin: the gzip data is damaged at byte {len(packed) // 2}: unexpected end of file:"
            " the rest is skipped\n") in half.stderr
    assert len(half.stdout.splitlines()) > 2
    # The bomb expands a thousandfold and must not be read into memory.
    bomb = gzip.compress(bytes(1 << 24), 9)
    assert_failed(tripwire("log", "-", stdin=bomb), 1, "stdin: not a gRPC binary log")


def test_incomplete_set_is_reported(tmp_path):
    rotated(tmp_path, ["r.binlog", "r.binlog.1", "r.binlog.2", "r.binlog.3"])
    paths = sorted(tmp_path.glob("r.binlog*"))
    begins = "the earlier files of the recording"
    for given, missing in [(paths[:1], "r.binlog.1 to"), (paths[:3], "r.binlog.3)"),
                           (paths[1:3], "r.binlog.3)")]:
        for command in "log", "get":
            arguments = given if command == "log" else [
                "providers/p/trips/t1", "--replay", given[0]]
            result = tripwire(command, *arguments)
            assert begins in result.stderr
            assert command == "get" or missing in result.stderr
    assert begins not in tripwire("log", *paths[1:]).stderr
    # One file is missing, and one is there twice.
    paths[2].unlink()
    result = tripwire("log", paths[0], paths[1], paths[3])
    assert result.stderr.startswith(
        f"warning: {paths[2]}: not found: its calls are missing\n")
    packed = tmp_path / "r.binlog.1.gz"
    packed.write_bytes(gzip.compress(paths[1].read_bytes()))
    twice = tripwire("log", paths[0], packed, paths[1], paths[3])
    assert twice.stdout == result.stdout
    assert f"warning: {packed}: skipped: it is a compressed copy of {paths[1]}\n" in twice.stderr
    # A similar name that is not part of the set.
    for name in "day.2025", "day.2026", "day.2027":
        binary_log.write(tmp_path / name, [])
    assert begins not in tripwire("log", tmp_path / "day.2025").stderr


def test_duplicate_or_missing_file_is_reported(tmp_path):
    rotated(tmp_path, ["r", "r.1"])
    (tmp_path / "link").symlink_to(tmp_path / "r")
    whole = tripwire("log", tmp_path / "whole")
    paths = [tmp_path / name for name in ("r", "link", "r.1", "r")]
    result = tripwire("log", *paths)
    assert (result.code, result.stdout) == (0, whole.stdout)
    assert result.stderr.count("skipped: the same file is named twice") == 2
    result = tripwire("log", tmp_path / "r", tmp_path / "r.1", tmp_path / "r.2")
    assert (result.code, result.stdout) == (0, whole.stdout)
    assert result.stderr == f"warning: {tmp_path / 'r.2'}: No such file or directory: skipped\n"
    for other in "q", "r.x", "q.1":
        result = tripwire("log", tmp_path / "r", tmp_path / "r.1", tmp_path / other)
        assert_failed(result, 1, f"{other}: No such file or directory")


def test_calls_stay_whole_after_a_clock_step_back(tmp_path):
    log = LogWriter()
    log.call(GET_TRIP, REQUEST, b"")
    log.begin(GET_TRIP, REQUEST)
    cut = len(log.entries)
    log.wait(-3600)
    log.end(2)
    log.call(GET_TRIP, REQUEST, b"")
    binary_log.write(tmp_path / "r.1", log.entries[:cut])
    binary_log.write(tmp_path / "r", log.entries[cut:])
    result = tripwire("log", tmp_path / "r", tmp_path / "r.1", "--summary", "--json")
    assert json.loads(result.stdout)["statuses"] == {"OK": 3}
    assert " ends; its calls come after those of " in result.stderr


@pytest.mark.parametrize("options", [[], ["--json"], ["--trip", "t1"], ["--errors", "--json"]])
@pytest.mark.parametrize("rotation", ["renamed", "truncated"])
def test_later_entries_are_shown(tmp_path, options, rotation):
    path, log = tmp_path / "r", LogWriter()

    def write(mode, code=None):
        begin = len(log.entries)
        if code is None:
            log.add(log.begin(GET_TRIP, REQUEST), "CANCEL")
        else:
            log.call(GET_TRIP, REQUEST, code=code, message="gone")
        with path.open(mode) as file:
            file.write(binary_log.encoded(log.entries[begin:]))

    def until(word):
        while line := process.stdout.readline():
            if word in line:
                return
        pytest.fail(f"{word} is not shown")

    path.touch()
    with running("log", path, "-f", *options, text=True) as process, watched(process):
        write("ab", 5)
        until("NOT_FOUND" if "--json" not in options else '"statusCode":5')
        write("ab", 7)
        until("PERMISSION_DENIED" if "--json" not in options else '"statusCode":7')
        write("ab")
        until("cancel" if "--json" not in options else "EVENT_TYPE_CANCEL")
        if rotation == "renamed":
            path.rename(tmp_path / "r.1")
        write("wb", 8)
        until("RESOURCE_EXHAUSTED" if "--json" not in options else '"statusCode":8')
        process.send_signal(signal.SIGINT)
        assert process.wait(LONGEST) == -signal.SIGINT
        assert process.stderr.read() == ""


def test_entries_before_a_rotation_are_shown(tmp_path):
    """The file grows by much and is rotated twice between two polls."""
    path, log = tmp_path / "r", LogWriter()
    calls = []
    for _ in range(303):
        begin = len(log.entries)
        log.call(GET_TRIP, REQUEST, code=5, message="x" * 3_000)
        calls.append(binary_log.encoded(log.entries[begin:]))
    path.write_bytes(calls[0])
    with running("log", path, "-f", text=True) as process, watched(process):
        while "NOT_FOUND" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGSTOP)
        with path.open("ab") as file:
            file.write(b"".join(calls[1:200]))
        path.rename(tmp_path / "r.1")
        path.write_bytes(b"".join(calls[200:300]))
        (tmp_path / "r.1").rename(tmp_path / "r.2")
        path.rename(tmp_path / "r.1")
        path.write_bytes(b"".join(calls[300:]))
        process.send_signal(signal.SIGCONT)
        for _ in range(302):
            assert "NOT_FOUND" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.wait(LONGEST)
        assert process.stderr.read() == ""


@pytest.mark.parametrize("source", ["file", "pipe"])
def test_following_ends_when_the_reader_of_stdout_is_gone(source, tmp_path):
    with running("log", DEMO if source == "file" else "-", "-f", stdin=subprocess.PIPE) as process:
        if source == "pipe":
            process.stdin.write(DEMO.read_bytes())
            process.stdin.flush()
        while b"NOT_FOUND" not in process.stdout.readline():
            pass
        process.stdout.close()
        assert process.wait(LONGEST) == 141
        assert process.stderr.read() == b""


def test_piped_entries_are_shown_immediately(tmp_path):
    with running("log", "-", "--follow", stdin=subprocess.PIPE) as process, watched(process):
        process.stdin.write(DEMO.read_bytes())
        process.stdin.flush()
        lines = [process.stdout.readline() for _ in range(5)]
        assert b"NOT_FOUND" in lines[-1]
        rest, error = process.communicate(timeout=LONGEST)
        assert (rest, error, process.returncode) == (b"", b"", 0)
    for options in ["--summary"], ["--call", 1], ["--anonymize", "x"], [DEMO]:
        assert_failed(tripwire("log", DEMO, "-f", *options), 2, "--follow")


def test_json_escapes_line_ends_and_bidirectional_characters(tmp_path):
    log = LogWriter()
    odd = "".join(map(chr, [0x80, 0x85, 0x9f, 0x200e, 0x200f, 0x2028, 0x2029, *range(0x202a, 0x202f),
                            *range(0x2066, 0x206a), 0x7f]))
    trip = types.Trip.pb(types.Trip(name="a", vehicle_id=f"é{odd}"))
    log.call(GET_TRIP, REQUEST, trip)
    binary_log.write(tmp_path / "odd", log.entries)
    output = tripwire("log", tmp_path / "odd", "--json").stdout
    assert not set(odd) & set(output) and "é" in output
    entries = [json.loads(line) for line in output.splitlines()]
    assert entries[3]["message"]["decoded"]["vehicleId"] == f"é{odd}"


def test_filters_select_calls(tmp_path):
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
    assert counted["latencySeconds"] == dict.fromkeys(["p50", "p95", "p99", "max"], 0.035)
    assert counted["last"] == "2026-11-21T09:31:55.805Z" and counted["first"] < counted["last"]


def on_terminal(columns, *arguments):
    """Returns the lines of the command on a terminal of that width."""
    # On a slow machine, stderr would show what the command waits for, which capture.py does not erase.
    only_output = ["sh", "-c", 'exec "$0" "$@" 2>/dev/null', binary()]
    done = subprocess.run(
        [sys.executable, INTEROP / "support" / "capture.py", "--columns", str(columns), "--",
         *only_output, *map(str, arguments)],
        capture_output=True, timeout=LONGEST, env=environment(TZ="UTC"))
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("name", ["demo", "trip", "flapping", "statuses", "methods", "streams"])
def test_list_and_timeline_fit_a_terminal(name):
    path = RECORDINGS / f"{name}.binlog"
    piped = tripwire("log", path, TZ="UTC").stdout.splitlines()
    lines = on_terminal(80, "log", path)
    assert max(map(len, lines)) <= 80
    # Numbers, times and sizes are never cut or wrapped.
    assert lines[1].endswith("  resp")
    kept = [line.split()[:2] for line in lines if line[0].isdigit()]
    assert kept == [line.split()[:2] for line in piped if line[0].isdigit()]
    wide = on_terminal(300, "log", path)
    assert wide == piped
    summary = on_terminal(80, "log", path, "--summary")
    assert max(map(len, summary)) <= 80
    piped = tripwire("log", path, "--summary", TZ="UTC").stdout.splitlines()
    assert on_terminal(1000, "log", path, "--summary") == piped
    for status in re.findall(r"[A-Z_]+ (?:\(local\) )?\d+", " ".join(piped[2:])):
        assert status in " ".join(line.strip() for line in summary)
    if name in ("trip", "flapping"):
        story = on_terminal(60, "log", path, "--trip", "t1")
        assert max(map(len, story)) <= 60
        assert " ".join(" ".join(story).split()) == " ".join(
            tripwire("log", path, "--trip", "t1", TZ="UTC").stdout.split())


# Documentation

ARTICLES = INTEROP.parent / "Sources/Tripwire/Tripwire.docc/Command"


def documented_examples():
    """Returns the examples of `tripwire log` in the articles: commands after a $, and their output."""
    text = "".join((ARTICLES / f"{name}.md").read_text() for name in ("CommandLog", "CommandAnonymize"))
    blocks = re.findall(r"^```\n(\$ tripwire log (?:.*\n)*?)```$", text, re.MULTILINE)
    return [pytest.param(block.splitlines(), id=block.splitlines()[0]) for block in blocks]


def test_articles_have_examples():
    assert len(documented_examples()) == 7


def write_story(folder):
    """Writes the files that examples name: a trip whose driver's app stops for a minute, and another without that."""
    silent, other = TwoSides(), TwoSides()
    for minute in range(3):
        silent.is_driver_silent = minute == 1
        for trip in silent, other:
            trip.run(60)
    for trip, name in (silent, "silent"), (other, "good"):
        (folder / name).mkdir()
        trip.write(folder / name)
    return {"trip.binlog": "silent/client.binlog", "logs.json": "silent/server.json"}, {
        "trip.binlog": "good/client.binlog", "other.binlog": "silent/client.binlog"}


@pytest.mark.parametrize("lines", documented_examples())
def test_documented_examples_show_the_real_output(lines, tmp_path):
    (tmp_path / "interop").symlink_to(INTEROP)
    (tmp_path / "tripwire").symlink_to(Path(binary()).absolute())
    alone, compared = write_story(tmp_path)
    for name, file in (compared if "--compare" in lines[0] else alone).items():
        (tmp_path / name).symlink_to(tmp_path / file)
    output = []
    for line in lines:
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line[2:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=LONGEST, cwd=tmp_path,
                env=environment(TZ="UTC", PATH=f"{tmp_path}:{os.environ['PATH']}"))
            output += [line, *done.stdout.decode().splitlines()]
    if "…" in lines:
        omitted = lines.index("…")
        output[omitted:len(output) - (len(lines) - omitted - 1)] = ["…"]
    assert lines == output
