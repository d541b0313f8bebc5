"""Does the emulator follow the comments of single fields?"""

import pytest

from peers.recordings import s2
from support.rules import guess, rule
from support.stops import BETWEEN, DROPOFF, HERE, PICKUP

PARENT = "providers/p"
TRIP, VEHICLE = f"{PARENT}/trips/t1", f"{PARENT}/vehicles/v1"
ROUTE = s2.encoded([(37.76, -122.42), (37.77, -122.42)])


def waypoint(trip_id, kind, place):
    return {"trip_id": trip_id, "waypoint_type": f"{kind}_WAYPOINT_TYPE", "location": place}


# IDs and names


@rule("CreateTripRequest.trip_id", "has none of the characters / : ? , #")
@rule("CreateVehicleRequest.vehicle_id", "has none of the characters / : ? , #")
@rule("CreateTaskRequest.task_id", "has none of the characters / : ? , #")
@rule("CreateDeliveryVehicleRequest.delivery_vehicle_id", "has none of the characters / : ? , #")
@pytest.mark.parametrize("character", "/:?,#")
def test_characters_that_no_id_has(services, invalid, character):
    for kind in "trip", "vehicle", "task", "delivery_vehicle":
        assert f"{kind}_id" in invalid(
            getattr(services, f"create_{kind}"), parent=PARENT, **{f"{kind}_id": f"a{character}b"})


@rule("CreateVehicleRequest.vehicle_id", "is normalized (NFC), and has at most 64 characters")
def test_ids_are_short_and_normalized(add_vehicle, services):
    for vehicle_id in "x" * 64, "\u00e9" * 64:
        add_vehicle(vehicle_id)
        assert services.get_vehicle(name=f"{PARENT}/vehicles/{vehicle_id}").name.endswith(vehicle_id)


@rule("GetTripRequest.name", "has the form providers/{provider}/trips/{trip}")
@rule("DeleteTripRequest.name", "has the form providers/{provider}/trips/{trip}")
@rule("UpdateTripRequest.name", "has the form providers/{provider}/trips/{trip}")
@pytest.mark.parametrize("name", ["", "t1", "providers/p", VEHICLE, f"{TRIP}/x", "provider/p/trips/t1"])
def test_names_of_trips(services, invalid, name):
    for method in services.get_trip, services.delete_trip:
        assert invalid(method, name=name) == ["name"]
    assert invalid(services.update_trip, name=name, trip={}, update_mask={"paths": ["vehicle_id"]}) == ["name"]


# Stops


@rule("TerminalLocation.point", "is required")
@pytest.mark.parametrize("field", ["pickup_point", "dropoff_point", "intermediate_destinations"])
def test_stops_have_a_point(create, update, invalid, field):
    place, element = ([{}], f"trip.{field}[0]") if field.endswith("s") else ({}, f"trip.{field}")
    assert invalid(create, **{field: place}) == [element]
    create()
    assert invalid(update, **{field: place}) == [element]


@rule("SearchVehiclesRequest.dropoff_point", "has a point")
def test_dropoff_of_a_search_has_a_point(services, invalid):
    assert invalid(
        services.search_vehicles, parent=PARENT, pickup_point=PICKUP, dropoff_point={}, pickup_radius_meters=400,
        count=1, minimum_capacity=1, trip_types=["EXCLUSIVE"], vehicle_types=[{"category": "AUTO"}], order_by="COST") == [
        "dropoff_point"]


