"""Responses outside gRPC: HTTP errors, other content types, 1xx, early responses."""

from peers.negative.case import group
from peers.negative.peer import GOOD_HEADERS
from peers.negative.server import hello
from peers.negative.steps import (
    await_headers, data, good, headers, hello_with, message, trailers, trailers_only, update)

CASES = []
PAGE = b"<html><body><h1>Sorry</h1></body></html>"
HTML = (b"content-type", b"text/html; charset=utf-8")

# MARK: HTTP statuses

case = group("HTTP status")
# http-grpc-status-mapping.md; 431 as in all other clients.
STATUSES = {
    400: "INTERNAL", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "UNIMPLEMENTED",
    429: "UNAVAILABLE", 502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "UNAVAILABLE",
} | dict.fromkeys([201, 204, 206, 301, 302, 304, 402, 405, 408, 409, 410, 413, 414, 415, 418, 426,
                   431, 499, 500, 501, 505, 511, 599, 600, 999], "UNKNOWN")


def http(number, *more):
    return (b":status", str(number).encode()), *more


for number, expected in STATUSES.items():
    empty = number in (204, 304)
    if not empty:
        CASES += [
            case(f"{number} with a page", [headers(*http(number, HTML)), data(PAGE, end=True)],
                 expected, str(number), "Sorry"),
            case(f"{number} with a page", [headers(*http(number, HTML)), data(PAGE, end=True)],
                 expected, str(number), "Sorry", kind="SERVER_STREAMING", messages=0),
            case(f"{number} with a page, then trailers",
                 [headers(*http(number, HTML)), data(PAGE), trailers((b"x", b"y"))], expected,
                 str(number), "Sorry"),
            case(f"{number} with a page, then grpc-status, which wins",
                 [headers(*http(number, HTML)), data(PAGE),
                  trailers((b"grpc-status", b"5"), (b"grpc-message", b"gone"))], "NOT_FOUND",
                 message="gone"),
        ]
    CASES += [
        case(f"{number} alone", [headers(*http(number), end=True)], expected, str(number)),
        case(f"{number} with content-type application/grpc",
             [headers(*http(number, GOOD_HEADERS[1]), end=True)], expected, str(number)),
        case(f"{number} with grpc-status, which wins",
             [headers(*http(number, GOOD_HEADERS[1], (b"grpc-status", b"7")), end=True)],
             "PERMISSION_DENIED"),
        case(f"{number} with grpc-status and a page's type, grpc-status wins",
             [headers(*http(number, HTML, (b"grpc-status", b"7")), end=True)],
             "PERMISSION_DENIED"),
    ]
for text in (b"", b"20", b"2000", b"abc", b"-20", b"+20", b"2 0", b"0x2", "٢٠٠".encode()):
    CASES.append(case(f"{text}", [headers((b":status", text), GOOD_HEADERS[1]), message(),
                                  trailers()], "INTERNAL"))
CASES += [
    case("099", [headers((b":status", b"099"), end=True)], ("INTERNAL", "UNKNOWN")),
    case("503 with an endless page", [headers(*http(503, HTML)), data(PAGE * 100)],
         "UNAVAILABLE", "Sorry", client_sends=(("RST_STREAM", 8),)),
    case("503 headers only", [headers(*http(503, HTML))], ("UNAVAILABLE", "DEADLINE_EXCEEDED"),
         timeout=1),
    case("503 with control characters",
         [headers(*http(503, HTML)), data(b"\x1b[31m\0red", end=True)],
         "UNAVAILABLE", check=lambda outcome: "the message has a control character"
         if any(ord(letter) < 32 for letter in outcome["message"]) else None),
    case("503 with a binary page", [headers(*http(503, HTML)), data(b"\xff" * 99, end=True)],
         "UNAVAILABLE"),
    case("503 with a valid message", [headers(*http(503, GOOD_HEADERS[1])), message(), trailers()],
         "UNAVAILABLE"),
    case("200 with a page", [headers(*http(200, HTML)), data(PAGE, end=True)], "UNKNOWN",
         "text/html", "Sorry"),
]

# MARK: content-type

