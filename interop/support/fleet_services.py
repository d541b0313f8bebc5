"""Calls any method of a fleet with the clients of google-maps-fleetengine and -delivery."""

import contextlib

import grpc
import proto
from google.maps import fleetengine_delivery_v1, fleetengine_v1
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import (
    DeliveryServiceGrpcTransport,
)
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import (
    VehicleServiceGrpcTransport,
)

from support.command import LONGEST

CLIENTS = {
    "TripService": (fleetengine_v1.TripServiceClient, TripServiceGrpcTransport),
    "VehicleService": (fleetengine_v1.VehicleServiceClient, VehicleServiceGrpcTransport),
    "DeliveryService": (fleetengine_delivery_v1.DeliveryServiceClient, DeliveryServiceGrpcTransport),
}


class FleetServices:
    """The clients on one channel. A method of any service is a method here: `services.get_task(…)`."""

    def __init__(self, channel, token=None):
        self._clients = [
            client(transport=transport(channel=channel)) for client, transport in CLIENTS.values()]
        self.token = token

    def __getattr__(self, method):
        """Returns a method, which takes the request or its fields, and makes one attempt."""
        client = next((each for each in self._clients if hasattr(each, method)), None)
        if not client:
            raise AttributeError(method)

        def call(request=None, **fields):
            metadata = [("authorization", f"Bearer {self.token}")] if self.token else []
            answer = getattr(client, method)(
                request=request or fields, metadata=metadata, retry=None, timeout=LONGEST)
            if answer is None:
                return None
            answer = answer._response if hasattr(answer, "_response") else answer
            return type(answer).pb(answer) if isinstance(answer, proto.Message) else answer

        return call


@contextlib.contextmanager
def connected_services(fleet, token=None):
    with grpc.insecure_channel(fleet.address) as channel:
        yield FleetServices(channel, token)