@rule("CreateTripRequest.trip", "vehicle_waypoints are all remaining ones of the vehicle's trips, without others")
@rule("CreateTripRequest.trip", "vehicle_waypoints are in the order of each trip")
@rule("CreateTripRequest.trip", "vehicle_waypoints of an EXCLUSIVE trip are together")
@rule("TripWaypoint.trip_id", "is used in vehicle_waypoints, with waypoint_type and location only")
def test_order_of_the_stops_of_a_vehicle(create, invalid):
    create("a", trip_type="SHARED")
    first, last = waypoint("a", "PICKUP", PICKUP), waypoint("a", "DROP_OFF", DROPOFF)
    own = [waypoint("b", kind, place) for kind, place in (
        ("PICKUP", PICKUP), ("INTERMEDIATE_DESTINATION", BETWEEN), ("DROP_OFF", DROPOFF))]
    for order in (own, [first, *own], [first, *own, last, last], [*own, last, first], [*own[::-1], first, last],
                  [own[0], first, *own[1:], last]):
        assert invalid(create, trip_id="b", intermediate_destinations=[BETWEEN], vehicle_waypoints=order) == [
            "trip.vehicle_waypoints"]
    created = create("b", intermediate_destinations=[BETWEEN], vehicle_waypoints=[
        first, *(each | {"eta": {"seconds": 1}, "distance_meters": 7} for each in own), last])
    assert [each.trip_id for each in created.vehicle_waypoints] == ["a", "b", "b", "b", "a"]
    assert created.remaining_waypoints[1].distance_meters.value != 7


@rule("Trip.vehicle_waypoints", "are ignored without a vehicle")
def test_order_is_ignored_without_a_vehicle(create):
    assert not create(vehicle_id="", vehicle_waypoints=[waypoint("x", "PICKUP", PICKUP)]).vehicle_waypoints


@rule("UpdateTripRequest.trip", "vehicle_waypoints are all remaining ones, without others")
def test_order_of_the_stops_can_be_updated(create, update, invalid):
    create("a", trip_type="SHARED")
    create("b", trip_type="SHARED")
    stops = ("PICKUP", PICKUP), ("DROP_OFF", DROPOFF)
    order = [waypoint(trip, kind, place) for kind, place in stops for trip in "ba"]
    assert [each.trip_id for each in update("a", vehicle_waypoints=order).vehicle_waypoints] == ["b", "a", "b", "a"]
    assert invalid(update, trip_id="a", vehicle_waypoints=order[1:]) == ["trip.vehicle_waypoints"]


@guess("waypoints of a vehicle")
@rule("Vehicle.waypoints", "are the remaining ones of its trips")
def test_waypoints_keep_the_order_of_each_trip(create, drive, invalid):
    create()
    stops = [waypoint("t1", "PICKUP", PICKUP), waypoint("t1", "DROP_OFF", DROPOFF)]
    assert len(drive(waypoints=stops).waypoints) == 2
    assert invalid(drive, waypoints=stops[::-1]) == ["vehicle.waypoints"]


# Times of trips


@guess("pickup and drop-off time")
@rule("Trip.pickup_time", "is the estimated time before the pickup, and the actual one after it")
@rule("Trip.dropoff_time", "is the actual time after the drop-off")
@rule("Vehicle.remaining_time_seconds", "takes precedence over eta_to_first_waypoint")
@rule("Trip.eta_to_first_waypoint", "is the arrival at the first of remaining_waypoints")
@rule("Trip.remaining_time_to_first_waypoint", "is the time to eta_to_first_waypoint")
def test_times_of_a_trip(fleet, create, drive, update, services):
    create()
    vehicle = drive(remaining_time_seconds=100, eta_to_first_waypoint={"seconds": 7}, current_route_segment=ROUTE)
    assert vehicle.eta_to_first_waypoint.seconds == pytest.approx(fleet.now + 100, abs=1)
    assert not vehicle.HasField("remaining_time_seconds")
    fleet.advance(30)
    trip = services.get_trip(name=TRIP)
    assert trip.pickup_time == trip.eta_to_first_waypoint == trip.remaining_waypoints[0].eta
    assert trip.remaining_time_to_first_waypoint.seconds in (69, 70)
    trip = update(trip_status="ENROUTE_TO_DROPOFF")
    assert trip.pickup_time.seconds == pytest.approx(fleet.now, abs=1)
    fleet.advance(50)
    trip = update(trip_status="COMPLETE")
    assert trip.dropoff_time.seconds == pytest.approx(fleet.now, abs=1)
    assert trip.pickup_time.seconds == pytest.approx(fleet.now - 50, abs=1)


