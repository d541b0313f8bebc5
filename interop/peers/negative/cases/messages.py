"""Messages that are truncated, too long, too many, wrongly compressed or invalid."""

import gzip
import zlib

from peers.negative.case import group
from peers.negative.peer import GOOD_HEADERS, framed, payload
from peers.negative.steps import data, headers, message, paced, together, trailers

CASES = []
MEBIBYTE = 1 << 20
LIMIT = 4 * MEBIBYTE
CANCELLED = (("RST_STREAM", 8),)
KINDS = ("UNARY", "SERVER_STREAMING")


def pieces(body, size=16384):
    """Sends a body in DATA frames of this size, within the windows of a client that reads."""
    return together(*(data(body[start:start + size]) for start in range(0, len(body), size)))


def encoded(name):
    return headers(*GOOD_HEADERS, (b"grpc-encoding", name))


# MARK: Frames

case = group("message frame")
OF_LIMIT = payload(LIMIT - 10)
assert len(OF_LIMIT) == LIMIT
for kind in KINDS:
    CASES += [
        *(case(f"compression flag {flag}", [headers(), message(flag=flag)], "INTERNAL", str(flag),
               kind=kind, client_sends=CANCELLED, messages=0) for flag in (2, 3, 128, 255)),
        case("shorter than declared", [headers(), message(length=100), trailers()], "INTERNAL",
             kind=kind, messages=0),
        case("truncated in its length", [headers(), data(b"\0\0\0"), trailers()], "INTERNAL", kind=kind),
        case("one byte of a second", [headers(), data(framed(payload(4)) + b"\0"), trailers()],
             "INTERNAL", kind=kind),
        case("the limit", [headers(), pieces(framed(OF_LIMIT)), trailers()], "OK", kind=kind,
             messages=1),
        case("one byte above the limit", [headers(), data(framed(b"", length=LIMIT + 1))],
             "RESOURCE_EXHAUSTED", str(LIMIT + 1), str(LIMIT), kind=kind, client_sends=CANCELLED),
        case("4 GiB", [headers(), data(framed(b"", length=2**32 - 1))], "RESOURCE_EXHAUSTED",
             "4294967295", kind=kind, client_sends=CANCELLED),
        case("4 GiB, of which 1,000 bytes arrive",
             [headers(), data(framed(bytes(1000), length=2**32 - 1)), trailers()],
             "RESOURCE_EXHAUSTED", kind=kind),
        case("empty", [headers(), message(b""), trailers()], "OK", kind=kind, messages=1),
        case("a byte in each DATA frame",
             [headers(), together(*(data(bytes([byte])) for byte in framed(payload(300)))),
              trailers()], "OK", kind=kind, messages=1),
        case("empty DATA everywhere",
             [headers(), data(), data(b"\0\0"), data(), data(b"\0\0\2"), data(), data(b"\x0a"),
              data(), data(b"\0"), data(), trailers()], "OK", kind=kind, messages=1),
        case("not protobuf", [headers(), message(b"\xff\xff"), trailers()], "INTERNAL", kind=kind),
    ]
CASES += [
    case("none, with OK", [headers(), trailers()], "UNIMPLEMENTED"),
    case("none, with OK", [headers(), trailers()], "OK", kind="SERVER_STREAMING", messages=0),
    case("none, with OK", [headers(), trailers()], "UNIMPLEMENTED", kind="CLIENT_STREAMING"),
    case("two, with OK", [headers(), message(), message(), trailers()], "UNIMPLEMENTED"),
    case("two in one DATA, with OK", [headers(), data(framed(payload(4)) * 2), trailers()],
         "UNIMPLEMENTED"),
    case("two, with OK", [headers(), message(b"\x08\7"), message(b"\x08\7"), trailers()],
         "UNIMPLEMENTED", kind="CLIENT_STREAMING"),
    case("two, without an end", [headers(), message(), message()], "UNIMPLEMENTED", client_sends=CANCELLED),
    case("two, then an error",
         [headers(), message(), message(), trailers((b"grpc-status", b"5"))],
         ("NOT_FOUND", "UNIMPLEMENTED")),
    case("a valid one, then an invalid one",
         [headers(), message(), message(flag=9)], "INTERNAL", kind="SERVER_STREAMING", messages=1,
         client_sends=CANCELLED),
    case("a valid one, then one that is too long",
         [headers(), message(), data(framed(b"", length=LIMIT + 1))], "RESOURCE_EXHAUSTED",
         kind="SERVER_STREAMING", messages=1, client_sends=CANCELLED),
    case("a valid one, then one that is not protobuf", [headers(), message(), message(b"\xff")], "INTERNAL",
         kind="SERVER_STREAMING", messages=1, client_sends=CANCELLED),
    case("50,000 empty ones",
         [headers(), *[pieces(framed(b"") * 5000)] * 10, trailers()], "OK",
         kind="SERVER_STREAMING", messages=50_000),
    case("a byte at a time", [paced(headers(), message(), trailers())], "OK"),
    case("in packets of 3 bytes", [paced(headers(), message(), trailers(), size=3)], "OK",
         kind="SERVER_STREAMING", messages=1),
]

# MARK: Compression

case = group("compression")
BODY = payload(5000)
ZIPPED = gzip.compress(BODY)
BOMB = gzip.compress(payload(64 * MEBIBYTE))


def deflated(body, wbits=zlib.MAX_WBITS):
    engine = zlib.compressobj(wbits=wbits)
    return engine.compress(body) + engine.flush()


