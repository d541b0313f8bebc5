"""The servers and certificates that the tests of the command share."""

import contextlib
import subprocess

import pytest

from support.command import binary
from peers.servers.fleet_server import FleetServer
from support.places import INTEROP


@pytest.fixture(scope="session", autouse=True)
def there_is_something_to_test():
    binary()


@pytest.fixture(scope="session")
def server():
    """Fleet Engine without TLS. For all tests: none may count on being alone with it."""
    with FleetServer() as server:
        yield server


@pytest.fixture
def own_server():
    """Fleet Engine without TLS, for one test alone: it can wait for what arrives there."""
    with FleetServer() as server:
        yield server


@pytest.fixture(scope="session")
def tls_servers(certificates):
    """Fleet Engine with TLS, by the name of its certificate: `tls_servers("expired")`."""
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