@rule("Trip.last_location_snappable", "is false without a location or a route")
@rule("Trip.last_location", "is the last one of the vehicle")
def test_location_is_snappable_with_a_route(create, drive, services):
    create()
    drive(last_location={"location": HERE})
    assert not services.get_trip(name=TRIP).last_location_snappable
    drive(current_route_segment=ROUTE)
    trip = services.get_trip(name=TRIP)
    assert trip.last_location_snappable and trip.last_location.location.latitude == 37.76


def test_vehicle_of_a_canceled_trip_must_exist(create, update, missing):
    create()
    missing(update, "Vehicle", f"{PARENT}/vehicles/v9", vehicle_id="v9", trip_status="CANCELED")
    assert update(vehicle_id="", trip_status="CANCELED").vehicle_id == ""


@rule("Vehicle.current_route_segment_version", "changes with the route")
def test_version_of_the_route_changes_with_it(fleet, create, drive, services):
    create("a", trip_type="SHARED")
    create("b", trip_type="SHARED")
    stops = [{"trip_id": each, "waypoint_type": kind, "location": place} for each in "ab"
             for kind, place in ((1, PICKUP), (2, DROPOFF))]
    version = drive(current_route_segment=ROUTE).current_route_segment_version
    fleet.advance(5)
    assert drive(current_route_segment=ROUTE).current_route_segment_version == version
    # The route ends at another stop, and is sent again.
    again = drive(waypoints=[*stops[2:], *stops[:2]], current_route_segment=ROUTE)
    assert again.current_route_segment == ROUTE and again.current_route_segment_version == version
    assert services.get_trip(name=f"{PARENT}/trips/b").current_route_segment_version == version
    fleet.advance(5)
    assert drive(current_route_segment="").current_route_segment_version.seconds >= version.seconds + 10


def test_distance_of_another_stop_is_not_kept(create, drive, update):
    create()
    drive(remaining_distance_meters=564, remaining_time_seconds=100)
    trip = update(trip_status="ENROUTE_TO_DROPOFF")
    assert not trip.HasField("remaining_distance_meters") and not trip.HasField("eta_to_first_waypoint")


# Attributes, locations, plates


@rule("TripAttribute.key", "has no colon")
@rule("Trip.attributes", "have unique keys")
@pytest.mark.parametrize("attributes", [
    [{"key": "a:b"}], [{"key": "a"}, {"key": "a"}], [{"key": "a", "string_value": "x" * 255}], [{"key": ""}]])
def test_attributes_of_a_trip(create, update, invalid, attributes):
    assert all(field.startswith("trip.attributes") for field in invalid(create, attributes=attributes))
    create()
    assert all(field.startswith("trip.attributes") for field in invalid(update, attributes=attributes))


@rule("VehicleAttribute.string_value", "is the same as value if both are set")
@rule("DeliveryVehicleAttribute.string_value", "is the same as value if both are set")
def test_both_forms_of_a_text_agree(create, drive, services, invalid):
    create()
    differ, agree = [{"key": "k", "value": "1", "string_value": text} for text in "21"]
    assert invalid(drive, attributes=[differ]) == ["vehicle.attributes[0]"]
    assert invalid(services.update_vehicle_attributes, name=VEHICLE, attributes=[differ]) == ["attributes[0]"]
    assert drive(attributes=[agree]).attributes[0].value == "1"
    services.create_delivery_vehicle(parent=PARENT, delivery_vehicle_id="d1", delivery_vehicle={})
    request = {"delivery_vehicle": {"name": f"{PARENT}/deliveryVehicles/d1", "attributes": [differ]},
               "update_mask": {"paths": ["attributes"]}}
    assert invalid(services.update_delivery_vehicle, **request) == ["delivery_vehicle.attributes[0]"]


@rule("VehicleLocation.heading", "is in [0, 360)")
@rule("DeliveryVehicleLocation.heading", "is in [0, 360)")
@rule("VehicleLocation.location_sensor", "FLEET_ENGINE_LOCATION is rejected")
@rule("DeliveryVehicleLocation.location_sensor", "FLEET_ENGINE_LOCATION is rejected")
@pytest.mark.parametrize("field, value", [
    ("heading", 360), ("heading", -1), ("location_sensor", "FLEET_ENGINE_LOCATION")])
