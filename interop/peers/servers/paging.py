"""A grpcio server whose lists have pages, with the types of google-maps-fleetengine."""

import grpc
from google.maps.fleetengine_v1 import types

from peers.servers.listening import Listening

REQUESTS = {
    "/maps.fleetengine.v1.TripService/SearchTrips": types.SearchTripsRequest.pb(),
    "/maps.fleetengine.v1.VehicleService/ListVehicles": types.ListVehiclesRequest.pb(),
    "/maps.fleetengine.v1.VehicleService/SearchVehicles": types.SearchVehiclesRequest.pb(),
}


class PagingServer(Listening, grpc.GenericRpcHandler):
    """Answers each request with `answer(request, context)`, and keeps the requests."""

    def __init__(self, answer):
        self._answer = answer
        self.requests = []
        super().__init__(self, workers=4)

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
