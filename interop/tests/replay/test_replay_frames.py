"""Does `tripwire replay` send the frames of a script, also those that break the protocol?"""

import base64
import contextlib
import socket

import h2.connection
import h2.errors
import h2.events
import hpack
import hyperframe.frame
import pytest

from support.command import LONGEST, assert_failed, replaying, tripwire

METHOD = "/test.Echo/Say"
FRAMED = b"\0\0\0\0\x02hi"
HI = {"message": {"bytes": "aGk="}}
END = {"trailers": {}}


class Peer:
    """An HTTP/2 client without gRPC that collects the events of the connection."""

    def __init__(self, address):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=LONGEST)
        self.connection = h2.connection.H2Connection()
        self.connection.initiate_connection()
        self.events = []

    def ask(self, body=FRAMED, path=METHOD, *fields):
        """Sends a request, with more header fields; returns its stream."""
        stream = self.connection.get_next_available_stream_id()
        self.connection.send_headers(stream, [
            (":method", "POST"), (":scheme", "http"), (":path", path),
            (":authority", "localhost"), ("te", "trailers"),
            ("content-type", "application/grpc"), *fields])
        self.connection.send_data(stream, body, end_stream=True)
        return stream

    def until(self, event):
        """Returns the events up to one of this type; None means the end of the connection."""
        while True:
            for index, found in enumerate(self.events):
                if event is not None and isinstance(found, event):
                    before, self.events = self.events[:index + 1], self.events[index + 1:]
                    return before
            self.socket.sendall(self.connection.data_to_send())
            if not (data := self.socket.recv(1 << 16)):
                assert event is None, "the server hung up"
                return self.events
            self.events += self.connection.receive_data(data)

    def frames(self, count):
        """Sends a request and returns the first frames of streams, without the checks of h2."""
        self.ask()
        self.socket.sendall(self.connection.data_to_send())
        data, found = b"", []
        while len(found) < count:
            while len(data) >= 9 and len(data) >= 9 + int.from_bytes(data[:3], "big"):
                frame, length = hyperframe.frame.Frame.parse_frame_header(memoryview(data[:9]))
                frame.parse_body(memoryview(data[9:9 + length]))
                data = data[9 + length:]
                if frame.stream_id:
                    found.append(frame)
            if len(found) < count:
                more = self.socket.recv(1 << 16)
                assert more, f"the server hung up after {found}"
                data += more
        return found


@pytest.fixture
def peer(script):
    with contextlib.ExitStack() as stack:
        def make(*steps):
            _, address = stack.enter_context(replaying(script(*steps)))
            peer = Peer(address)
            stack.callback(peer.socket.close)
            return peer

        yield make


# To an HTTP/2 client


def test_frames_are_split_as_scripted(peer):
    peer = peer({"message": {"bytes": "aGk=", "split": [1, 0, 4]}}, HI, {"data": {"split": [0]}}, END)
    peer.ask()
    frames = [
        event.data for event in peer.until(h2.events.StreamEnded)
        if isinstance(event, h2.events.DataReceived)]
    assert frames[:6] == [b"\0", b"", b"\0\0\0\2", b"hi", FRAMED, b""]


def test_declared_length_may_exceed_the_message(peer):
    peer = peer({"message": {"bytes": "aGk=", "declaredLength": 1000}}, END)
    peer.ask()
    body = b"".join(
        event.data for event in peer.until(h2.events.StreamEnded)
        if isinstance(event, h2.events.DataReceived))
    assert body == b"\0\0\0\x03\xe8hi"


def test_reset_follows_earlier_messages(peer):
    peer = peer(HI, {"reset": 77})
    peer.ask()
    events = peer.until(h2.events.StreamReset)
    assert b"".join(
        event.data for event in events if isinstance(event, h2.events.DataReceived)) == FRAMED
    assert events[-1].error_code == 77


def test_goaway_is_sent(peer):
    peer = peer(
        {"goAway": {"last": 1, "code": "ENHANCE_YOUR_CALM", "debug": "too_many_pings"}},
        {"delay": "0.1s", **HI}, END)
    peer.ask()
    gone = peer.until(h2.events.ConnectionTerminated)[-1]
    assert (gone.error_code, gone.last_stream_id, gone.additional_data) == (
        11, 1, b"too_many_pings")
    # h2 rejects all later frames, so the rest of the stream is read from the socket.
    assert FRAMED in peer.socket.recv(1 << 16)


@pytest.mark.parametrize("kind, stream, code", [
    ("HEADERS", 5, "STREAM_CLOSED"), ("DATA", 5, "STREAM_CLOSED"), ("HEADERS", 3, "PROTOCOL_ERROR"),
])
def test_frame_on_a_closed_stream_ends_the_connection(peer, kind, stream, code):
    """RFC 9113, 5.1 and 5.1.1. Stream 5 has ended, and stream 3 was skipped."""
    peer = peer(HI, END)
    peer.connection.highest_outbound_stream_id = 3
    assert peer.ask() == 5
    peer.until(h2.events.StreamEnded)
    fields = [(":method", "POST"), (":scheme", "http"), (":path", METHOD), (":authority", "localhost")]
    wrong = (hyperframe.frame.HeadersFrame(stream, hpack.Encoder().encode(fields), flags=["END_HEADERS"])
             if kind == "HEADERS" else hyperframe.frame.DataFrame(stream, FRAMED))
    peer.socket.sendall(wrong.serialize())
    gone = next(event for event in peer.until(None) if isinstance(event, h2.events.ConnectionTerminated))
    assert gone.error_code == h2.errors.ErrorCodes[code]


