"""A grpcio server that echoes its request in every place where a server can send text."""

import contextlib
import json
from concurrent import futures

import grpc
from google.maps.fleetengine_v1 import types
from google.rpc import error_details_pb2, status_pb2

Trip, Request = types.Trip.pb(), types.GetTripRequest.pb()


@contextlib.contextmanager
def server():
    """Runs a server that refuses the first token and accepts later ones; yields its address."""
    first = []

    def get_trip(request, context):
        header = dict(context.invocation_metadata())["authorization"]
        token = header.split(" ")[1]
        context.send_initial_metadata(everywhere("x-head", header, token))
        if first in ([], [token]):
            first[:] = [token]
            refuse(context, header, token)
        context.set_trailing_metadata(everywhere("x-last", header, token))
        return Trip(name=request.name, vehicle_id=token)

    handler = grpc.unary_unary_rpc_method_handler(
        get_trip, request_deserializer=Request.FromString, response_serializer=Trip.SerializeToString)
    running = grpc.server(futures.ThreadPoolExecutor(2), compression=grpc.Compression.Gzip)
    running.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(
        "maps.fleetengine.v1.TripService", {"GetTrip": handler}),))
    port = running.add_insecure_port("127.0.0.1:0")
    running.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        running.stop(grace=None).wait()


def everywhere(name, header, token):
    return [
        (f"{name}-same", header), (f"{name}-bare", token), (f"{name}-quoted", f'"{token}"'),
        (f"{name}-json", json.dumps({"Authorization": header})), (f"{name}-scheme", f"DPoP {token}"),
        (f"{name}-url", f"https://localhost/?access_token={token}&a=b"),
        (f"{name}-bin", token.encode()), (f"{name}-half", token[:len(token) // 2]),
        (f"{name}-end", token.split(".")[-1]),
    ]


def refuse(context, header, token):
    status = status_pb2.Status(code=16, message=f"{token} is stale")
    info = error_details_pb2.ErrorInfo(reason="STALE", metadata={"token": token, "header": header})
    status.details.add().Pack(info)
    context.set_trailing_metadata(
        [*everywhere("x-last", header, token),
         ("grpc-status-details-bin", status.SerializeToString())])
    context.abort(grpc.StatusCode.UNAUTHENTICATED, status.message)
