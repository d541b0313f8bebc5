"""Does each method of the simulated fleet require its claim in the token?"""

import pytest
from google.api_core import exceptions
from google.maps.fleetengine_delivery_v1 import types

from support.fleet_services import connected_services
from peers.fleet import Fleet, ServiceAccount
from peers.fleet.deliveries.task import Task
from peers.fleet.services.table import METHODS

PARENT = "providers/p"
PLACE = {"point": {"latitude": 37.71, "longitude": -122.4}}
TASK = {"type_": "DELIVERY", "state": "OPEN", "tracking_id": "x", "planned_location": PLACE,
        "task_duration": {"seconds": 60}}

# The call, the claims that it needs, and claims for something else.
CASES = {
    "CreateTrip": (lambda services: services.create_trip(
        parent=PARENT, trip_id="t9", trip={"trip_type": "EXCLUSIVE", "pickup_point": PLACE}),
        {"tripid": "t9"}),
    "GetTrip": (lambda services: services.get_trip(name=f"{PARENT}/trips/t1"), {"tripid": "t1"}),
    "UpdateTrip": (lambda services: services.update_trip(
        name=f"{PARENT}/trips/t1", trip={"vehicle_id": "v1"},
        update_mask={"paths": ["vehicle_id"]}), {"tripid": "t1"}),
    "DeleteTrip": (
        lambda services: services.delete_trip(name=f"{PARENT}/trips/t1"), {"tripid": "t1"}),
    "ReportBillableTrip": (lambda services: services.report_billable_trip(
        name=f"{PARENT}/billableTrips/t1", country_code="US"), {"tripid": "t1"}),
    "SearchTrips": (lambda services: services.search_trips(parent=PARENT), {"tripid": "*"}),
    "GetVehicle": (
        lambda services: services.get_vehicle(name=f"{PARENT}/vehicles/v1"), {"vehicleid": "v1"}),
    "CreateVehicle": (lambda services: services.create_vehicle(
        parent=PARENT, vehicle_id="v9", vehicle={
            "vehicle_state": "ONLINE", "supported_trip_types": ["SHARED"], "maximum_capacity": 1,
            "vehicle_type": {"category": "AUTO"}}), {"vehicleid": "v9"}),
    "UpdateVehicle": (lambda services: services.update_vehicle(
        name=f"{PARENT}/vehicles/v1", vehicle={"vehicle_state": "OFFLINE"},
        update_mask={"paths": ["vehicle_state"]}), {"vehicleid": "v1"}),
    "UpdateVehicleAttributes": (lambda services: services.update_vehicle_attributes(
        name=f"{PARENT}/vehicles/v1", attributes=[{"key": "a"}]), {"vehicleid": "v1"}),
    "DeleteVehicle": (lambda services: services.delete_vehicle(
        name=f"{PARENT}/vehicles/v1"), {"vehicleid": "v1"}),
    "ListVehicles": (lambda services: services.list_vehicles(
        parent=PARENT, vehicle_type_categories=["AUTO"]), {"vehicleid": "*"}),
    "SearchVehicles": (lambda services: services.search_vehicles(
        parent=PARENT, pickup_point=PLACE, pickup_radius_meters=400, count=1, minimum_capacity=1,
        trip_types=["EXCLUSIVE"], vehicle_types=[{"category": "AUTO"}], order_by="COST"),
        {"vehicleid": "*"}),
    "CreateDeliveryVehicle": (lambda services: services.create_delivery_vehicle(
        parent=PARENT, delivery_vehicle_id="d9", delivery_vehicle={}), {"deliveryvehicleid": "d9"}),
    "GetDeliveryVehicle": (lambda services: services.get_delivery_vehicle(
        name=f"{PARENT}/deliveryVehicles/d1"), {"deliveryvehicleid": "d1"}),
    "UpdateDeliveryVehicle": (lambda services: services.update_delivery_vehicle(
        delivery_vehicle={"name": f"{PARENT}/deliveryVehicles/d1"},
        update_mask={"paths": ["attributes"]}), {"deliveryvehicleid": "d1"}),
    "DeleteDeliveryVehicle": (lambda services: services.delete_delivery_vehicle(
        name=f"{PARENT}/deliveryVehicles/idle"), {"deliveryvehicleid": "idle"}),
    "ListDeliveryVehicles": (
        lambda services: services.list_delivery_vehicles(parent=PARENT),
        {"deliveryvehicleid": "*"}),
    "CreateTask": (lambda services: services.create_task(
        parent=PARENT, task_id="k9", task=TASK), {"taskid": "k9"}),
    "BatchCreateTasks": (lambda services: services.batch_create_tasks(
        parent=PARENT, requests=[{"task_id": each, "task": TASK} for each in ("k8", "k9")]),
        {"taskids": ["k9", "k8"]}),
    "GetTask": (
        lambda services: services.get_task(name=f"{PARENT}/tasks/d1-1"), {"taskid": "d1-1"}),
    "UpdateTask": (lambda services: services.update_task(
        task={"name": f"{PARENT}/tasks/d1-1", "task_outcome": "FAILED"},
        update_mask={"paths": ["task_outcome"]}), {"taskid": "d1-1"}),
    "DeleteTask": (
        lambda services: services.delete_task(name=f"{PARENT}/tasks/loose"), {"taskid": "loose"}),
    "ListTasks": (lambda services: services.list_tasks(parent=PARENT), {"taskid": "*"}),
    "GetTaskTrackingInfo": (lambda services: services.get_task_tracking_info(
        name=f"{PARENT}/taskTrackingInfo/track-d1-1"), {"trackingid": "track-d1-1"}),
}
EVERYTHING = {
    "tripid": "*", "vehicleid": "*", "taskid": "*", "taskids": ["*"], "trackingid": "*",
    "deliveryvehicleid": "*"}


