"""Valid and invalid trailers: grpc-status, grpc-message, grpc-status-details-bin, binary metadata."""

import base64

from peers.negative.case import group
from peers.negative.peer import GOOD_HEADERS, field
from peers.negative.steps import headers, message, trailers, trailers_only

NAMES = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
    "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
    "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
]
CASES = []


def status(value, *more):
    return (b"grpc-status", value), *more


# MARK: grpc-status

case = group("grpc-status")
for number, name in enumerate(NAMES):
    text = str(number).encode()
    CASES += [
        case(f"{number} in trailers", [headers(), message(), trailers(*status(text))], name),
        case(f"{number} in trailers", [headers(), message(), trailers(*status(text))], name,
             kind="SERVER_STREAMING", messages=1),
        case(f"{number} in Trailers-Only", [trailers_only(*status(text))],
             name if number else "UNIMPLEMENTED"),
        case(f"{number} in Trailers-Only", [trailers_only(*status(text))], name,
             kind="SERVER_STREAMING", messages=0),
    ]

# A status is one or more digits (PROTOCOL-HTTP2: 1*DIGIT).
ODD = {
    b"": "UNKNOWN", b"abc": "UNKNOWN", b"-1": "UNKNOWN", b"+0": "UNKNOWN", b"+5": "UNKNOWN",
    b"0x0": "UNKNOWN", b"0.0": "UNKNOWN", b"1e0": "UNKNOWN", b"0,0": "UNKNOWN",
    b"0;": "UNKNOWN", b"OK": "UNKNOWN", b"NOT_FOUND": "UNKNOWN", b"5 5": "UNKNOWN",
    "٥".encode(): "UNKNOWN", b"\xff": "UNKNOWN", b"17": ("CODE_17", "UNKNOWN"),
    b"99": ("CODE_99", "UNKNOWN"), b"2147483647": ("CODE_2147483647", "UNKNOWN"),
    b"2147483648": "UNKNOWN", b"4294967296": "UNKNOWN", b"18446744073709551616": "UNKNOWN",
    b"9" * 10_000: "UNKNOWN", b"00": ("OK", "UNKNOWN"), b"005": ("NOT_FOUND", "UNKNOWN"),
    # RFC 9110 section 5.5: whitespace around a value is not part of it.
    b" 5": "NOT_FOUND", b"5 ": "NOT_FOUND", b"\t5\t": "NOT_FOUND", b" 0 ": "OK",
}
for value, expected in ODD.items():
    shown = value if len(value) < 30 else value[:10] + b"..."
    CASES += [
        case(f"{shown}", [headers(), message(), trailers(*status(value))], expected),
        case(f"{shown} in Trailers-Only", [trailers_only(*status(value))],
             "UNIMPLEMENTED" if value == b" 0 " else
             ("UNIMPLEMENTED", "UNKNOWN") if value == b"00" else expected),
    ]
CASES += [
    case("missing in trailers", [headers(), message(), trailers((b"x", b"y"))], "UNKNOWN",
         "grpc-status"),
    case("missing in trailers", [headers(), message(), trailers((b"x", b"y"))], "UNKNOWN",
         "grpc-status", kind="SERVER_STREAMING", messages=1),
    case("missing, with a grpc-message", [headers(), trailers((b"grpc-message", b"oh"))],
         "UNKNOWN"),
    case("missing in Trailers-Only", [trailers_only()], "UNKNOWN"),
    case("twice the same", [headers(), message(), trailers(*status(b"0"), *status(b"0"))],
         ("OK", "UNKNOWN")),
    case("0, then 5", [headers(), message(), trailers(*status(b"0"), *status(b"5"))], "UNKNOWN"),
    case("5, then 0", [headers(), message(), trailers(*status(b"5"), *status(b"0"))], "UNKNOWN"),
    case("0, then nonsense", [headers(), message(), trailers(*status(b"0"), *status(b"x"))],
         "UNKNOWN"),
    case("nonsense, then 0", [headers(), message(), trailers(*status(b"x"), *status(b"0"))],
         "UNKNOWN"),
    case("in the headers, none in the trailers",
         [headers(*GOOD_HEADERS, *status(b"0")), message(), trailers((b"x", b"y"))], "UNKNOWN"),
    case("5 in the headers, 0 in the trailers",
         [headers(*GOOD_HEADERS, *status(b"5")), message(), trailers()], "OK"),
    case("0 in the headers, 5 in the trailers",
         [headers(*GOOD_HEADERS, *status(b"0")), message(), trailers(*status(b"5"))],
         "NOT_FOUND"),
    case("in the middle of a message", [headers(), message(length=9), trailers(*status(b"5"))],
         "NOT_FOUND"),
]

