"""A grpcio server whose responses have a chosen `date`, as from another clock."""

import contextlib
from concurrent import futures

import grpc


@contextlib.contextmanager
def dated_server(date):
    """Answers health checks, and refuses the token of every other call. Yields the address."""
    def check(request, context):
        context.send_initial_metadata([("date", date)])
        return b""

    def get_trip(request, context):
        context.set_trailing_metadata([("date", date)])
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "JWT is not yet valid")

    server = grpc.server(futures.ThreadPoolExecutor(max_workers=2))
    for service, method, answer in [
            ("grpc.health.v1.Health", "Check", check),
            ("maps.fleetengine.v1.TripService", "GetTrip", get_trip)]:
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(
            service, {method: grpc.unary_unary_rpc_method_handler(answer)}),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None).wait()
