"""Does `tripwire replay` execute scripts, which can express more than recordings?"""

import base64
import contextlib
import json
import socket
import time

import grpc
import h2.connection
import h2.events
import hpack
import hyperframe.frame
import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from support.command import GROWING, LONGEST, assert_failed, at, replaying, tripwire
from peers.servers.protosets import compiled
from support.paths import INTEROP

METHOD = "/test.Echo/Say"
GET_TRIP = "/maps.fleetengine.v1.TripService/GetTrip"
TRIP = "providers/p/trips/t1"
EXAMPLE = INTEROP / "scripts" / "bad-day.json"
FRAMED = b"\0\0\0\0\x02hi"
HI = {"message": {"bytes": "aGk="}}
END = {"trailers": {}}


@pytest.fixture
def script(tmp_path):
    """Writes a script of one call with these steps, or of these calls; returns its path."""
    def make(*steps, calls=None):
        path = tmp_path / "made.yaml"
        path.write_text(json.dumps({"calls": calls or [{"method": METHOD, "steps": steps}]}))
        return path

    return make


@pytest.fixture
def channel(script):
    """Makes a grpcio channel to a server that executes the steps."""
    with contextlib.ExitStack() as stack:
        def make(*steps, options=()):
            _, address = stack.enter_context(replaying(script(*steps), *options))
            return stack.enter_context(
                grpc.insecure_channel(address, [("grpc.enable_retries", 0)]))

        yield make


def ask(channel, method=METHOD, **more):
    return channel.unary_unary(method).with_call(b"?", timeout=LONGEST, **more)


def failure(channel):
    with pytest.raises(grpc.RpcError) as caught:
        ask(channel)
    return caught.value


class Peer:
    """An HTTP/2 client without gRPC that collects the events of the connection."""

    def __init__(self, address):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=LONGEST)
        self.connection = h2.connection.H2Connection()
        self.connection.initiate_connection()
        self.events = []

    def ask(self, body=FRAMED):
        stream = self.connection.get_next_available_stream_id()
        self.connection.send_headers(stream, [
            (":method", "POST"), (":scheme", "http"), (":path", METHOD),
            (":authority", "localhost"), ("te", "trailers"),
            ("content-type", "application/grpc")])
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


@pytest.fixture
def peer(script):
    with contextlib.ExitStack() as stack:
        def make(*steps):
            _, address = stack.enter_context(replaying(script(*steps)))
            peer = Peer(address)
            stack.callback(peer.socket.close)
            return peer

        yield make


# To a grpcio client


def test_message_and_trailers_are_sent(channel):
    answer, call = ask(channel(
        {"headers": {"fields": [{"name": "x-first", "value": "a"}]}}, HI,
        {"trailers": {"fields": [{"name": "x-last-bin", "value": "AP8"}]}}))
    assert answer == b"hi"
    assert ("x-first", "a") in call.initial_metadata()
    assert ("x-last-bin", b"\0\xff") in call.trailing_metadata()


