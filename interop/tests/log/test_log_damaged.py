"""Does `tripwire log` survive damaged, malicious and long recordings?"""

import random
import resource
import struct

import pytest

from support.command import tripwire
from peers.recordings import binary_log
from peers.recordings.log_writer import GET_TRIP, request, trip
from support.paths import RECORDINGS

DEMO = RECORDINGS / "demo.binlog"


def framed(data):
    return struct.pack(">I", len(data)) + data


def test_damaged_files_exit_with_0_or_1(tmp_path):
    data, dice = DEMO.read_bytes(), random.Random(6)
    path, copy = tmp_path / "damaged.binlog", tmp_path / "copy.binlog"
    for _ in range(50):
        damaged = bytearray(data)
        for _ in range(dice.choice([1, 5, 50])):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        path.write_bytes(damaged[:dice.randrange(len(damaged))])
        copy.unlink(missing_ok=True)
        for options in [], ["--json"], ["--call", "1"], ["--trip", "t1"], ["--anonymize", copy]:
            assert tripwire("log", path, *options).code in (0, 1)


@pytest.mark.parametrize("cut", [0, 1, 4, 5, 100, 1000, 2400, 4409])
def test_truncated_log_is_shown_up_to_its_end(tmp_path, cut):
    path = tmp_path / "cut.binlog"
    path.write_bytes(DEMO.read_bytes()[:cut])
    result = tripwire("log", path, "--json")
    assert result.code == 0
    assert ("is truncated" in result.stderr) == (cut != 0)
    whole = tripwire("log", DEMO, "--json").stdout
    assert whole.startswith(result.stdout)


@pytest.mark.parametrize("data", [
    b"\xff" * 1000, bytes(1000), b"\0\0\0\1\xff", framed(b"\xff" * 100), random.Random(1).randbytes(
        100_000), b"\3\xff\xff\xff" + bytes(1000)],
    ids=["ff", "zeros", "one-byte", "garbage", "random", "long"])
def test_file_that_is_not_a_log_is_reported(tmp_path, data):
    (tmp_path / "no.binlog").write_bytes(data)
    result = tripwire("log", tmp_path / "no.binlog")
    assert result.stdout == "" and "no.binlog" in result.stderr
    assert result.code == (0 if "is truncated" in result.stderr else 1)


def test_entries_after_a_truncated_one_are_shown(tmp_path):
    data = DEMO.read_bytes()
    (tmp_path / "torn.binlog").write_bytes(data[:700] + data)
    result = tripwire("log", tmp_path / "torn.binlog")
    assert result.code == 0
    assert len(result.stdout.splitlines()) == 6
    assert "entry 5 at byte 327 is damaged (truncated): the 373 bytes before the next entry are skipped" in result.stderr


def test_unreadable_rest_is_reported_after_the_readable_entries(tmp_path):
    claim = b"\0\x0f\0\0\x10\1\x7a\xf0\xff\x3b"
    (tmp_path / "noise.binlog").write_bytes(DEMO.read_bytes() + b"\1" * 4 + claim * 300_000)
    result = tripwire("log", tmp_path / "noise.binlog", TZ="UTC")
    assert (result.code, result.stdout) == (1, tripwire("log", DEMO, TZ="UTC").stdout)
    assert "error: " in result.stderr and "entry 17 at byte 4410" in result.stderr


def test_control_characters_and_long_texts_are_harmless(log, shown, tmp_path):
    nasty = "\x1b[2J\u202e\x9b\r\n" + "a\u0301\u0301" * 500_000
    log.call(nasty, b"", b"", code=3, message=nasty, metadata=[("x-a", nasty), (nasty, "a")])
    log.call(GET_TRIP, request(nasty), trip(vehicle_id=nasty), message=nasty)
    log.call(GET_TRIP, request("providers/\x1b/trips/t1"), trip(vehicle_id=nasty))
    for options in [], ["--call", 1], ["--call", 2], ["--trip", "t1"], ["--json"]:
        result = shown(*options)
        assert result.code == 0, result.stderr
        lines = result.stdout.split("\n")
        for line in lines:
            # JSON keeps DEL and C1 characters if stdout is not a terminal.
            assert not any(mark in line for mark in "\x1b\r"), options
            assert options == ["--json"] or "\x9b" not in line and "\u202e" not in line
        if options in ([], ["--trip", "t1"]):
            assert max(map(len, lines)) < 5_000
    copied = shown("--anonymize", tmp_path / "copy.binlog")
    assert copied.code == 0
    assert "\x1b" not in copied.stderr and len(copied.stderr) < 1_000
    assert (tmp_path / "copy.binlog").stat().st_size < 2_000


def test_non_finite_and_extreme_numbers_are_shown(log, shown):
    nan, infinite = float("nan"), float("inf")
    log.call(GET_TRIP, request(), trip(
        trip_status="NEW", route=[{"latitude": nan, "longitude": infinite}] * 2,
        eta_to_first_waypoint={"seconds": 2**62}, last_location={
            "location": {"latitude": nan}, "heading": -5, "speed": infinite}))
    log.entries[0].timestamp.seconds = -2**63
    log.entries[-1].timestamp.seconds = 2**63 - 1
    for options in [], ["--call", 1], ["--trip", "t1"], ["--trip", "t1", "--json"], ["--json"]:
        result = shown(*options)
        assert (result.code, result.stderr) == (0, ""), options
        assert result.stdout


def test_long_log_is_read_in_linear_time(log, tmp_path):
    """The limit is loose, because this is a debug build. It excludes quadratic time."""
    answer = trip(trip_status="NEW", route=[{"latitude": 1, "longitude": 2}] * 50)
    for _ in range(3_000):
        log.call(GET_TRIP, request(), answer)
        log.wait(5)
    binary_log.write(tmp_path / "long.binlog", log.entries)
    for options in [], ["--json"], ["--trip", "t1"], ["--call", 3_000]:
        before = child_cpu_time()
        result = tripwire("log", tmp_path / "long.binlog", *options)
        assert result.code == 0, result.stderr
        assert child_cpu_time() - before < 20


def child_cpu_time():
    """Returns the CPU time of the ended child processes in seconds."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
