"""Clients of the simulated fleet, made by Google's libraries."""

import pytest

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
