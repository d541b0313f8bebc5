"""Is a new file of `tripwire log` checked before the work, and removed if it cannot be completed?"""

import signal
import subprocess
import time

import pytest

from support.command import LONGEST, assert_failed, binary, environment, start, tripwire
from support.paths import RECORDINGS

TRIP = RECORDINGS / "trip.binlog"
OPTIONS = ["--map", "--export-cloud-logging", "--anonymize"]


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
    path = tmp_path / "out"
    process = start("log", "-", option, path, stdin=subprocess.PIPE)
    process.stdin.write(TRIP.read_bytes())
    process.stdin.flush()
    deadline = time.monotonic() + LONGEST
    while not path.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(LONGEST) == 128 + number
    assert not list(tmp_path.iterdir())


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
