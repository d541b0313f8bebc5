"""Serves the fleet: TripService, VehicleService and DeliveryService on grpc.aio, in a separate thread.

With grpc.aio, hanging calls need no thread, and the throughput is higher than with threads.
"""

import asyncio
import collections
import functools
import threading

import grpc
from google.maps.fleetengine_v1 import types
from google.protobuf import timestamp_pb2
from grpc_status import rpc_status

from peers.fleet.serving.guard import Refused, claims_of
from peers.fleet.serving.journal import Entry
from peers.fleet.services.errors import Failed
from peers.fleet.services.table import METHODS
from peers.fleet.stamps import nanoseconds

LABELS = {"trips": "trip_id", "vehicles": "vehicle_id", "tasks": "task_id",
          "deliveryVehicles": "delivery_vehicle_id", "taskTrackingInfo": "tracking_id"}
MAX_EARLIER = 100
"""The number of responses that are kept for each method and resource."""


@functools.cache
def loop():
    """Returns the event loop of all servers in the process, because grpc.aio supports only one."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="grpc.aio", daemon=True).start()
    return loop


def run(coroutine):
    """Runs a coroutine in the loop to its end."""
    return asyncio.run_coroutine_threadsafe(coroutine, loop()).result()


class Server:
    """Listens between `start` and `stop`. A restart uses the same port."""

    def __init__(self, fleet, host="127.0.0.1", port=0, certificate=None):
        self._fleet, self._certificate = fleet, certificate
        self.host, self.port = host, port
        self._server = None
        self._earlier = EarlierResponses()

    @property
    def address(self):
        return f"{self.host}:{self.port}"

    def start(self):
        run(self._start())

    def stop(self):
        """Aborts all calls and closes all connections."""
        if self._server:
            server, self._server = self._server, None
            run(server.stop(grace=None))

    async def _start(self):
        self._server = grpc.aio.server()
        by_service = {}
        for method in METHODS:
            by_service.setdefault(method.service, {})[method.name] = (
                grpc.unary_unary_rpc_method_handler(
                    functools.partial(self._call, method),
                    request_deserializer=method.request.FromString))
        self._server.add_generic_rpc_handlers([
            grpc.method_handlers_generic_handler(*each) for each in by_service.items()])
        if self._certificate:
            credentials = grpc.ssl_server_credentials(
                [(self._certificate.key.read_bytes(), self._certificate.chain.read_bytes())])
            self.port = self._server.add_secure_port(self.address, credentials)
        else:
            self.port = self._server.add_insecure_port(self.address)
        await self._server.start()

    async def _call(self, method, request, context):
        metadata = context.invocation_metadata()
        entry = entry_of(method, request, metadata, context)
        journal = self._fleet.journal
        journal.begin(entry)
        try:
            answer = await self._answer(method, request, metadata, entry)
        except asyncio.CancelledError:
            journal.end(entry, "CANCELLED")
            raise
        except Failed as failed:
            status = rpc_status.to_status(failed.status)
            self._log(method, request, status=failed.status)
            journal.end(entry, status.code.name)
            details = status.trailing_metadata if failed.status.details else ()
            await context.abort(status.code, status.details, (*failed.trailers, *details))
        except Exception:
            journal.end(entry, "UNKNOWN")
            raise
        self._log(method, request, answer)
        journal.end(entry, "OK", len(answer))
        return answer

    def _log(self, method, request, answer=None, status=None):
        if (log := self._fleet.server_log) and method.response:
            response = None if status else method.response.FromString(answer)
            log.call(self._fleet.now, method.name, labels(method.resource(request)), request, response, status)

    async def _answer(self, method, request, metadata, entry):
        fleet = self._fleet
        ago = 0.0
        if fault := fleet.faults.next(entry):
            await fault.pause()
            if fault.status:
                raise Failed(fault.status, fault.trailers)
            if fault.message is not None:
                return fault.message
            ago = fault.ago
        try:
            if fleet.guard:
                fleet.guard.check(metadata, *method.claim(request))
        except Refused as refused:
            raise Failed(refused.status) from None
        with fleet.lock:
            if method.takes_age:
                return method.answer(fleet, request, ago)
            if ago and (earlier := self._earlier.response(entry, fleet.now - ago)):
                return earlier
            answer = method.answer(fleet, request).SerializeToString()
            self._earlier.add(entry, fleet.now, answer)
            return answer


class EarlierResponses:
    """The latest responses for each method and resource, which can be sent again out of order."""

    def __init__(self):
        self._responses = collections.defaultdict(lambda: collections.deque(maxlen=MAX_EARLIER))

    def add(self, entry, at, response):
        if entry.resource:
            self._responses[entry.method, entry.resource].append((at, response))

    def response(self, entry, at):
        """Returns the last response before this time, or the first one; None without any."""
        found = self._responses[entry.method, entry.resource]
        before = [response for time, response in found if time <= at]
        return before[-1] if before else found[0][1] if found else None


def entry_of(method, request, metadata, context):
    fields = dict(metadata)
    resource = method.resource(request)
    return Entry(
        trip_id=resource.removeprefix("trips/") if resource.startswith("trips/") else "",
        claims=claims_of(metadata),
        stamps={
            field.name: nanoseconds(value) for field, value in request.ListFields()
            if isinstance(value, timestamp_pb2.Timestamp)},
        format=name_of(types.PolylineFormatType, getattr(request, "route_format_type", None)),
        view=name_of(types.TripView, getattr(request, "view", None)),
        method=method.name,
        resource=resource,
        parameters=fields.get("x-goog-request-params", ""),
        user_agent=fields.get("user-agent", ""),
        attempts_before=int(fields.get("grpc-previous-rpc-attempts", 0)),
        peer=context.peer())


def labels(resource):
    """Returns the labels that Google's logs have for a resource: {"trip_id": "t1"} for trips/t1."""
    collection, _, resource_id = resource.partition("/")
    name = LABELS.get(collection)
    return {name: resource_id} if name else {}


def name_of(enum, number):
    if number is None:
        return ""
    return enum(number).name if number in list(enum) else str(number)
