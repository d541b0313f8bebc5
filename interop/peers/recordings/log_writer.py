"""Writes made-up calls as entries of a gRPC binary log."""

from datetime import datetime, timedelta

from google.maps.fleetengine_v1 import types

from peers.recordings.binary_log import GrpcLogEntry

BEGINNING = datetime(2026, 11, 21, 9, 30)
SERVICE = "/maps.fleetengine.v1."
GET_TRIP = SERVICE + "TripService/GetTrip"
TRIP = "providers/p/trips/t1"


def request(name=TRIP, **more):
    return types.GetTripRequest.pb(types.GetTripRequest(name=name, **more))


def trip(**fields):
    return types.Trip.pb(types.Trip(name=TRIP, **fields))


class LogWriter:
    """Collects entries of calls. Messages are bytes or have SerializeToString."""

    def __init__(self):
        self.entries = []
        self.now = BEGINNING
        self._calls = 0

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)

    def call(self, method, request, answer=None, code=0, message="", details=b"", metadata=(),
             lasts=0.035, is_local=False):
        """Adds a unary call; a failed one has no response."""
        call = self.begin(method, request, metadata)
        self.wait(lasts)
        if answer is not None:
            self.add(call, "SERVER_HEADER").server_header.SetInParent()
            self.add_message(call, "SERVER_MESSAGE", answer)
        self.end(call, code, message, details, metadata, is_local)

    def begin(self, method, request, metadata=()):
        self._calls += 1
        header = self.add(self._calls, "CLIENT_HEADER").client_header
        header.method_name = method
        header.authority = "fleetengine.googleapis.com"
        add_metadata(header.metadata, metadata)
        self.add_message(self._calls, "CLIENT_MESSAGE", request)
        return self._calls

    def end(self, call, code=0, message="", details=b"", metadata=(), is_local=False):
        """Ends a call. Trailers-only entries have the peer, unless the client generated the status."""
        is_answered = any(entry.HasField("server_header") for entry in self.entries[-3:]
                          if entry.call_id == call)
        entry = self.add(call, "SERVER_TRAILER")
        if code and not is_answered and not is_local:
            entry.peer.type, entry.peer.address, entry.peer.ip_port = 1, "192.0.2.1", 443
        trailer = entry.trailer
        trailer.status_code = code
        trailer.status_message = message
        trailer.status_details = details
        add_metadata(trailer.metadata, metadata)

    def add_message(self, call, event, message):
        data = message if isinstance(message, bytes) else message.SerializeToString()
        entry = self.add(call, event)
        entry.message.length = len(data)
        entry.message.data = data
        return entry

    def add(self, call, event):
        entry = GrpcLogEntry(
            call_id=call, sequence_id_within_call=1, type=f"EVENT_TYPE_{event}",
            logger="LOGGER_CLIENT")
        entry.timestamp.FromDatetime(self.now)
        self.entries.append(entry)
        return entry


def add_metadata(metadata, fields):
    for key, value in fields:
        metadata.entry.add(key=key, value=value if isinstance(value, bytes) else value.encode())
