"""Can each method of the simulated fleet fail with each status, and with every detail?"""

import time

import pytest
from google.api_core import exceptions

from peers.fleet.services.table import METHODS
from peers.servers import failures

PARENT = "providers/p"
# The names of the Python methods by those of the service.
PYTHON_NAMES = {method.name: "".join(
    f"_{each.lower()}" if each.isupper() else each for each in method.name)[1:]
    for method in METHODS}
COLLECTIONS = {
    "Trip": "trips", "Vehicle": "vehicles", "DeliveryVehicle": "deliveryVehicles", "Task": "tasks",
    "TaskTrackingInfo": "taskTrackingInfo", "VehicleAttributes": "vehicles",
    "BillableTrip": "billableTrips"}
# Requests without a name or parent at the top level.
REQUESTS = {
    "UpdateTask": {"task": {"name": f"{PARENT}/tasks/x"}},
    "UpdateDeliveryVehicle": {"delivery_vehicle": {"name": f"{PARENT}/deliveryVehicles/x"}},
}


def request_of(method):
    """Returns the smallest request of a method."""
    if method.name in REQUESTS:
        return REQUESTS[method.name]
    if "parent" in method.request.DESCRIPTOR.fields_by_name:
        return {"parent": PARENT}
    kind = next(kind for kind in sorted(COLLECTIONS, key=len, reverse=True)
                if method.name.endswith(kind))
    return {"name": f"{PARENT}/{COLLECTIONS[kind]}/x"}


def test_every_method_of_google_is_served():
    from google.maps import fleetengine_delivery_v1, fleetengine_v1
    clients = [fleetengine_v1.TripServiceClient, fleetengine_v1.VehicleServiceClient,
               fleetengine_delivery_v1.DeliveryServiceClient]
    served = set(PYTHON_NAMES.values())
    assert len(served) == len(METHODS) == 25
    assert all(any(hasattr(client, name) for client in clients) for name in served)
    known = {name for client in clients for name in vars(client) if name.startswith((
        "get_", "create_", "delete_", "update_", "list_", "search_", "batch_", "report_"))}
    assert known - {"get_mtls_endpoint_and_cert_source", "get_transport_class"} == served


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_fails_with_every_detail(fleet, services, method):
    call, details = getattr(services, PYTHON_NAMES[method.name]), failures.all_details()
    for code in failures.CODES:
        fleet.faults.fail(code.name, "Ausfall: ☃", *details, method=method.name, times=1)
        with pytest.raises(exceptions.GoogleAPICallError) as caught:
            call(**request_of(method))
        error = caught.value
        assert (error.grpc_status_code, error.message) == (code, "Ausfall: ☃")
        assert error.details == details
    assert {each.method for each in fleet.journal.of()} == {method.name}


def test_fault_can_apply_to_one_method(fleet, services, failure):
    fleet.add_delivery_vehicle("d1")
    fleet.faults.fail("ABORTED", method="GetTask")
    assert failure(services.get_task, name=f"{PARENT}/tasks/d1-1").code == "ABORTED"
    assert services.get_delivery_vehicle(name=f"{PARENT}/deliveryVehicles/d1").name


def test_fault_can_apply_to_one_resource(fleet, services, failure):
    fleet.add_delivery_vehicle("d1")
    fleet.faults.fail("ABORTED", resource="tasks/d1-1")
    assert failure(services.get_task, name=f"{PARENT}/tasks/d1-1").code == "ABORTED"
    assert services.get_task(name=f"{PARENT}/tasks/d1-2").name


def test_quota_of_a_method_can_be_exceeded(fleet, services, failure):
    fleet.faults.exceed_quota(2.5, method="ListTasks")
    found = failure(services.list_tasks, parent=PARENT)
    assert found.code == "RESOURCE_EXHAUSTED"
    assert found.details["RetryInfo"].retry_delay.ToMilliseconds() == 2500


def test_response_can_be_of_an_earlier_call(fleet, services):
    fleet.add_delivery_vehicle("d1")
    name = f"{PARENT}/deliveryVehicles/d1"
    before = services.get_delivery_vehicle(name=name)
    fleet.advance(30)
    assert services.get_delivery_vehicle(name=name) != before
    fleet.faults.old(25, times=1)
    assert services.get_delivery_vehicle(name=name) == before
    assert services.get_delivery_vehicle(name=name) != before


def test_response_can_be_slow(fleet, services):
    fleet.faults.slow(0.2, method="ListTasks", times=1)
    begin = time.monotonic()
    services.list_tasks(parent=PARENT)
    assert time.monotonic() - begin >= 0.2


def test_journal_records_every_service(fleet, services):
    fleet.add_delivery_vehicle("d1")
    services.get_task(name=f"{PARENT}/tasks/d1-1")
    services.list_tasks(parent=PARENT)
    services.get_vehicle(name=fleet.vehicle("v1") and f"{PARENT}/vehicles/v1", waypoints_version={
        "seconds": 5})
    calls = fleet.journal.wait_for_calls(3)
    assert [(call.method, call.resource) for call in calls] == [
        ("GetTask", "tasks/d1-1"), ("ListTasks", ""), ("GetVehicle", "vehicles/v1")]
    assert calls[1].parameters == f"provider_id={PARENT}"
    assert calls[2].stamps == {"waypoints_version": 5_000_000_000}
    assert fleet.journal.of("tasks/d1-1") == calls[:1]
    assert fleet.journal.bytes("tasks/d1-1") == calls[0].bytes > 0
