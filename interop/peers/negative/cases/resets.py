"""RST_STREAM and END_STREAM at every stage."""

from peers.negative.case import group
from peers.negative.peer import GOOD_HEADERS, framed, payload
from peers.negative.server import hello
from peers.negative.steps import (
    await_request, await_headers, data, good, headers, hello_with, message, refuse, rst, together, trailers)

# gRPC PROTOCOL-HTTP2, Errors; STREAM_CLOSED as in grpc-go, and UNKNOWN for unknown codes.
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
for stage, (steps, messages) in STAGES.items():
    if stage == "mid message":
        # A unary call has only one message.
        one = [headers(), data(framed(payload(100))[:50])]
    else:
        one = steps
    for code, expected in CODES.items():
        name = NAMES[code] if code < len(NAMES) else f"{code:#x}"
        if code == 7 and stage in ("before headers", "after 1xx headers"):
            # The server did not process the call, so it is retried immediately and succeeds.
            for kind in KINDS:
                CASES.append(case(f"{name} {stage}", [*steps, rst(7)], "OK", kind=kind))
            continue
        words = (name,) if code < len(NAMES) and code != 7 else ()
        CASES.append(case(f"{name} {stage}", [*one, rst(code)], expected, *words, attempts=1))
        CASES.append(case(
            f"{name} {stage}", [*steps, rst(code)], expected, *words, attempts=1,
            kind="SERVER_STREAMING", messages=messages))
        if code in (1, 8):
            CASES += [case(f"{name} {stage}", [*one, rst(code)], expected, *words, kind=kind)
                      for kind in ("CLIENT_STREAMING", "BIDIRECTIONAL")]

CASES += [
    case("REFUSED_STREAM twice", [rst(7), await_request, rst(7)], "UNAVAILABLE", "refused", attempts=2),
    # The server counts ended streams for a while, like gRPC's C core.
    case("REFUSED_STREAM three times after an ended call",
         [good, *[await_request, refuse()] * 3, await_request, good], "OK",
         opening=(hello_with(max_concurrent_streams=1), await_request), order={"calls": 2}),
    case("REFUSED_STREAM twice after two ended calls",
         [good, await_request, good, *[await_request] * 2, refuse(5, 7), *[await_request] * 2,
          refuse(9, 11), await_request, good],
         "OK", opening=(hello_with(max_concurrent_streams=2), await_request), order={"calls": 4}),
    case("REFUSED_STREAM after every ended call",
         [good, *[await_request, refuse(), await_request, good] * 9], "OK",
         opening=(hello_with(max_concurrent_streams=1), await_request), order={"calls": 10}),
    case("REFUSED_STREAM, then another code", [rst(7), await_request, rst(8)], "CANCELLED", attempts=2),
    case("REFUSED_STREAM after the headers of a big request", [rst(7), await_request, good],
         "OK", opening=(hello, await_headers), attempts=2, order={"requestSize": 200_000}),
    case("REFUSED_STREAM for a request beyond the retry buffer", [rst(7)], ("UNAVAILABLE", "OK"),
         order={"requestSize": 1_000_000}),
    case("after the trailers", [together(headers(), message(), trailers(), rst(8))], "OK"),
    case("after the trailers", [together(headers(), message(), trailers(), rst(2))], "OK",
         kind="SERVER_STREAMING", messages=1),
    case("after trailers that end an unfinished request",
         [together(headers(), message(), trailers(), rst(0))], "OK", kind="BIDIRECTIONAL",
         opening=(hello, await_headers), order={"endless": True}),
    case("twice", [together(rst(8), rst(2))], "CANCELLED"),
    case("followed by DATA", [together(headers(), rst(8), data(b"late"))], "CANCELLED"),
    case("followed by headers", [together(rst(8), headers(), message(), trailers())],
         "CANCELLED"),
    case("while the request is being sent", [rst(8)], "CANCELLED", opening=(hello, await_headers),
         order={"requestSize": 3_000_000}),
    case("while a stream of requests is being sent", [rst(11)], "RESOURCE_EXHAUSTED",
         opening=(hello, await_headers), kind="CLIENT_STREAMING", order={"endless": True}),
]

case = group("END_STREAM on DATA")
for kind in ("UNARY", "SERVER_STREAMING"):
    CASES += [
        case("with a complete message", [headers(), message(end=True)], "INTERNAL", "trailers",
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
