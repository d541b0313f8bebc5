"""One connection of the scripted server.

Python's h2 reads the client's frames and sends valid frames. Invalid frames are written without it.
"""

import contextlib
import select
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import hyperframe.frame

# In seconds; a script that waits longer fails.
LONGEST = 300


class Gone(Exception):
    """The client has closed the connection, or the test is over."""


class Peer:
    """One connection: the client's frames, and the frames to send."""

    def __init__(self, sock):
        sock.setblocking(False)
        self.sock = sock
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(
            client_side=False, header_encoding=None, validate_outbound_headers=False,
            normalize_outbound_headers=False))
        # The stream that the script uses.
        self.stream = 0
        # The paths of requests by stream, and the streams with complete requests.
        self.requests, self.complete = {}, set()
        # The streams whose requests were handled.
        self.handled = set()
        # The client's error frames, such as ("RST_STREAM", 8).
        self.client_errors = []
        self.pings_answered = 0
        self.bytes_received = 0
        # Whether windows are replenished, and whether h2 acknowledges SETTINGS and PING.
        self.returns_credit, self.acknowledges = True, True
        self.holds_responses = False
        # Whether received bytes are parsed.
        self.parses_http2 = True
        self._unsent = bytearray()
        # Whether reading has stopped.
        self.is_paused = False
        # Set when the test is over.
        self.over = threading.Event()

    # MARK: Reading

    def read(self):
        """Reads available bytes; raises `Gone` at the end of the connection."""
        try:
            data = self.sock.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            raise Gone
        self.bytes_received += len(data)
        if self.parses_http2:
            for event in self.h2.receive_data(data):
                self._handle(event)
        if not self.holds_responses:
            self.send_responses()

    def send_responses(self):
        """Queues the frames that h2 sends in response to received bytes."""
        answers = self.h2.data_to_send()
        if self.acknowledges:
            self._unsent += answers

    def _handle(self, event):
        match event:
            case h2.events.RequestReceived():
                self.requests[event.stream_id] = dict(event.headers)[b":path"]
            case h2.events.DataReceived() if self.returns_credit:
                with contextlib.suppress(h2.exceptions.ProtocolError):
                    self.h2.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded():
                self.complete.add(event.stream_id)
            case h2.events.StreamReset() if event.remote_reset:
                self.client_errors.append(("RST_STREAM", int(event.error_code)))
                self.handled.add(event.stream_id)
            case h2.events.ConnectionTerminated():
                self.client_errors.append(("GOAWAY", int(event.error_code)))
            case h2.events.PingAckReceived():
                self.pings_answered += 1

    def wait(self, condition, what):
        """Reads until the condition holds."""
        if self.is_paused:
            self.over.wait(2 * LONGEST)
            raise Gone
        end = time.monotonic() + LONGEST
        while not condition():
            select.select([self.sock], [], [], 1)
            self.read()
            self.send(b"")
            if time.monotonic() > end:
                raise TimeoutError(f"the server timed out waiting for {what}")

    def next_request(self, whole=True):
        """Makes the oldest unhandled request the current one."""
        def waiting():
            among = self.complete if whole else self.requests
            return [stream for stream in among if stream not in self.handled]

        self.wait(waiting, "a request")
        self.stream = min(waiting())
        self.handled.add(self.stream)

    def until_gone(self):
        while True:
            self.wait(lambda: False, "the client to close")

    # MARK: Writing

    def send(self, data):
        """Writes bytes while reading others."""
        self._unsent += data
        while self._unsent:
            reads = [] if self.is_paused else [self.sock]
            readable, writable, _ = select.select(reads, [self.sock], [], LONGEST)
            if not readable and not writable:
                raise TimeoutError("the client does not read")
            if readable:
                self.read()
            if writable:
                self._write()

    def _write(self):
        try:
            del self._unsent[:self.sock.send(self._unsent[:1 << 20])]
        except BlockingIOError:
            pass
        except OSError:
            # The client's last bytes before the close can still be read.
            with contextlib.suppress(Gone):
                while not self.is_paused:
                    self.read()
            raise Gone from None

    def send_frames(self, *frames):
        """Writes frames in one segment without h2's checks."""
        self.send(b"".join(frame.serialize() for frame in frames))

    def send_checked(self, act):
        """Sends a frame with h2."""
        act(self.h2)
        data = self.h2.data_to_send()
        if data:
            self.send(data)

    def encode(self, fields):
        """Encodes a header block without checks."""
        fields = list(fields)
        # Huffman coding may lengthen a string to 64 KiB, which nghttp2 rejects.
        is_long = any(len(value) > 10_000 for _, value in fields)
        return self.h2.encoder.encode(fields, huffman=not is_long)

    def header_frames(self, block, end=False, piece=16384, stream=None, pad=0):
        """Returns HEADERS and CONTINUATION frames for a block in pieces of this size."""
        pieces = [block[start:start + piece] for start in range(0, len(block), piece)] or [b""]
        frames = []
        for index, data in enumerate(pieces):
            kind = (hyperframe.frame.ContinuationFrame if index
                    else hyperframe.frame.HeadersFrame)
            frame = kind(self.stream if stream is None else stream, data=data)
            if end and not index:
                frame.flags.add("END_STREAM")
            if pad and not index:
                frame.flags.add("PADDED")
                frame.pad_length = pad
            if index == len(pieces) - 1:
                frame.flags.add("END_HEADERS")
            frames.append(frame)
        return frames

    # MARK: Valid responses

    def respond(self):
        """Sends a valid response to the current request."""
        stream = self.stream
        self.send_checked(lambda conn: conn.send_headers(stream, GOOD_HEADERS))
        body = framed(good_message(self.requests[stream]))
        self.send_checked(lambda conn: conn.send_data(stream, body))
        self.send_checked(lambda conn: conn.send_headers(stream, OK_TRAILERS, end_stream=True))

    def serve(self):
        """Sends valid responses to all requests until the client closes."""
        while True:
            self.next_request()
            self.respond()


GOOD_HEADERS = [(b":status", b"200"), (b"content-type", b"application/grpc")]
OK_TRAILERS = [(b"grpc-status", b"0")]


def framed(message, flag=0, length=None):
    """Returns a length-prefixed message, with a false length if one is given."""
    size = len(message) if length is None else length
    return bytes([flag]) + size.to_bytes(4, "big") + message


def payload(size):
    """Returns a response with a payload of this size, for all methods of TestService but one."""
    return field(1, field(2, bytes(size)))


def field(number, value):
    """Returns a length-delimited protobuf field."""
    length, size = b"", len(value)
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + value


def good_message(path):
    return b"\x08\x07" if path.endswith(b"/StreamingInputCall") else payload(4)
