"""A grpcio server whose lists have pages, with the types of google-maps-fleetengine."""

from concurrent import futures

import grpc
from google.maps.fleetengine_v1 import types

REQUESTS = {
    "/maps.fleetengine.v1.TripService/SearchTrips": types.SearchTripsRequest.pb(),
    "/maps.fleetengine.v1.VehicleService/ListVehicles": types.ListVehiclesRequest.pb(),
    "/maps.fleetengine.v1.VehicleService/SearchVehicles": types.SearchVehiclesRequest.pb(),
}


class PagingServer(grpc.GenericRpcHandler):
    """Answers each request with `answer(request, context)`, and keeps the requests."""

    def __init__(self, answer):
        self._answer = answer
        self.requests = []
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
        self._server.add_generic_rpc_handlers((self,))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"

    def __enter__(self):
        self._server.start()
        return self

    def __exit__(self, *_):
        self._server.stop(grace=None).wait()

    def service(self, details):
        if not (request := REQUESTS.get(details.method)):
            return None

        def answer(request, context):
            self.requests.append(request)
            return self._answer(request, context)

        return grpc.unary_unary_rpc_method_handler(
            answer, request_deserializer=request.FromString,
            response_serializer=lambda message: message.SerializeToString())

    @property
    def tokens(self):
        return [request.page_token for request in self.requests]
