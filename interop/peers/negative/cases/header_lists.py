"""Header lists that are too long, malformed or malicious."""

from peers.negative.case import group
from peers.negative.peer import GOOD_HEADERS, OK_TRAILERS
from peers.negative.steps import (
    block, continued, data, flood, frame, headers, message, paced, silent, together, trailers,
    trailers_only)

CASES = []


def big(size, count=1):
    return [(b"x-big-%d" % number, b"b" * (size // count)) for number in range(count)]


# MARK: Size

case = group("header size")
CALM = (("RST_STREAM", 11),)
for kind in ("UNARY", "SERVER_STREAMING"):
    CASES += [
        case("70 KB in one field of the headers", [headers(*GOOD_HEADERS, *big(70_000)), silent],
             "RESOURCE_EXHAUSTED", kind=kind, after="new"),
        case("70 KB in ten fields of the headers",
             [headers(*GOOD_HEADERS, *big(70_000, 10)), message(), trailers()],
             "RESOURCE_EXHAUSTED", "65536", kind=kind, client_sends=CALM),
        case("70 KB in the trailers",
             [headers(), message(), trailers(*OK_TRAILERS, *big(70_000, 7))],
             "RESOURCE_EXHAUSTED", kind=kind, client_sends=CALM),
        case("70 KB in Trailers-Only", [trailers_only(*OK_TRAILERS, *big(70_000, 7))],
             "RESOURCE_EXHAUSTED", kind=kind, client_sends=CALM),
        case("60 KB in the headers", [headers(*GOOD_HEADERS, *big(60_000)), message(), trailers()],
             "OK", kind=kind),
        case("60 KB in the trailers",
             [headers(), message(), trailers(*OK_TRAILERS, *big(60_000, 3))],
             "OK", kind=kind),
        case("3,000 empty fields", [headers(*GOOD_HEADERS, *[(b"x", b"")] * 3000), message(),
                                         trailers()], "RESOURCE_EXHAUSTED", kind=kind, client_sends=CALM),
        case("1,000 small fields", [headers(*GOOD_HEADERS, *[(b"x", b"")] * 1000), message(),
                                    trailers()], "OK", kind=kind),
        case("a name of 60 KB", [headers(*GOOD_HEADERS, (b"n" * 60_000, b"")), message(),
                                 trailers()], "OK", kind=kind),
        case("70 KB in 1xx headers", [headers((b":status", b"103"), *big(70_000, 7)), headers()],
             "RESOURCE_EXHAUSTED", kind=kind),
    ]

# MARK: Pieces

case = group("CONTINUATION")
CASES += [
    case("in pieces of 1,000 bytes", [headers(*GOOD_HEADERS, *big(30_000), piece=1000), message(),
                                      trailers()], "OK"),
    case("a byte in each frame", [headers(piece=1), message(), trailers()], "OK"),
    case("trailers, a byte in each frame", [headers(), message(), trailers(piece=1)], "OK"),
    case("a byte in each frame and packet", [paced(headers(piece=1)), message(), trailers()],
         "OK"),
    case("20 frames, a byte in each packet",
         [paced(headers(*GOOD_HEADERS, (b"x-a", b"a" * 300), piece=16)), message(), trailers()],
         "OK"),
    case("empty HEADERS, then CONTINUATION", [frame(1), lambda peer: continued(
        4, peer.encode(GOOD_HEADERS))(peer), message(), trailers()], "OK"),
    case("an empty frame at the end", [lambda peer: frame(1, payload=peer.encode(
        GOOD_HEADERS))(peer), continued(4), message(), trailers()], "OK"),
]
case = group("CONTINUATION", after="new")
CASES += [
    case("1,000 in one block",
         [headers(*GOOD_HEADERS, *big(30_000), piece=30), message(), trailers(), silent],
         "UNAVAILABLE"),
    case("endless empty frames", [frame(1), flood(continued())], "UNAVAILABLE"),
    case("endless full frames", [frame(1, payload=b"\x88"), flood(continued(
        payload=b"\0\1x\x7f\x87\x7a" + b"v" * 15_750), batch=10)],
        ("RESOURCE_EXHAUSTED", "UNAVAILABLE"), after=None),
    case("without HEADERS", [continued(4), silent], "UNAVAILABLE", client_sends=(("GOAWAY", 1),)),
    case("after another frame", [frame(1), data(b"x"), silent], "UNAVAILABLE",
         client_sends=(("GOAWAY", 1),)),
    case("on another stream", [frame(1), frame(9, stream=3), silent], "UNAVAILABLE",
         client_sends=(("GOAWAY", 1),)),
    case("missing", [frame(1)], "DEADLINE_EXCEEDED", timeout=1, after=None),
]

# MARK: HPACK

case = group("HPACK", after="new", client_sends=(("GOAWAY", 9),))


def hpack(title, data, **more):
    return case(title, [block(data), silent], "UNAVAILABLE", **more)


CASES += [
    hpack("index 0", b"\x80"),
    hpack("an index above the table", b"\xff\xff\x03"),
    hpack("an endless index", b"\xff" * 20),
    hpack("an index beyond 2^64", b"\xff" + b"\xff" * 10 + b"\x7f"),
    hpack("a truncated literal", b"\0\x05a"),
    hpack("a truncated value", b"\0\x01a\x05b"),
    hpack("a length of 2^32", b"\0\x7f\x81\xff\xff\xff\x0f"),
    hpack("bad Huffman code", b"\0\x84\xff\xff\xff\xff"),
    hpack("Huffman padding of eight bits", b"\0\x82\x1f\xff\x01a"),
    hpack("a table size above our setting", b"\x3f\xff\xff\x03"),
    hpack("a table size update after a field", b"\x88\x20"),
]
case = group("HPACK bomb")
# A value of 4,000 bytes in the dynamic table, which each later byte references.
SEED = b"\x40\x01x\x7f\xa1\x1e" + b"v" * 4000
STATUS_200 = b"\x88"
for kind in ("UNARY", "SERVER_STREAMING"):
    CASES += [
        case("20 KB that expand to 64 MB", [block(STATUS_200 + SEED + b"\xbe" * 16_000)],
             "RESOURCE_EXHAUSTED", kind=kind, client_sends=CALM),
        case("800 KB that expand to 3 GB", [block(STATUS_200 + SEED + b"\xbe" * 800_000)],
             "RESOURCE_EXHAUSTED", kind=kind, client_sends=CALM),
        case("in the trailers", [headers(), message(), block(SEED + b"\xbe" * 16_000, end=True)],
             "RESOURCE_EXHAUSTED", kind=kind, client_sends=CALM),
    ]
CASES += [
    case("empty fields, a byte each that counts as 62",
         [block(STATUS_200 + b"\x40\x01x\x00" + b"\xbe" * 100_000)], "RESOURCE_EXHAUSTED"),
    case("the longest Huffman codes", [block(
        STATUS_200 + b"\0\x01x\xff\xff\x7d" + b"\xff\xff\xfe\x3f" * 4000)],
        ("INTERNAL", "RESOURCE_EXHAUSTED", "UNAVAILABLE"), after=None),
]

# MARK: Headers that RFC 9113 forbids

case = group("malformed headers", client_sends=(("RST_STREAM", 1),))
STATUS, TYPE = GOOD_HEADERS
BAD = {
    "an upper case name": [*GOOD_HEADERS, (b"X-Upper", b"1")],
    "an empty name": [*GOOD_HEADERS, (b"", b"1")],
    "a name with a space": [*GOOD_HEADERS, (b"x y", b"1")],
    "a name with a colon": [*GOOD_HEADERS, (b"x:y", b"1")],
    "a name with a NUL": [*GOOD_HEADERS, (b"x\0", b"1")],
    "a name in UTF-8": [*GOOD_HEADERS, ("é".encode(), b"1")],
    "a value with a NUL": [*GOOD_HEADERS, (b"x", b"a\0b")],
    "a value with a line feed": [*GOOD_HEADERS, (b"x", b"a\nb")],
    "a value with a carriage return": [*GOOD_HEADERS, (b"x", b"a\rb")],
    "connection": [*GOOD_HEADERS, (b"connection", b"close")],
    "keep-alive": [*GOOD_HEADERS, (b"keep-alive", b"1")],
    "proxy-connection": [*GOOD_HEADERS, (b"proxy-connection", b"1")],
    "transfer-encoding": [*GOOD_HEADERS, (b"transfer-encoding", b"chunked")],
    "upgrade": [*GOOD_HEADERS, (b"upgrade", b"h2c")],
    "te: gzip": [*GOOD_HEADERS, (b"te", b"gzip")],
    "no :status": [TYPE],
    "two :status": [STATUS, STATUS, TYPE],
    ":status after a field": [TYPE, STATUS],
    ":path": [STATUS, (b":path", b"/"), TYPE],
    "an unknown pseudo-header": [STATUS, (b":x", b"1"), TYPE],
    "content-length without a number": [*GOOD_HEADERS, (b"content-length", b"x")],
    "two content-length": [*GOOD_HEADERS, (b"content-length", b"5"), (b"content-length", b"5")],
    "a negative content-length": [*GOOD_HEADERS, (b"content-length", b"-1")],
}
for title, fields in BAD.items():
    CASES += [
        case(title, [headers(*fields), message(), trailers()], "INTERNAL"),
        case(title, [headers(*fields), message(), trailers()], "INTERNAL", kind="SERVER_STREAMING",
             messages=0),
    ]
for title, fields in {
    "an upper case name": [*OK_TRAILERS, (b"X-Upper", b"1")],
    ":status": [STATUS, *OK_TRAILERS],
    "a pseudo-header": [*OK_TRAILERS, (b":path", b"/")],
    "connection": [*OK_TRAILERS, (b"connection", b"close")],
    "a NUL": [*OK_TRAILERS, (b"x", b"\0")],
}.items():
    CASES += [
        case(f"{title} in trailers", [headers(), message(), trailers(*fields)], "INTERNAL",
             kind=kind) for kind in ("UNARY", "SERVER_STREAMING")]
for kind in ("UNARY", "SERVER_STREAMING"):
    CASES += [
        case("trailers without END_STREAM", [headers(), message(), headers(*OK_TRAILERS)],
             "INTERNAL", kind=kind),
        case("content-length above the body",
             [headers(*GOOD_HEADERS, (b"content-length", b"999")), message(), trailers()],
             "INTERNAL", kind=kind),
        case("content-length below the body",
             [headers(*GOOD_HEADERS, (b"content-length", b"3")), message(), trailers()],
             "INTERNAL", kind=kind),
        # nghttp2 treats this as a connection error. gRPC's C core accepts it.
        case("DATA before the headers", [message(), trailers()], "UNAVAILABLE", kind=kind,
             after=None, client_sends=()),
    ]

# MARK: Unusual headers that are allowed

case = group("unusual headers")


def shows(wanted):
    """Returns a check that x-odd in the headers is one of these values."""
    def check(outcome):
        found = [item.get("text", "") for item in outcome["headers"] if item["name"] == "x-odd"]
        return None if found and all(text in wanted for text in found) else f"x-odd is {found}"

    return check


ODD = {
    b" space around ": ("space around",), b"\ttabs\t": ("tabs",), b"   ": ("",),
    b"a\tb": ("a\tb",), b"\x01\x02": ("\x01\x02",), b"\x7f": ("\x7f",),
    b"\x80\xff": ("\ufffd\ufffd",), "grüße".encode(): ("grüße",), b"caf\xe9": ("caf\ufffd",),
    b"a\xff": ("a\ufffd",), bytes(range(0x80, 0x100)): None, b"": ("",), b"a,b": ("a,b",),
    b"\xcc\x81" * 30_000: None, b"e" + b"\xcc\x81" * 30_000: None,
}
for value, wanted in ODD.items():
    shown = value if len(value) < 30 else value[:6] + b"..."
    CASES.append(case(
        f"the value {shown}", [headers(*GOOD_HEADERS, (b"x-odd", value)), message(), trailers()],
        "OK", check=wanted and shows(wanted)))
CASES += [
    case("content-length", [headers(*GOOD_HEADERS, (b"content-length", b"13")), message(),
                            trailers()], "OK"),
    case("te: trailers", [headers(*GOOD_HEADERS, (b"te", b"trailers")), message(), trailers()],
         "OK"),
    case("a name of symbols", [headers(*GOOD_HEADERS, (b"!#$%&'*+-.^_`|~", b"1")), message(),
                               trailers()], "OK"),
    case("a name that HTTP forbids", [headers(*GOOD_HEADERS, (b"x(y)", b"1")), message(),
                                            trailers()], "OK"),
    case("padding", [headers(pad=255), message(), trailers(pad=100)], "OK"),
    case("with a priority", [lambda peer: frame(
        1, 0x24, payload=b"\0\0\0\0\x10" + peer.encode(GOOD_HEADERS))(peer), message(),
        trailers()], "OK"),
    case("literals, never indexed", [block(
        b"\x88\x10\x0ccontent-type\x10application/grpc"), message(), block(
            b"\x10\x0bgrpc-status\x010", end=True)], "OK"),
    case("grpc-encoding twice", [headers(
        *GOOD_HEADERS, (b"grpc-encoding", b"identity"), (b"grpc-encoding", b"gzip")), message(),
        trailers()], "OK"),
    case("content-type twice", [headers(*GOOD_HEADERS, TYPE), message(), trailers()], "OK"),
    case("empty trailers", [headers(), message(), together(block(b"", end=True))], "UNKNOWN"),
    case("unknown grpc- names", [headers(*GOOD_HEADERS, (b"grpc-x", b"y")), message(),
                                           trailers()], "OK"),
]
