"""Logs of made-up calls."""

import pytest

from peers.recordings import binary_log
from peers.recordings.log_writer import LogWriter
from support.command import tripwire


@pytest.fixture
def log():
    return LogWriter()


@pytest.fixture
def shown(log, tmp_path):
    """Runs `tripwire log` on the current entries of the log."""
    def run(*options):
        binary_log.write(tmp_path / "a.binlog", log.entries)
        return tripwire("log", tmp_path / "a.binlog", *options, TZ="UTC")

    return run


@pytest.fixture
def copy(tmp_path):
    """Makes an anonymous copy of entries; returns the command's result and the path of the copy."""
    def make(entries):
        binary_log.write(tmp_path / "a.binlog", entries)
        (tmp_path / "copy.binlog").unlink(missing_ok=True)
        result = tripwire("log", tmp_path / "a.binlog", "--anonymize", tmp_path / "copy.binlog")
        assert (result.code, result.stdout) == (0, ""), result.stderr
        return result, tmp_path / "copy.binlog"

    return make
