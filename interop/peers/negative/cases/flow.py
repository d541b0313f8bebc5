"""Windows that stay shut, shrink, overflow; limits of streams."""

from peers.negative.case import group
from peers.negative.peer import framed, payload
from peers.negative.cases.resets import KINDS
from peers.negative.server import hello
from peers.negative.steps import (
    asked, begun, change, data, good, grow, headers, hello_with, hold_windows, rest, settings,
    together, update)

CASES = []
CANCELLED = (("RST_STREAM", 8),)
BIG = {"requestSize": 200_000}

case = group("window")


def shut(**more):
    return hello_with(initial_window_size=0, **more)


def received(count):
    """Waits until so many bytes have come."""
    return lambda peer: peer.wait(lambda: peer.bytes_received >= count, f"{count} bytes")


for kind in KINDS:
    CASES += [
        case("0 for ever", [], "DEADLINE_EXCEEDED", kind=kind, timeout=1, hears=CANCELLED,
             opening=(shut(), begun), order={"requestSize": 1000}, after=None),
        case("of the connection used up for ever", [], "DEADLINE_EXCEEDED", kind=kind,
             timeout=1, hears=CANCELLED, opening=(hello, hold_windows, begun), order=BIG,
             after=None),
        case("0, then enough", [update(2**24), rest, good], "OK", kind=kind,
             opening=(settings((4, 0)), begun), order={"requestSize": 1000},
             after=None),
    ]
CASES += [
    case("0, an answer all the same", [good], "OK", opening=(shut(), begun),
         order={"requestSize": 1000}, after=None),
    case("a byte at a time", [*[update(1)] * 300, update(2**20), rest, good], "OK",
         opening=(settings((4, 0)), begun), order={"requestSize": 1000}, after=None),
    case("INITIAL_WINDOW_SIZE lowered below what is sent: a negative window",
         [received(60_000), change(initial_window_size=0), change(initial_window_size=1000),
          change(initial_window_size=2**24), grow(2**24), rest, good], "OK",
         opening=(hello, hold_windows, begun), order=BIG, after=None),
    case("overflow on the stream", [update(2**31 - 1)], "INTERNAL", opening=(hello, begun),
         order=BIG, hears=(("RST_STREAM", 3),)),
    case("overflow on the stream, the request being whole", [update(2**31 - 1)], "INTERNAL",
         hears=(("RST_STREAM", 3),)),
    case("an update of 0 on the stream", [update(0)], ("INTERNAL", "UNAVAILABLE"), after=None),
    case("more than ours allows, to a slow reader",
         [headers(), together(*[data(framed(payload(16_000)))] * 140)], "INTERNAL",
         kind="SERVER_STREAMING", order={"pauseMs": 300},
         hears=(("RST_STREAM", 3),)),
]


def padded(size):
    """A message in DATA of 5 bytes with 255 of padding each, as far as the windows allow."""
    def step(peer):
        body, stream = framed(payload(size)), peer.stream
        for start in range(0, len(body), 5):
            peer.wait(lambda: peer.h2.local_flow_control_window(stream) >= 300, "a window")
            peer.politely(lambda conn: conn.send_data(
                stream, body[start:start + 5], pad_length=255))

    return step


def politely(**more):
    return lambda peer: peer.politely(lambda conn: conn.send_headers(peer.stream, **more))


CASES += [
    case("20,000 frames of 5 bytes with 255 of padding",
         [politely(headers=[(b":status", b"200"), (b"content-type", b"application/grpc")]),
          padded(100_000), politely(headers=[(b"grpc-status", b"0")], end_stream=True)], "OK",
         timeout=30, kind=kind, messages=1) for kind in ("UNARY", "SERVER_STREAMING")]

case = group("MAX_CONCURRENT_STREAMS")
CASES += [
    case("0, then 10", [change(max_concurrent_streams=0), change(max_concurrent_streams=10),
                        asked, good], "OK",
         opening=(hello_with(max_concurrent_streams=0),), after=None),
    case("0 for ever", [], "DEADLINE_EXCEEDED", "stream", timeout=1,
         opening=(hello_with(max_concurrent_streams=0),), after=None),
    case("1, ten calls", [good, *[asked, good] * 9], "OK",
         opening=(hello_with(max_concurrent_streams=1), asked), order={"calls": 10}, after=None),
    case("lowered to 0 in the middle of a call", [settings((3, 0)), good, settings((3, 1))], "OK"),
]
