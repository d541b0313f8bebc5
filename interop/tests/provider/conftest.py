"""The methods of Google's clients, for the simulated fleet and for the emulator."""

import pytest

from peers.fleet import Fleet
from support.emulator import emulating
from support.fleet_services import connected_services


@pytest.fixture(params=["fleet", "emulator"])
def services(request):
    """Every method of every service."""
    with Fleet() if request.param == "fleet" else emulating() as served, connected_services(served) as services:
        yield services


@pytest.fixture
def add_vehicle(services):
    def add_vehicle(vehicle_id):
        services.create_vehicle(parent="providers/p", vehicle_id=vehicle_id, vehicle={
            "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE", "SHARED"], "maximum_capacity": 4,
            "vehicle_type": {"category": "AUTO"}})

    return add_vehicle