def test_values_that_no_location_has(create, drive, services, invalid, field, value):
    create()
    location = {"location": HERE, field: value}
    assert invalid(drive, last_location=location) == [f"vehicle.last_location.{field}"]
    assert invalid(services.create_delivery_vehicle, parent=PARENT, delivery_vehicle_id="d1",
                   delivery_vehicle={"last_location": location}) == [f"delivery_vehicle.last_location.{field}"]
    for heading in 0, 359:
        assert drive(last_location={"location": HERE, "heading": heading}).last_location.heading.value == heading


@rule("VehicleLocation.is_gps_sensor_enabled", "is input only")
@rule("VehicleLocation.num_stale_updates", "is input only")
@rule("Vehicle.past_locations", "are input only")
@rule("Vehicle.device_settings", "are input only")
def test_input_is_not_answered(create, drive):
    create()
    vehicle = drive(
        last_location={"location": HERE, "is_gps_sensor_enabled": True, "num_stale_updates": 4},
        past_locations=[{"location": HERE}], device_settings={"is_power_save_mode": True})
    assert not vehicle.last_location.HasField("is_gps_sensor_enabled")
    assert not vehicle.last_location.HasField("num_stale_updates")
    assert not vehicle.past_locations and not vehicle.HasField("device_settings")


@rule("LicensePlate.country_code", "is required")
def test_plates_have_a_country(create, drive, invalid):
    create()
    assert invalid(drive, license_plate={"last_character": "4"}) == ["vehicle.license_plate.country_code"]
    assert drive(license_plate={"country_code": "US"}).license_plate.country_code == "US"


@rule("Vehicle.maximum_capacity", "is at least 1")
def test_vehicles_have_seats(create, drive, invalid):
    create()
    assert invalid(drive, maximum_capacity=0) == ["vehicle.maximum_capacity"]


@rule("Vehicle.current_route_segment_end_point", "is ignored without a route")
def test_end_of_no_route_is_ignored(create, drive):
    create()
    end = waypoint("t1", "PICKUP", PICKUP)
    assert not drive(current_route_segment_end_point=end).HasField("current_route_segment_end_point")
    assert drive(current_route_segment_end_point=end, current_route_segment=ROUTE).HasField(
        "current_route_segment_end_point")


# Lists


@guess("pages")
@rule("ListVehiclesRequest.page_size", "is 100 by default")
def test_page_has_100_vehicles(add_vehicle, services):
    for number in range(101):
        add_vehicle(f"v{number}")
    page = services.list_vehicles(parent=PARENT, vehicle_type_categories=["AUTO"])
    assert (len(page.vehicles), page.total_size) == (100, 101)


@rule("ListVehiclesRequest.filter", "has at most 50 restrictions")
@rule("ListDeliveryVehiclesRequest.filter", "has at most 50 restrictions")
def test_filters_have_at_most_50_restrictions(services, invalid):
    most, more = (" AND ".join([f"attributes.k{each} = v" for each in range(count)]) for count in (50, 51))
    request = {"parent": PARENT, "vehicle_type_categories": ["AUTO"]}
    assert services.list_vehicles(**request, filter=most).total_size == 0
    assert invalid(services.list_vehicles, **request, filter=more) == ["filter"]
    assert services.list_delivery_vehicles(parent=PARENT, filter=most).total_size == 0
    assert invalid(services.list_delivery_vehicles, parent=PARENT, filter=more) == ["filter"]


# Searches


