"""Does the simulated fleet list and search vehicles?"""

import pytest
from google.maps.fleetengine_v1 import types

from support.fleet_services import connected_services
from peers.fleet import Fleet

PARENT = "providers/p"
HERE = {"point": {"latitude": 37.7, "longitude": -122.4}}
THERE = {"point": {"latitude": 37.71, "longitude": -122.4}}
Match = types.VehicleMatch.VehicleMatchType


@pytest.fixture
def add(services):
    """Adds a vehicle some meters north of HERE."""
    def add(vehicle_id, meters=0, category="AUTO", **fields):
        place = {"latitude": 37.7 + meters / 111_195, "longitude": -122.4}
        return services.create_vehicle(parent=PARENT, vehicle_id=vehicle_id, vehicle={
            "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"],
            "maximum_capacity": 3, "vehicle_type": {"category": category},
            "last_location": {"location": place}} | fields)

    return add


def ids(vehicles):
    return [each.name.rpartition("/")[2] for each in vehicles]


@pytest.fixture
def listed(services):
    """Returns the IDs in ListVehicles."""
    def listed(**request):
        return ids(services.list_vehicles(
            parent=PARENT, **{"vehicle_type_categories": ["AUTO"]} | request).vehicles)

    return listed


@pytest.fixture
def search(services):
    def search(**request):
        return services.search_vehicles(parent=PARENT, **{
            "pickup_point": HERE, "pickup_radius_meters": 1000, "count": 10, "minimum_capacity": 1,
            "trip_types": ["EXCLUSIVE"], "vehicle_types": [{"category": "AUTO"}],
            "order_by": "PICKUP_POINT_DISTANCE"} | request).matches

    return search


def found(matches):
    return ids(each.vehicle for each in matches)


def test_vehicles_are_listed_by_their_fields(fleet, add, listed):
    add("big", maximum_capacity=8)
    add("off", vehicle_state="OFFLINE")
    add("taxi", category="TAXI")
    add("shared", supported_trip_types=["SHARED"])
    add("north", meters=5000)
    fleet.add_trip("t1", vehicle_id="busy").go("ENROUTE_TO_PICKUP")
    assert listed() == ["big", "busy", "north", "off", "shared"]
    assert listed(vehicle_type_categories=["TAXI", "TRUCK"]) == ["taxi"]
    assert listed(minimum_capacity=5) == ["big"]
    assert listed(vehicle_state="OFFLINE") == ["off"]
    assert listed(trip_types=["SHARED"]) == ["busy", "shared"]
    assert listed(on_trip_only=True) == ["busy"]
    assert listed(viewport={
        "low": {"latitude": 37.74, "longitude": -122.41},
        "high": {"latitude": 37.75, "longitude": -122.39}}) == ["north"]
    fleet.advance(100)
    assert listed(maximum_staleness={"seconds": 60}) == ["busy"]


def test_idle_vehicles_are_found():
    with Fleet(trips=1, idle=2) as fleet, connected_services(fleet) as services:
        matches = services.search_vehicles(
            parent=PARENT, pickup_point={"point": {"latitude": 37.7749, "longitude": -122.4194}},
            pickup_radius_meters=10_000, count=10, minimum_capacity=1, trip_types=["EXCLUSIVE"],
            vehicle_types=[{"category": "AUTO"}], order_by="PICKUP_POINT_ETA").matches
    assert {"idle1", "idle2"} <= set(found(matches))


def test_vehicles_are_searched_by_their_fields(fleet, add, search):
    add("red", attributes=[{"key": "color", "string_value": "red"}])
    add("off", vehicle_state="OFFLINE")
    add("taxi", category="TAXI", maximum_capacity=6)
    red = {"key": "color", "string_value": "red"}
    assert found(search()) == ["red"]
    assert found(search(vehicle_types=[{"category": "TAXI"}])) == ["taxi"]
    assert found(search(minimum_capacity=4, vehicle_types=[{"category": "TAXI"}])) == ["taxi"]
    assert found(search(minimum_capacity=4)) == []
    assert found(search(required_attributes=[red])) == ["red"]
    assert found(search(required_one_of_attributes=[
        {"attributes": [red, {"key": "a", "string_value": "b"}]}])) == ["red"]
    assert found(search(required_one_of_attribute_sets=[
        {"attributes": [red, {"key": "a", "string_value": "b"}]}])) == []
    assert found(search(filter="attributes.color != red")) == []
    fleet.advance(301)
    assert found(search()) == []
    assert found(search(maximum_staleness={"seconds": 400})) == ["red"]


def test_busy_vehicles_are_found_on_request(fleet, add, search):
    add("v", back_to_back_enabled=True)
    trip = fleet.add_trip("t1", vehicle_id="v", stops=[
        (each["point"]["latitude"], each["point"]["longitude"]) for each in (HERE, THERE)])
    assert found(search()) == ["v"]
    trip.go("ENROUTE_TO_DROPOFF")
    assert found(search()) == []
    [match] = search(include_back_to_back=True)
    assert match.vehicle_match_type == Match.BACK_TO_BACK
    assert found(search(current_trips_present="ANY")) == ["v"]
    assert found(search(current_trips_present="NONE")) == []