case = group("content-type")
TYPES = {
    b"application/grpc": "OK", b"application/grpc+proto": "OK", b"application/grpc;x=y": "OK",
    b"application/grpc; charset=utf-8": "OK", b"application/grpc+json": "OK",
    b"Application/GRPC": "OK", b" application/grpc ": "OK",
    b"application/grpc-web": "INTERNAL", b"application/grpcx": "INTERNAL",
    b"application/grpc/": "INTERNAL", b"application/grpc-web+proto": "INTERNAL",
    b"": "UNKNOWN", b"application/grp": "UNKNOWN", b"application/json": "UNKNOWN",
    b"text/html": "UNKNOWN", b"application/octet-stream": "UNKNOWN", b"\xff\xfe": "UNKNOWN",
    b"xapplication/grpc": "UNKNOWN", "á".encode() * 15_000: "UNKNOWN",
    b"a\xcc\x81" + b"\xcc\x81" * 15_000: "UNKNOWN",
}
for text, expected in TYPES.items():
    shown = text if len(text) < 40 else text[:10] + b"..."
    fields = (b":status", b"200"), (b"content-type", text)
    CASES += [
        case(f"{shown}", [headers(*fields), message(), trailers()], expected),
        case(f"{shown}", [headers(*fields), message(), trailers()], expected,
             kind="SERVER_STREAMING", messages=1 if expected == "OK" else 0),
        case(f"{shown}, with an error in the trailers",
             [headers(*fields), trailers((b"grpc-status", b"5"))], "NOT_FOUND"),
        case(f"{shown} in Trailers-Only, grpc-status wins",
             [headers(*fields, (b"grpc-status", b"5"), end=True)], "NOT_FOUND"),
    ]
CASES += [
    case("none", [headers((b":status", b"200")), message(), trailers()], "UNKNOWN",
         "content-type"),
    case("none, with an error in the trailers",
         [headers((b":status", b"200")), trailers((b"grpc-status", b"5"))], "NOT_FOUND"),
    case("none in Trailers-Only", [headers((b":status", b"200"), (b"grpc-status", b"5"),
                                           end=True)], "NOT_FOUND"),
    case("none, and no grpc-status", [headers((b":status", b"200"), end=True)], "UNKNOWN",
         "content-type"),
]

# MARK: 1xx

case = group("1xx")
CONTINUE = headers((b":status", b"100"))
HINTS = headers((b":status", b"103"), (b"link", b"</style.css>"))
for kind in ("UNARY", "SERVER_STREAMING"):
    CASES += [
        case("100, then a valid response", [CONTINUE, good], "OK", kind=kind, messages=1),
        case("103 and 199, then a valid response",
             [HINTS, headers((b":status", b"199")), good], "OK", kind=kind, messages=1),
        case("ten, then an error", [*[HINTS] * 10, trailers_only((b"grpc-status", b"5"))],
             "NOT_FOUND", kind=kind),
        case("with END_STREAM", [headers((b":status", b"100"), end=True)], "INTERNAL", kind=kind,
             client_sends=(("RST_STREAM", 1),)),
        case("with grpc-status, then a valid response",
             [headers((b":status", b"103"), (b"grpc-status", b"5")), good], "OK", kind=kind),
        case("101", [headers((b":status", b"101"))], "INTERNAL", kind=kind,
             client_sends=(("RST_STREAM", 1),)),
        case("then DATA", [CONTINUE, message(), trailers()], "INTERNAL", kind=kind),
        case("after the headers", [headers(), CONTINUE], "INTERNAL", kind=kind),
        case("then nothing", [CONTINUE], "DEADLINE_EXCEEDED", kind=kind, timeout=1,
             client_sends=(("RST_STREAM", 8),)),
    ]

# MARK: Early responses

case = group("early response", opening=(hello, await_headers), client_sends=(("RST_STREAM", 0),))
ENDLESS = {"endless": True}
for kind in ("CLIENT_STREAMING", "BIDIRECTIONAL"):
    CASES += [
        case("an error in Trailers-Only", [trailers_only((b"grpc-status", b"7"))],
             "PERMISSION_DENIED", kind=kind, order=ENDLESS),
        case("an error in trailers", [headers(), trailers((b"grpc-status", b"7"))],
             "PERMISSION_DENIED", kind=kind, order=ENDLESS),
        case("a valid response", [good], "OK", kind=kind, messages=1, order=ENDLESS),
        case("an HTTP error",
             [headers(*http(503, HTML)), data(PAGE, end=True)], "UNAVAILABLE", "503",
             kind=kind, order=ENDLESS, client_sends=()),
    ]
BIG = {"requestSize": 300_000}
NARROW = (hello_with(initial_window_size=1000), await_headers)
CASES += [
    case("an error while the request waits for the window",
         [trailers_only((b"grpc-status", b"8"))], "RESOURCE_EXHAUSTED", opening=NARROW, order=BIG),
    case("a valid response while the request waits for the window", [good], "OK", opening=NARROW,
         order=BIG),
    case("then a window for the rest",
         [trailers_only((b"grpc-status", b"8")), update(2**20)], "RESOURCE_EXHAUSTED",
         opening=NARROW, order=BIG),
]
