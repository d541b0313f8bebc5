"""Do the trips of the simulated fleet that providers create move by themselves?"""

import pytest
from google.maps.fleetengine_v1 import types

PARENT = "providers/p"
Status, Kind = types.TripStatus, types.WaypointType
PICKUP, BETWEEN, DROPOFF = (
    {"point": {"latitude": latitude, "longitude": -122.42}} for latitude in (37.77, 37.775, 37.78))
STATUSES = [
    "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE"]


def new_trip(**fields):
    return {"trip_type": "EXCLUSIVE", "pickup_point": PICKUP, "dropoff_point": DROPOFF} | fields


@pytest.fixture
def create(fleet, services):
    """Creates a trip for the vehicle v1."""
    fleet.vehicle("v1")

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


def test_started_trip_moves_by_itself(fleet, create, update, client):
    create()
    before = update(trip_status="ENROUTE_TO_PICKUP")
    fleet.advance(20)
    after = client.get(before.name)
    assert after.remaining_distance_meters.value < before.remaining_distance_meters.value
    fleet.advance(3600)
    assert client.get(before.name).trip_status == Status.COMPLETE


def test_trip_without_a_dropoff_waits_at_the_pickup(fleet, services, update, client):
    fleet.vehicle("v1")
    trip = new_trip(vehicle_id="v1")
    del trip["dropoff_point"]
    created = services.create_trip(parent=PARENT, trip_id="new", trip=trip)
    assert not created.HasField("dropoff_point")
    update(trip_status="ENROUTE_TO_PICKUP")
    fleet.advance(3600)
    assert client.get(created.name).trip_status == Status.ARRIVED_AT_PICKUP
    updated = update(dropoff_point=DROPOFF)
    assert updated.dropoff_point.point.latitude == 37.78
    assert [each.waypoint_type for each in updated.remaining_waypoints][-1] == (
        Kind.DROP_OFF_WAYPOINT_TYPE)
    fleet.advance(3600)
    assert client.get(created.name).trip_status == Status.COMPLETE


def test_reached_stop_cannot_be_changed(create, update, failure):
    create()
    update(trip_status="ENROUTE_TO_DROPOFF")
    found = failure(update, pickup_point=BETWEEN)
    assert found.code == "FAILED_PRECONDITION"


def test_unassigned_trip_can_be_deleted(fleet, services):
    fleet.add_trip("t1", begins=30)
    services.delete_trip(name=f"{PARENT}/trips/t1")
    fleet.advance(60)
    assert not fleet.vehicles["v1"].trips


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