for kind in KINDS:
    CASES += [
        case("gzip", [encoded(b"gzip"), message(ZIPPED, flag=1), trailers()], "OK", kind=kind,
             messages=1),
        case("deflate", [encoded(b"deflate"), message(deflated(BODY), flag=1), trailers()], "OK",
             kind=kind, messages=1),
        *(case(f"{name} in another case", [encoded(name.encode()), message(body, flag=1), trailers()], "OK",
               kind=kind, messages=1)
          for name, body in [("GZIP", ZIPPED), ("Gzip", ZIPPED), ("DEFLATE", deflated(BODY))]),
        case("gzip of nothing", [encoded(b"gzip"), message(gzip.compress(b""), flag=1),
                                 trailers()], "OK", kind=kind, messages=1),
        case("two gzip members", [encoded(b"gzip"), message(
            gzip.compress(BODY[:999]) + gzip.compress(BODY[999:]), flag=1), trailers()], "OK",
            kind=kind, messages=1),
        case("announced and not used", [encoded(b"gzip"), message(BODY), trailers()], "OK",
             kind=kind, messages=1),
        case("unknown, announced and not used", [encoded(b"snappy"), message(BODY), trailers()],
             "OK", kind=kind, messages=1),
        case("flag 1, no grpc-encoding", [headers(), message(ZIPPED, flag=1), trailers()],
             "INTERNAL", kind=kind, messages=0),
        case("flag 1, identity", [encoded(b"identity"), message(ZIPPED, flag=1), trailers()],
             "INTERNAL", kind=kind, messages=0),
        case("flag 1, empty grpc-encoding", [encoded(b""), message(ZIPPED, flag=1), trailers()],
             "INTERNAL", kind=kind, messages=0),
        *(case(f"flag 1, {name[:9]}", [encoded(name), message(ZIPPED, flag=1), trailers()],
               "INTERNAL", "gzip", kind=kind, messages=0)
          for name in (b"snappy", b"br", b"gzip,gzip", b"\xff", b"g" * 10_000)),
        case("flag 1, grpc-encoding in the trailers",
             [headers(), message(ZIPPED, flag=1), trailers(
                 (b"grpc-status", b"0"), (b"grpc-encoding", b"gzip"))], "INTERNAL", kind=kind),
        case("flag 1 on an empty message", [headers(), message(b"", flag=1), trailers()],
             "INTERNAL", kind=kind),
        case("gzip, empty", [encoded(b"gzip"), message(b"", flag=1), trailers()], "INTERNAL",
             kind=kind),
        case("gzip, not gzip", [encoded(b"gzip"), message(BODY, flag=1), trailers()], "INTERNAL",
             "decompress", kind=kind, messages=0),
        case("gzip, corrupt", [encoded(b"gzip"), message(
            ZIPPED[:15] + bytes([ZIPPED[15] ^ 255]) + ZIPPED[16:], flag=1), trailers()],
            "INTERNAL", kind=kind, messages=0),
        case("gzip, bad checksum", [encoded(b"gzip"), message(
            ZIPPED[:-8] + b"\0\0\0\0" + ZIPPED[-4:], flag=1), trailers()], "INTERNAL", kind=kind,
            messages=0),
        case("gzip, bad size", [encoded(b"gzip"), message(
            ZIPPED[:-4] + b"\0\0\0\0", flag=1), trailers()], "INTERNAL", kind=kind, messages=0),
        *(case(f"gzip, truncated after {size} bytes",
               [encoded(b"gzip"), message(ZIPPED[:size], flag=1), trailers()], "INTERNAL",
               kind=kind, messages=0) for size in (1, 9, 10, 20, len(ZIPPED) - 1)),
        case("gzip, trailing garbage", [encoded(b"gzip"), message(ZIPPED + b"garbage", flag=1),
                                         trailers()], "INTERNAL", kind=kind, messages=0),
        case("a bomb of 64 MiB", [encoded(b"gzip"), pieces(framed(BOMB, 1)), trailers()],
             "RESOURCE_EXHAUSTED", str(LIMIT), kind=kind, messages=0),
        case("a bomb with a small size in its trailer", [encoded(b"gzip"), pieces(
            framed(BOMB[:-4] + b"\1\0\0\0", 1)), trailers()], "RESOURCE_EXHAUSTED", kind=kind),
        case("gzip, one byte above the limit", [encoded(b"gzip"), pieces(framed(
            gzip.compress(OF_LIMIT + b"\0"), 1)), trailers()], "RESOURCE_EXHAUSTED", kind=kind),
        case("gzip, the limit", [encoded(b"gzip"), pieces(framed(
            gzip.compress(OF_LIMIT), 1)), trailers()], "OK", kind=kind, messages=1),
    ]
CASES += [
    case("100,000 empty gzip members",
         [encoded(b"gzip"), pieces(framed(gzip.compress(b"") * 100_000, 1)), trailers()], "OK"),
    case("an error after a corrupt message",
         [encoded(b"gzip"), message(BODY, flag=1), trailers((b"grpc-status", b"5"))],
         ("INTERNAL", "NOT_FOUND")),
    case("a valid message, then a corrupt one",
         [encoded(b"gzip"), message(ZIPPED, flag=1), message(BODY, flag=1)], "INTERNAL",
         kind="SERVER_STREAMING", messages=1, client_sends=CANCELLED),
    case("compressed and uncompressed, alternating",
         [encoded(b"gzip"), *[message(ZIPPED, flag=1), message(BODY)] * 5, trailers()], "OK",
         kind="SERVER_STREAMING", messages=10),
]
