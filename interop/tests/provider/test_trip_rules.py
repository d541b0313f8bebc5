"""Does the emulator serve TripService by its rules?"""

import pytest
from google.maps.fleetengine_v1 import types

from support.rules import guess, rule
from support.stops import BETWEEN, DROPOFF, PICKUP

PARENT = "providers/p"
Status = types.TripStatus
STATUSES = [
    "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]


def new_trip(**fields):
    return {"trip_type": "EXCLUSIVE", "pickup_point": PICKUP, "dropoff_point": DROPOFF} | fields


@pytest.fixture
def create(add_vehicle, services):
    """Creates a trip for the vehicle v1."""
    add_vehicle("v1")

    def create(trip_id="new", **fields):
        return services.create_trip(
            parent=PARENT, trip_id=trip_id, trip=new_trip(vehicle_id="v1") | fields)

    return create


@pytest.fixture
def update(services):
    def update(trip_id="new", mask=None, **fields):
        return services.update_trip(
            name=f"{PARENT}/trips/{trip_id}", trip=fields,
            update_mask={"paths": list(fields) if mask is None else mask})

    return update


@guess("attributes of a new trip")
@rule("CreateTripRequest.trip", "the given fields are used, and the status is NEW")
@rule("Trip.name", "has the form providers/{provider}/trips/{trip}")
def test_created_trip_has_the_given_fields(create, services):
    created = create(
        number_of_passengers=3, intermediate_destinations=[BETWEEN], trip_status="CANCELED",
        attributes=[{"key": "color", "string_value": "red"}])
    assert created.name == f"{PARENT}/trips/new"
    assert (created.trip_status, created.vehicle_id) == (Status.NEW, "v1")
    assert created.number_of_passengers == 3
    assert created.intermediate_destinations[0].point.latitude == 37.775
    assert [(each.key, each.string_value) for each in created.attributes] == [("color", "red")]
    created.ClearField("vehicle_waypoints")
    assert services.get_trip(name=created.name) == created


@rule("Trip.vehicle_waypoints", "only CreateTrip and UpdateTrip return them")
def test_vehicle_waypoints_are_returned_only_to_the_provider(create, services):
    waypoints = [
        {"trip_id": "new", "waypoint_type": kind, "location": place}
        for kind, place in (("PICKUP_WAYPOINT_TYPE", PICKUP), ("DROP_OFF_WAYPOINT_TYPE", DROPOFF))]
    assert len(create(vehicle_waypoints=waypoints).vehicle_waypoints) == 2
    assert not services.get_trip(name=f"{PARENT}/trips/new").vehicle_waypoints


@rule("CreateTripRequest.parent", "has the form providers/{provider}")
@rule("CreateTripRequest.trip_id", "is required, normalized (NFC), and has at most 64 characters")
@rule("CreateTripRequest.trip", "needs trip_type and pickup_point")
@rule("CreateTripRequest.trip", "only EXCLUSIVE trips have intermediate destinations")
def test_invalid_fields_of_a_created_trip_are_reported_together(services, invalid):
    assert invalid(services.create_trip, parent="p", trip_id="a/b", trip={}) == [
        "parent", "trip_id", "trip.trip_type", "trip.pickup_point"]
    assert invalid(services.create_trip, parent=PARENT, trip_id="x" * 65, trip=new_trip(
        trip_type="SHARED", intermediate_destinations=[BETWEEN], number_of_passengers=-1)) == [
        "trip_id", "trip.intermediate_destinations", "trip.number_of_passengers"]
    assert invalid(services.create_trip, parent=PARENT, trip_id="e\u0301", trip=new_trip()) == [
        "trip_id"]
    assert invalid(services.create_trip, parent=PARENT, trip_id="", trip=new_trip()) == ["trip_id"]


def test_stops_must_be_on_the_globe(create, update, invalid):
    nowhere = [{"point": {"latitude": 91}}, {"point": {"longitude": float("nan")}}]
    assert invalid(create, pickup_point=nowhere[0], dropoff_point=nowhere[1]) == [
        "trip.pickup_point.point", "trip.dropoff_point.point"]
    create()
    assert invalid(update, intermediate_destinations=[PICKUP, nowhere[0]]) == [
        "trip.intermediate_destinations[1].point"]


def test_trip_is_created_once(create, services, failure, missing):
    create()
    found = failure(services.create_trip, parent=PARENT, trip_id="new", trip=new_trip())
    assert found.code == "ALREADY_EXISTS"
    assert found.details["ResourceInfo"].resource_name == f"{PARENT}/trips/new"
    missing(services.create_trip, "Vehicle", f"{PARENT}/vehicles/v9", parent=PARENT,
            trip_id="other", trip=new_trip(vehicle_id="v9"))


@rule("Trip.trip_status", "the provider updates it")
def test_trip_passes_every_status_by_updates(create, update):
    create(intermediate_destinations=[BETWEEN])
    for status in STATUSES:
        updated = update(trip_status=status)
        assert Status(updated.trip_status).name == status
    assert updated.dropoff_time.ToNanoseconds()


def test_trip_without_a_dropoff_can_be_completed(add_vehicle, services, update):
    add_vehicle("v1")
    services.create_trip(parent=PARENT, trip_id="new", trip={
        "trip_type": "EXCLUSIVE", "pickup_point": PICKUP, "vehicle_id": "v1"})
    update(trip_status="ARRIVED_AT_PICKUP")
    assert update(trip_status="COMPLETE").trip_status == Status.COMPLETE


@rule("Trip.intermediate_destinations_version", "is the last time the destinations were modified")
def test_stops_can_be_changed(create, update):
    before = create()
    after = update(intermediate_destinations=[BETWEEN], pickup_point=BETWEEN)
    assert after.pickup_point.point.latitude == 37.775
    assert len(after.intermediate_destinations) == 1
    assert not before.HasField("intermediate_destinations_version")
    assert after.HasField("intermediate_destinations_version")
    update(trip_status="ENROUTE_TO_PICKUP")
    moved = update(dropoff_point=PICKUP)
    assert moved.remaining_waypoints[-1].location.point.latitude == 37.77
    assert moved.trip_status == Status.ENROUTE_TO_PICKUP


@rule("Trip.vehicle_id", "is the vehicle that makes the trip")
def test_vehicle_can_be_assigned_later_and_changed(add_vehicle, services, update):
    add_vehicle("v1"), add_vehicle("v2")
    created = services.create_trip(parent=PARENT, trip_id="new", trip=new_trip())
    assert created.vehicle_id == ""
    assert update(vehicle_id="v1").vehicle_id == "v1"
    update(trip_status="ENROUTE_TO_PICKUP")
    assert update(vehicle_id="v2").vehicle_id == "v2"
    assert update(vehicle_id="").vehicle_id == ""


@rule("UpdateTripRequest.trip", "an old intermediate_destinations_version fails")
def test_version_of_the_destinations_must_be_the_present_one(create, update, failure):
    version = create(intermediate_destinations=[BETWEEN]).intermediate_destinations_version
    update(trip_status="ARRIVED_AT_PICKUP")
    mask, status = ["trip_status"], "ENROUTE_TO_INTERMEDIATE_DESTINATION"
    found = failure(
        update, mask=mask, trip_status=status, intermediate_destinations_version={"seconds": 1})
    assert found.code == "FAILED_PRECONDITION"
    [violation] = found.details["PreconditionFailure"].violations
    assert violation.type == "INTERMEDIATE_DESTINATIONS_VERSION"
    assert update(mask=mask, trip_status=status, intermediate_destinations_version={
        "seconds": version.seconds, "nanos": version.nanos}).trip_status == Status[status]


@rule("Trip.intermediate_destination_index", "is from 0 to N-1, and ignored without destinations")
def test_index_of_a_destination_must_exist(create, update, invalid):
    create()
    assert update(intermediate_destination_index=4).intermediate_destination_index == 0
    update(intermediate_destinations=[BETWEEN, PICKUP])
    for index in (2, -1):
        assert invalid(update, intermediate_destination_index=index) == ["trip.intermediate_destination_index"]
    assert update(intermediate_destination_index=1).intermediate_destination_index == 1


@rule("UpdateTripRequest.trip", "fields that Fleet Engine maintains are not updated")
@rule("Trip.number_of_passengers", "is immutable")
@pytest.mark.parametrize("field", [
    "name", "route", "current_route_segment", "current_route_segment_version", "pickup_time",
    "dropoff_time", "eta_to_first_waypoint", "intermediate_destinations_version",
    "last_location", "number_of_passengers", "remaining_distance_meters", "remaining_waypoints",
    "remaining_waypoints_version", "remaining_time_to_first_waypoint"])
def test_fields_of_the_server_cannot_be_updated(create, update, invalid, field):
    create()
    assert invalid(update, mask=[field]) == ["update_mask"]


@rule("UpdateTripRequest.update_mask", "has at least one field")
def test_invalid_updates_are_refused(create, update, invalid, missing, failure):
    create()
    assert invalid(update, mask=[]) == ["update_mask"]
    assert invalid(update, mask=["color"]) == ["update_mask"]
    assert invalid(update, trip_type=0, trip_status=0) == ["trip.trip_type", "trip.trip_status"]
    assert invalid(update, trip_status=99) == ["trip.trip_status"]
    missing(update, "Trip", f"{PARENT}/trips/other", trip_id="other", vehicle_id="v1")
    missing(update, "Vehicle", f"{PARENT}/vehicles/v9", vehicle_id="v9")
    update(trip_status="COMPLETE")
    assert failure(update, trip_status="ENROUTE_TO_PICKUP").code == "FAILED_PRECONDITION"


@guess("DeleteTrip")
@rule("TripService.DeleteTrip", "fails if the trip is active and assigned")
def test_active_trip_cannot_be_deleted(create, update, services, failure, missing):
    name = create().name
    found = failure(services.delete_trip, name=name)
    assert found.code == "FAILED_PRECONDITION"
    assert found.details["PreconditionFailure"].violations[0].subject == name
    update(trip_status="CANCELED")
    assert services.delete_trip(name=name) is None
    missing(services.get_trip, "Trip", name, name=name)
    missing(services.delete_trip, "Trip", name, name=name)


@guess("ReportBillableTrip")
@rule("ReportBillableTripRequest.name", "has the form providers/{provider}/billableTrips/{billable_trip}")
@rule("ReportBillableTripRequest.country_code", "has two letters")
@rule("ReportBillableTripRequest.related_ids", "are at most 50")
def test_billable_trip_is_reported(services, invalid):
    name = f"{PARENT}/billableTrips/b1"
    assert services.report_billable_trip(
        name=name, country_code="US", platform="IOS", related_ids=["session"]) is None
    assert invalid(services.report_billable_trip, name=name, country_code="usa",
                   related_ids=["x"] * 51) == ["country_code", "related_ids"]
    assert invalid(services.report_billable_trip, name=f"{PARENT}/trips/b1",
                   country_code="US") == ["name"]


@rule("SearchTripsRequest.page_token", "continues from the previous results")
@rule("SearchTripsResponse.next_page_token", "is empty on the last page")
def test_trips_are_searched_by_page(create, services, invalid):
    for number in range(5):
        create(f"t{number}", vehicle_id="")
    first = services.search_trips(parent=PARENT, page_size=3)
    second = services.search_trips(
        parent=PARENT, page_size=3, page_token=first.next_page_token)
    assert [len(each.trips) for each in (first, second)] == [3, 2]
    assert second.next_page_token == ""
    found = [trip.name for each in (first, second) for trip in each.trips]
    assert found == [f"{PARENT}/trips/t{number}" for number in range(5)]
    assert invalid(services.search_trips, parent=PARENT, page_token="x") == ["page_token"]
    assert invalid(services.search_trips, parent=PARENT, page_size=-1) == ["page_size"]
    assert invalid(services.search_trips, parent=PARENT, vehicle_id="v1",
                   page_token=first.next_page_token) == ["page_token"]
    assert invalid(services.search_trips, parent="p", minimum_staleness={"seconds": -1}) == [
        "parent", "minimum_staleness"]


@rule("SearchTripsRequest.vehicle_id", "without it, trips have no route and no waypoints")
def test_trips_of_a_vehicle_have_its_stops(create, update, services):
    create()
    create("other", vehicle_id="")
    update(trip_status="ENROUTE_TO_PICKUP")
    [trip] = services.search_trips(parent=PARENT, vehicle_id="v1").trips
    assert trip.vehicle_id == "v1" and trip.remaining_waypoints
    for trip in services.search_trips(parent=PARENT).trips:
        assert not trip.remaining_waypoints and not trip.route
        assert not trip.HasField("eta_to_first_waypoint")
        assert not trip.HasField("remaining_distance_meters")


@guess("active trips")
@rule("SearchTripsRequest.active_trips_only", "only trips that influence a route are returned")
@rule("SearchTripsRequest.minimum_staleness", "only trips that were not updated since then are returned")
def test_trips_are_searched_by_activity_and_age(fleet, services):
    fleet.add_trip("new")
    fleet.add_trip("canceled").go("CANCELED")
    fleet.advance(100)
    fleet.add_trip("active").go("ENROUTE_TO_PICKUP")

    def found(**request):
        return [trip.name.rpartition("/")[2]
                for trip in services.search_trips(parent=PARENT, **request).trips]

    assert found(active_trips_only=True) == ["active"]
    assert found(minimum_staleness={"seconds": 50}) == ["canceled", "new"]
    assert found(minimum_staleness={"seconds": 200}) == []
