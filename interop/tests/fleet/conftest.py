"""Clients of the simulated fleet, made by Google's libraries."""

import pytest
from google.api_core import exceptions
from google.rpc import error_details_pb2

from support.fleet_client import connected_client
from support.fleet_services import connected_services


@pytest.fixture
def client(fleet):
    with connected_client(fleet) as client:
        yield client


@pytest.fixture
def services(fleet):
    """Every method of every service."""
    with connected_services(fleet) as services:
        yield services


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
