"""Frames that RFC 9113 forbids, and unusual ones that it allows."""

import struct

from peers.negative.case import group
from peers.negative.peer import GOOD_HEADERS, framed, payload
from peers.negative.server import hello
from peers.negative.steps import (
    await_headers, await_request, await_reset, data, frame, good, headers, hello_with, message, rst,
    settings, silent, stop_acks, together, trailers, update)

CASES = []
PROTOCOL, FLOW, SIZE = 1, 3, 6
DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, UPDATE = range(9)


def goaway_with(code):
    return (("GOAWAY", code),)


# MARK: Connection errors

case = group("connection error", after="new")


def push(peer):
    block = peer.encode([(b":method", b"GET"), (b":scheme", b"http"), (b":path", b"/"),
                         (b":authority", b"x")])
    frame(PUSH, 4, payload=struct.pack(">I", 2) + block)(peer)


def fields(peer):
    return peer.encode(GOOD_HEADERS)


NOWHERE = frame(DATA, stream=0, payload=b"x")
BAD = {
    "DATA on stream 0": (NOWHERE, PROTOCOL),
    "HEADERS on stream 0": (frame(HEADERS, 4, stream=0, payload=b"\x88"), PROTOCOL),
    "PRIORITY on stream 0": (frame(PRIORITY, stream=0, payload=bytes(5)), PROTOCOL),
    "RST_STREAM on stream 0": (rst(8, stream=0), PROTOCOL),
    "PUSH_PROMISE on stream 0": (frame(PUSH, 4, stream=0, payload=b"\0\0\0\2\x88"), PROTOCOL),
    "CONTINUATION on stream 0": (frame(9, 4, stream=0), PROTOCOL),
    "SETTINGS on a stream": (frame(SETTINGS), PROTOCOL),
    "PING on a stream": (frame(PING, payload=bytes(8)), PROTOCOL),
    "DATA on an idle stream": (data(b"x", stream=99), PROTOCOL),
    "DATA on an idle even stream": (data(b"x", stream=2), PROTOCOL),
    "HEADERS on an idle stream": (headers(stream=99), PROTOCOL),
    "HEADERS on an even stream": (headers(stream=2), PROTOCOL),
    "RST_STREAM on an idle stream": (rst(8, stream=99), PROTOCOL),
    "WINDOW_UPDATE on an idle stream": (update(1, stream=99), PROTOCOL),
    "PUSH_PROMISE": (push, PROTOCOL),
    "DATA above our frame size": (frame(DATA, payload=bytes(16385)), SIZE),
    "HEADERS above our frame size": (frame(HEADERS, 4, payload=bytes(16385)), SIZE),
    "an unknown frame above our frame size": (frame(0xee, payload=bytes(16385)), SIZE),
    "the header of a frame of 16 MiB": (frame(DATA, length=2**24 - 1), SIZE),
    "PING of 7 bytes": (frame(PING, stream=0, payload=bytes(7)), SIZE),
    "PING of 9 bytes": (frame(PING, stream=0, payload=bytes(9)), SIZE),
    "RST_STREAM of 3 bytes": (frame(RST, payload=bytes(3)), SIZE),
    "RST_STREAM of 5 bytes": (frame(RST, payload=bytes(5)), SIZE),
    "SETTINGS of 5 bytes": (frame(SETTINGS, stream=0, payload=bytes(5)), SIZE),
    "unexpected SETTINGS ACK": (frame(SETTINGS, 1, stream=0), PROTOCOL),
    "SETTINGS ACK with a payload": (frame(SETTINGS, 1, stream=0, payload=bytes(6)), SIZE),
    "WINDOW_UPDATE of 3 bytes": (frame(UPDATE, stream=0, payload=bytes(3)), SIZE),
    "GOAWAY of 7 bytes": (frame(GOAWAY, stream=0, payload=bytes(7)), SIZE),
    "DATA with padding longer than the frame": (together(headers(), frame(DATA, 8, payload=b"\x05abc")),
                                  PROTOCOL),
    "empty DATA with the flag PADDED": (together(headers(), frame(DATA, 8)), PROTOCOL),
    "HEADERS with padding longer than the frame": (frame(HEADERS, 0xc, payload=b"\xff\x88"), PROTOCOL),
    "HEADERS with a truncated priority": (frame(HEADERS, 0x24, payload=b"\0\0"), SIZE),
    "ENABLE_PUSH 1": (settings((2, 1)), PROTOCOL),
    "ENABLE_PUSH 2": (settings((2, 2)), PROTOCOL),
    "INITIAL_WINDOW_SIZE 2^31": (settings((4, 2**31)), FLOW),
    "MAX_FRAME_SIZE 16,383": (settings((5, 16383)), PROTOCOL),
    "MAX_FRAME_SIZE 2^24": (settings((5, 2**24)), PROTOCOL),
    "WINDOW_UPDATE of 0 on the connection": (update(0, stream=0), PROTOCOL),
    "WINDOW_UPDATE beyond 2^31-1 on the connection": (
        together(update(2**31 - 1, stream=0), update(2**31 - 1, stream=0)), FLOW),
}
for title, (step, code) in BAD.items():
    # RFC 9113 requires an error code in GOAWAY. For a wrong frame size, it may be a protocol error as well.
    CASES += [case(title, [step, silent], "UNAVAILABLE", kind=kind, client_sends=goaway_with(code),
                   attempts=1)
              for kind in ("UNARY", "SERVER_STREAMING")]
