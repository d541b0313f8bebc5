"""Asks a fleet for trips with the client of google-maps-fleetengine."""

import contextlib

import grpc
from google.maps.fleetengine_v1 import TripServiceClient, types
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport

from support.command import LONGEST


class FleetClient:
    """On a channel of its own."""

    def __init__(self, channel, token=None):
        self._client = TripServiceClient(transport=TripServiceGrpcTransport(channel=channel))
        self.token = token

    def get(self, trip, timeout=LONGEST, **request):
        """The Trip, of a trip of the fleet or by its name, as protobuf's message. It is asked for
        once only."""
        metadata = [("authorization", f"Bearer {self.token}")] if self.token else []
        answer = self._client.get_trip(
            request={"name": getattr(trip, "name", trip), **request},
            metadata=metadata, retry=None, timeout=timeout)
        return types.Trip.pb(answer)


@contextlib.contextmanager
def asking(fleet, token=None, authority=None):
    """A client of the fleet, over TLS when there is an authority to trust."""
    if authority:
        credentials = grpc.ssl_channel_credentials(authority.read_bytes())
        channel = grpc.secure_channel(fleet.address, credentials)
    else:
        channel = grpc.insecure_channel(fleet.address)
    with channel:
        yield FleetClient(channel, token)
