"""Is a file that `tripwire log` writes checked before the work, and whole or absent after it?"""

import os
import shutil
import signal
import stat
import subprocess
import time

import pytest

from support.command import LONGEST, assert_failed, binary, environment, start, tripwire
from support.paths import RECORDINGS

TRIP = RECORDINGS / "trip.binlog"
REPLACING = ["--map", "--export-cloud-logging"]
OPTIONS = REPLACING + ["--anonymize"]


def unfinished(option, path, folder):
    """Starts the command, and waits until it writes; its stdin never ends."""
    before = set(folder.iterdir())
    process = start("log", "-", option, path, stdin=subprocess.PIPE)
    process.stdin.write(TRIP.read_bytes())
    process.stdin.flush()
    deadline = time.monotonic() + LONGEST
    while set(folder.iterdir()) == before:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("option", OPTIONS + ["--mapping"])
def test_path_is_checked_before_the_recording_is_read(option, tmp_path):
    path = tmp_path / "none" / "out"
    others = ["--anonymize", tmp_path / "copy"] if option == "--mapping" else []
    # Its stdin never ends.
    process = start("log", "-", option, path, *others, stdin=subprocess.PIPE)
    assert process.wait(LONGEST) == 1
    error = process.stderr.read().decode()
    assert error.startswith(f"error: {option} {path}: No such file or directory\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_command_leaves_no_file(option, number, tmp_path):
    process = unfinished(option, tmp_path / "out", tmp_path)
    process.send_signal(number)
    assert process.wait(LONGEST) == 128 + number
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", OPTIONS)
def test_killed_command_leaves_no_incomplete_file(option, tmp_path):
    path = tmp_path / "out"
    process = unfinished(option, path, tmp_path)
    process.kill()
    process.wait()
    assert not path.exists()


@pytest.mark.parametrize("option", REPLACING)
def test_existing_file_is_replaced_by_a_whole_one(option, tmp_path):
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(0o640)
    process = unfinished(option, path, tmp_path)
    assert path.read_text() == "old"
    process.kill()
    process.wait()
    assert path.read_text() == "old"
    assert tripwire("log", TRIP, option, path).code == 0
    assert path.stat().st_size > 10_000 and stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("option", REPLACING)
def test_symbolic_link_is_followed(option, tmp_path):
    path, link = tmp_path / "out", tmp_path / "link"
    path.write_text("old")
    link.symlink_to("out")
    assert tripwire("log", TRIP, option, link).code == 0
    assert link.is_symlink() and path.stat().st_size > 10_000
    assert sorted(tmp_path.iterdir()) == [link, path]


@pytest.mark.parametrize("option", REPLACING)
def test_recording_that_is_read_is_not_replaced(option, tmp_path):
    recording, link = tmp_path / "trip.binlog", tmp_path / "link"
    shutil.copy(TRIP, recording)
    link.symlink_to("trip.binlog")
    for path in recording, link, tmp_path / "." / "trip.binlog":
        result = tripwire("log", recording, option, path)
        assert_failed(result, 2, error=f"{option} {path}: this file is being read",
                      hint=f"choose another path for {option}")
    assert recording.read_bytes() == TRIP.read_bytes()


@pytest.mark.parametrize("option", REPLACING)
def test_other_kinds_of_files_are_not_replaced(option, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in pipe, tmp_path, "/dev/null", "/dev/full":
        result = tripwire("log", TRIP, option, path)
        assert_failed(result, 1, error=f"{option} {path}: not a regular file",
                      hint=f"choose another path for {option}")
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("option", OPTIONS)
def test_longest_name_is_possible(option, tmp_path):
    path = tmp_path / ("a" * 255)
    assert tripwire("log", TRIP, option, path).code == 0
    assert list(tmp_path.iterdir()) == [path]
    assert_failed(tripwire("log", TRIP, option, tmp_path / ("a" * 256)), 1, "File name too long")
    for name in "", "folder/":
        assert_failed(tripwire("log", TRIP, option, name), 2, "expected the path of a file")


@pytest.mark.parametrize("option", OPTIONS)
def test_full_disk_leaves_no_file(option, tmp_path):
    path = tmp_path / "out"
    done = subprocess.run(
        ["prlimit", "--fsize=1000", binary(), "log", TRIP, option, path], capture_output=True,
        text=True, timeout=LONGEST, env=environment())
    assert (done.returncode, done.stderr) == (
        1, f"error: {option} {path}: File too large\nhint: check the file system of this file\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", OPTIONS)
def test_missing_recording_leaves_no_file(option, tmp_path):
    result = tripwire("log", tmp_path / "none.binlog", option, tmp_path / "out")
    assert_failed(result, 1, "No such file or directory")
    assert not list(tmp_path.iterdir())