CASES += [
    case("in the middle of a stream", [headers(), message(), NOWHERE, silent],
         "UNAVAILABLE", kind="SERVER_STREAMING", messages=1, client_sends=goaway_with(PROTOCOL)),
    case("with ten calls at once", [NOWHERE, silent], "UNAVAILABLE",
         opening=(hello, *[await_request] * 10), order={"calls": 10}, client_sends=goaway_with(PROTOCOL)),
    case("INITIAL_WINDOW_SIZE that raises a window beyond 2^31-1",
         [update(2**30), settings((4, 2**31 - 1))], ("INTERNAL", "UNAVAILABLE"),
         opening=(hello, await_headers), order={"requestSize": 300_000}, after=None),
]

# MARK: The first SETTINGS

case = group("first frame", after="new", opening=())
for title, steps in {
    "PING": [frame(PING, stream=0, payload=bytes(8))],
    "SETTINGS ACK": [frame(SETTINGS, 1, stream=0)],
    "HEADERS": [headers(stream=1)],
    "DATA": [data(b"x", stream=1)],
    "GOAWAY": [frame(GOAWAY, stream=0, payload=bytes(8))],
    "WINDOW_UPDATE": [update(1, stream=0)],
    "unknown": [frame(0xee, stream=0)],
    "SETTINGS with a bad value": [settings((2, 7))],
    "SETTINGS on a stream": [frame(SETTINGS, stream=1)],
    "SETTINGS of 5 bytes": [frame(SETTINGS, stream=0, payload=bytes(5))],
    "SETTINGS of 16 KiB and more": [frame(SETTINGS, stream=0, payload=bytes(16386))],
    "PUSH_PROMISE": [frame(PUSH, 4, stream=1, payload=b"\0\0\0\2")],
}.items():
    CASES.append(case(title, [*steps, silent], "UNAVAILABLE", "HTTP/2"))
CASES += [
    case("incomplete SETTINGS", [frame(SETTINGS, stream=0, payload=b"\0", length=6)],
         "DEADLINE_EXCEEDED", "SETTINGS", timeout=1, after=None,
         opening=(stop_acks,)),
    case("33 values in SETTINGS", [frame(SETTINGS, stream=0, payload=b"\0\3\0\0\0\7" * 33), silent],
         ("OK", "UNAVAILABLE"), after=None),
]

# MARK: Allowed frames

case = group("allowed")


def pinged(times):
    """Sends PINGs and waits for their acknowledgments."""
    def step(peer):
        together(*[frame(PING, stream=0, payload=bytes(8))] * times)(peer)
        peer.wait(lambda: peer.pings_answered >= times, f"{times} PING ACKs")

    return step


for kind in ("UNARY", "SERVER_STREAMING"):
    CASES += [
        case("1,000 PINGs, all acknowledged", [pinged(1000), good], "OK",
             kind=kind, messages=1),
        case("an unknown frame everywhere",
             [frame(0xee, 0xff, payload=b"x"), headers(), frame(0xee, stream=0), message(),
              frame(0xef, stream=99), trailers()], "OK", kind=kind, messages=1),
        case("PRIORITY everywhere",
             [frame(PRIORITY, payload=bytes(5)), headers(),
              frame(PRIORITY, stream=99, payload=bytes(5)), message(), trailers()], "OK",
             kind=kind, messages=1),
        case("DATA with only padding", [headers(), *[data(pad=255)] * 10, message(), data(pad=0),
                                       trailers()], "OK", kind=kind, messages=1),
        case("padded DATA", [headers(), data(framed(payload(9))[:7], pad=100),
                             data(framed(payload(9))[7:], pad=0), trailers()], "OK", kind=kind,
             messages=1),
        case("undefined flags", [headers(), frame(DATA, 0xf6, payload=framed(payload(4))),
                                         trailers()], "OK", kind=kind, messages=1),
        case("SETTINGS twice", [settings((3, 100)), settings(), good], "OK", kind=kind),
        case("unknown SETTINGS", [settings((0xff, 7), (0xffff, 2**32 - 1), (8, 1)), good], "OK",
             kind=kind),
        case("SETTINGS without a dynamic table", [settings((1, 0)), good], "OK", kind=kind),
        case("MAX_FRAME_SIZE 2^24-1", [settings((5, 2**24 - 1)), good], "OK", kind=kind),
        case("unexpected PING ACK", [frame(PING, 1, stream=0, payload=bytes(8)), good],
             "OK", kind=kind),
        case("no SETTINGS ACK", [good], "OK", kind=kind, opening=(stop_acks, hello, await_request)),
        case("the high bit of the stream is reserved",
             [frame(0xee, stream=2**31 + 1), headers(), frame(DATA, stream=2**31 + 1,
                                                              payload=framed(payload(4))),
              trailers()], "OK", kind=kind, messages=1),
    ]
CASES += [
    case("HEADER_TABLE_SIZE 2^32-1", [good], "OK",
         opening=(hello_with(header_table_size=2**32 - 1), await_request)),
    case("MAX_HEADER_LIST_SIZE 10, too small for any request", [], ("RESOURCE_EXHAUSTED", "INTERNAL"),
         "10", opening=(hello_with(max_header_list_size=10),), after=None),
    case("frames on a closed stream", [together(
        headers(), message(), trailers(), update(1), frame(PRIORITY, payload=bytes(5)), rst(8))],
        "OK"),
]

case = group("closed stream", after=None)
CASES += [
    case("DATA after the trailers", [together(headers(), message(), trailers(), data(b"x"))],
         "OK"),
    case("headers after the trailers", [together(headers(), message(), trailers(), headers())],
         "OK"),
    case("a response after a reset by the client",
         [headers(), message(flag=9), await_reset, message(), trailers(), await_request, good], "INTERNAL"),
]
