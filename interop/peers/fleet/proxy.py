"""Forwards the calls of Fleet Engine to an emulator on grpc.aio, in a separate thread.

With grpc.aio, hanging calls need no thread, and the throughput is higher than with threads.
"""

import asyncio
import functools
import threading

import grpc
from google.maps.fleetengine_v1 import types
from google.protobuf import timestamp_pb2
from google.rpc import status_pb2
from grpc_status import rpc_status

from peers.fleet.journal import Entry
from peers.fleet.methods import METHODS, labels
from peers.tokens import jwts


@functools.cache
def loop():
    """Returns the event loop of all proxies in the process, because grpc.aio supports only one."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="grpc.aio", daemon=True).start()
    return loop


def run(coroutine):
    """Runs a coroutine in the loop to its end."""
    return asyncio.run_coroutine_threadsafe(coroutine, loop()).result()


class Failed(Exception):
    """A failed call, with its google.rpc.Status."""

    def __init__(self, status, trailers=()):
        super().__init__(status.message)
        self.status, self.trailers = status, trailers


class Proxy:
    """Listens between `start` and `stop`."""

    def __init__(self, fleet, emulator, host="127.0.0.1", certificate=None):
        """`emulator` is the address of the emulator."""
        self._fleet, self._emulator, self._host, self._certificate = fleet, emulator, host, certificate
        self.address = None

    def start(self):
        run(self._start())

    def stop(self):
        """Aborts all calls and closes all connections."""
        run(self._stop())

    async def _start(self):
        self._channel = grpc.aio.insecure_channel(self._emulator)
        self._server = grpc.aio.server()
        by_service = {}
        for method in METHODS.values():
            _, service, name = method.path.split("/")
            forward = self._channel.unary_unary(
                method.path, request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString)
            by_service.setdefault(service, {})[name] = grpc.unary_unary_rpc_method_handler(
                functools.partial(self._call, method, forward),
                request_deserializer=method.request.FromString)
        self._server.add_generic_rpc_handlers([
            grpc.method_handlers_generic_handler(*each) for each in by_service.items()])
        if self._certificate:
            credentials = grpc.ssl_server_credentials(
                [(self._certificate.key.read_bytes(), self._certificate.chain.read_bytes())])
            port = self._server.add_secure_port(f"{self._host}:0", credentials)
        else:
            port = self._server.add_insecure_port(f"{self._host}:0")
        self.address = f"{self._host}:{port}"
        await self._server.start()

    async def _stop(self):
        await self._server.stop(grace=None)
        await self._channel.close()

    async def _call(self, method, forward, request, context):
        metadata = context.invocation_metadata()
        entry = entry_of(method, request, metadata, context)
        journal = self._fleet.journal
        journal.begin(entry)
        try:
            answer = await self._answer(method, forward, request, metadata, entry)
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

    async def _answer(self, method, forward, request, metadata, entry):
        fleet = self._fleet
        if fault := fleet.faults.next(entry):
            await fault.pause()
            if fault.status:
                raise Failed(fault.status, fault.trailers)
            if fault.message is not None:
                return fault.message
        if fleet.guard:
            fleet.guard.check(metadata, entry.resource)
        tokens = [(key, value) for key, value in metadata if key == "authorization"]
        if fleet.versions and method.name == "GetTrip":
            whole = type(request)(
                name=request.name, view=request.view, route_format_type=request.route_format_type)
            return fleet.versions.add(request, await self._forwarded(forward, whole, tokens))
        answer = await self._forwarded(forward, request, tokens)
        for field in fleet.hidden.get(getattr(request, "name", ""), ()):
            answer.ClearField(field)
        return answer.SerializeToString()

    async def _forwarded(self, forward, request, metadata):
        try:
            return await forward(request, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            raise Failed(status_of(error)) from None

    def _log(self, method, request, answer=None, status=None):
        if log := self._fleet.server_log:
            response = None if status else method.response.FromString(answer)
            log.call(self._fleet.now, method.name, labels(method.resource(request)), request, response, status)


def status_of(error):
    """Returns the google.rpc.Status of a failed call."""
    return rpc_status.from_call(error) or status_pb2.Status(code=error.code().value[0], message=error.details())


def entry_of(method, request, metadata, context):
    fields = dict(metadata)
    resource = method.resource(request)
    return Entry(
        trip_id=resource.removeprefix("trips/") if resource.startswith("trips/") else "",
        claims=claims_of(fields),
        stamps={
            field.name: value.ToNanoseconds() for field, value in request.ListFields()
            if isinstance(value, timestamp_pb2.Timestamp)},
        format=name_of(types.PolylineFormatType, getattr(request, "route_format_type", None)),
        view=name_of(types.TripView, getattr(request, "view", None)),
        method=method.name,
        resource=resource,
        parameters=fields.get("x-goog-request-params", ""),
        user_agent=fields.get("user-agent", ""),
        attempts_before=int(fields.get("grpc-previous-rpc-attempts", 0)),
        peer=context.peer())


def claims_of(fields):
    """Returns the claims of the token in a call's metadata, verified or not; None without a JWT."""
    try:
        return jwts.parts(fields.get("authorization", "").partition(" ")[2])[1]
    except ValueError:
        return None


def name_of(enum, number):
    if number is None:
        return ""
    return enum(number).name if number in list(enum) else str(number)
