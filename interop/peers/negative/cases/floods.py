"""Endless useless frames: the client has to close the connection."""

from peers.negative.case import group
from peers.negative.steps import (
    continued, data, stop_reading, flood, frame, goaway, headers, rst, settings, trailers_only, update)

case = group("flood", after="new", timeout=120, attempts=1)
CALM = (("GOAWAY", 11),)
FLOODS = {
    "PING": [flood(frame(6, stream=0, payload=bytes(8)))],
    "PING ACK": [flood(frame(6, 1, stream=0, payload=bytes(8)))],
    "SETTINGS": [flood(settings())],
    "SETTINGS with values": [flood(settings((4, 70_000), (4, 60_000)))],
    "empty DATA": [headers(), flood(data())],
    "DATA with only padding": [headers(), flood(data(pad=9))],
    "WINDOW_UPDATE on the connection": [flood(update(1, stream=0))],
    "WINDOW_UPDATE on the stream": [flood(update(1))],
    "PRIORITY": [flood(frame(2, payload=bytes(5)))],
    "unknown frames": [flood(frame(0xee))],
    "ALTSVC": [flood(frame(0xa, stream=0, payload=b"\0\1xh2"))],
    "RST_STREAM on a closed stream": [
        headers(stream=1), flood(rst(8, stream=1))],
    "1xx": [flood(headers((b":status", b"103")), batch=20)],
    "GOAWAY": [flood(goaway(1))],
    "CONTINUATION": [frame(1), flood(continued())],
}
CASES = []
for title, steps in FLOODS.items():
    ends = title.startswith("RST_STREAM")
    # If the call ends before the flood, the flood may affect the next call.
    after = None if ends else "new"
    code = ("UNAVAILABLE", "CANCELLED") if ends else "UNAVAILABLE"
    client_sends = () if after is None or title == "GOAWAY" else CALM
    CASES += [case(title, steps, code, kind=kind, client_sends=client_sends, after=after)
              for kind in ("UNARY", "SERVER_STREAMING")]
# Frames that the client must acknowledge, which accumulate.
CASES += [
    case(f"{title} from a server that does not read", [stop_reading, *FLOODS[title]], "UNAVAILABLE")
    for title in ("PING", "SETTINGS", "DATA with only padding")]
CASES.append(case(
    "DATA on an ended stream",
    [trailers_only((b"grpc-status", b"5")), flood(data(b"x"))], "NOT_FOUND", after=None))
