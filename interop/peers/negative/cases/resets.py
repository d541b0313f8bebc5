"""RST_STREAM at every stage, and what else may end a stream too early."""

from peers.negative.case import group
from peers.negative.peer import GOOD_HEADERS, framed, payload
from peers.negative.server import hello
from peers.negative.steps import (
    asked, begun, data, good, headers, hello_with, message, refuse, rst, together, trailers)

# gRPC PROTOCOL-HTTP2, Errors; STREAM_CLOSED as in grpc-go, unknown ones as no code there is.
CODES = {
    0: "INTERNAL", 1: "INTERNAL", 2: "INTERNAL", 3: "INTERNAL", 4: "INTERNAL", 5: "INTERNAL",
    6: "INTERNAL", 7: "UNAVAILABLE", 8: "CANCELLED", 9: "INTERNAL", 10: "INTERNAL",
    11: "RESOURCE_EXHAUSTED", 12: "PERMISSION_DENIED", 13: "INTERNAL", 14: "UNKNOWN",
    255: "UNKNOWN", 0xffffffff: "UNKNOWN",
}
NAMES = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
]
KINDS = ["UNARY", "SERVER_STREAMING", "CLIENT_STREAMING", "BIDIRECTIONAL"]

# The steps before the end, and the number of messages that a stream's reader gets.
STAGES = {
    "before headers": ([], 0),
    "after 1xx headers": ([headers((b":status", b"103"))], 0),
    "after headers": ([headers()], 0),
    "in the length of a message": ([headers(), data(b"\0\0\0")], 0),
    "mid message": ([headers(), message(), data(framed(payload(100))[:50])], 1),
    "after a message": ([headers(), message()], 1),
}

case = group("RST_STREAM")
CASES = []
for stage, (said, messages) in STAGES.items():
    if stage == "mid message":
        # A unary call has but one message.
        one = [headers(), data(framed(payload(100))[:50])]
    else:
        one = said
    for code, expected in CODES.items():
        name = NAMES[code] if code < len(NAMES) else f"{code:#x}"
        if code == 7 and stage in ("before headers", "after 1xx headers"):
            # Nothing came of it: it is sent again at once, and is answered well.
            for kind in KINDS:
                CASES.append(case(f"{name} {stage}", [*said, rst(7)], "OK", kind=kind))
            continue
        words = (name,) if code < len(NAMES) and code != 7 else ()
        CASES.append(case(f"{name} {stage}", [*one, rst(code)], expected, *words, attempts=1))
        CASES.append(case(
            f"{name} {stage}", [*said, rst(code)], expected, *words, attempts=1,
            kind="SERVER_STREAMING", messages=messages))
        if code in (1, 8):
            CASES += [case(f"{name} {stage}", [*one, rst(code)], expected, *words, kind=kind)
                      for kind in ("CLIENT_STREAMING", "BIDIRECTIONAL")]

CASES += [
    case("REFUSED_STREAM twice", [rst(7), asked, rst(7)], "UNAVAILABLE", "refused", attempts=2),
    # It counts a stream for a while after it has ended it, as gRPC's C core does.
    case("REFUSED_STREAM thrice in the place of a call that is over",
         [good, *[asked, refuse()] * 3, asked, good], "OK",
         opening=(hello_with(max_concurrent_streams=1), asked), order={"calls": 2}),
    case("REFUSED_STREAM in both places of calls that are over",
         [good, asked, good, *[asked] * 2, refuse(5, 7), *[asked] * 2, refuse(9, 11), asked, good],
         "OK", opening=(hello_with(max_concurrent_streams=2), asked), order={"calls": 4}),
    case("REFUSED_STREAM whenever it has ended a call",
         [good, *[asked, refuse(), asked, good] * 9], "OK",
         opening=(hello_with(max_concurrent_streams=1), asked), order={"calls": 10}),
    case("REFUSED_STREAM, then another code", [rst(7), asked, rst(8)], "CANCELLED", attempts=2),
    case("REFUSED_STREAM as soon as the headers came, of a big request", [rst(7), asked, good],
         "OK", opening=(hello, begun), attempts=2, order={"requestSize": 200_000}),
    case("REFUSED_STREAM of a request beyond the retry buffer", [rst(7)], ("UNAVAILABLE", "OK"),
         order={"requestSize": 1_000_000}),
    case("after the trailers", [together(headers(), message(), trailers(), rst(8))], "OK"),
    case("after the trailers", [together(headers(), message(), trailers(), rst(2))], "OK",
         kind="SERVER_STREAMING", messages=1),
    case("after trailers that end an unfinished request",
         [together(headers(), message(), trailers(), rst(0))], "OK", kind="BIDIRECTIONAL",
         opening=(hello, begun), order={"endless": True}),
    case("twice", [together(rst(8), rst(2))], "CANCELLED"),
    case("with DATA behind it", [together(headers(), rst(8), data(b"late"))], "CANCELLED"),
    case("with headers behind it", [together(rst(8), headers(), message(), trailers())],
         "CANCELLED"),
    case("while the request is going out", [rst(8)], "CANCELLED", opening=(hello, begun),
         order={"requestSize": 3_000_000}),
    case("while a stream of requests is going out", [rst(11)], "RESOURCE_EXHAUSTED",
         opening=(hello, begun), kind="CLIENT_STREAMING", order={"endless": True}),
]

case = group("END_STREAM on DATA")
for kind in ("UNARY", "SERVER_STREAMING"):
    CASES += [
        case("with a whole message", [headers(), message(end=True)], "INTERNAL", "trailers",
             kind=kind),
        case("empty, after the message", [headers(), message(), data(end=True)], "INTERNAL",
             "trailers", kind=kind),
        case("empty, without a message", [headers(), data(end=True)], "INTERNAL", "trailers",
             kind=kind),
        case("in the middle of a message", [headers(), data(b"\0\0\0\0\x09hal", end=True)],
             "INTERNAL", kind=kind),
        case("although grpc-status was in the headers",
             [headers(*GOOD_HEADERS, (b"grpc-status", b"0")), message(end=True)], "INTERNAL",
             "trailers", kind=kind),
    ]
