"""Does the emulator list and search vehicles?"""

import pytest
from google.maps.fleetengine_v1 import types

from support.rules import guess, rule

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


@rule("ListVehiclesRequest.page_size", "limits the page")
@rule("ListVehiclesResponse.total_size", "counts all pages")
def test_vehicles_are_listed_by_page(add, services):
    for number in range(5):
        add(f"v{number}")
    token, pages = "", []
    while token or not pages:
        response = services.list_vehicles(
            parent=PARENT, vehicle_type_categories=["AUTO"], page_size=2, page_token=token)
        assert response.total_size == 5
        pages.append(ids(response.vehicles))
        token = response.next_page_token
    assert pages == [["v0", "v1"], ["v2", "v3"], ["v4"]]


@guess("filters")
@rule("ListVehiclesRequest.required_attributes", "a vehicle has all of them")
@rule("ListVehiclesRequest.required_one_of_attributes", "a vehicle has one of each list")
@rule("ListVehiclesRequest.required_one_of_attribute_sets", "a vehicle has all of one set")
@rule("ListVehiclesRequest.filter", "compares attributes as strings")
def test_vehicles_are_listed_by_attributes(add, listed):
    for vehicle_id, color, size in (("a", "red", "1"), ("b", "blue", "1"), ("c", "red", "2")):
        add(vehicle_id, attributes=[
            {"key": "color", "string_value": color}, {"key": "size", "number_value": int(size)}])
    assert listed(required_attributes=["color:red", "size:1"]) == ["a"]
    assert listed(required_one_of_attributes=["color:blue|size:2"]) == ["b", "c"]
    assert listed(required_one_of_attribute_sets=["color:red|size:2", "color:blue"]) == ["b", "c"]
    assert listed(filter='attributes.color = red AND attributes.size = "1"') == ["a"]
    assert listed(filter="attributes.color = blue OR attributes.size = 2") == ["b", "c"]


@rule("ListVehiclesRequest.vehicle_type_categories", "is required")
@rule("ListVehiclesRequest.maximum_staleness", "is positive")
@rule("ListVehiclesRequest.minimum_capacity", "is not negative")
@rule("ListVehiclesRequest.filter", "excludes required attributes")
@rule("ListVehiclesRequest.required_attributes", "are at most 50")
def test_invalid_lists_are_refused(services, invalid):
    assert invalid(
        services.list_vehicles, parent="p", minimum_capacity=-1, filter="attributes.a=b",
        maximum_staleness={"seconds": 0}, required_attributes=["a:b"]) == [
        "parent", "vehicle_type_categories", "minimum_capacity", "maximum_staleness", "filter"]
    request = {"parent": PARENT, "vehicle_type_categories": ["AUTO"]}
    assert invalid(services.list_vehicles, **request, page_token="e30=") == ["page_token"]
    assert invalid(services.list_vehicles, **request, page_size=-1) == ["page_size"]
    assert invalid(services.list_vehicles, **request, filter="color = red") == ["filter"]
    assert invalid(services.list_vehicles, **request, required_attributes=["a=b"]) == [
        "required_attributes"]
    assert invalid(services.list_vehicles, **request, required_attributes=["a:b"] * 51) == [
        "required_attributes"]


@rule("SearchVehiclesRequest.pickup_radius_meters", "only vehicles within it are returned")
@rule("SearchVehiclesRequest.count", "limits the vehicles")
@rule("VehicleMatch.vehicle_pickup_straight_line_distance_meters", "is the straight line to the pickup")
@rule("VehicleMatch.vehicle_dropoff_eta", "is set only with a drop-off point")
def test_vehicles_are_searched_by_distance(add, search):
    add("near", meters=100)
    add("nearer", meters=50)
    add("far", meters=2000)
    matches = search()
    assert found(matches) == ["nearer", "near"]
    assert found(search(count=1)) == ["nearer"]
    assert found(search(pickup_radius_meters=3000)) == ["nearer", "near", "far"]
    first = matches[0]
    assert first.vehicle_pickup_straight_line_distance_meters.value == 50
    assert first.vehicle_pickup_distance_meters.value == 50
    assert first.HasField("vehicle_pickup_eta") and not first.HasField("vehicle_dropoff_eta")
    assert first.vehicle_match_type == Match.EXCLUSIVE
    assert len(first.vehicle_trips_waypoints) == 2


