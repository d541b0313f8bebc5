"""The file of a recording."""

import pytest


@pytest.fixture
def log(tmp_path):
    return tmp_path / "trip.binlog"
