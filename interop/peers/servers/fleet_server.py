"""A Fleet Engine server on grpcio, with the types of google-maps-fleetengine.

In a test:  with FleetServer() as server: ... server.address
By hand:    python -m peers.servers.fleet_server [PORT]     (from interop/)
"""

import queue
import sys

import grpc
from google.maps.fleetengine_v1 import types

from peers.servers import failures, scenarios
from peers.servers.fleet_methods import METHODS
from peers.servers.listening import Listening

GetTripRequest, GetVehicleRequest = types.GetTripRequest.pb(), types.GetVehicleRequest.pb()


class FleetServer(Listening):
    """Gives trips and vehicles, and the failures that their IDs name."""

    def __init__(self, certificate=None, port=0, client_authority=None):
        self.arrived = queue.Queue()
        """The name of each requested resource, when the request arrives."""
        self.ended = queue.Queue()
        """The name of each requested resource, when its call ends for any reason."""
        super().__init__(
            self._handlers(), workers=16, port=port, certificate=certificate, client_authority=client_authority)

    def listen(self, address):
        """Listens on another address in plaintext, too."""
        self._server.add_insecure_port(address)

    def wait(self):
        self._server.wait_for_termination()

    def _handlers(self):
        methods = {
            ("TripService", "GetTrip"): (GetTripRequest, self._get_handler(scenarios.TRIPS)),
            ("VehicleService", "GetVehicle"): (
                GetVehicleRequest, self._get_handler(scenarios.VEHICLES)),
        } | {
            method: (request.pb(), lambda request, _, answer=answer: answer(request))
            for method, (request, answer) in METHODS.items()
        }
        by_path = {
            f"/maps.fleetengine.v1.{service}/{method}": grpc.unary_unary_rpc_method_handler(
                answer, request_deserializer=request.FromString, response_serializer=serialized)
            for (service, method), (request, answer) in methods.items()
        }

        class Handlers(grpc.GenericRpcHandler):
            def service(self, details):
                return by_path.get(details.method)

        return Handlers()

    def _get_handler(self, resources):
        def answer(request, context):
            self.arrived.put(request.name)
            context.add_callback(lambda: self.ended.put(request.name))
            return respond(request, context, resources)

        return answer


def serialized(message):
    return message if isinstance(message, bytes) else message.SerializeToString()


def respond(request, context, resources):
    """Returns the message or bytes selected by the ID in the request's name."""
    resource_id = request.name.rsplit("/", 1)[-1]
    if resource_id in resources:
        return resources[resource_id](request.name)
    if resource_id in scenarios.SPECIAL:
        return scenarios.SPECIAL[resource_id](request, context)
    found = scenarios.statuses(request.name)
    failures.fail(context, found.get(resource_id, found["missing"]))


if __name__ == "__main__":
    with FleetServer(port=int(sys.argv[1]) if len(sys.argv) > 1 else 0) as server:
        print(f"listening on {server.address}", flush=True)
        server.wait()
