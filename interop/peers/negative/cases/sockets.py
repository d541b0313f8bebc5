"""Ends of the connection at every stage, silence, and peers that speak something else."""

from peers.negative.case import group
from peers.negative.peer import framed, payload
from peers.negative.server import hello
from peers.negative.steps import (
    abort, asked, begun, close, data, deaf, fin, foreign, frame, good, headers, message, paced,
    raw, silent, together, trailers)

CASES = []

# MARK: The end

# The steps before the end, and the number of messages that a stream's reader gets.
STAGES = {
    "after the request": ((hello, asked), [], 0),
    "after the request's headers": ((hello, begun), [], 0),
    "within the headers": ((hello, asked), [frame(1, 4, payload=b"\x88", length=9)], 0),
    "within a header block": ((hello, asked), [frame(1, 0, payload=b"\x88")], 0),
    "after 1xx headers": ((hello, asked), [headers((b":status", b"100"))], 0),
    "after the headers": ((hello, asked), [headers()], 0),
    "mid message": ((hello, asked), [headers(), data(framed(payload(100))[:50])], 0),
    "within DATA": ((hello, asked), [headers(), frame(0, payload=bytes(3), length=99)], 0),
    "after the message": ((hello, asked), [headers(), message()], 1),
    "within the trailers": (
        (hello, asked), [headers(), message(), frame(1, 5, payload=b"\0", length=9)], 1),
}
case = group("end of the connection", after="new")
ENDS = {"FIN": (fin, silent), "close": (close,), "TCP RST": (abort,)}
for end, steps in ENDS.items():
    for stage, (opening, said, messages) in STAGES.items():
        order = {"requestSize": 100_000} if "request's" in stage else {}
        CASES += [
            case(f"{end} {stage}", [*said, *steps], "UNAVAILABLE", opening=opening, order=order,
                 attempts=1, kind=kind,
                 # A TCP RST may overtake earlier data.
                 messages=messages if kind != "UNARY" and end == "FIN" else None)
            for kind in ("UNARY", "SERVER_STREAMING", "BIDIRECTIONAL")]
    CASES += [
        case(f"{end} at once", steps, "UNAVAILABLE", opening=()),
        case(f"{end} within SETTINGS", [frame(4, stream=0, length=6), *steps], "UNAVAILABLE",
             opening=()),
        # The call may have left or not; if not it is safe to send it again.
        case(f"{end} after SETTINGS", steps, ("UNAVAILABLE", "OK"), opening=(hello,), after=None),
        # The next call may leave before we see the end.
        case(f"{end} after a good answer", [good, *steps],
             "OK" if end != "TCP RST" else ("OK", "UNAVAILABLE"), after=None),
        case(f"{end} together with a good answer",
             [together(headers(), message(), trailers()), *steps],
             "OK" if end != "TCP RST" else ("OK", "UNAVAILABLE"), after=None),
    ]

# MARK: Silence

case = group("silence", timeout=1, after=None)
for kind in ("UNARY", "SERVER_STREAMING", "CLIENT_STREAMING", "BIDIRECTIONAL"):
    CASES += [
        case("no answer", [], "DEADLINE_EXCEEDED", kind=kind, hears=(("RST_STREAM", 8),),
             after="same"),
        case("no message", [headers()], "DEADLINE_EXCEEDED", kind=kind,
             hears=(("RST_STREAM", 8),), after="same"),
        case("no trailers", [headers(), message()], "DEADLINE_EXCEEDED", kind=kind,
             hears=(("RST_STREAM", 8),), after="same"),
        case("no SETTINGS", [silent], "DEADLINE_EXCEEDED", "SETTINGS", kind=kind,
             opening=(foreign,)),
        case("the server reads nothing", [], "DEADLINE_EXCEEDED", kind=kind,
             opening=(hello, deaf), order={"requestSize": 3_000_000}),
        case("the server reads nothing and sends nothing", [], "DEADLINE_EXCEEDED", kind=kind,
             opening=(deaf,), order={"requestSize": 3_000_000}),
    ]

# MARK: A little at a time

case = group("pieces")
CASES += [
    case("a byte at a time", [paced(headers(), message(payload(100)), trailers())], "OK",
         kind=kind, messages=1) for kind in ("UNARY", "SERVER_STREAMING")]
CASES += [
    case("SETTINGS a byte at a time", [good], "OK", opening=(paced(hello), asked)),
    case("in packets of 10 bytes", [paced(headers(), message(payload(900)), trailers(), size=10)],
         "OK"),
]

# MARK: Something else

case = group("other protocol", opening=(foreign,), after="new")
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
    ("lines", b"hello\r\n" * 10_000, "HTTP/2"),
]:
    CASES += [
        case(f"{title}, then silence", [raw(bytes_sent), silent], "UNAVAILABLE", word),
        case(f"{title}, then the end", [raw(bytes_sent), close], "UNAVAILABLE"),
        case(f"{title}, then FIN", [raw(bytes_sent), fin, silent], "UNAVAILABLE", word),
        case(f"{title}, in single bytes", [paced(raw(bytes_sent[:60])), fin, silent],
             "UNAVAILABLE", word),
    ]
CASES += [
    case("zeros without end", [raw(bytes(10_000_000)), silent], "UNAVAILABLE", "HTTP/2"),
    case("garbage behind SETTINGS", [raw(b"\xff" * 5000), silent], "UNAVAILABLE",
         opening=(hello, asked)),
    case("HTTP/1.1 behind SETTINGS", [raw(HTTP1 % b"400 Bad Request"), silent],
         ("UNAVAILABLE", "DEADLINE_EXCEEDED"), opening=(hello, asked), after=None, timeout=1),
]

case = group("TLS client", opening=(foreign,), after=None, order={"tls": True})
for title, steps, words in [
    ("HTTP/2 in plaintext", [hello, silent], ["TLS"]),
    ("HTTP/1.1 in plaintext", [raw(HTTP1 % b"400 Bad Request"), silent], ["TLS"]),
    ("an alert", [raw(ALERT), silent], ["TLS"]),
    ("a handshake that makes no sense", [raw(b"\x16\x03\x03\x00\x04\x02\0\0\0"), silent], ["TLS"]),
    ("zeros", [raw(bytes(1000)), silent], ["TLS"]),
    ("noise", [raw(bytes(index * 167 % 251 for index in range(5000))), silent], ["TLS"]),
    ("FIN", [fin, silent], []),
    ("TCP RST", [abort], []),
    ("close", [close], []),
]:
    CASES.append(case(title, steps, "UNAVAILABLE", *words))
CASES.append(case("silence", [silent], "DEADLINE_EXCEEDED", "TLS", timeout=1))
