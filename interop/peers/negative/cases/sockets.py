"""The end of the connection at every stage, silence, and servers of other protocols."""

from peers.negative.case import group
from peers.negative.peer import framed, payload
from peers.negative.server import hello
from peers.negative.steps import (
    abort, await_headers, await_request, close, data, fin, frame, good, headers, ignore_http2, message,
    paced, raw, silent, stop_reading, together, trailers)

CASES = []

# MARK: End of the connection

# The steps before the end, and the number of messages that a stream's reader gets.
STAGES = {
    "after the request": ((hello, await_request), [], 0),
    "after the request's headers": ((hello, await_headers), [], 0),
    "within the headers": ((hello, await_request), [frame(1, 4, payload=b"\x88", length=9)], 0),
    "within a header block": ((hello, await_request), [frame(1, 0, payload=b"\x88")], 0),
    "after 1xx headers": ((hello, await_request), [headers((b":status", b"100"))], 0),
    "after the headers": ((hello, await_request), [headers()], 0),
    "mid message": ((hello, await_request), [headers(), data(framed(payload(100))[:50])], 0),
    "within DATA": ((hello, await_request), [headers(), frame(0, payload=bytes(3), length=99)], 0),
    "after the message": ((hello, await_request), [headers(), message()], 1),
    "within the trailers": (
        (hello, await_request), [headers(), message(), frame(1, 5, payload=b"\0", length=9)], 1),
}
case = group("end of the connection", after="new")
ENDS = {"FIN": (fin, silent), "close": (close,), "TCP RST": (abort,)}
for end, steps in ENDS.items():
    for stage, (opening, before, messages) in STAGES.items():
        order = {"requestSize": 100_000} if "request's" in stage else {}
        CASES += [
            case(f"{end} {stage}", [*before, *steps], "UNAVAILABLE", opening=opening, order=order,
                 attempts=1, kind=kind,
                 # A TCP RST may overtake earlier data.
                 messages=messages if kind != "UNARY" and end == "FIN" else None)
            for kind in ("UNARY", "SERVER_STREAMING", "BIDIRECTIONAL")]
    CASES += [
        case(f"{end} immediately", steps, "UNAVAILABLE", opening=()),
        case(f"{end} within SETTINGS", [frame(4, stream=0, length=6), *steps], "UNAVAILABLE",
             opening=()),
        # If the call was not sent before the end, it is retried.
        case(f"{end} after SETTINGS", steps, ("UNAVAILABLE", "OK"), opening=(hello,), after=None),
        # The next call may be sent before the client sees the end.
        case(f"{end} after a valid response", [good, *steps],
             "OK" if end != "TCP RST" else ("OK", "UNAVAILABLE"), after=None),
        case(f"{end} together with a valid response",
             [together(headers(), message(), trailers()), *steps],
             "OK" if end != "TCP RST" else ("OK", "UNAVAILABLE"), after=None),
    ]

# MARK: Silence

case = group("silence", timeout=1, after=None)
for kind in ("UNARY", "SERVER_STREAMING", "CLIENT_STREAMING", "BIDIRECTIONAL"):
    CASES += [
        case("no response", [], "DEADLINE_EXCEEDED", kind=kind, client_sends=(("RST_STREAM", 8),),
             after="same"),
        case("no message", [headers()], "DEADLINE_EXCEEDED", kind=kind,
             client_sends=(("RST_STREAM", 8),), after="same"),
        case("no trailers", [headers(), message()], "DEADLINE_EXCEEDED", kind=kind,
             client_sends=(("RST_STREAM", 8),), after="same"),
        case("no SETTINGS", [silent], "DEADLINE_EXCEEDED", "SETTINGS", kind=kind,
             opening=(ignore_http2,)),
        case("the server reads nothing", [], "DEADLINE_EXCEEDED", kind=kind,
             opening=(hello, stop_reading), order={"requestSize": 3_000_000}),
        case("the server reads nothing and sends nothing", [], "DEADLINE_EXCEEDED", kind=kind,
             opening=(stop_reading,), order={"requestSize": 3_000_000}),
    ]

