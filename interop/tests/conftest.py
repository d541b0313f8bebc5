"""The servers shared by the tests of the command."""

import contextlib
import subprocess

import pytest

from support.command import binary
from peers.fleet import Fleet
from peers.servers.fleet_server import FleetServer
from support.paths import INTEROP


@pytest.fixture(scope="session", autouse=True)
def require_binary():
    binary()


@pytest.fixture(scope="session")
def server():
    """A plaintext Fleet Engine server, shared by all tests, which may run at the same time."""
    with FleetServer() as server:
        yield server


@pytest.fixture
def fleet():
    """A simulated fleet for one test."""
    with Fleet() as fleet:
        yield fleet


@pytest.fixture
def trip(fleet):
    """A trip on the way to its pickup."""
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    return trip


@pytest.fixture
def own_server():
    """A plaintext Fleet Engine server for one test, which can wait for requests there."""
    with FleetServer() as server:
        yield server


@pytest.fixture(scope="session")
def tls_servers(certificates):
    """Fleet Engine servers with TLS, by certificate name: `tls_servers("expired")`."""
    with contextlib.ExitStack() as stack:
        running = {}

        def server(name):
            if name not in running:
                running[name] = stack.enter_context(FleetServer(getattr(certificates, name)))
            return running[name]

        yield server


@pytest.fixture(scope="session")
def tls_server(tls_servers):
    return tls_servers("good")