def test_status_with_details_is_sent(channel):
    error = failure(channel({"trailers": {
        "code": "RESOURCE_EXHAUSTED", "message": "später",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"}]}}))
    assert (error.code(), error.details()) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "später")
    (encoded,) = [
        value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    status = status_pb2.Status.FromString(encoded)
    info = error_details_pb2.RetryInfo()
    assert (status.code, status.message) == (8, "später")
    assert any_pb2.Any.Unpack(status.details[0], info)
    assert info.retry_delay.seconds == 3


def test_http_status_is_sent(channel):
    error = failure(channel({"headers": {
        "status": 503, "fields": [{"name": "content-type", "value": "text/html"}],
        "endStream": True}}))
    assert error.code() == grpc.StatusCode.UNAVAILABLE
    assert "503" in error.details()


def test_missing_status_is_unknown(channel):
    error = failure(channel(HI, {"trailers": {"raw": True}}))
    assert error.code() == grpc.StatusCode.UNKNOWN


def test_compressed_message_is_sent(channel):
    encoding = [{"name": "grpc-encoding", "value": "gzip"}]
    body = channel({"headers": {"fields": encoding}}, {
        "message": {"bytes": "QUFB" * 300, "compression": "GZIP"}}, END)
    assert ask(body)[0] == b"A" * 900


def test_compressed_flag_without_encoding_is_internal(channel):
    error = failure(channel({"message": {"bytes": "aGk=", "flags": 1}}, END))
    assert error.code() == grpc.StatusCode.INTERNAL


def test_speed_scales_delays(channel):
    def seconds(delay, *options):
        steps = [HI, {"delay": delay, **HI}, {"delay": delay, **END}]
        channel_ = channel(*steps, options=options)
        grpc.channel_ready_future(channel_).result(timeout=LONGEST)
        start = time.monotonic()
        assert list(channel_.unary_stream(METHOD)(b"?", timeout=LONGEST)) == [b"hi", b"hi"]
        return time.monotonic() - start

    assert seconds("1s") >= 2
    # Without the speed this would exceed the timeout.
    assert seconds(f"{LONGEST}s", "--speed", "1000") >= 2 * LONGEST / 1000


def test_steps_wait_for_client_messages(channel):
    steps = [{"after": 1, **HI}, {"after": 2, **HI}, {"after": 2, **END}]
    sent = []

    def requests():
        for _ in range(2):
            sent.append(True)
            yield b"?"
            while len(answers) < len(sent):
                time.sleep(0.001)

    answers = []
    for answer in channel(*steps).stream_stream(METHOD)(requests(), timeout=LONGEST):
        answers.append((answer, len(sent)))
    assert answers == [(b"hi", 1), (b"hi", 2)]


@pytest.mark.parametrize("reset, code", [
    ("CANCEL", "CANCELLED"), ("REFUSED_STREAM", "UNAVAILABLE"),
    ("ENHANCE_YOUR_CALM", "RESOURCE_EXHAUSTED"), ("INADEQUATE_SECURITY", "PERMISSION_DENIED"),
    ("INTERNAL_ERROR", "INTERNAL"),
])
def test_stream_is_reset(channel, reset, code):
    assert failure(channel({"headers": {}}, {"reset": reset})).code().name == code


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


class Wire(Peer):
    """Reads frames without the checks of h2."""

    def frames(self, count):
        """Sends a request and returns the first frames of streams."""
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
def wire(script):
    with contextlib.ExitStack() as stack:
        def make(*steps):
            _, address = stack.enter_context(replaying(script(*steps)))
            wire = Wire(address)
            stack.callback(wire.socket.close)
            return wire

        yield make


def header_list(frame):
    return [(name.decode(), value.decode())
            for name, value in hpack.Decoder().decode(frame.data, raw=True)]


def fields(*pairs):
    return [{"name": name, "value": value} for name, value in pairs]


def test_upper_case_header_names_are_sent(wire):
    sent = [(":status", "200"), ("Content-Type", "application/grpc"), ("X-Big", "Ü" * 300)]
    (head,) = wire({"frame": {"type": "HEADERS", "flags": 5, "fields": fields(*sent)}}).frames(1)
    assert isinstance(head, hyperframe.frame.HeadersFrame)
    assert set(head.flags) == {"END_STREAM", "END_HEADERS"}
    assert header_list(head) == sent


def test_informational_and_repeated_headers_are_sent(wire):
    def head(status):
        return {"frame": {"type": "HEADERS", "flags": 4, "fields": fields((":status", status))}}

    frames = wire(head("103"), HI, head("204"), END).frames(5)
    kinds = [type(frame).__name__[:-len("Frame")] for frame in frames]
    assert kinds == ["Headers", "Headers", "Data", "Headers", "Headers"]
    assert header_list(frames[0]) == [(":status", "103")]
    assert header_list(frames[3]) == [(":status", "204")]
    assert "END_STREAM" in frames[4].flags


def test_data_before_headers_is_sent(wire):
    data = {"frame": {"payload": base64.b64encode(FRAMED).decode()}}
    frames = wire(data, {"headers": {}}, END).frames(3)
    assert [type(frame).__name__ for frame in frames] == ["DataFrame", "HeadersFrame", "HeadersFrame"]
    assert frames[0].data == FRAMED


def test_padded_data_is_sent(wire):
    padded = base64.b64encode(b"\3" + FRAMED + b"\0" * 3).decode()
    _, data, _ = wire({"headers": {}}, {"frame": {"flags": 8, "payload": padded}}, END).frames(3)
    assert (data.data, data.pad_length) == (FRAMED, 3)


def test_frames_of_other_streams_and_unknown_types_are_sent(wire):
    frames = wire(
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


# To tripwire


def test_get_replays_the_example():
    result = tripwire("get", "providers/demo/trips/t1", "--replay", EXAMPLE)
    assert (result.code, result.json["tripStatus"]) == (0, "ENROUTE_TO_PICKUP")


def test_requests_select_their_call(script):
    def call(status, **selector):
        trip = {"@type": "type.googleapis.com/maps.fleetengine.v1.Trip", "tripStatus": status}
        return {"method": GET_TRIP, **selector, "steps": [{"message": {"json": trip}}, END]}

    request = {"@type": "type.googleapis.com/maps.fleetengine.v1.GetTripRequest", "name": TRIP}
    path = script(calls=[
        call("NEW", request=request), call("COMPLETE", resource=TRIP), call("CANCELED")])
    with replaying(path, "--loop") as (_, address):
        def status(name):
            return tripwire(
                "get", name, "--endpoint", address, "--plaintext").json["tripStatus"]

        assert [status(TRIP) for _ in range(3)] == ["NEW", "NEW", "NEW"]
        assert status("providers/p/trips/other") == "CANCELED"


@pytest.mark.parametrize("loops", [False, True])
def test_follow_loops_with_the_option(script, loops):
    def call(status):
        trip = {"@type": "type.googleapis.com/maps.fleetengine.v1.Trip", "name": TRIP,
                "tripStatus": status}
        return {"method": GET_TRIP, "steps": [{"message": {"json": trip}}, END]}

    for seconds in GROWING:
        result = tripwire(
            "follow", TRIP, "--replay", script(calls=[call("NEW"), call("ENROUTE_TO_PICKUP")]),
            "--interval", "100ms", "--for", f"{seconds}s", "--until", "complete",
            *(["--loop"] if loops else []))
        # The third response has arrived, or as many as there are.
        if result.stdout.count("ENROUTE_TO_PICKUP") and result.stdout.count('"NEW"') > loops:
            break
    assert result.code == 4, result.stderr
    assert (result.stdout.count('"NEW"') > 1) == loops, result.stdout


def test_our_client_reports_the_reason(script):
    def failed(*steps):
        result = tripwire(
            "call", "grpc.health.v1.Health/Check", "--replay",
            script(calls=[{"method": "/grpc.health.v1.Health/Check", "steps": steps}]))
        assert result.stdout == ""
        return result.stderr

    assert "503" in failed({"headers": {
        "status": 503, "fields": [{"name": "content-type", "value": "text/html"}],
        "endStream": True}})
    assert "compressed" in failed({"message": {"bytes": "aGk=", "flags": 1}}, END)
    assert "refused the stream" in failed({"reset": "REFUSED_STREAM"})
    assert "CANCEL" in failed({"reset": "CANCEL"})
    assert "draining" in failed({"goAway": {"last": 0}})
    assert "the server closed it" in failed({"close": {}})
    assert "middle of a message" in failed(
        {"message": {"bytes": "aGk=", "declaredLength": 9}}, END)


# Invalid scripts


@pytest.mark.parametrize("text, words", [
    ('{"calls": [\n  {"metod": "/a/b"}]}', ["made.yaml:2:", "did you mean method?"]),
    ('{"calls": [\n  {"method": "a"}]}', ["made.yaml:2:3: expected a", "/package.Service/Method"]),
    ('{"calls": [{"method": "/a/b", "steps": [{"trailers": {}},\n\n {"headers": {}}]}]}',
     ["made.yaml:3:2:", '"headers" must be the first step']),
    ('{"calls": [{"method": "/a/b",\n "steps": [{"message": {"json": {"@type": "x/y"}}}]}]}',
     ["made.yaml:2:", 'unknown type "x/y"']),
    ("{}", ["made.yaml", "no calls"]),
    ("calls:\n- method: /a/b\n", [
        "made.yaml", "neither a gRPC binary log nor a script (JSON that begins with {)"]),
])
@pytest.mark.parametrize("command", [["replay"], ["get", TRIP, "--replay"]])
def test_invalid_script_is_reported(tmp_path, command, text, words):
    path = tmp_path / "made.yaml"
    path.write_text(text)
    hint = (f"yq -o=json {path}" if text.startswith("calls:")
            else ["'tripwire replay' with --protoset FILE", 'base64 instead of "json"'] if "x/y" in text
            else "add a call to the script" if text == "{}"
            else f"correct {path} at line 2, column " if "metod" in text else None)
    assert_failed(tripwire(*command, path), 1, *words, hint=hint)


def test_messages_may_use_types_of_a_protoset(script, tmp_path):
    (tmp_path / "shop.proto").write_text("""
        syntax = "proto3"; package shop; import "google/protobuf/any.proto";
        import "google/protobuf/timestamp.proto";
        message Order { int32 count = 1; google.protobuf.Any more = 2;
          google.protobuf.Timestamp time = 3; }
        service Shop { rpc Buy(Order) returns (Order); }""")
    protoset = tmp_path / "shop.protoset"
    protoset.write_bytes(compiled(tmp_path, "shop.proto"))
    order = {"@type": "a.b/shop.Order", "count": 7, "time": "1970-01-01T00:00:05Z",
             "more": {"@type": "a.b/shop.Order", "count": 9}}
    path = script(calls=[
        {"method": "/shop.Shop/Buy", "request": order,
         "steps": [{"message": {"json": order | {"count": 8}}}, {"trailers": {"details": [
             order, {"@type": "a.b/google.rpc.Help"}, {"@type": "a.b/google.protobuf.Duration",
                                                       "value": "3s"}]}}]}])
    assert_failed(tripwire("replay", path), 1, "shop.Order", hint="--protoset")
    with replaying(path, "--protoset", protoset) as (_, address):
        call = ["call", "shop.Shop/Buy", *at(address), "-d"]
        # The client gets the types by reflection.
        del order["@type"]
        answer = tripwire(*call, json.dumps(order))
        assert answer.code == 0, answer.stderr
        assert answer.json == order | {"count": 8}
        assert tripwire(*call, '{"count": 1}').code == 69
    broken = script(calls=[{"method": "/shop.Shop/Buy", "steps": [
        {"message": {"json": {"@type": "a.b/shop.Order", "cuont": 1}}}]}])
    assert_failed(
        tripwire("replay", broken, "--protoset", protoset), 1, "made.yaml:1:", "cuont")
