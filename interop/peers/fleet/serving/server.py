"""Serves the fleet: TripService/GetTrip on grpc.aio, in a separate thread.

With grpc.aio, hanging calls need no thread, and the throughput is higher than with threads.
"""

import asyncio
import functools
import threading

import grpc
from google.maps.fleetengine_v1 import types
from grpc_status import rpc_status

from peers.servers import failures
from peers.fleet.serving.answer import STAMPS
from peers.fleet.serving.guard import Refused, claims_of
from peers.fleet.serving.journal import Entry
from peers.fleet.stamps import nanoseconds

GetTripRequest = types.GetTripRequest.pb()


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
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(
            "maps.fleetengine.v1.TripService", {"GetTrip": grpc.unary_unary_rpc_method_handler(
                self._get_trip, request_deserializer=GetTripRequest.FromString)}),))
        if self._certificate:
            credentials = grpc.ssl_server_credentials(
                [(self._certificate.key.read_bytes(), self._certificate.chain.read_bytes())])
            self.port = self._server.add_secure_port(self.address, credentials)
        else:
            self.port = self._server.add_insecure_port(self.address)
        await self._server.start()

    async def _get_trip(self, request, context):
        metadata = context.invocation_metadata()
        entry = entry_of(request, metadata, context)
        journal = self._fleet.journal
        journal.begin(entry)
        try:
            answer = await self._answer(request, metadata, entry.trip_id)
        except asyncio.CancelledError:
            journal.end(entry, "CANCELLED")
            raise
        except Failed as failed:
            status = rpc_status.to_status(failed.status)
            journal.end(entry, status.code.name)
            details = status.trailing_metadata if failed.status.details else ()
            await context.abort(status.code, status.details, (*failed.trailers, *details))
        journal.end(entry, "OK", len(answer))
        return answer

    async def _answer(self, request, metadata, trip_id):
        fleet = self._fleet
        ago = 0.0
        if fault := fleet.faults.next(trip_id):
            await fault.pause()
            if fault.status:
                raise Failed(fault.status, fault.trailers)
            if fault.message is not None:
                return fault.message
            ago = fault.ago
        try:
            if fleet.guard:
                fleet.guard.check(metadata, trip_id)
        except Refused as refused:
            raise Failed(refused.status) from None
        if not fleet.is_trip_name(request.name):
            raise Failed(failures.status(
                grpc.StatusCode.INVALID_ARGUMENT,
                f"{request.name!r} is not providers/{fleet.provider}/trips/TRIP"))
        answer = fleet.answer(request, trip_id, ago)
        if answer is None:
            raise Failed(failures.status(
                grpc.StatusCode.NOT_FOUND, f"{request.name} does not exist"))
        return answer


class Failed(Exception):
    """A failed call, with its status."""

    def __init__(self, status, trailers=()):
        super().__init__(status.message)
        self.status, self.trailers = status, trailers


def entry_of(request, metadata, context):
    fields = dict(metadata)
    return Entry(
        trip_id=request.name.rsplit("/", 1)[-1],
        claims=claims_of(metadata),
        stamps={
            field: nanoseconds(getattr(request, field)) for field in STAMPS.values()
            if request.HasField(field)},
        format=name_of(types.PolylineFormatType, request.route_format_type),
        view=name_of(types.TripView, request.view),
        user_agent=fields.get("user-agent", ""),
        attempts_before=int(fields.get("grpc-previous-rpc-attempts", 0)),
        peer=context.peer())


def name_of(enum, number):
    return enum(number).name if number in list(enum) else str(number)
