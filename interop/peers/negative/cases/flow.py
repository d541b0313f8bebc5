"""Windows that stay closed, shrink or overflow, and stream limits."""

from peers.negative.case import group
from peers.negative.peer import framed, payload
from peers.negative.cases.resets import KINDS
from peers.negative.server import hello
from peers.negative.steps import (
    await_headers, await_request, await_request_end, change, data, good, grow, headers, hello_with,
    hold_windows, settings, together, update)

CASES = []
CANCELLED = (("RST_STREAM", 8),)
BIG = {"requestSize": 200_000}

case = group("window")


def closed_window(**more):
    return hello_with(initial_window_size=0, **more)


def received(count):
    """Waits until this number of bytes has arrived."""
    return lambda peer: peer.wait(lambda: peer.bytes_received >= count, f"{count} bytes")


for kind in KINDS:
    CASES += [
        case("permanently 0", [], "DEADLINE_EXCEEDED", kind=kind, timeout=1, client_sends=CANCELLED,
             opening=(closed_window(), await_headers), order={"requestSize": 1000}, after=None),
        case("of the connection used up permanently", [], "DEADLINE_EXCEEDED", kind=kind,
             timeout=1, client_sends=CANCELLED, opening=(hello, hold_windows, await_headers), order=BIG,
             after=None),
        case("0, then enough", [update(2**24), await_request_end, good], "OK", kind=kind,
             opening=(settings((4, 0)), await_headers), order={"requestSize": 1000},
             after=None),
    ]
CASES += [
    case("0, with a response", [good], "OK", opening=(closed_window(), await_headers),
         order={"requestSize": 1000}, after=None),
    case("a byte at a time", [*[update(1)] * 300, update(2**20), await_request_end, good], "OK",
         opening=(settings((4, 0)), await_headers), order={"requestSize": 1000}, after=None),
    case("INITIAL_WINDOW_SIZE lowered below the sent bytes, a negative window",
         [received(60_000), change(initial_window_size=0), change(initial_window_size=1000),
          change(initial_window_size=2**24), grow(2**24), await_request_end, good], "OK",
         opening=(hello, hold_windows, await_headers), order=BIG, after=None),
    case("overflow on the stream", [update(2**31 - 1)], "INTERNAL", opening=(hello, await_headers),
         order=BIG, client_sends=(("RST_STREAM", 3),)),
    case("overflow on the stream after the request", [update(2**31 - 1)], "INTERNAL",
         client_sends=(("RST_STREAM", 3),)),
    case("an update of 0 on the stream", [update(0)], ("INTERNAL", "UNAVAILABLE"), after=None),
    case("more DATA than the window allows, to a slow reader",
         [headers(), together(*[data(framed(payload(16_000)))] * 140)], "INTERNAL",
         kind="SERVER_STREAMING", order={"pauseMs": 300},
         client_sends=(("RST_STREAM", 3),)),
]


def padded(size):
    """Sends a message in DATA frames of 5 bytes with 255 bytes of padding, within the windows."""
    def step(peer):
        body, stream = framed(payload(size)), peer.stream
        for start in range(0, len(body), 5):
            peer.wait(lambda: peer.h2.local_flow_control_window(stream) >= 300, "a window")
            peer.send_checked(lambda conn: conn.send_data(
                stream, body[start:start + 5], pad_length=255))

    return step


def checked_headers(**more):
    return lambda peer: peer.send_checked(lambda conn: conn.send_headers(peer.stream, **more))


CASES += [
    case("20,000 frames of 5 bytes with 255 bytes of padding",
         [checked_headers(headers=[(b":status", b"200"), (b"content-type", b"application/grpc")]),
          padded(100_000), checked_headers(headers=[(b"grpc-status", b"0")], end_stream=True)], "OK",
         timeout=30, kind=kind, messages=1) for kind in ("UNARY", "SERVER_STREAMING")]

case = group("MAX_CONCURRENT_STREAMS")
CASES += [
    case("0, then 10", [change(max_concurrent_streams=0), change(max_concurrent_streams=10),
                        await_request, good], "OK",
         opening=(hello_with(max_concurrent_streams=0),), after=None),
    case("permanently 0", [], "DEADLINE_EXCEEDED", "stream", timeout=1,
         opening=(hello_with(max_concurrent_streams=0),), after=None),
    case("1, ten calls", [good, *[await_request, good] * 9], "OK",
         opening=(hello_with(max_concurrent_streams=1), await_request), order={"calls": 10}, after=None),
    case("lowered to 0 in the middle of a call", [settings((3, 0)), good, settings((3, 1))], "OK"),
]