# MARK: grpc-message

case = group("grpc-message")
MESSAGES = {
    b"": "", b"plain": "plain", b"%": "%", b"%%": "%%", b"100%": "100%", b"a%2": "a%2",
    b"%4": "%4", b"%zz": "%zz", b"%G0": "%G0", b"%0G": "%0G", b"%E2%9C%93": "✓",
    b"%e2%9c%93": "✓", b"%25": "%", b"%2525": "%25", b"%20a%20": " a ", b"%0A%09": "\n\t",
    b"%00": "\0", b"a+b": "a+b", b"%%41": "%A", b"%F0%9F%98%88": "😈",
    b"trip %E2%9C%93 not%20found 100%": "trip ✓ not found 100%",
    # Invalid UTF-8 is neither an error nor dropped.
    b"%FF": "\ufffd", b"a%C3b": "a\ufffdb", b"%ED%A0%80": None, b"\xff\xfe": None,
    b"a%80%80b": "a\ufffd\ufffdb", "grüße".encode(): "grüße", "✓".encode(): "✓",
    b"\x01\x1b[31m": None, b"\x7f": None, b"x" * 8000: "x" * 8000, b"%41" * 5000: "A" * 5000,
    b"%" * 10_000: "%" * 10_000,
}
for value, expected in MESSAGES.items():
    shown = value if len(value) < 40 else value[:10] + b"..."

    def kept(outcome, value=value):
        return None if outcome["message"] or not value else "the message is empty"

    CASES.append(case(f"{shown}", [headers(), trailers(*status(b"5", (b"grpc-message", value)))],
                      "NOT_FOUND", message=expected, check=kept))
CASES += [
    case("twice", [headers(), trailers(*status(
        b"5", (b"grpc-message", b"one"), (b"grpc-message", b"two")))], "NOT_FOUND", "one"),
    case("before grpc-status", [headers(), trailers(
        (b"grpc-message", b"oh"), *status(b"5"))], "NOT_FOUND", message="oh"),
    case("with OK", [headers(), message(), trailers(*status(
        b"0", (b"grpc-message", b"fine")))], "OK"),
    case("with a broken grpc-status", [headers(), trailers(*status(
        b"x", (b"grpc-message", b"why")))], "UNKNOWN", "why"),
]

# MARK: grpc-status-details-bin

case = group("details")
REASON = field(1, b"GONE") + field(2, b"trips.example")
ANY = field(1, b"type.googleapis.com/google.rpc.ErrorInfo") + field(2, REASON)
GOOD = b"\x08\x05" + field(2, b"in the details") + field(3, ANY)


def details(value, *more, code=b"5", text=b"in the trailers"):
    return [headers(), trailers(*status(
        code, (b"grpc-message", text), (b"grpc-status-details-bin", value), *more))]


def count(number, word=""):
    def check(outcome):
        found = outcome["details"]
        if len(found) != number or word not in "".join(found):
            return f"the details are {found} instead of {number} with {word!r}"
        return None

    return check


