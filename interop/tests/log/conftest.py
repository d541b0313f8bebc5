"""Logs of made-up calls."""

import pytest

from peers.google import GoogleCloud, Identities, credentials_files
from peers.recordings import binary_log
from peers.recordings.log_writer import LogWriter
from support.command import tripwire
from support.logged_calls import ENTRIES


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


@pytest.fixture
def cloud(certificates, tmp_path):
    """A Google Cloud with the logs of `support.logged_calls`, and a user who may read them."""
    identities = Identities()
    home = tmp_path / "home"
    home.mkdir()
    with GoogleCloud(identities, certificates, home) as cloud:
        cloud.user = identities.add_user()
        cloud.user_file = credentials_files.save(
            tmp_path / "user.json", credentials_files.authorized_user(cloud.user, quota_project_id="charged"))
        cloud.logging.add(*ENTRIES)
        yield cloud


@pytest.fixture
def fetch(cloud):
    """Runs the command with the credentials of the user."""
    def run(*arguments, project="p", since="2h", **variables):
        period = ["--since", since] if since else []
        return cloud.tripwire("log", "--cloud-logging", project, *period, *arguments,
                              **{"GOOGLE_APPLICATION_CREDENTIALS": cloud.user_file, "TZ": "UTC"} | variables)
    return run
