"""Does `tripwire emulate --check-tokens` require the claim of each method, and refuse wrong tokens?"""

import pytest
from google.api_core import exceptions

from peers.fleet.methods import METHODS
from peers.tokens.service_account import ServiceAccount
from support.command import assert_failed, at, tripwire
from support.emulator import emulating
from support.fleet_services import connected_services

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


@pytest.fixture(scope="module")
def emulator(account, tmp_path_factory):
    key = tmp_path_factory.mktemp("account") / "key.json"
    account.save(key)
    with emulating("--check-tokens", key) as emulator:
        emulator.key = key
        yield emulator


@pytest.fixture
def call(emulator, account):
    """Makes the call of a method with these private claims; returns the code and the reason."""
    with connected_services(emulator) as services:
        def call(method, claims):
            services.token = account.mint(authorization=claims)
            try:
                CASES[method][0](services)
            except exceptions.GoogleAPICallError as error:
                return error.grpc_status_code.name, error.reason
            return "OK", None

        yield call


def is_accepted(result):
    """The resource may be missing: the token is checked before."""
    return result[0] in ("OK", "NOT_FOUND", "ALREADY_EXISTS", "INVALID_ARGUMENT")


def test_every_method_has_a_case():
    assert set(CASES) == set(METHODS)


@pytest.mark.parametrize("method", CASES)
def test_claim_of_the_method_is_accepted(call, method):
    assert is_accepted(call(method, CASES[method][1]))
    assert is_accepted(call(method, EVERYTHING))


@pytest.mark.parametrize("method", CASES)
def test_other_claims_are_refused(call, method):
    claims = {name: ["other"] if name == "taskids" else "other" for name in CASES[method][1]}
    assert call(method, claims) == ("PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    claims = {name: value for name, value in EVERYTHING.items() if name not in CASES[method][1]}
    assert call(method, claims) == ("UNAUTHENTICATED", "CREDENTIALS_MISSING")


def test_batch_needs_a_list_with_every_task(call):
    assert call("BatchCreateTasks", {"taskids": "*"})[0] == "PERMISSION_DENIED"
    assert call("BatchCreateTasks", {"taskids": ["k8"]})[0] == "PERMISSION_DENIED"
    assert is_accepted(call("BatchCreateTasks", {"taskids": ["k7", "k8", "k9"]}))


def test_driver_searches_the_trips_of_the_vehicle(emulator, account):
    with connected_services(emulator, account.mint(authorization={"vehicleid": "v1"})) as services:
        assert services.search_trips(parent=PARENT, vehicle_id="v1") is not None
        with pytest.raises(exceptions.PermissionDenied, match="does not allow the vehicle v2"):
            services.search_trips(parent=PARENT, vehicle_id="v2")


@pytest.mark.parametrize("claims, code", [
    ({"aud": "https://example.com/"}, "PERMISSION_DENIED"), ({"iss": "other@example.com"}, "PERMISSION_DENIED"),
    ({"sub": "other@example.com"}, "PERMISSION_DENIED"), ({"exp": 1}, "UNAUTHENTICATED"),
    ({"iat": 4_000_000_000, "exp": 4_000_000_060}, "UNAUTHENTICATED"),
    ({"nbf": 4_000_000_000}, "PERMISSION_DENIED"), ({"iat": 0}, "PERMISSION_DENIED"), ({"authorization": None}, "PERMISSION_DENIED"),
])
def test_wrong_claims_are_refused(emulator, account, claims, code):
    token = account.mint(**{"authorization": EVERYTHING} | claims)
    with connected_services(emulator, token) as services, pytest.raises(exceptions.GoogleAPICallError) as caught:
        services.get_trip(name=f"{PARENT}/trips/t1")
    assert caught.value.grpc_status_code.name == code


def test_tokens_of_others_are_refused(emulator):
    for token in ServiceAccount.make("p").mint(authorization=EVERYTHING), "x", "a.b.c", "ya29.x":
        with connected_services(emulator, token) as services, pytest.raises(exceptions.PermissionDenied):
            services.get_trip(name=f"{PARENT}/trips/t1")
    with connected_services(emulator) as services, pytest.raises(exceptions.Unauthenticated):
        services.get_trip(name=f"{PARENT}/trips/t1")


def test_own_tokens_are_accepted(emulator):
    options = [*at(emulator.address), "--credentials", emulator.key]
    assert_failed(tripwire("get", f"{PARENT}/trips/t1", *options), 64 + 5)


@pytest.mark.parametrize("content", ["", "{}", "[]"])
def test_invalid_key_files_are_refused(tmp_path, content):
    (tmp_path / "key.json").write_text(content)
    assert_failed(tripwire("emulate", "--check-tokens", tmp_path / "key.json"), 1, "--check-tokens: ")
    assert_failed(tripwire("emulate", "--check-tokens", tmp_path / "none"), 1, "--check-tokens: ")
