"""Does `--record` append to a file, rotate it, and keep calls independent of the disk?"""

import gzip
import subprocess

import pytest

from support.command import LONGEST, assert_failed, binary, environment
from support.following import following
from peers.recordings import binary_log
from peers.fleet import Fleet
from support.paths import INTEROP, RECORDINGS
from support.recordings.recording import events, get

DEMO = RECORDINGS / "demo.binlog"
T1 = "providers/demo/trips/t1"


def test_record_files_limits_the_number_of_files(server, log):
    for _ in range(4):
        result = get(server, T1, "--record", log, "--record-size", "2600", "--record-files", 1)
        assert result.code == 0 and not result.stderr
    assert sorted(path.name for path in log.parent.iterdir()) == ["trip.binlog", "trip.binlog.1"]
    for number in "-1", "1000", "x", "+2":
        result = get(server, T1, "--record", log, "--record-size", 1, f"--record-files={number}")
        assert_failed(result, 2,
                      error=f"--record-files {number}: expected a whole number from 0 to 999")
    assert_failed(get(server, T1, "--record", log, "--record-files", 1), 2,
                  error="--record-files requires --record-size or --record-age")
    assert_failed(get(server, T1, "--record-files", 1), 2,
                  error="--record-files requires --record")


def test_compressed_recording_is_not_appended_to(server, log):
    log.write_bytes(packed := gzip.compress((RECORDINGS / "demo.binlog").read_bytes()))
    assert_failed(get(server, T1, "--record", log), 1,
                  error=f"--record: cannot append to {log}: compressed with gzip", hint="record to another file")
    assert log.read_bytes() == packed


def test_other_files_are_not_changed(server, tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("some notes")
    result = get(server, T1, "--record", text)
    assert_failed(result, 1, "--record:", "not a gRPC binary log",
                  hint="record to another file")
    assert text.read_text() == "some notes"
    result = get(server, T1, "--record", tmp_path / "none" / "log")
    assert_failed(result, 1, "--record: cannot open", "No such file or directory")
    assert_failed(get(server, T1, "--record", "-"), 2,
                  error="--record -: the same file as stdout")
    others = tmp_path / "trip.binlog.2"
    others.write_text("some notes")
    result = get(server, T1, "--record", tmp_path / "trip.binlog", "--record-age", "24h")
    assert_failed(result, 1, "trip.binlog.2 is not a gRPC binary log", hint="move it")


def test_moved_file_is_created_again(log):
    """logrotate moves the file, for example."""
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        trip.go("ENROUTE_TO_PICKUP")
        with following(
                fleet.address, trip, options=["--plaintext", "--record", log]) as follow:
            # By then, at least the first call is written.
            fleet.journal.wait_for_calls(3, "t1")
            moved = log.rename(log.with_name("moved"))
            trip.go("COMPLETE")
            follow.until_status("COMPLETE")
    assert binary_log.read(moved) and binary_log.read(log)
    assert oct(log.stat().st_mode)[-3:] == "600"


def test_file_permissions_are_reported(server, log):
    log.touch(mode=0o644)
    result = get(server, T1, "--record", log)
    assert result.code == 0
    assert "other users can read or write it: run chmod 600" in result.stderr


def test_truncated_last_entry_is_removed(server, log):
    log.write_bytes(DEMO.read_bytes()[:-7])
    result = get(server, T1, "--record", log)
    assert result.code == 0
    assert "is truncated after" in result.stderr
    assert len(binary_log.read(log)) == len(binary_log.read(DEMO)) - 1 + 6


def test_second_recorder_of_a_file_is_refused(log):
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        trip.go("ENROUTE_TO_PICKUP")
        with following(
                fleet.address, trip, options=["--plaintext", "--record", log]) as follow:
            follow.until_status("ENROUTE_TO_PICKUP")
            result = get(fleet.address, trip.name, "--record", log)
            assert_failed(result, 1, error=f"--record: cannot open {log}: another recorder writes to it",
                          hint="record to another file")


def test_full_disk_does_not_affect_calls(server, log):
    """A limit of the file size simulates the full disk."""
    # Not preexec_fn: it forks in Python, which is unsafe beside the threads of grpcio.
    done = subprocess.run(
        ["prlimit", "--fsize=1500", binary(), "get", T1, "--endpoint", server.address, "--plaintext",
         "--record", log],
        capture_output=True, text=True, env=environment(), timeout=LONGEST)
    assert done.returncode == 0 and '"name"' in done.stdout
    for text in "recording paused: write ", "entries not recorded: write ", "File too large":
        assert text in done.stderr
    # The written entries are complete.
    binary_log.read(log)
    assert get(server, T1, "--record", log).code == 0
    assert events(binary_log.read(log), max(e.call_id for e in binary_log.read(log)))[-1] == (
        "SERVER_TRAILER")


@pytest.fixture(scope="module")
def slow_disk(tmp_path_factory):
    """The library to preload for a slow disk."""
    library = tmp_path_factory.mktemp("disk") / "slow_disk.so"
    subprocess.run(
        ["g++", "-shared", "-fPIC", "-O1", "-o", library, INTEROP / "peers" / "system" / "slow_disk.cc"],
        check=True)
    return library


def test_slow_disk_does_not_delay_calls(log, slow_disk):
    """The first calls end before the first write does."""
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        trip.go("ENROUTE_TO_PICKUP")
        process = subprocess.Popen(
            [binary(), "follow", trip.name, "--endpoint", fleet.address, "--plaintext",
             "--interval", "100ms", "--record", log, "-o", "json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(LD_PRELOAD=slow_disk, SLOW_DISK="4000"))
        fleet.journal.wait_for_calls(6, "t1")
        assert log.stat().st_size == 0
        trip.go("COMPLETE")
        _, errors = process.communicate(timeout=LONGEST)
    assert process.returncode == 0 and not errors
    entries = binary_log.read(log)
    assert events(entries, max(e.call_id for e in entries))[-1] == "SERVER_TRAILER"
