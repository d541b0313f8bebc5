"""A client of the simulated fleet, made by Google's library."""

import pytest

from support.fleet_client import connected_client


@pytest.fixture
def client(fleet):
    with connected_client(fleet) as client:
        yield client
