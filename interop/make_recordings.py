"""Generates recordings/*.binlog from calls between grpcio clients and grpcio servers.

    python make_recordings.py [--port PORT] [NAME…]

NAME is a key of MAKERS, such as demo for demo.binlog; the default is all. Recordings of trips and deliveries that move
are not made again. The servers listen on PORT of loopback, 50051 by default, which appears in the recordings.
recordings/README.md describes each.
"""

import argparse

from google.maps.fleetengine_v1 import types

from peers.recordings import binary_log
from peers.servers import demo, failures
from peers.recordings.filled import filled
from peers.servers.fleet_methods import METHODS
from peers.servers.fleet_server import FleetServer
from peers.servers.protosets import compiled
from peers.recordings.recorder import Recorder
from peers.servers.reflecting import serving
from peers.servers.test_service import ECHO_INITIAL, ECHO_TRAILING, Log, TestService
from support.paths import INTEROP, RECORDINGS

AUTHORITY = "fleetengine.googleapis.com"
GetTripRequest, GetVehicleRequest = types.GetTripRequest.pb(), types.GetVehicleRequest.pb()


def metadata(request):
    """Returns the metadata of a call to Fleet Engine: routing by the provider, and a token."""
    resource = request.name if "name" in request.DESCRIPTOR.fields_by_name else request.parent
    provider = resource.split("/")[1]
    return (
        ("x-goog-request-params", f"provider_id=providers%2F{provider}"),
        ("google-cloud-resource-prefix", f"providers/{provider}"),
        ("authorization", "Bearer never-recorded"))


def path(service, method):
    return f"/maps.fleetengine.v1.{service}/{method}"


GET_TRIP, GET_VEHICLE = path("TripService", "GetTrip"), path("VehicleService", "GetVehicle")


def recording_of_calls(calls):
    """Returns a maker that records `calls()`, paths and requests, to a FleetServer."""
    def entries(port=0):
        with FleetServer(port=port) as server:
            with Recorder(server.address, AUTHORITY, demo.NOW) as recorder:
                for method, request in calls():
                    recorder.call(method, request.SerializeToString(), metadata(request))
        return recorder.entries

    return entries


def demo_calls():
    yield GET_TRIP, GetTripRequest(name="providers/demo/trips/t1")
    yield GET_VEHICLE, GetVehicleRequest(name="providers/demo/vehicles/v1")
    yield GET_TRIP, GetTripRequest(name="providers/demo/trips/missing")


def method_calls():
    for method, request in ((GET_TRIP, GetTripRequest), (GET_VEHICLE, GetVehicleRequest)):
        for resource_id in ("rich", "empty"):
            kind = "trips" if method == GET_TRIP else "vehicles"
            yield method, named(filled(request), f"providers/demo/{kind}/{resource_id}")
    for (service, method), (request, _) in METHODS.items():
        yield path(service, method), rich(request.pb())


def rich(request_class):
    """Returns a request with every field set and the trip or vehicle of the demo."""
    request = filled(request_class)
    fields = request_class.DESCRIPTOR.fields_by_name
    if "trip" in fields:
        request.trip.CopyFrom(demo.trip("providers/demo/trips/t1"))
        request.trip.number_of_passengers = 3
    if "vehicle" in fields:
        request.vehicle.CopyFrom(demo.vehicle("providers/demo/vehicles/v1"))
    if "update_mask" in fields:
        del request.update_mask.paths[:]
        request.update_mask.paths.append("number_of_passengers" if "trip" in fields else "attributes")
    for field, value in (("trip_id", "t1"), ("vehicle_id", "v1"), ("parent", "providers/demo")):
        if field in fields:
            setattr(request, field, value)
    if "name" in fields:
        named(request, f"providers/demo/{KINDS[request_class.DESCRIPTOR.name]}")
    return request


KINDS = {
    "DeleteTripRequest": "trips/t1", "UpdateTripRequest": "trips/t1",
    "ReportBillableTripRequest": "billableTrips/t1", "DeleteVehicleRequest": "vehicles/v1",
    "UpdateVehicleRequest": "vehicles/v1", "UpdateVehicleAttributesRequest": "vehicles/v1",
}


def named(request, name):
    request.name = name
    return request


def status_calls():
    ids = ["empty", "details", "metadata", "down-in-the-middle", "all-metadata", "missing",
           "awkward-message", "hostile-message", "unknown-detail"]
    for code in failures.CODES:
        ids += [f"fails-{code.name}", f"fails-{code.name}-with-details"]
    for resource_id in ids:
        yield GET_TRIP, GetTripRequest(name=f"providers/p/trips/{resource_id}")
    yield GET_VEHICLE, GetVehicleRequest(name="providers/p/vehicles/missing")


def stream_entries(port=0):
    """Records all four kinds of calls, including one that fails midway and one that is canceled."""
    service = TestService(compiled(INTEROP / "protos", "grpc/testing/test.proto"), Log(None))
    with serving(service.handlers(), port=port) as address:
        with Recorder(address, "test.example.com", demo.NOW) as recorder:
            for method, *call in stream_calls(service.messages):
                turns, more = call[0], call[1] if len(call) > 1 else {}
                recorder.converse(
                    f"/grpc.testing.TestService/{method}",
                    [(request.SerializeToString(), awaited) for request, awaited in turns], **more)
    return recorder.entries


def stream_calls(messages):
    def responses_of_sizes(*sizes, **more):
        """Returns a request for responses of these sizes."""
        return messages["StreamingOutputCallRequest"](
            response_parameters=[{"size": size} for size in sizes], **more)

    def payload_of_size(size):
        return messages["StreamingInputCallRequest"](payload={"body": bytes(size)})

    echoed = ((ECHO_INITIAL, "first"), (ECHO_TRAILING, b"\x00last\xff"))
    yield "EmptyCall", [(messages["Empty"](), 0)]
    yield "UnaryCall", [(messages["SimpleRequest"](response_size=7), 0)], {"metadata": echoed}
    yield "StreamingOutputCall", [(responses_of_sizes(31, 9, 265, 0), 0)], {"metadata": echoed}
    yield "StreamingOutputCall", [(responses_of_sizes(), 0)]
    failing = {"code": 9, "message": "enough"}
    yield "StreamingOutputCall", [(responses_of_sizes(1, response_status=failing), 0)]
    yield "StreamingInputCall", [(payload_of_size(size), 0) for size in (27, 8, 1828, 0)]
    yield "StreamingInputCall", []
    yield "FullDuplexCall", [
        (responses_of_sizes(*sizes), len(sizes)) for sizes in ([31], [9], [2, 3], [58])]
    yield "FullDuplexCall", []
    # The call fails after two responses.
    yield "FullDuplexCall", [
        (responses_of_sizes(1, 2), 2), (responses_of_sizes(response_status=failing), 0)], {
            "end": "TRAILER"}
    yield "FullDuplexCall", [(responses_of_sizes(6), 1), (responses_of_sizes(7), 1)], {"end": "CANCEL"}


MAKERS = {
    "demo": recording_of_calls(demo_calls),
    "methods": recording_of_calls(method_calls),
    "statuses": recording_of_calls(status_calls),
    "streams": stream_entries,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--port", type=int, default=50051)
    options = parser.parse_args()
    if unknown := set(options.names).difference(MAKERS):
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(MAKERS)}")
    for name in options.names or MAKERS:
        binary_log.write(RECORDINGS / f"{name}.binlog", MAKERS[name](options.port))


if __name__ == "__main__":
    main()