@guess("SearchVehicles")
@rule("VehicleMatch.vehicle_pickup_eta", "includes the present trip")
@rule("VehicleMatch.vehicle_pickup_distance_meters", "includes the stops of the present trips")
def test_pickup_follows_the_present_trip(create, drive, services):
    create(trip_type="SHARED")
    drive(last_location={"location": HERE})
    [match] = services.search_vehicles(
        parent=PARENT, pickup_point=PICKUP, dropoff_point=DROPOFF, pickup_radius_meters=5000, count=1,
        minimum_capacity=1, trip_types=["SHARED"], vehicle_types=[{"category": "AUTO"}], order_by="COST",
        current_trips_present="ANY").matches
    etas = [each.eta.ToNanoseconds() / 1e9 for each in match.vehicle_trips_waypoints]
    # To the pickup, to the drop-off and back to the pickup, at 8 m/s.
    assert [eta - etas[0] for eta in etas] == pytest.approx([0, 139, 278, 417], abs=2)
    assert match.vehicle_pickup_eta == match.vehicle_trips_waypoints[-1].eta
    assert match.vehicle_pickup_distance_meters.value == pytest.approx(3336, abs=3)


# Deliveries


@guess("vehicle without a location")
@rule("VehicleJourneySegment.driving_distance_meters", "begins at the location of the vehicle")
def test_way_begins_when_the_location_is_known(services):
    place = {"point": {"latitude": 37.77, "longitude": -122.42}}
    name = f"{PARENT}/deliveryVehicles/d1"
    services.create_delivery_vehicle(parent=PARENT, delivery_vehicle_id="d1", delivery_vehicle={})
    services.create_task(parent=PARENT, task_id="k1", task={
        "type_": "DELIVERY", "state": "OPEN", "tracking_id": "x", "planned_location": place,
        "task_duration": {"seconds": 60}})

    def update(**fields):
        return services.update_delivery_vehicle(
            delivery_vehicle={"name": name} | fields, update_mask={"paths": list(fields)})

    journey = [{"stop": {"planned_location": place, "state": "ENROUTE", "tasks": [{"task_id": "k1"}]}}]
    [first] = update(remaining_vehicle_journey_segments=journey).remaining_vehicle_journey_segments
    assert not first.HasField("driving_distance_meters") and not first.HasField("driving_duration")
    info = services.get_task_tracking_info(name=f"{PARENT}/taskTrackingInfo/x")
    assert not info.HasField("remaining_driving_distance_meters") and not info.HasField("estimated_arrival_time")
    assert info.remaining_stop_count.value == 1
    [first] = update(
        last_location={"location": HERE}, remaining_vehicle_journey_segments=journey).remaining_vehicle_journey_segments
    assert first.driving_distance_meters.value == 1112 and first.driving_duration.seconds == 139


@guess("estimated completion of a task")
@rule("TaskTrackingInfo.remaining_stop_count", "includes the stop of the task")
@rule("TaskTrackingInfo.estimated_task_completion_time", "follows the arrival by the duration of the task")
@rule("VehicleStop.TaskInfo.target_time_window", "is set in the answer of GetDeliveryVehicle")
def test_recipient_sees_times(fleet, services):
    place, window = {"point": {"latitude": 37.77, "longitude": -122.42}}, {
        "start_time": {"seconds": 100}, "end_time": {"seconds": 200}}
    name = f"{PARENT}/deliveryVehicles/d1"
    services.create_delivery_vehicle(
        parent=PARENT, delivery_vehicle_id="d1", delivery_vehicle={"last_location": {"location": HERE}})
    services.create_task(parent=PARENT, task_id="k1", task={
        "type_": "DELIVERY", "state": "OPEN", "tracking_id": "x", "planned_location": place,
        "task_duration": {"seconds": 60}, "target_time_window": window})
    services.update_delivery_vehicle(
        delivery_vehicle={"name": name, "remaining_vehicle_journey_segments": [
            {"stop": {"planned_location": place, "state": "ENROUTE", "tasks": [{"task_id": "k1"}]}}]},
        update_mask={"paths": ["remaining_vehicle_journey_segments"]})
    info = services.get_task_tracking_info(name=f"{PARENT}/taskTrackingInfo/x")
    assert info.remaining_stop_count.value == 1
    assert info.estimated_arrival_time.seconds == pytest.approx(fleet.now + 139, abs=1)
    assert info.estimated_task_completion_time.seconds == info.estimated_arrival_time.seconds + 60
    [segment] = services.get_delivery_vehicle(name=name).remaining_vehicle_journey_segments
    assert segment.stop.tasks[0].target_time_window.end_time.seconds == 200