def test_ping_is_sent(peer):
    peer = peer({"ping": {}}, HI, END)
    peer.ask()
    events = [type(event) for event in peer.until(h2.events.StreamEnded)]
    assert events.index(h2.events.PingReceived) < events.index(h2.events.ResponseReceived)


@pytest.mark.parametrize("end", [[], [END, {"delay": "0.1s"}]], ids=["mid-stream", "after-the-response"])
def test_connection_is_closed(peer, end):
    close = {**(end.pop() if end else {}), "close": {}}
    peer = peer(HI, *end, close)
    peer.ask()
    events = peer.until(None)
    assert any(isinstance(event, h2.events.DataReceived) for event in events)
    assert any(isinstance(event, h2.events.StreamEnded) for event in events) == bool(end)


def test_raw_headers_are_sent_unchanged(peer):
    fields = [(":status", "418"), ("x-twice", "a"), ("x-twice", "b")]
    peer = peer({"headers": {
        "raw": True, "endStream": True,
        "fields": [{"name": name, "value": value} for name, value in fields]}})
    peer.ask()
    (head,) = [
        event for event in peer.until(h2.events.StreamEnded)
        if isinstance(event, h2.events.ResponseReceived)]
    assert [(bytes(name).decode(), bytes(value).decode()) for name, value in head.headers] == fields


# To a raw socket


def header_list(frame):
    return [(name.decode(), value.decode())
            for name, value in hpack.Decoder().decode(frame.data, raw=True)]


def fields(*pairs):
    return [{"name": name, "value": value} for name, value in pairs]


def test_upper_case_header_names_are_sent(peer):
    sent = [(":status", "200"), ("Content-Type", "application/grpc"), ("X-Big", "Ü" * 300)]
    (head,) = peer({"frame": {"type": "HEADERS", "flags": 5, "fields": fields(*sent)}}).frames(1)
    assert isinstance(head, hyperframe.frame.HeadersFrame)
    assert set(head.flags) == {"END_STREAM", "END_HEADERS"}
    assert header_list(head) == sent


def test_informational_and_repeated_headers_are_sent(peer):
    def head(status):
        return {"frame": {"type": "HEADERS", "flags": 4, "fields": fields((":status", status))}}

    frames = peer(head("103"), HI, head("204"), END).frames(5)
    kinds = [type(frame).__name__[:-len("Frame")] for frame in frames]
    assert kinds == ["Headers", "Headers", "Data", "Headers", "Headers"]
    assert header_list(frames[0]) == [(":status", "103")]
    assert header_list(frames[3]) == [(":status", "204")]
    assert "END_STREAM" in frames[4].flags


def test_data_before_headers_is_sent(peer):
    data = {"frame": {"payload": base64.b64encode(FRAMED).decode()}}
    frames = peer(data, {"headers": {}}, END).frames(3)
    assert [type(frame).__name__ for frame in frames] == ["DataFrame", "HeadersFrame", "HeadersFrame"]
    assert frames[0].data == FRAMED


def test_padded_data_is_sent(peer):
    padded = base64.b64encode(b"\3" + FRAMED + b"\0" * 3).decode()
    _, data, _ = peer({"headers": {}}, {"frame": {"flags": 8, "payload": padded}}, END).frames(3)
    assert (data.data, data.pad_length) == (FRAMED, 3)


def test_frames_of_other_streams_and_unknown_types_are_sent(peer):
    frames = peer(
        {"frame": {"type": "RST_STREAM", "stream": 7, "payload": "AAAACA=="}},
        {"frame": {"type": 250, "flags": 255, "payload": "/w=="}}, {"delay": "0.05s", **END}
    ).frames(3)
    assert (frames[0].stream_id, frames[0].error_code) == (7, 8)
    assert (frames[1].type, frames[1].flag_byte, frames[1].body) == (250, 255, b"\xff")
    assert isinstance(frames[2], hyperframe.frame.HeadersFrame)


@pytest.mark.parametrize("options", [[], ["tls"]], ids=["plaintext", "tls"])
def test_frames_reach_our_client(script, certificates, options):
    steps = [
        {"frame": {"type": "HEADERS", "flags": 4, "fields": fields((":status", "103"))}}, HI,
        {"frame": {"type": "HEADERS", "flags": 5, "fields": fields(("grpc-status", "7"))}}]
    path = script(calls=[{"method": "/grpc.health.v1.Health/Check", "steps": steps}])
    ours = ["--tls-cert", certificates.good.chain, "--tls-key", certificates.good.key]
    theirs = ["--cacert", certificates.authority] if options else ["--plaintext"]
    with replaying(path, *(ours if options else [])) as (_, address):
        result = tripwire("call", "grpc.health.v1.Health/Check", "--endpoint", address, *theirs)
    assert_failed(result, 64 + 7, "PERMISSION_DENIED")
