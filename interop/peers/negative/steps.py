"""The words of which scripts are made: each is, or makes, a function of a `Peer`."""

import socket
import struct
import time

from hyperframe import frame as frames

from peers.negative.peer import GOOD_HEADERS, OK_TRAILERS, Gone, framed, payload

# MARK: What the server waits for

def asked(peer):
    """The next request, whole."""
    peer.next_request()


def begun(peer):
    """The headers of the next request."""
    peer.next_request(whole=False)


def rest(peer):
    """The end of the present request."""
    peer.wait(lambda: peer.stream in peer.whole, "the end of the request")


def reset(peer):
    """That the client resets a stream."""
    peer.wait(lambda: ("RST_STREAM", 8) in peer.heard, "RST_STREAM")


def silent(peer):
    """Nothing more until the client goes."""
    peer.until_gone()


def deaf(peer):
    """Nothing is read from here on, until the test is over."""
    peer.deaf = True


def mute(peer):
    """SETTINGS and PING are not answered from here on."""
    peer.acknowledges = False


def foreign(peer):
    """Does not parse received bytes: this is not HTTP/2."""
    peer.speaks_http2 = False


def hold_windows(peer):
    """Does not return received bytes to the client's windows."""
    peer.gives_credit = False


# MARK: Frames of the server

def hello_with(**changes):
    """SETTINGS with such values, named as in hyperframe."""
    def step(peer):
        peer.h2.local_settings.update(numbered(changes))
        peer.h2.local_settings.acknowledge()
        peer.politely(lambda conn: conn.initiate_connection())

    return step


def change(**values):
    """SETTINGS of which h2 knows."""
    return lambda peer: peer.politely(lambda conn: conn.update_settings(numbered(values)))


def numbered(values):
    return {getattr(frames.SettingsFrame, name.upper()): value for name, value in values.items()}


def grow(count):
    """WINDOW_UPDATE of the connection, of which h2 knows."""
    return lambda peer: peer.politely(lambda conn: conn.increment_flow_control_window(count))


def good(peer):
    """A good answer."""
    peer.answer_well()


def frame(kind, flags=0, stream=None, payload=b"", length=None):
    """Any frame, with a length that may be a lie; on the present stream unless one is given."""
    def step(peer):
        number = peer.stream if stream is None else stream
        size = len(payload) if length is None else length
        peer.send(struct.pack(">I", size)[1:] + bytes([kind, flags])
                  + struct.pack(">I", number) + payload)

    return step


def raw(data):
    return lambda peer: peer.send(data)


def block(data, end=False, piece=16384, stream=None):
    """A header block as it is."""
    def step(peer):
        peer.say(*peer.header_frames(data, end, piece, stream))
        # Its entries are removed from the dynamic table, because h2 does not know them.
        peer.h2.encoder.header_table_size = 0
        peer.h2.encoder.header_table_size = 4096

    return step


def headers(*fields, end=False, piece=16384, stream=None, pad=0):
    """Such header fields, good ones without any."""
    return lambda peer: peer.say(*peer.header_frames(
        peer.encode(fields or GOOD_HEADERS), end, piece, stream, pad))


def trailers(*fields, **more):
    return headers(*(fields or OK_TRAILERS), end=True, **more)


def trailers_only(*fields):
    return headers(*GOOD_HEADERS, *fields, end=True)


def data(body=b"", end=False, pad=None, stream=None):
    def step(peer):
        made = frames.DataFrame(peer.stream if stream is None else stream, data=body)
        if end:
            made.flags.add("END_STREAM")
        if pad is not None:
            made.flags.add("PADDED")
            made.pad_length = pad
        peer.say(made)

    return step


def message(body=payload(4), flag=0, length=None, end=False):
    """A message in one DATA frame."""
    return data(framed(body, flag, length), end)


def rst(code, stream=None):
    return frame(3, stream=stream, payload=struct.pack(">I", code))


def refuse(*streams):
    """REFUSED_STREAM of which h2 knows, of the present stream unless some are given."""
    def step(peer):
        def act(conn):
            for stream in streams or [peer.stream]:
                conn.reset_stream(stream, 7)

        peer.politely(act)

    return step


def goaway(last, code=0, debug=b"", stream=0):
    return frame(7, stream=stream, payload=struct.pack(">II", last, code) + debug)


def settings(*pairs):
    """SETTINGS of such numbers."""
    return frame(4, stream=0, payload=b"".join(struct.pack(">HI", *pair) for pair in pairs))


def update(increment, stream=None):
    """WINDOW_UPDATE, on the present stream unless one is given."""
    return frame(8, stream=stream, payload=struct.pack(">I", increment))


def continued(flags=0, payload=b""):
    return frame(9, flags, payload=payload)


# MARK: Framing and timing

def together(*steps):
    """Sends the output of the steps in one piece."""
    def step(peer):
        said, send = [], peer.send
        peer.send = said.append
        try:
            for each in steps:
                each(peer)
        finally:
            peer.send = send
        peer.send(b"".join(said))

    return step


def paced(*steps, size=1):
    """Sends the output of the steps in pieces of `size` bytes, each in a packet."""
    def step(peer):
        said, send = [], peer.send
        peer.send = said.append
        try:
            for each in steps:
                each(peer)
        finally:
            peer.send = send
        whole = b"".join(said)
        peer.holds_answers = True
        for start in range(0, len(whole), size):
            peer.send(whole[start:start + size])
            # A moment for the client to read, so that pieces do not join.
            time.sleep(0.0002)
        peer.holds_answers = False
        peer.send_answers()

    return step


def flood(*steps, times=100_000, batch=200):
    """Repeats the steps until the client closes."""
    def step(peer):
        many = together(*steps * batch)
        for _ in range(times // batch):
            many(peer)

    return step


def fin(peer):
    """Ends sending, and continues to read."""
    try:
        peer.sock.shutdown(socket.SHUT_WR)
    except OSError:
        raise Gone from None


def close(peer):
    """The server goes, having read what came."""
    raise Gone


def abort(peer):
    """The server goes with a TCP RST."""
    peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Gone
