"""Does `--record` follow links once, write pipes directly, and say when its file cannot be made again?"""

import json
import os
import shutil
import subprocess

import pytest

from support.command import LONGEST, assert_failed, binary, environment
from support.following import following
from peers.recordings import binary_log
from peers.fleet import Fleet
from support.paths import RECORDINGS
from support.recordings.recording import get

DEMO = RECORDINGS / "demo.binlog"
T1 = "providers/demo/trips/t1"
ROTATED = ["--record-size", "2600"]


def run(server, *options, **streams):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    done = subprocess.run(
        [binary(), "get", T1, "--endpoint", server.address, "--plaintext", *map(str, options)],
        timeout=LONGEST, env=environment(), stdin=subprocess.DEVNULL, **streams)
    done.stderr = (done.stderr or b"").decode()
    return done


# Links

@pytest.mark.parametrize("exists", [True, False])
def test_rotation_renames_the_file_that_a_link_leads_to(server, tmp_path, exists):
    folder, link, other = tmp_path / "disk", tmp_path / "link", tmp_path / "other"
    folder.mkdir()
    link.symlink_to("other")
    other.symlink_to(folder / "log")
    if exists:
        (folder / "log").touch(mode=0o600)
    for _ in range(3):
        result = get(server, T1, "--record", link, *ROTATED)
        assert (result.code, result.stderr) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == ["log", "log.1", "log.2"]
    assert all(len(binary_log.read(path)) == 6 and path.stat().st_size <= 2600 for path in folder.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["disk", "link", "other"]
    assert link.is_symlink() and other.is_symlink()


def test_link_that_replaces_the_file_is_not_followed(log, tmp_path):
    """Only links that existed at the start are followed."""
    other = tmp_path / "other"
    other.touch()
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        trip.go("ENROUTE_TO_PICKUP")
        with following(fleet.address, trip, options=["--plaintext", "--record", log]) as follow:
            fleet.journal.wait_for_calls(3, "t1")
            moved = log.rename(log.with_name("moved"))
            log.symlink_to(other)
            line = follow.process.stderr.readline()
            assert line.startswith(f"warning: {log}: no new file, so the present one continues: ".encode())
            trip.go("COMPLETE")
            follow.until_status("COMPLETE")
    assert binary_log.read(moved) and log.is_symlink() and other.read_bytes() == b""


# Standard streams

@pytest.mark.parametrize("path", ["-", "/dev/fd/1", "/dev/fd/2", "link", "file", "twin"])
def test_recording_is_not_mixed_with_other_output(server, tmp_path, path):
    """The response would overwrite it. As root, a rotation would rename /dev/stdout itself."""
    (tmp_path / "link").symlink_to("/proc/self/fd/1")
    with open(tmp_path / "file", "ab") as stdout:
        (tmp_path / "twin").hardlink_to(tmp_path / "file")
        done = run(server, "--record", path, *ROTATED, cwd=tmp_path, stdout=stdout)
    name = "stderr" if path == "/dev/fd/2" else "stdout"
    assert (done.returncode, done.stderr) == (2, (
        f"error: --record {path}: the same file as {name}\nhint: choose another path for --record\n"))
    assert os.readlink(tmp_path / "link") == "/proc/self/fd/1"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link", "twin"]
    assert (tmp_path / "file").read_bytes() == b""


def test_recording_that_is_replayed_is_not_appended_to(tmp_path):
    recording, link = tmp_path / "demo.binlog", tmp_path / "link"
    shutil.copy(DEMO, recording)
    link.symlink_to("demo.binlog")
    for path in recording, link, f"{tmp_path}/./demo.binlog":
        done = subprocess.run(
            [binary(), "get", T1, "--replay", recording, "--record", path], capture_output=True,
            timeout=LONGEST, env=environment(), text=True)
        assert (done.returncode, done.stderr) == (2, (
            f"error: --record {path}: this file is being read\nhint: choose another path for --record\n"))
    assert recording.read_bytes() == DEMO.read_bytes()


# Pipes and devices

def test_pipe_gets_the_recording(server, tmp_path):
    script = '"$@" 3> >(cat >"$0"); wait $!'
    done = subprocess.run(
        ["bash", "-c", script, tmp_path / "copy", binary(), "get", T1, "--endpoint", server.address,
         "--plaintext", "--record", "/dev/fd/3"], capture_output=True, timeout=LONGEST, env=environment())
    assert (done.returncode, done.stderr) == (0, b"") and json.loads(done.stdout)
    assert len(binary_log.read(tmp_path / "copy")) == 6


def test_pipe_is_not_rotated(server, tmp_path):
    reader, writer = os.pipe()
    path = f"/dev/fd/{writer}"
    for option in ROTATED, ["--record-age", "1h"]:
        done = run(server, "--record", path, *option, pass_fds=[writer])
        assert (done.returncode, done.stderr) == (1, (
            f"error: --record: cannot rotate {path}, which is not a regular file\nhint: record to a file\n"))
    os.close(writer)
    os.close(reader)


def test_closed_pipe_does_not_affect_calls(server):
    reader, writer = os.pipe()
    os.close(reader)
    path = f"/dev/fd/{writer}"
    done = run(server, "--record", path, pass_fds=[writer])
    os.close(writer)
    assert done.returncode == 0 and json.loads(done.stdout)
    assert done.stderr == (
        f"warning: {path}: recording paused: write {path}: Broken pipe\n"
        f"warning: {path}: 6 entries not recorded: write {path}: Broken pipe\n")


def test_pipe_without_a_reader_and_terminals_are_reported(server, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert_failed(get(server, T1, "--record", tmp_path / "pipe"), 1, "No such device or address",
                  hint=f"start the program that reads {tmp_path / 'pipe'} first")
    main, terminal = os.openpty()
    path = os.ttyname(terminal)
    assert_failed(get(server, T1, "--record", path), 1,
                  error=f"--record: cannot record to {path}: binary data on a terminal",
                  hint="record to a file or a pipe")
    os.close(terminal)
    os.close(main)
    result = get(server, T1, "--record", "/dev/null")
    assert (result.code, result.stderr) == (0, "")


# Files that disappear

@pytest.mark.parametrize("obstacle", ["missing folder", "folder in place of the file"])
def test_recording_without_a_file_is_reported_once_and_continues(tmp_path, obstacle):
    log = tmp_path / "folder" / "log"
    log.parent.mkdir()
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        trip.go("ENROUTE_TO_PICKUP")
        with following(fleet.address, trip, options=["--plaintext", "--record", log]) as follow:
            fleet.journal.wait_for_calls(3, "t1")
            follow.wait_until(log.exists)
            log.unlink()
            log.parent.rmdir() if obstacle == "missing folder" else log.mkdir()
            line = follow.process.stderr.readline().decode()
            reason = "No such file or directory" if obstacle == "missing folder" else "Is a directory"
            assert line == f"warning: {log}: recording paused: open {log}: {reason}\n"
            # More calls are no new warnings.
            fleet.journal.wait_for_calls(len(fleet.journal.of("t1")) + 3, "t1")
            log.parent.mkdir() if obstacle == "missing folder" else log.rmdir()
            line = follow.process.stderr.readline().decode()
            assert line == f"warning: {log}: recording continues as usual\n"
            trip.go("COMPLETE")
            follow.until_status("COMPLETE")
            assert follow.end() == 0
            [line] = follow.process.stderr.read().decode().splitlines()
            assert line.endswith(f"entries not recorded: open {log}: {reason}")
    assert binary_log.read(log)


def test_erasing_a_large_recording_is_refused(server, log):
    for _ in range(2):
        get(server, T1, "--record", log)
    before = log.read_bytes()
    result = get(server, T1, "--record", log, "--record-size", "1KiB", "--record-files", 0)
    assert_failed(
        result, 1, hint="keep rotated files, or record to another file",
        error=f"--record: {log} has {len(before)} bytes, more than the maximum of 1024, and would be erased,"
              " because no rotated files are kept")
    assert log.read_bytes() == before
    # A recording that these options made is continued.
    small = ["--record-size", len(before), "--record-files", 0]
    for _ in range(2):
        assert get(server, T1, "--record", log, *small).code == 0
    assert 0 < len(log.read_bytes()) <= len(before)
