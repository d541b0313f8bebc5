"""Clients of the emulator, made by Google's libraries."""

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


@pytest.fixture
def add_vehicle(services):
    def add_vehicle(vehicle_id):
        services.create_vehicle(parent="providers/p", vehicle_id=vehicle_id, vehicle={
            "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE", "SHARED"], "maximum_capacity": 4,
            "vehicle_type": {"category": "AUTO"}})

    return add_vehicle
