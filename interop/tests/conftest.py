"""The servers shared by the tests of the command."""

import contextlib

import pytest
from google.api_core import exceptions
from google.rpc import error_details_pb2

from support.call_repeater import CallRepeater
from support.command import binary
from peers.fleet import Fleet
from peers.servers.fleet_server import FleetServer


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
def vehicle(fleet):
    """A delivery vehicle with a route."""
    return fleet.add_delivery_vehicle("d1")


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


@pytest.fixture(scope="session")
def repeater(tmp_path_factory):
    """Repeats recorded calls."""
    return CallRepeater(tmp_path_factory.mktemp("repeater"))


class Failure:
    """The code, the message and the details of a failed call."""

    def __init__(self, error):
        self.code, self.message = error.grpc_status_code.name, error.message
        self.details = {type(each).__name__: each for each in error.details}

    @property
    def fields(self):
        """The invalid fields."""
        return [each.field for each in self.details["BadRequest"].field_violations]


@pytest.fixture
def failure():
    """Returns the failure of a call: `failure(services.get_task, name="…")`."""
    def failure(method, **request):
        with pytest.raises(exceptions.GoogleAPICallError) as caught:
            method(**request)
        return Failure(caught.value)

    return failure


@pytest.fixture
def invalid(failure):
    """Returns the invalid fields of a call that fails with INVALID_ARGUMENT."""
    def invalid(method, **request):
        found = failure(method, **request)
        assert found.code == "INVALID_ARGUMENT"
        return found.fields

    return invalid


@pytest.fixture
def missing(failure):
    """Checks that a call fails with NOT_FOUND and names the missing resource."""
    def missing(method, kind, resource, **request):
        found = failure(method, **request)
        assert found.code == "NOT_FOUND"
        assert found.details["ResourceInfo"] == error_details_pb2.ResourceInfo(
            resource_type=f"fleetengine.googleapis.com/{kind}", resource_name=resource,
            description="it does not exist")

    return missing
