"""Does the emulator do what its article says where the reference is silent?"""

import pytest
from google.maps.fleetengine_delivery_v1 import types as delivery_types

from peers.recordings import s2
from support.rules import guess
from support.stops import BETWEEN, HERE, PICKUP

PARENT = "providers/p"
TRIP, DELIVERY_VEHICLE = f"{PARENT}/trips/t1", f"{PARENT}/deliveryVehicles/d1"


def route_to(place):
    return s2.encoded([(37.76, -122.42), (place["point"]["latitude"], place["point"]["longitude"])])


@guess("status of a trip")
def test_status_only_goes_forward(create, update, failure):
    create()
    assert update(trip_status="ENROUTE_TO_INTERMEDIATE_DESTINATION").trip_status == 8
    for status in "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP":
        assert failure(update, trip_status=status).code == "FAILED_PRECONDITION"
    update(trip_status="CANCELED")
    for change in {"trip_status": "COMPLETE"}, {"vehicle_id": ""}:
        assert failure(update, **change).code == "FAILED_PRECONDITION"


@guess("stops of a trip")
def test_stops_keep_the_places_of_their_trip(create, update):
    create("a", trip_type="SHARED")
    create("b")
    stops = update("b", intermediate_destinations=[BETWEEN]).vehicle_waypoints
    assert [(each.trip_id, each.waypoint_type) for each in stops] == [
        ("a", 1), ("a", 2), ("b", 1), ("b", 3), ("b", 2)]
    stops = update("a", trip_status="ENROUTE_TO_DROPOFF").vehicle_waypoints
    assert [each.trip_id for each in stops] == ["a", "b", "b", "b"]


@guess("shared trips without an order")
def test_shared_trips_follow_others(create):
    create("b", trip_type="SHARED")
    assert [each.trip_id for each in create("a", trip_type="SHARED").vehicle_waypoints] == ["b", "b", "a", "a"]


@guess("route")
def test_route_ends_with_another_first_stop(create, update, drive, invalid):
    create()
    for change in {"pickup_point": BETWEEN}, {"trip_status": "ENROUTE_TO_DROPOFF"}:
        assert drive(current_route_segment=route_to(PICKUP), remaining_distance_meters=7).current_route_segment
        trip = update(**change)
        assert not trip.route and not trip.HasField("remaining_distance_meters")
    assert invalid(drive, current_route_segment="no polyline") == ["vehicle.current_route_segment"]


@guess("stops after the first")
def test_later_stops_are_on_straight_lines(create):
    [_, stop] = create().remaining_waypoints
    assert [each.latitude for each in stop.path_to_waypoint] == [37.77, 37.78]
    assert stop.distance_meters.value == 1112
    assert stop.duration.seconds == pytest.approx(1112 / 8, abs=1)


@guess("trips without a vehicle")
def test_trip_without_a_vehicle_has_no_stops(create):
    trip = create(vehicle_id="")
    assert not trip.remaining_waypoints and not trip.HasField("remaining_waypoints_version")


@guess("several invalid fields")
def test_invalid_fields_are_found_step_by_step(create, update, services, invalid, failure):
    bad = {"trip_type": 0, "pickup_point": {}}
    assert invalid(services.update_trip, name="t1", trip=bad) == ["name"]
    assert invalid(services.update_trip, name=TRIP, trip=bad, update_mask={"paths": ["name"]}) == ["update_mask"]
    assert failure(update, **bad).code == "NOT_FOUND"
    create()
    assert invalid(update, **bad) == ["trip.trip_type", "trip.pickup_point"]
    request = {"parent": "p", "filter": "?", "page_size": -1, "required_attributes": ["a"]}
    for found, correct in (
            (["required_attributes"], {"required_attributes": []}),
            (["parent", "vehicle_type_categories"], {"parent": PARENT, "vehicle_type_categories": ["AUTO"]}),
            (["filter"], {"filter": ""}), (["page_size"], {"page_size": 1})):
        assert invalid(services.list_vehicles, **request) == found
        request |= correct
    assert services.list_vehicles(**request).total_size == 1


@guess("intermediate destinations")
def test_trip_has_at_most_1000_destinations(create, invalid):
    assert invalid(create, intermediate_destinations=[BETWEEN] * 1001) == ["trip.intermediate_destinations"]
    assert len(create(intermediate_destinations=[BETWEEN] * 1000).intermediate_destinations) == 1000


# Deliveries


@pytest.fixture
def plan(services):
    """Plans stops of the delivery vehicle d1, given as (latitude, state, task, …)."""
    services.create_delivery_vehicle(
        parent=PARENT, delivery_vehicle_id="d1", delivery_vehicle={"last_location": {"location": HERE}})
    for task in "k1", "k2":
        services.create_task(parent=PARENT, task_id=task, task={
            "type_": "DELIVERY", "state": "OPEN", "tracking_id": task, "planned_location": PICKUP,
            "task_duration": {"seconds": 60}})

    def plan(*stops, **way):
        segments = [{"stop": {
            "planned_location": {"point": {"latitude": latitude, "longitude": -122.42}}, "state": state,
            "tasks": [{"task_id": each} for each in tasks]}} for latitude, state, *tasks in stops]
        segments[0] |= way
        return services.update_delivery_vehicle(
            delivery_vehicle={"name": DELIVERY_VEHICLE, "remaining_vehicle_journey_segments": segments},
            update_mask={"paths": ["remaining_vehicle_journey_segments"]}).remaining_vehicle_journey_segments

    return plan


@guess("driving values of a segment")
def test_driving_values_remain(plan):
    first, second = plan((37.77, "ENROUTE", "k1"), (37.78, "NEW"), driving_distance_meters=5)
    assert first.driving_distance_meters.value == 5
    assert second.driving_distance_meters.value == 1112 and second.driving_duration.seconds == 139
    assert list(plan((37.77, "ARRIVED", "k1"), (37.78, "NEW"))[0].path) == list(first.path)
    [kept] = plan((37.78, "ENROUTE"))
    assert kept.driving_distance_meters.value == 1112 and kept.path[0].latitude == 37.77


@guess("ARRIVED")
@guess("vehicle that is late")
def test_arrival_of_a_vehicle_that_is_late_or_there(fleet, services, plan):
    def arrival():
        info = services.get_task_tracking_info(name=f"{PARENT}/taskTrackingInfo/k1")
        return info.estimated_arrival_time.ToNanoseconds() / 1e9, info.remaining_driving_distance_meters.value

    plan((37.77, "ENROUTE", "k1"))
    begin = fleet.now
    assert arrival() == pytest.approx((begin + 139, 1112), abs=1)
    fleet.advance(200)
    assert arrival() == pytest.approx((begin + 200, 1112), abs=1)
    plan((37.77, "ARRIVED", "k1"))
    fleet.advance(30)
    assert arrival() == pytest.approx((begin + 200, 0), abs=1)


@guess("attributes")
def test_task_has_at_most_100_attributes(services, invalid):
    attributes = [{"key": f"k{number}"} for number in range(101)]
    task = {"type_": delivery_types.Task.Type.UNAVAILABLE, "state": "OPEN", "task_duration": {"seconds": 1}}
    request = {"parent": PARENT, "task_id": "k9"}
    assert invalid(services.create_task, **request, task=task | {"attributes": attributes}) == ["task.attributes"]
    assert len(services.create_task(**request, task=task | {"attributes": attributes[1:]}).attributes) == 100
