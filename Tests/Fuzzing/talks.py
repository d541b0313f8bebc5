"""Writes the output of the servers of interop/peers/negative as inputs for the target `session`.

    talks.py FOLDER
"""

import contextlib
import hashlib
import pathlib
import sys

import h2.connection

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "interop"))

from peers.negative.cases import CASES  # noqa: E402
from peers.negative.peer import Gone, Peer  # noqa: E402

LONGEST = 4000
# WHOLE sends everything in one segment; WANTS_ONE is set for calls with a single response.
WHOLE, WANTS_ONE = 0x0d, 0x40


class Socket:
    """A socket that discards everything."""

    def setblocking(self, _): pass
    def setsockopt(self, *_): pass
    def shutdown(self, _): pass


class Recorder(Peer):
    """A peer with three requests that keeps its output."""

    def __init__(self):
        super().__init__(Socket())
        self.output = b""
        client = h2.connection.H2Connection()
        client.initiate_connection()
        for stream in (1, 3, 5):
            client.send_headers(stream, [
                (":method", "POST"), (":scheme", "http"), (":path", "/s/m"), (":authority", "a")],
                end_stream=True)
        for event in self.h2.receive_data(client.data_to_send()):
            self._handle(event)

    def send(self, data):
        self.output += data
        if len(self.output) > LONGEST:
            raise Gone

    def wait(self, condition, what):
        if not condition():
            raise Gone


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for case in CASES:
    peer = Recorder()
    with contextlib.suppress(Gone):
        for step in case.scripts[0]:
            step(peer)
    if peer.output:
        how = WHOLE | WANTS_ONE * (case.kind in ("UNARY", "CLIENT_STREAMING"))
        talk = bytes([how]) + peer.output[:LONGEST]
        (folder / hashlib.sha1(talk).hexdigest()[:16]).write_bytes(talk)
