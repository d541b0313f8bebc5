"""A grpcio client that records its calls as entries of a gRPC binary log."""

import contextlib
import queue
from datetime import timedelta

import grpc

from peers.recordings.binary_log import GrpcLogEntry

TIMEOUT = timedelta(seconds=15)
STEP = timedelta(milliseconds=1)


class Recorder:
    """Calls a server and keeps the entries.

    Its clock `now` is virtual and advances by one step with every entry, so that recordings are
    reproducible.
    """

    def __init__(self, address, authority, now):
        self.entries = []
        self.now = now
        self._address = address
        self._authority = authority
        self._calls = 0
        self._channel = grpc.insecure_channel(
            address, options=[("grpc.default_authority", authority)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._channel.close()

    def call(self, method, request, metadata=(), is_lost=False):
        """Makes a unary call and keeps its entries; returns the response, or None if it failed.

        `is_lost` means that no server responds, which the error does not show.
        """
        answers = self.converse(method, [(request, 0)], metadata, is_lost=is_lost)
        return answers[0] if answers else None

    def converse(self, method, turns, metadata=(), is_lost=False, end="HALF_CLOSE"):
        """Makes a call of any kind; returns the responses.

        `turns` has each message of the client and the number of responses to wait for after it. `end` is
        HALF_CLOSE, CANCEL, or TRAILER if the server ends the call.
        """
        self._calls += 1
        self._in_call = 0
        self._has_peer = is_lost
        requests = queue.SimpleQueue()
        call = self._channel.stream_stream(method)(
            iter(requests.get, None), timeout=TIMEOUT.total_seconds(), metadata=metadata)
        header = self._add("CLIENT_HEADER").client_header
        header.method_name = method
        header.authority = self._authority
        header.timeout.FromTimedelta(TIMEOUT)
        add_metadata(header, metadata)
        answers = []
        for request, awaited in turns:
            requests.put(request)
            self._add_message("CLIENT_MESSAGE", request)
            for _ in range(awaited):
                self._add_answer(call, next(call), answers)
        if end == "HALF_CLOSE":
            requests.put(None)
            self._add("CLIENT_HALF_CLOSE")
        elif end == "CANCEL":
            call.cancel()
            self._add("CANCEL")
        with contextlib.suppress(grpc.RpcError):
            for answer in call:
                self._add_answer(call, answer, answers)
        if end != "CANCEL":
            self._add_end(call, answers)
        requests.put(None)
        return answers

    def _add_answer(self, call, answer, answers):
        if not answers:
            self._add_header(call)
        self._add_message("SERVER_MESSAGE", answer)
        answers.append(answer)

    def _add_header(self, call):
        entry = self._add_from_server("SERVER_HEADER")
        entry.server_header.SetInParent()
        add_metadata(entry.server_header, call.initial_metadata())

    def _add_end(self, call, answers):
        # grpcio reports headers only if they have entries.
        if not answers and call.initial_metadata():
            self._add_header(call)
        trailer = self._add_from_server("SERVER_TRAILER").trailer
        trailer.status_code = call.code().value[0]
        trailer.status_message = call.details()
        trailer.status_details = dict(call.trailing_metadata()).get("grpc-status-details-bin", b"")
        add_metadata(trailer, call.trailing_metadata())

    def _add(self, event):
        self._in_call += 1
        entry = GrpcLogEntry(
            call_id=self._calls, sequence_id_within_call=self._in_call,
            type=f"EVENT_TYPE_{event}", logger="LOGGER_CLIENT")
        entry.timestamp.FromDatetime(self.now)
        self.now += STEP
        self.entries.append(entry)
        return entry

    def _add_message(self, event, data):
        entry = self._add(event)
        entry.message.length = len(data)
        entry.message.data = data

    def _add_from_server(self, event):
        """Adds an entry of the server; the first one has its address."""
        entry = self._add(event)
        if not self._has_peer:
            self._has_peer = True
            host, port = self._address.rsplit(":", 1)
            entry.peer.type = entry.peer.TYPE_IPV4
            entry.peer.address = host
            entry.peer.ip_port = int(port)
        return entry


NOT_LOGGED = {"authorization", "content-type", "user-agent"}


def add_metadata(event, metadata):
    """Adds the metadata of the application, without headers of gRPC and HTTP and without credentials."""
    for key, value in metadata:
        if not key.startswith("grpc-") and key not in NOT_LOGGED:
            event.metadata.entry.add(
                key=key, value=value if isinstance(value, bytes) else value.encode())
