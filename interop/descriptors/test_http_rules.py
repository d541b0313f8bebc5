"""Do the HTTP rules of our methods equal those of Google's clients and the reference?

The client of deliveries has them for its REST transport. That of trips has no REST transport, so its rules are those of
https://developers.google.com/maps/documentation/transportation-logistics/mobility/reference/rest.
"""

import inspect

from google.api import annotations_pb2
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import rest_base

from descriptors.apis import DELIVERIES, TRIPS

REFERENCE = {
    "CreateTrip": ("post", "/v1/{parent=providers/*}/trips", "trip"),
    "GetTrip": ("get", "/v1/{name=providers/*/trips/*}", ""),
    "DeleteTrip": ("delete", "/v1/{name=providers/*/trips/*}", ""),
    "ReportBillableTrip": ("post", "/v1/{name=providers/*/billableTrips/*}:report", "*"),
    "SearchTrips": ("post", "/v1/{parent=providers/*}/trips:search", "*"),
    "UpdateTrip": ("put", "/v1/{name=providers/*/trips/*}", "trip"),
    "CreateVehicle": ("post", "/v1/{parent=providers/*}/vehicles", "vehicle"),
    "GetVehicle": ("get", "/v1/{name=providers/*/vehicles/*}", ""),
    "DeleteVehicle": ("delete", "/v1/{name=providers/*/vehicles/*}", ""),
    "UpdateVehicle": ("put", "/v1/{name=providers/*/vehicles/*}", "vehicle"),
    "UpdateVehicleAttributes": ("post", "/v1/{name=providers/*/vehicles/*}:updateAttributes", "*"),
    "ListVehicles": ("get", "/v1/{parent=providers/*}/vehicles", ""),
    "SearchVehicles": ("post", "/v1/{parent=providers/*}/vehicles:search", "*"),
}


def rules(our_files, api):
    """Returns the HTTP method, the template and the body by method."""
    found = {}
    for file in our_files:
        for method in [method for service in file.service for method in service.method if file.name in api.paths]:
            rule = method.options.Extensions[annotations_pb2.http]
            assert not rule.additional_bindings
            pattern = rule.WhichOneof("pattern")
            found[method.name] = (pattern, getattr(rule, pattern), rule.body)
    return found


def test_rules_of_trips_and_vehicles_are_those_of_the_reference(our_files):
    assert rules(our_files, TRIPS) == REFERENCE


def test_rules_of_deliveries_are_those_of_the_client(our_files):
    theirs = {}
    for name, of in inspect.getmembers(rest_base._BaseDeliveryServiceRestTransport, inspect.isclass):
        if name.startswith("_Base") and hasattr(of, "_get_http_options"):
            [rule] = of._get_http_options()
            theirs[name.removeprefix("_Base")] = (rule["method"], rule["uri"], rule.get("body", ""))
    assert len(theirs) == DELIVERIES.methods
    assert rules(our_files, DELIVERIES) == theirs
