"""Is an anonymous copy written completely, privately and never over another file?"""

import json
import os
import stat

import pytest

from support.command import assert_failed, tripwire
from peers.recordings import binary_log
from peers.recordings.log_writer import LogWriter
from support.paths import RECORDINGS

DEMO = RECORDINGS / "demo.binlog"


def test_content_of_the_copy_is_reported(copy):
    result, path = copy(binary_log.read(DEMO))
    *left_out, last = result.stderr.splitlines()
    assert last == f"{path}: 3 calls, 2 trips, 1 vehicle"
    assert all(line.startswith("warning: omitted: ") and len(line) < 100 for line in left_out)


@pytest.mark.parametrize("entries, words, hint", [
    ([], "the recording contains no calls", "pass a recording with calls, such as one made with"),
    (None, "the recording has no calls of Fleet Engine (2 calls read)",
     "pass a recording with calls of Fleet Engine")])
def test_empty_copy_is_not_written(tmp_path, entries, words, hint):
    if entries is None:
        log = LogWriter()
        log.call("/grpc.health.v1.Health/Check", b"", b"")
        log.call("/grpc.health.v1.Health/Check", b"", b"")
        entries = log.entries
    binary_log.write(tmp_path / "a.binlog", entries)
    result = tripwire("log", tmp_path / "a.binlog", "--anonymize", tmp_path / "copy.binlog",
                      "--mapping", tmp_path / "mapping")
    assert_failed(result, 1, f"copy.binlog: {words}", hint=hint)
    assert [path.name for path in tmp_path.iterdir()] == ["a.binlog"]


def test_mapping_lists_the_replacements(tmp_path):
    copy, mapping = tmp_path / "copy.binlog", tmp_path / "mapping"
    umask = os.umask(0)
    try:
        assert tripwire("log", DEMO, "--anonymize", copy, "--mapping", mapping).code == 0
    finally:
        os.umask(umask)
    assert stat.S_IMODE(mapping.stat().st_mode) == stat.S_IMODE(copy.stat().st_mode) == 0o600
    pairs = [json.loads(line) for line in mapping.read_text().splitlines()]
    assert {pair["replacement"]: pair["original"] for pair in pairs} == {
        "provider-1": "demo", "request-1": "a1b2c3d4", "trip-1": "t1", "trip-2": "missing",
        "vehicle-1": "v1"}
    before, copied = mapping.read_bytes(), copy.read_bytes()
    assert_failed(tripwire("log", DEMO, "--anonymize", tmp_path / "b", "--mapping", mapping), 1,
                  "mapping: File exists", hint=", or remove the existing file")
    assert mapping.read_bytes() == before and not (tmp_path / "b").exists()
    assert_failed(tripwire("log", DEMO, "--anonymize", copy, "--mapping", tmp_path / "c"), 1,
                  "copy.binlog: File exists", hint=", or remove the existing file")
    assert copy.read_bytes() == copied and not (tmp_path / "c").exists()
    assert_failed(tripwire("log", DEMO, "--mapping", tmp_path / "c"), 2, "--anonymize")
    assert_failed(
        tripwire("log", DEMO, "--anonymize", tmp_path / "c", "--mapping", tmp_path / "c"), 2,
        error=f"--mapping {tmp_path / 'c'}: the same file as --anonymize",
        hint="choose another path for --mapping")
    missing = tmp_path / "none" / "c"
    assert_failed(
        tripwire("log", DEMO, "--anonymize", missing), 1,
        error=f"--anonymize {missing}: No such file or directory",
        hint="check that the directory of --anonymize exists and is writable")


def test_copy_can_be_replayed_and_listed(copy):
    _, path = copy(binary_log.read(DEMO))
    result = tripwire("get", "providers/provider-1/trips/trip-1", "--replay", path)
    assert (result.code, result.json["vehicleId"]) == (0, "vehicle-1")
    result = tripwire("get", "providers/provider-1/trips/trip-2", "--replay", path)
    assert_failed(result, 69, "providers/provider-1/trips/trip-2 does not exist")
    original, copied = [tripwire("log", log, "--trip", name, TZ="UTC").stdout
                   for log, name in [(DEMO, "t1"), (path, "trip-1")]]
    assert original.replace("v1", "vehicle-1") == copied


@pytest.mark.parametrize("options", [["--anonymize", DEMO], ["--anonymize", "c", "--mapping", DEMO]])
def test_recording_is_not_the_copy(options):
    option = options[-2]
    assert_failed(
        tripwire("log", DEMO, *options), 2, error=f"{option} {DEMO}: this file is being read",
        hint=f"choose another path for {option}")


def test_empty_selection_is_not_copied(tmp_path):
    result = tripwire("log", DEMO, "--slow", "9h", "--anonymize", tmp_path / "copy.binlog")
    assert_failed(result, 1, f"--anonymize {tmp_path}/copy.binlog: no call matches the selection (3 calls read)",
                  hint="select other calls")
    assert "warning: no call matches" not in result.stderr


def test_other_files_are_not_copied(tmp_path):
    result = tripwire("log", "/etc/passwd", "--anonymize", tmp_path / "copy.binlog")
    assert_failed(result, 1, "not a gRPC binary log")
    assert not (tmp_path / "copy.binlog").exists()