@pytest.fixture(scope="module")
def account():
    return ServiceAccount.make("p")


@pytest.fixture
def fleet(account):
    with Fleet(account=account) as fleet:
        fleet.add_trip("t1")
        fleet.add_delivery_vehicle("d1")
        fleet.new_delivery_vehicle("idle")
        fleet.tasks["loose"] = Task("loose", types.Task.pb()())
        yield fleet


@pytest.fixture
def call(fleet, account):
    """Makes the call of a method with these private claims; returns the code and the reason."""
    with connected_services(fleet) as services:
        def call(method, claims):
            services.token = account.mint(authorization=claims)
            try:
                CASES[method][0](services)
            except exceptions.GoogleAPICallError as error:
                return error.grpc_status_code.name, error.reason
            return "OK", None

        yield call


def test_every_method_has_a_case():
    assert set(CASES) == {method.name for method in METHODS}


@pytest.mark.parametrize("method", CASES)
def test_claim_of_the_method_is_accepted(call, method):
    assert call(method, CASES[method][1]) == ("OK", None)


@pytest.mark.parametrize("method", CASES)
def test_wildcards_are_accepted(call, method):
    assert call(method, EVERYTHING) == ("OK", None)


@pytest.mark.parametrize("method", CASES)
def test_claim_for_another_resource_is_denied(call, method):
    claims = {name: ["other"] if name == "taskids" else "other" for name in CASES[method][1]}
    assert call(method, claims) == ("PERMISSION_DENIED", "IAM_PERMISSION_DENIED")


@pytest.mark.parametrize("method", CASES)
def test_missing_claim_is_unauthenticated(call, method):
    claims = {name: value for name, value in EVERYTHING.items() if name not in CASES[method][1]}
    assert call(method, claims) == ("UNAUTHENTICATED", "CREDENTIALS_MISSING")


def test_batch_needs_an_array_with_every_task(call):
    assert call("BatchCreateTasks", {"taskids": "*"})[0] == "PERMISSION_DENIED"
    assert call("BatchCreateTasks", {"taskids": ["k8"]})[0] == "PERMISSION_DENIED"
    assert call("BatchCreateTasks", {"taskids": ["k7", "k8", "k9"]})[0] == "OK"


def test_driver_searches_the_trips_of_the_vehicle(fleet, account):
    token = account.mint(authorization={"vehicleid": "v1"})
    with connected_services(fleet, token) as services:
        assert services.search_trips(parent=PARENT, vehicle_id="v1") is not None
        with pytest.raises(exceptions.PermissionDenied):
            services.search_trips(parent=PARENT, vehicle_id="v2")
