"""Clients of the emulator, made by Google's libraries."""

import pytest

from support.fleet_client import connected_client
from support.fleet_services import connected_services
from support.stops import DROPOFF, PICKUP

PARENT = "providers/p"


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
        services.create_vehicle(parent=PARENT, vehicle_id=vehicle_id, vehicle={
            "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE", "SHARED"], "maximum_capacity": 4,
            "vehicle_type": {"category": "AUTO"}})

    return add_vehicle


@pytest.fixture
def create(add_vehicle, services):
    """Creates trips of the vehicle v1."""
    add_vehicle("v1")

    def create(trip_id="t1", **fields):
        return services.create_trip(parent=PARENT, trip_id=trip_id, trip={
            "trip_type": "EXCLUSIVE", "pickup_point": PICKUP, "dropoff_point": DROPOFF, "vehicle_id": "v1"} | fields)

    return create


@pytest.fixture
def update(services):
    return lambda trip_id="t1", **fields: services.update_trip(
        name=f"{PARENT}/trips/{trip_id}", trip=fields, update_mask={"paths": list(fields)})


@pytest.fixture
def drive(services):
    """Reports fields of the vehicle v1."""
    return lambda **fields: services.update_vehicle(
        name=f"{PARENT}/vehicles/v1", vehicle=fields, update_mask={"paths": list(fields)})