# MARK: Small pieces

case = group("pieces")
CASES += [
    case("a byte at a time", [paced(headers(), message(payload(100)), trailers())], "OK",
         kind=kind, messages=1) for kind in ("UNARY", "SERVER_STREAMING")]
CASES += [
    case("SETTINGS a byte at a time", [good], "OK", opening=(paced(hello), await_request)),
    case("in packets of 10 bytes", [paced(headers(), message(payload(900)), trailers(), size=10)],
         "OK"),
]

# MARK: Other protocols

case = group("other protocol", opening=(ignore_http2,), after="new")
HTTP1 = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nSorry"
ALERT = b"\x15\x03\x01\x00\x02\x02\x46"
for title, bytes_sent, word in [
    ("HTTP/1.1 400", HTTP1 % b"400 Bad Request", "HTTP/1"),
    ("HTTP/1.1 200", HTTP1 % b"200 OK", "HTTP/1"),
    ("HTTP/1.0", b"HTTP/1.0 505 Version Not Supported\r\n\r\n", "HTTP/1"),
    ("HTTP/1.1 101 to h2c", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", "HTTP/1"),
    ("a TLS alert", ALERT, "TLS"),
    ("a TLS handshake", b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03" + bytes(120), "TLS"),
    ("SSH", b"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2"),
    ("SMTP", b"220 mail.example ESMTP\r\n", "HTTP/2"),
    ("zeros", bytes(1000), "HTTP/2"),
    ("ones", b"\xff" * 1000, "HTTP/2"),
    ("a client's preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2"),
    ("noise", bytes(index * 167 % 251 for index in range(5000)), "HTTP/2"),
    ("text lines", b"hello\r\n" * 10_000, "HTTP/2"),
]:
    CASES += [
        case(f"{title}, then silence", [raw(bytes_sent), silent], "UNAVAILABLE", word),
        case(f"{title}, then close", [raw(bytes_sent), close], "UNAVAILABLE"),
        case(f"{title}, then FIN", [raw(bytes_sent), fin, silent], "UNAVAILABLE", word),
        case(f"{title}, in single bytes", [paced(raw(bytes_sent[:60])), fin, silent],
             "UNAVAILABLE", word),
    ]
CASES += [
    case("endless zeros", [raw(bytes(10_000_000)), silent], "UNAVAILABLE", "HTTP/2"),
    case("garbage after SETTINGS", [raw(b"\xff" * 5000), silent], "UNAVAILABLE",
         opening=(hello, await_request)),
    case("HTTP/1.1 after SETTINGS", [raw(HTTP1 % b"400 Bad Request"), silent],
         ("UNAVAILABLE", "DEADLINE_EXCEEDED"), opening=(hello, await_request), after=None, timeout=1),
]

case = group("TLS client", opening=(ignore_http2,), after=None, order={"tls": True})
for title, steps, words in [
    ("HTTP/2 in plaintext", [hello, silent], ["TLS"]),
    ("HTTP/1.1 in plaintext", [raw(HTTP1 % b"400 Bad Request"), silent], ["TLS"]),
    ("an alert", [raw(ALERT), silent], ["TLS"]),
    ("an invalid handshake", [raw(b"\x16\x03\x03\x00\x04\x02\0\0\0"), silent], ["TLS"]),
    ("zeros", [raw(bytes(1000)), silent], ["TLS"]),
    ("noise", [raw(bytes(index * 167 % 251 for index in range(5000))), silent], ["TLS"]),
    ("FIN", [fin, silent], []),
    ("TCP RST", [abort], []),
    ("close", [close], []),
]:
    CASES.append(case(title, steps, "UNAVAILABLE", *words))
CASES.append(case("silence", [silent], "DEADLINE_EXCEEDED", "TLS", timeout=1))
