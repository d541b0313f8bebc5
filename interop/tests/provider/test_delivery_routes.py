"""Does a delivery vehicle that the emulator drives perform its route from begin to end?"""

import pytest
from google.maps.fleetengine_delivery_v1 import types

from support.rules import guess, rule

PARENT = "providers/p"
VEHICLE = f"{PARENT}/deliveryVehicles/d1"
StopState, State, Outcome, Source = (
    types.VehicleStop.State, types.Task.State, types.Task.TaskOutcome,
    types.Task.TaskOutcomeLocationSource)


@pytest.fixture
def get(services, vehicle):
    return lambda: services.get_delivery_vehicle(name=VEHICLE)


@pytest.fixture
def task(services):
    return lambda task_id: services.get_task(name=f"{PARENT}/tasks/{task_id}")


@pytest.fixture
def tracking(services):
    return lambda task_id: services.get_task_tracking_info(
        name=f"{PARENT}/taskTrackingInfo/track-{task_id}")


def stops(message):
    """Returns the task IDs at each remaining stop."""
    return [tuple(each.task_id for each in segment.stop.tasks)
            for segment in message.remaining_vehicle_journey_segments]


def test_whole_route_is_driven(fleet, vehicle, services, get):
    planned, outcomes = [stops(get())], {}
    for _ in range(2000):
        message = get()
        if stops(message) != planned[-1]:
            planned.append(stops(message))
        for each in services.list_tasks(parent=PARENT).tasks:
            if each.task_outcome:
                outcomes.setdefault(each.name.rpartition("/")[2], Outcome(each.task_outcome).name)
        if not message.remaining_vehicle_journey_segments:
            break
        fleet.advance(5)
    stops_left = [(f"d1-{each}",) for each in range(1, 7)]
    assert planned == [stops_left[number:] for number in range(7)]
    assert list(outcomes.items()) == [(f"d1-{each}", "SUCCEEDED") for each in range(1, 7)]
    closed = services.list_tasks(parent=PARENT, filter="state = CLOSED")
    assert closed.total_size == 6
    assert not get().HasField("remaining_distance_meters")


def test_vehicle_approaches_the_stop(fleet, vehicle, get):
    first = get()
    fleet.advance(first.remaining_duration.ToNanoseconds() / 2e9)
    half = get()
    assert half.last_location.location != first.last_location.location
    assert half.remaining_distance_meters.value == pytest.approx(
        first.remaining_distance_meters.value / 2, abs=20)
    assert half.remaining_duration.seconds == pytest.approx(
        first.remaining_duration.seconds / 2, abs=2)
    assert half.remaining_vehicle_journey_segments[0].stop.state == StopState.ENROUTE
    assert half.remaining_vehicle_journey_segments == first.remaining_vehicle_journey_segments
    vehicle.arrive()
    there = get()
    states = [each.stop.state for each in there.remaining_vehicle_journey_segments]
    assert states == [StopState.ARRIVED, *[StopState.NEW] * 5]
    assert there.remaining_distance_meters.value == 0
    assert there.navigation_status == (
        types.DeliveryVehicleNavigationStatus.ARRIVED_AT_DESTINATION)


def test_segments_join(get):
    segments = get().remaining_vehicle_journey_segments
    for before, after in zip(segments, segments[1:]):
        assert before.path[-1] == after.path[0] == before.stop.planned_location.point
        assert after.driving_distance_meters.value > 0 and after.driving_duration.seconds > 0


def test_task_sees_the_way_to_its_stop(fleet, vehicle, get, task):
    fleet.advance(30)
    message, third = get(), task("d1-3")
    info = third.journey_sharing_info
    assert third.delivery_vehicle_id == "d1"
    assert len(info.remaining_vehicle_journey_segments) == 3
    first = info.remaining_vehicle_journey_segments[0]
    assert not first.HasField("stop")
    assert first.path[0] == info.last_location.location == message.last_location.location
    assert first.driving_distance_meters == message.remaining_distance_meters
    assert first.driving_duration == message.remaining_duration
    assert info.last_location_snappable


def test_task_ends_at_its_stop(fleet, vehicle, task):
    vehicle.arrive()
    assert not task("d1-1").task_outcome
    vehicle.depart()
    ended = task("d1-1")
    assert (ended.state, ended.task_outcome) == (State.CLOSED, Outcome.SUCCEEDED)
    assert ended.task_outcome_location_source == Source.LAST_VEHICLE_LOCATION
    assert ended.task_outcome_location == ended.planned_location
    assert ended.task_outcome_time.ToMicroseconds() / 1e6 == pytest.approx(fleet.now, abs=1)
    assert not ended.HasField("journey_sharing_info") and ended.delivery_vehicle_id == "d1"


def test_provider_can_set_the_outcome_on_the_way(fleet, vehicle, services, task):
    services.update_task(
        task={"name": f"{PARENT}/tasks/d1-1", "task_outcome": "FAILED"},
        update_mask={"paths": ["task_outcome"]})
    vehicle.arrive()
    vehicle.depart()
    assert task("d1-1").task_outcome == Outcome.FAILED


def test_recipient_sees_the_shipment(fleet, vehicle, tracking, task):
    info = tracking("d1-3")
    segments = task("d1-3").journey_sharing_info.remaining_vehicle_journey_segments
    assert info.name == f"{PARENT}/taskTrackingInfo/track-d1-3"
    assert info.tracking_id == "track-d1-3"
    assert info.remaining_stop_count.value == 3
    assert info.remaining_driving_distance_meters.value == pytest.approx(
        sum(each.driving_distance_meters.value for each in segments), abs=3)
    assert info.route_polyline_points[0] == info.vehicle_location.location
    assert info.route_polyline_points[-1] == info.planned_location.point
    assert info.estimated_task_completion_time.seconds - info.estimated_arrival_time.seconds == 30
    assert info.target_time_window.HasField("end_time")
    assert info.attributes[0].number_value == 2
    assert (info.state, info.task_outcome) == (State.OPEN, 0)


