"""Cheap responses that would cost a careless client much time or memory."""

import base64

from peers.negative.case import group
from peers.negative.cases.messages import pieces
from peers.negative.peer import GOOD_HEADERS, field, framed, payload
from peers.negative.cases.resets import KINDS
from peers.negative.steps import (
    await_headers, await_reset, close, ignore_http2, frame, goaway, good, headers, message, settings, silent,
    together, trailers, trailers_only)

CASES = []
# Swift normalizes a run of combining accents when it compares strings. For 64 KB, this takes a quarter of
# a second.
ACCENTS = "\u0301\u0323".encode() * 15_000

case = group("churn", opening=(), after=None, order={"calls": 20})
for title, steps in {
    "SETTINGS and GOAWAY": [together(settings(), goaway(0)), silent],
    "SETTINGS and GOAWAY, with an error": [together(settings(), goaway(0, 11)), silent],
    "SETTINGS and close": [settings(), close],
    "GOAWAY for every call": [settings(), await_headers, goaway(0), silent],
    "immediate close": [close],
}.items():
    CASES.append(case(f"{title}, on every connection", steps, "UNAVAILABLE",
                      next=((*steps,),) * 200))
CASES += [
    case("SETTINGS and a broken frame, on every connection",
         [together(settings(), settings((2, 7))), silent], "UNAVAILABLE", "SETTINGS",
         next=((together(settings(), settings((2, 7))), silent),) * 200),
    case("MAX_CONCURRENT_STREAMS 0 on every connection", [settings((3, 0))], "DEADLINE_EXCEEDED",
         timeout=1, next=((settings((3, 0)),),) * 200),
    case("no SETTINGS on every connection", [ignore_http2, silent], "DEADLINE_EXCEEDED", timeout=1,
         next=((ignore_http2, silent),) * 200),
]


def send_after_reset(peer):
    """Sends 9 MB on a stream after the client has reset it, twice the connection's window."""
    await_reset(peer)
    for _ in range(18):
        pieces(bytes(500_000))(peer)
        answers = peer.pings_answered
        frame(6, stream=0, payload=bytes(8))(peer)
        peer.wait(lambda: peer.pings_answered > answers, "PING ACK")


case = group("late DATA", timeout=1)
for kind in KINDS:
    CASES.append(case("after the deadline", [headers(), send_after_reset], "DEADLINE_EXCEEDED", kind=kind))
case = group("attack")


def status(code, *more):
    return [headers(), message(b""), trailers((b"grpc-status", code), *more)]


def detail(*anys):
    return (b"grpc-status-details-bin",
            base64.b64encode(b"".join(field(3, each) for each in anys)))


for kind in KINDS:
    CASES += [
        case("accents in grpc-message", status(b"5", (b"grpc-message", ACCENTS)), "NOT_FOUND",
             kind=kind),
        case("accents in grpc-status", status(ACCENTS), "UNKNOWN", kind=kind),
        case("accents in the type of a detail",
             status(b"5", detail(field(1, ACCENTS[:40_000]))), "NOT_FOUND", kind=kind),
        case("accents after a slash in the type of a detail",
             status(b"5", detail(field(1, b"a/" + ACCENTS[:40_000]))), "NOT_FOUND", kind=kind),
        case("20,000 slashes in the type of a detail",
             status(b"5", detail(field(1, b"/" * 20_000))), "NOT_FOUND", kind=kind),
    ]
CASES += [
    case("accents in grpc-encoding",
         [headers(*GOOD_HEADERS, (b"grpc-encoding", ACCENTS)), message(flag=1), trailers()],
         "INTERNAL"),
    case("accents in a header", [headers(*GOOD_HEADERS, (b"x", ACCENTS)), message(), trailers()],
         "OK"),
    case("accents in binary metadata", status(b"5", (b"x-bin", ACCENTS)), "NOT_FOUND"),
    case("accents and commas in binary metadata",
         status(b"5", (b"x-bin", b",\xcc\x81" * 20_000)), "NOT_FOUND"),
    case("spaces and accents in binary metadata",
         status(b"5", (b"x-bin", b" \xcc\x81" * 20_000 + b" ")), "NOT_FOUND"),
    case("spaces in binary metadata", status(b"5", (b"x-bin", b"," + b" " * 60_000 + b",")),
         "NOT_FOUND"),
    case("accents in grpc-retry-pushback-ms",
         status(b"14", (b"grpc-retry-pushback-ms", ACCENTS)), "UNAVAILABLE"),
    case("digits in grpc-retry-pushback-ms",
         status(b"14", (b"grpc-retry-pushback-ms", b"9" * 60_000)), "UNAVAILABLE"),
    case("accents in a page", [headers((b":status", b"503"), (b"content-type", ACCENTS)),
                               together(*[pieces(ACCENTS)])], "UNAVAILABLE"),
    case("accents as debug data", [goaway(1, 11, ACCENTS[:16_000]), good], "OK", after="new"),
    case("600 details", status(b"5", detail(*[field(
        1, b"type.googleapis.com/google.rpc.Help") + field(2, field(1, b"") * 10)] * 600)),
        "NOT_FOUND"),
    case("2,000 headers with one name", [trailers_only(
        (b"grpc-status", b"5"), *[(b"x", b"1")] * 1900)], "NOT_FOUND"),
    case("200,000 empty messages to a slow reader",
         [headers(), *[pieces(framed(b"") * 20_000)] * 10, trailers()], "OK",
         kind="SERVER_STREAMING", order={"pauseMs": 300}, messages=200_000),
    case("percent signs", status(b"5", (b"grpc-message", b"%" * 60_000)), "NOT_FOUND"),
    case("a message of empty unknown fields", [headers(), pieces(framed(b"\x92\x03\x00" * 300_000)),
                                               trailers()], "OK"),
    case("a message of payloads", [headers(), pieces(framed(field(1, b"") * 500_000)),
                                   trailers()], "OK"),
    case("a message of nested groups", [headers(), pieces(framed(b"\xa3\x03" * 100_000)),
                                        trailers()], "INTERNAL"),
    case("a stream of big headers and small messages",
         [headers(*GOOD_HEADERS, *[(b"x", b"y" * 1000)] * 50), *[message(payload(1))] * 1000,
          trailers()], "OK", kind="SERVER_STREAMING", messages=1000),
]