encoded = base64.b64encode
CASES += [
    case("valid", details(encoded(GOOD)), "NOT_FOUND", message="in the trailers",
         check=count(1, "GONE")),
    case("unpadded", details(encoded(GOOD).rstrip(b"=")), "NOT_FOUND", check=count(1, "GONE")),
    case("with another code", details(encoded(GOOD), code=b"7"), "PERMISSION_DENIED",
         message="in the trailers", check=count(1, "GONE")),
    case("with the code OK", details(encoded(b"\x08\x00")), "NOT_FOUND"),
    case("with a message but no grpc-message",
         [headers(), trailers(*status(b"5", (b"grpc-status-details-bin", encoded(GOOD))))],
         "NOT_FOUND", message="in the details"),
    case("not Base64", details(b"!?!"), "NOT_FOUND", message="in the trailers", check=count(0)),
    case("Base64 of an invalid length", details(b"AAAAA"), "NOT_FOUND", check=count(0)),
    case("Base64 for URLs", details(b"-_-_"), "NOT_FOUND", check=count(0)),
    case("padding in the middle", details(b"CA==CAUS"), "NOT_FOUND", check=count(0)),
    case("empty", details(b""), "NOT_FOUND", check=count(0)),
    case("not protobuf", details(encoded(b"\xff\xff\xff")), "NOT_FOUND", check=count(0)),
    case("truncated", details(encoded(GOOD[:-3])), "NOT_FOUND", check=count(0)),
    case("an Any that does not decode", details(encoded(field(3, field(
        1, b"type.googleapis.com/google.rpc.ErrorInfo") + field(2, b"\xff")))), "NOT_FOUND",
        check=count(1)),
    case("an Any without a type", details(encoded(field(3, b""))), "NOT_FOUND", check=count(1)),
    case("an Any of an unknown type", details(encoded(field(3, field(1, b"x.y/Z")))),
         "NOT_FOUND", check=count(1)),
    case("a hundred", details(encoded(field(3, ANY) * 100)), "NOT_FOUND", check=count(100)),
    case("20,000 empty ones", details(encoded(field(3, b"") * 20_000)), "NOT_FOUND"),
    case("twice", details(encoded(GOOD), (b"grpc-status-details-bin", encoded(GOOD))),
         "NOT_FOUND", check=count(1, "GONE")),
    case("twice, joined by a comma", details(encoded(GOOD) + b"," + encoded(GOOD)), "NOT_FOUND",
         check=count(1, "GONE")),
    case("after nonsense and a comma", details(b"!," + encoded(GOOD)), "NOT_FOUND"),
    case("with OK", [headers(), message(), trailers(*status(
        b"0", (b"grpc-status-details-bin", encoded(GOOD))))], "OK"),
]

# MARK: Binary metadata

case = group("-bin metadata")


def holds(*values):
    """Returns a check that x-bin in the trailers has these values; texts are values that did not decode."""
    wanted = [{"text": value} if isinstance(value, str) else {"binary": encoded(value).decode()}
              if value else {} for value in values]

    def check(outcome):
        found = [{key: value for key, value in item.items() if key != "name"}
                 for item in outcome["trailers"] if item["name"] == "x-bin"]
        return None if found == wanted else f"x-bin is {found} instead of {wanted}"

    return check


BINARY = {
    b"q6ur": (b"\xab\xab\xab",), b"qw==": (b"\xab",), b"qw": (b"\xab",), b"q6s=": (b"\xab\xab",),
    b"q6s": (b"\xab\xab",), b"": (b"",), b"qw,q6s": (b"\xab", b"\xab\xab"),
    b"qw==,q6s=": (b"\xab", b"\xab\xab"), b"qw, q6s": (b"\xab", b"\xab\xab"),
    b"qw,,qw": (b"\xab", b"", b"\xab"), b"!": ("!",), b"qw,!": (b"\xab", "!"),
    b"A": ("A",), b" qw ": (b"\xab",),
}
for value, expected in BINARY.items():
    CASES += [
        case(f"{value}", [headers(), message(), trailers(*status(b"0", (b"x-bin", value)))], "OK",
             check=holds(*expected)),
        case(f"{value} of an error", [headers(), trailers(*status(b"5", (b"x-bin", value)))],
             "NOT_FOUND", check=holds(*expected)),
    ]
CASES += [
    case("twice", [headers(), message(), trailers(*status(
        b"0", (b"x-bin", b"qw"), (b"x-bin", b"q6s")))], "OK", check=holds(b"\xab", b"\xab\xab")),
    case("30,000 commas", [headers(), message(), trailers(*status(
        b"0", (b"x-bin", b"," * 30_000)))], "OK"),
]
