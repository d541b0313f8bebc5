"""Gets trips of a fleet with the client of google-maps-fleetengine."""

import contextlib

import grpc
from google.maps.fleetengine_v1 import TripServiceClient, types
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport

from support.command import LONGEST


class FleetClient:
    """A client on one channel."""

    def __init__(self, channel, token=None):
        self._client = TripServiceClient(transport=TripServiceGrpcTransport(channel=channel))
        self.token = token

    def get(self, trip, timeout=LONGEST, **request):
        """Gets a trip, given a trip of the fleet or a name, without retries; returns the message."""
        metadata = [("authorization", f"Bearer {self.token}")] if self.token else []
        answer = self._client.get_trip(
            request={"name": getattr(trip, "name", trip), **request},
            metadata=metadata, retry=None, timeout=timeout)
        return types.Trip.pb(answer)


@contextlib.contextmanager
def connected_client(fleet, token=None, authority=None):
    """Yields a client of the fleet, which uses TLS if there is an authority to trust."""
    if authority:
        credentials = grpc.ssl_channel_credentials(authority.read_bytes())
        channel = grpc.secure_channel(fleet.address, credentials)
    else:
        channel = grpc.insecure_channel(fleet.address)
    with channel:
        yield FleetClient(channel, token)
