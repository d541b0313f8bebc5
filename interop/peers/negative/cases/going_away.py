"""GOAWAY in all forms."""

from peers.negative.case import group
from peers.negative.peer import payload
from peers.negative.cases.resets import KINDS, NAMES
from peers.negative.server import hello
from peers.negative.steps import (
    await_request, await_headers, close, fin, frame, goaway, good, headers, message, rst, settings, silent,
    together, trailers)

case = group("GOAWAY", after="new")
ALL = 2**31 - 1


def keep_five(peer):
    """Responds on the streams up to 9."""
    for stream in (1, 3, 5, 7, 9):
        peer.stream = stream
        peer.respond()


CASES = []
for code in [*range(14), 0xff, 0xffffffff]:
    name = NAMES[code] if code < len(NAMES) else f"{code:#x}"
    CASES += [
        case(f"0, {name}: the call is retried", [goaway(0, code), silent], "OK", attempts=2,
             after="same"),
        case(f"last ID is the call, {name}: it continues", [goaway(1, code), good, silent], "OK",
             attempts=1),
    ]
for kind in KINDS:
    CASES += [
        case("0", [goaway(0), silent], "OK", kind=kind, after="same"),
        case("two phases, last ID includes the call", [goaway(ALL), goaway(1), good, silent], "OK",
             kind=kind),
        case("two phases, last ID excludes the call", [goaway(ALL), goaway(0), silent], "OK", kind=kind,
             after="same"),
    ]
CASES += [
    case("2^31-1", [goaway(ALL), good, silent], "OK", attempts=1),
    case("a high last ID", [goaway(9), good, silent], "OK", attempts=1),
    case("the same twice", [goaway(1), goaway(1), good, silent], "OK", attempts=1),
    case("0 on every connection", [goaway(0), silent], "UNAVAILABLE", "GOAWAY NO_ERROR",
         attempts=2, next=((hello, await_request, goaway(0), silent),), after="new"),
    case("0 in the middle of a big request", [goaway(0), silent], "OK", attempts=2, after="same",
         opening=(hello, await_headers), order={"requestSize": 200_000}),
    case("0 after the response headers", [headers(), goaway(0), silent], "UNAVAILABLE",
         attempts=1),
    case("0 in the middle of the response", [headers(), message(), goaway(0), silent], "UNAVAILABLE",
         kind="SERVER_STREAMING", messages=1),
    case("then an error", [goaway(1), headers(), trailers((b"grpc-status", b"5")), silent],
         "NOT_FOUND"),
    case("then a reset", [goaway(1), rst(8), silent], "CANCELLED"),
    case("then REFUSED_STREAM", [goaway(1), rst(7), silent], "OK", attempts=2, after="same"),
    case("then a close", [goaway(1), close], "UNAVAILABLE"),
    case("then a FIN", [goaway(1), fin, silent], "UNAVAILABLE"),
    case("0 with a close", [together(goaway(0)), close], "OK", attempts=2,
         after="same"),
    case("0 with a FIN", [goaway(0), fin, silent], "OK", attempts=2,
         after="same"),
    case("a raised last ID", [goaway(1), goaway(3), silent], "UNAVAILABLE",
         client_sends=(("GOAWAY", 1),)),
    case("raised to 2^31-1", [goaway(1), goaway(ALL), silent], "UNAVAILABLE",
         client_sends=(("GOAWAY", 1),)),
    case("an even last ID", [goaway(2), silent], "UNAVAILABLE", client_sends=(("GOAWAY", 1),)),
    case("the reserved high bit of the last ID", [goaway(2**31 + 1), good, silent], "OK"),
    case("debug data up to the frame size", [goaway(1, 0, b"d" * 16376), good, silent], "OK"),
    case("binary debug data", [goaway(1, 11, b"\xff\0\x1b[31m" * 1000), good, silent],
         "OK"),
    case("debug data above the frame size", [goaway(1, 0, b"d" * 16377), silent], "UNAVAILABLE",
         client_sends=(("GOAWAY", 6),)),
    case("too_many_pings", [goaway(1, 11, b"too_many_pings"), good, silent], "OK"),
    case("on a stream", [goaway(1, stream=1), silent], "UNAVAILABLE", client_sends=(("GOAWAY", 1),)),
    case("truncated", [frame(7, stream=0, payload=b"\0\0\0\1"), silent], "UNAVAILABLE",
         client_sends=(("GOAWAY", 6),)),
    case("before SETTINGS", [goaway(0), silent], "UNAVAILABLE", "HTTP/2", opening=()),
    case("right after SETTINGS", [together(settings(), goaway(0)), silent], ("OK", "UNAVAILABLE"),
         opening=(), after=None),
    case("ten calls, the server keeps five", [goaway(9), keep_five, silent], "OK",
         opening=(hello, *[await_request] * 10), after="same", order={"calls": 10}),
    case("two phases, ten calls, the server keeps five",
         [goaway(ALL), goaway(9), keep_five, silent], "OK",
         opening=(hello, *[await_request] * 10), after="same", order={"calls": 10}),
    case("between two messages",
         [headers(), message(), goaway(1), message(payload(9)), trailers(), silent], "OK",
         kind="SERVER_STREAMING", messages=2),
]
