"""NATS, a moving fleet, and a worker."""

import pytest

from peers.fleet import Fleet
from support.nats.server import NATSServer
from support.relay import Worker, working


@pytest.fixture
def nats(tmp_path):
    with NATSServer(tmp_path) as server:
        yield server


@pytest.fixture
def moving():
    """A fleet whose trips move in real time."""
    with Fleet(trips=6, speed=10) as fleet:
        yield fleet


@pytest.fixture
def worker(nats, moving):
    with Worker(nats, moving) as worker:
        working(nats, 1)
        yield worker
