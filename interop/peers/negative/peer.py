"""One connection of the scripted server: Python's h2 reads what the client says, and sends what is
right; what is wrong is written past it, frame by frame."""

import contextlib
import select
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import hyperframe.frame

# A script that waits longer waits in vain.
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
        # The stream that the script is about.
        self.stream = 0
        # Paths of the requests by their streams, and the streams whose requests are whole.
        self.requests, self.whole = {}, set()
        # Streams that somebody answers.
        self.taken = set()
        # The client's error frames, as ("RST_STREAM", 8).
        self.heard = []
        self.pings_answered = 0
        self.bytes_received = 0
        # Whether windows are given back, and whether h2 answers SETTINGS and PING.
        self.gives_credit, self.acknowledges = True, True
        self.holds_answers = False
        # Whether received bytes are parsed.
        self.speaks_http2 = True
        self._unsent = bytearray()
        # Whether nothing is read at all.
        self.deaf = False
        # Set when the test is over.
        self.over = threading.Event()

    # MARK: Reading

    def read(self):
        """Takes what has come; raises `Gone` at the end."""
        try:
            data = self.sock.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            raise Gone
        self.bytes_received += len(data)
        if self.speaks_http2:
            for event in self.h2.receive_data(data):
                self._note(event)
        if not self.holds_answers:
            self.send_answers()

    def send_answers(self):
        """Returns h2's response to received bytes."""
        answers = self.h2.data_to_send()
        if self.acknowledges:
            self._unsent += answers

    def _note(self, event):
        match event:
            case h2.events.RequestReceived():
                self.requests[event.stream_id] = dict(event.headers)[b":path"]
            case h2.events.DataReceived() if self.gives_credit:
                with contextlib.suppress(h2.exceptions.ProtocolError):
                    self.h2.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded():
                self.whole.add(event.stream_id)
            case h2.events.StreamReset() if event.remote_reset:
                self.heard.append(("RST_STREAM", int(event.error_code)))
                self.taken.add(event.stream_id)
            case h2.events.ConnectionTerminated():
                self.heard.append(("GOAWAY", int(event.error_code)))
            case h2.events.PingAckReceived():
                self.pings_answered += 1

    def wait(self, condition, what):
        """Reads until the condition holds."""
        if self.deaf:
            self.over.wait(2 * LONGEST)
            raise Gone
        end = time.monotonic() + LONGEST
        while not condition():
            select.select([self.sock], [], [], 1)
            self.read()
            self.send(b"")
            if time.monotonic() > end:
                raise TimeoutError(f"the server waited in vain for {what}")

    def next_request(self, whole=True):
        """Makes the oldest unhandled request the current one."""
        def waiting():
            among = self.whole if whole else self.requests
            return [stream for stream in among if stream not in self.taken]

        self.wait(waiting, "a request")
        self.stream = min(waiting())
        self.taken.add(self.stream)

    def until_gone(self):
        while True:
            self.wait(lambda: False, "the client to go")

    # MARK: Writing

    def send(self, data):
        """Writes, and reads meanwhile."""
        self._unsent += data
        while self._unsent:
            reads = [] if self.deaf else [self.sock]
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
            # The client's last bytes before it closed are still there.
            with contextlib.suppress(Gone):
                while not self.deaf:
                    self.read()
            raise Gone from None

    def say(self, *frames):
        """Writes frames in one piece, without asking h2."""
        self.send(b"".join(frame.serialize() for frame in frames))

    def politely(self, act):
        """Sends a frame with h2."""
        act(self.h2)
        data = self.h2.data_to_send()
        if data:
            self.send(data)

    def encode(self, fields):
        """A header block, whatever is in it."""
        fields = list(fields)
        # nghttp2 takes no string of 64 KiB, as which Huffman's code may write a shorter one.
        is_long = any(len(value) > 10_000 for _, value in fields)
        return self.h2.encoder.encode(fields, huffman=not is_long)

    def header_frames(self, block, end=False, piece=16384, stream=None, pad=0):
        """HEADERS and as many CONTINUATION as the block needs in such pieces."""
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

    # MARK: Good answers

    def answer_well(self):
        """Answers the present request as a good server does."""
        stream = self.stream
        self.politely(lambda conn: conn.send_headers(stream, GOOD_HEADERS))
        body = framed(good_message(self.requests[stream]))
        self.politely(lambda conn: conn.send_data(stream, body))
        self.politely(lambda conn: conn.send_headers(stream, OK_TRAILERS, end_stream=True))

    def serve(self):
        """Answers every request well until the client goes."""
        while True:
            self.next_request()
            self.answer_well()


GOOD_HEADERS = [(b":status", b"200"), (b"content-type", b"application/grpc")]
OK_TRAILERS = [(b"grpc-status", b"0")]


def framed(message, flag=0, length=None):
    """A message in gRPC's frame, the length of which may be a lie."""
    size = len(message) if length is None else length
    return bytes([flag]) + size.to_bytes(4, "big") + message


def payload(size):
    """A response with a payload of so many bytes, as all methods of TestService but one have it."""
    return field(1, field(2, bytes(size)))


def field(number, value):
    """A length-delimited protobuf field."""
    length, size = b"", len(value)
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + value


def good_message(path):
    return b"\x08\x07" if path.endswith(b"/StreamingInputCall") else payload(4)