def test_recipient_sees_the_arrival_in_time(fleet, vehicle, tracking):
    promised = tracking("d1-2").estimated_arrival_time
    vehicle.arrive()
    vehicle.depart()
    assert tracking("d1-2").remaining_stop_count.value == 1
    vehicle.arrive()
    info = tracking("d1-2")
    assert info.estimated_arrival_time.ToMilliseconds() == pytest.approx(
        promised.ToMilliseconds(), abs=200)
    assert info.remaining_driving_distance_meters.value == 0
    vehicle.depart()
    after = tracking("d1-2")
    assert (after.state, after.task_outcome) == (State.CLOSED, Outcome.SUCCEEDED)
    assert after.HasField("task_outcome_time") and after.HasField("planned_location")
    for field in ("vehicle_location", "remaining_stop_count", "estimated_arrival_time"):
        assert not after.HasField(field)
    assert not after.route_polyline_points


@guess("visibility without a configuration")
def test_vehicle_is_hidden_until_it_is_near(fleet, services, tracking):
    fleet.add_delivery_vehicle("d1", stops=7)
    far, near = tracking("d1-6"), tracking("d1-3")
    assert far.HasField("remaining_stop_count") and far.HasField("estimated_arrival_time")
    assert not far.HasField("vehicle_location") and not far.route_polyline_points
    assert near.HasField("vehicle_location") and near.route_polyline_points


@rule("TaskTrackingViewConfig.route_polyline_points_visibility", "decides when the route is visible")
@rule("TaskTrackingViewConfig.VisibilityOption.remaining_stop_count_threshold",
      "makes it visible for that many stops or fewer")
@rule("TaskTrackingViewConfig.VisibilityOption.remaining_driving_distance_meters_threshold",
      "makes it visible for that distance or less")
@rule("TaskTrackingViewConfig.VisibilityOption.duration_until_estimated_arrival_time_threshold",
      "makes it visible for that time or less")
@pytest.mark.parametrize("option, visible", [
    ({"always": True}, True), ({"never": True}, False),
    ({"remaining_stop_count_threshold": 3}, True), ({"remaining_stop_count_threshold": 2}, False),
    ({"remaining_driving_distance_meters_threshold": 100_000}, True),
    ({"remaining_driving_distance_meters_threshold": 10}, False),
    ({"duration_until_estimated_arrival_time_threshold": {"seconds": 100_000}}, True),
    ({"duration_until_estimated_arrival_time_threshold": {"seconds": 10}}, False),
])
def test_task_configures_what_is_visible(vehicle, services, tracking, option, visible):
    names = ["route_polyline_points", "estimated_arrival_time", "estimated_task_completion_time",
             "remaining_driving_distance", "remaining_stop_count", "vehicle_location"]
    services.update_task(
        task={"name": f"{PARENT}/tasks/d1-3", "task_tracking_view_config": {
            f"{each}_visibility": option for each in names}},
        update_mask={"paths": ["task_tracking_view_config"]})
    info = tracking("d1-3")
    assert bool(info.route_polyline_points) == visible
    for field in ("estimated_arrival_time", "estimated_task_completion_time",
                  "remaining_driving_distance_meters", "remaining_stop_count",
                  "vehicle_location"):
        assert info.HasField(field) == visible


@guess("several tasks with a tracking ID")
def test_open_task_is_shown_of_several_with_one_tracking_id(fleet, vehicle, services, tracking):
    vehicle.arrive()
    vehicle.depart()
    assert tracking("d1-1").state == State.CLOSED
    services.create_task(parent=PARENT, task_id="again", task={
        "type_": "DELIVERY", "state": "OPEN", "tracking_id": "track-d1-1",
        "planned_location": {"point": {"latitude": 37.7, "longitude": -122.4}},
        "task_duration": {"seconds": 5}})
    assert tracking("d1-1").state == State.OPEN


# Changes on the way


def test_remaining_stops_can_be_planned_again(fleet, vehicle, get, tracking):
    fleet.advance(10)
    before = get()
    vehicle.replan(before.remaining_vehicle_journey_segments[::-1])
    fleet.advance(2)
    after = get()
    assert stops(after) == stops(before)[::-1]
    assert after.remaining_vehicle_journey_segments[0].path[0] != (
        before.remaining_vehicle_journey_segments[0].path[0])
    assert tracking("d1-1").remaining_stop_count.value == 6
    vehicle.arrive()
    assert get().remaining_vehicle_journey_segments[0].stop.state == StopState.ARRIVED
    vehicle.depart()
    assert tracking("d1-6").task_outcome == Outcome.SUCCEEDED


def test_provider_can_plan_a_simulated_vehicle(fleet, vehicle, services, get, task):
    fleet.advance(10)
    services.update_delivery_vehicle(
        delivery_vehicle={"name": VEHICLE, "remaining_vehicle_journey_segments": [
            {"stop": {"planned_location": {"point": {"latitude": 37.77, "longitude": -122.42}},
                      "state": "ENROUTE", "tasks": [{"task_id": "d1-5"}]}}]},
        update_mask={"paths": ["remaining_vehicle_journey_segments"]})
    fleet.advance(2)
    assert stops(get()) == [("d1-5",)]
    assert task("d1-1").state == State.CLOSED
    vehicle.arrive()
    vehicle.depart()
    assert task("d1-5").task_outcome == Outcome.SUCCEEDED
