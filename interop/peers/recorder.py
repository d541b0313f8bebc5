"""A client on grpcio that writes down its calls as entries of a gRPC binary log."""

from datetime import timedelta

import grpc

from peers.binary_log import GrpcLogEntry

TIMEOUT = timedelta(seconds=15)
STEP = timedelta(milliseconds=1)


class Recorder:
    """Calls a server and keeps the entries. Its clock is set, not real, so that they are the same
    each time: it starts at `now` and ticks once with every entry."""

    def __init__(self, address, authority, now):
        self.entries = []
        self._address = address
        self._authority = authority
        self._now = now
        self._calls = 0
        self._channel = grpc.insecure_channel(
            address, options=[("grpc.default_authority", authority)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._channel.close()

    def call(self, method, request, metadata):
        """Makes a unary call and keeps its entries, whether it succeeds or fails."""
        self._calls += 1
        self._in_call = 0
        response = None
        try:
            response, call = self._channel.unary_unary(method).with_call(
                request, timeout=TIMEOUT.total_seconds(), metadata=metadata)
        except grpc.RpcError as error:
            call = error
        header = self._add("CLIENT_HEADER").client_header
        header.method_name = method
        header.authority = self._authority
        header.timeout.FromTimedelta(TIMEOUT)
        add_metadata(header, metadata)
        self._add_message("CLIENT_MESSAGE", request)
        self._add("CLIENT_HALF_CLOSE")
        if response is not None:
            first = self._add("SERVER_HEADER")
            first.server_header.SetInParent()
            add_metadata(first.server_header, call.initial_metadata())
            self._add_message("SERVER_MESSAGE", response)
        end = self._add("SERVER_TRAILER")
        end.trailer.status_code = call.code().value[0]
        end.trailer.status_message = call.details()
        end.trailer.status_details = dict(call.trailing_metadata()).get(
            "grpc-status-details-bin", b"")
        add_metadata(end.trailer, call.trailing_metadata())
        # The first thing that comes from the server tells who it is.
        self._add_peer(end if response is None else first)

    def _add(self, event):
        self._in_call += 1
        entry = GrpcLogEntry(
            call_id=self._calls, sequence_id_within_call=self._in_call,
            type=f"EVENT_TYPE_{event}", logger="LOGGER_CLIENT")
        entry.timestamp.FromDatetime(self._now)
        self._now += STEP
        self.entries.append(entry)
        return entry

    def _add_message(self, event, data):
        entry = self._add(event)
        entry.message.length = len(data)
        entry.message.data = data

    def _add_peer(self, entry):
        host, port = self._address.rsplit(":", 1)
        entry.peer.type = entry.peer.TYPE_IPV4
        entry.peer.address = host
        entry.peer.ip_port = int(port)


NOT_LOGGED = {"authorization", "content-type", "user-agent"}


def add_metadata(event, metadata):
    """Adds what is the application's own: neither gRPC's and HTTP's headers nor credentials."""
    for key, value in metadata:
        if not key.startswith("grpc-") and key not in NOT_LOGGED:
            event.metadata.entry.add(
                key=key, value=value if isinstance(value, bytes) else value.encode())