@rule("VehicleMatch.vehicle_pickup_to_dropoff_distance_meters", "is between the two points")
def test_estimates_include_the_dropoff(add, search):
    add("v")
    [match] = search(dropoff_point=THERE)
    assert match.vehicle_pickup_to_dropoff_distance_meters.value == 1112
    assert match.vehicle_dropoff_eta.ToNanoseconds() > match.vehicle_pickup_eta.ToNanoseconds()


@rule("SearchVehiclesRequest.pickup_point", "is required")
@rule("SearchVehiclesRequest.dropoff_point", "is required for SHARED trips and DROPOFF_POINT_ETA")
@rule("SearchVehiclesRequest.pickup_radius_meters", "is from 400 to 10000")
@rule("SearchVehiclesRequest.count", "is from 1 to 50")
@rule("SearchVehiclesRequest.minimum_capacity", "is at least 1")
@rule("SearchVehiclesRequest.trip_types", "has exactly one type")
@rule("SearchVehiclesRequest.vehicle_types", "has at least one type")
@rule("SearchVehiclesRequest.order_by", "is required")
@rule("SearchVehiclesRequest.current_trips_present", "is required for SHARED trips")
@rule("SearchVehiclesRequest.include_back_to_back", "cannot be combined with current_trips_present")
def test_invalid_searches_are_refused(services, invalid):
    assert invalid(services.search_vehicles, parent="p") == [
        "parent", "pickup_point", "pickup_radius_meters", "count", "minimum_capacity",
        "trip_types", "vehicle_types", "order_by"]
    request = {
        "parent": PARENT, "pickup_point": HERE, "pickup_radius_meters": 400, "count": 50,
        "minimum_capacity": 1, "vehicle_types": [{"category": "AUTO"}], "order_by": "COST"}
    assert invalid(
        services.search_vehicles, **request | {"pickup_point": {"point": {"latitude": 91}}},
        trip_types=["EXCLUSIVE"]) == ["pickup_point.point"]
    assert invalid(services.search_vehicles, **request, trip_types=["SHARED"]) == [
        "dropoff_point", "current_trips_present"]
    assert invalid(
        services.search_vehicles, **request | {"order_by": "DROPOFF_POINT_ETA"},
        trip_types=["EXCLUSIVE"]) == ["dropoff_point"]
    assert invalid(
        services.search_vehicles, **request, trip_types=["EXCLUSIVE"], include_back_to_back=True,
        current_trips_present="ANY") == ["include_back_to_back"]
    assert invalid(
        services.search_vehicles, **request | {"pickup_radius_meters": 10_001, "count": 51},
        trip_types=["EXCLUSIVE", "SHARED"], dropoff_point=THERE,
        current_trips_present="ANY") == ["pickup_radius_meters", "count", "trip_types"]


@rule("ListVehiclesRequest.trip_types", "a vehicle supports one of them")
@rule("ListVehiclesRequest.vehicle_state", "restricts the state")
@rule("ListVehiclesRequest.on_trip_only", "only vehicles with trips are returned")
@rule("ListVehiclesRequest.viewport", "the last location is in it")
@rule("ListVehiclesRequest.maximum_staleness", "only vehicles with recent locations are returned")
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


@rule("SearchVehiclesRequest.maximum_staleness", "is five minutes by default")
@rule("SearchVehiclesRequest.required_one_of_attributes", "a vehicle has one of each list")
@rule("SearchVehiclesRequest.required_one_of_attribute_sets", "a vehicle has all of one set")
@rule("SearchVehiclesRequest.filter", "restricts the attributes")
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


@rule("SearchVehiclesRequest.include_back_to_back", "one trip that is ENROUTE_TO_DROPOFF is allowed")
@rule("SearchVehiclesRequest.current_trips_present", "NONE and ANY exclude and include vehicles with trips")
@rule("VehicleMatch.vehicle_match_type", "is BACK_TO_BACK for a vehicle with a trip")
def test_busy_vehicles_are_found_on_request(fleet, search):
    fleet.vehicle("v", at=(37.7, -122.4), back_to_back_enabled=True)
    trip = fleet.add_trip("t1", vehicle_id="v", stops=[
        (each["point"]["latitude"], each["point"]["longitude"]) for each in (HERE, THERE)])
    assert found(search()) == ["v"]
    trip.go("ENROUTE_TO_DROPOFF")
    assert found(search()) == []
    [match] = search(include_back_to_back=True)
    assert match.vehicle_match_type == Match.BACK_TO_BACK
    assert found(search(current_trips_present="ANY")) == ["v"]
    assert found(search(current_trips_present="NONE")) == []
