"""Makes recordings/*.binlog: what grpcio clients and grpcio servers said to each other.

    python make_recordings.py [--port PORT] [NAME…]

NAMEs are those below, demo for demo.binlog, and all if none is given. The servers listen on PORT of
the loopback, 50051 if not given; the port stands in the recordings. recordings/README.md says what
each has in it.
"""

import argparse
import contextlib
from datetime import datetime, timezone

from google.maps.fleetengine_v1 import types

from support.command import LONGEST
from support.merging import OVER, Follower
from peers.recordings import binary_log
from peers.servers import demo, failures
from peers.recordings.filled import filled
from peers.servers.fleet_methods import METHODS
from peers.servers.fleet_server import FleetServer
from peers.recordings.journeys import INTERVAL, STORIES, Journey
from peers.servers.protosets import compiled
from peers.recordings.recorder import Recorder
from peers.servers.reflecting import serving
from peers.servers.test_service import ECHO_INITIAL, ECHO_TRAILING, Log, TestService
from support.places import INTEROP, RECORDINGS

AUTHORITY = "fleetengine.googleapis.com"
GetTripRequest, GetVehicleRequest = types.GetTripRequest.pb(), types.GetVehicleRequest.pb()


def metadata(request):
    """What a call has for Fleet Engine: whose trips or vehicles it is about, and a token."""
    resource = request.name if "name" in request.DESCRIPTOR.fields_by_name else request.parent
    provider = resource.split("/")[1]
    return (
        ("x-goog-request-params", f"provider_id=providers%2F{provider}"),
        ("google-cloud-resource-prefix", f"providers/{provider}"),
        ("authorization", "Bearer never-recorded"))


def path(service, method):
    return f"/maps.fleetengine.v1.{service}/{method}"


GET_TRIP, GET_VEHICLE = path("TripService", "GetTrip"), path("VehicleService", "GetVehicle")


def of_fleet_server(calls):
    """Each of the `calls()`, a path and a request, of a server that does as it is told."""
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
    """A request with every field set; its trip or vehicle is that of the demo."""
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


class Polling:
    """Asks a fleet for a trip and has that recorded, each time at the time that the fleet has."""

    def __init__(self, fleet, recorder):
        self._fleet, self._recorder = fleet, recorder

    def get(self, name, **request):
        self._recorder.now = datetime.fromtimestamp(self._fleet.now, timezone.utc)
        request = GetTripRequest(name=name, **request)
        answer = self._recorder.call(
            GET_TRIP, request.SerializeToString(), metadata(request), is_lost=self._fleet.is_gone)
        if answer is None:
            raise NoAnswer
        return types.Trip.pb().FromString(answer)


class NoAnswer(Exception):
    pass


def of_journey(story):
    """A trip that is followed to its end, by version stamps."""
    def entries(port=0):
        with Journey(story, port, down=LONGEST) as fleet:
            with Recorder(fleet.address, AUTHORITY, demo.NOW) as recorder:
                follower = Follower(Polling(fleet, recorder), fleet.trip.name)
                while not follower.trip or follower.trip.trip_status not in OVER:
                    if fleet.is_gone:
                        miss(follower, fleet, recorder)
                    else:
                        refresh(follower)
        return recorder.entries

    return entries


def refresh(follower):
    with contextlib.suppress(NoAnswer):
        follower.refresh()


def miss(follower, fleet, recorder):
    """Loses the connection in the midst of a call, then finds nobody to connect to."""
    refresh(follower)
    fleet.journal.wait(lambda calls: calls[-1].code)
    refresh(follower)
    fleet.advance(INTERVAL)
    fleet.come_back()
    recorder.wait_for_server()


def stream_entries(port=0):
    """All four kinds of calls, one that fails on the way, and one that the client gives up."""
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
    def wanting(*sizes, **more):
        """A message that asks for answers of these sizes."""
        return messages["StreamingOutputCallRequest"](
            response_parameters=[{"size": size} for size in sizes], **more)

    def bringing(size):
        return messages["StreamingInputCallRequest"](payload={"body": bytes(size)})

    echoed = ((ECHO_INITIAL, "first"), (ECHO_TRAILING, b"\x00last\xff"))
    yield "EmptyCall", [(messages["Empty"](), 0)]
    yield "UnaryCall", [(messages["SimpleRequest"](response_size=7), 0)], {"metadata": echoed}
    yield "StreamingOutputCall", [(wanting(31, 9, 265, 0), 0)], {"metadata": echoed}
    yield "StreamingOutputCall", [(wanting(), 0)]
    failing = {"code": 9, "message": "enough"}
    yield "StreamingOutputCall", [(wanting(1, response_status=failing), 0)]
    yield "StreamingInputCall", [(bringing(size), 0) for size in (27, 8, 1828, 0)]
    yield "StreamingInputCall", []
    yield "FullDuplexCall", [
        (wanting(31), 1), (wanting(9), 1), (wanting(2, 3), 2), (wanting(58), 1)]
    yield "FullDuplexCall", []
    # What fails, fails behind two answers.
    yield "FullDuplexCall", [(wanting(1, 2), 2), (wanting(response_status=failing), 0)], {
        "end": "TRAILER"}
    yield "FullDuplexCall", [(wanting(6), 1), (wanting(7), 1)], {"end": "CANCEL"}


MAKERS = {
    "demo": of_fleet_server(demo_calls),
    "methods": of_fleet_server(method_calls),
    "statuses": of_fleet_server(status_calls),
    **{name: of_journey(story) for name, story in STORIES.items()},
    "streams": stream_entries,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--port", type=int, default=50051)
    said = parser.parse_args()
    if unknown := set(said.names).difference(MAKERS):
        parser.error(f"there is no {', '.join(unknown)}, but {', '.join(MAKERS)}")
    for name in said.names or MAKERS:
        binary_log.write(RECORDINGS / f"{name}.binlog", MAKERS[name](said.port))


if __name__ == "__main__":
    main()
