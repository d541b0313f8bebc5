"""The steps of scripts: each is, or returns, a function of a `Peer`."""

import socket
import struct
import time

from hyperframe import frame as frames

from peers.negative.peer import GOOD_HEADERS, OK_TRAILERS, Gone, framed, payload

# MARK: Waiting and reading

def await_request(peer):
    """Waits for the next complete request."""
    peer.next_request()


def await_headers(peer):
    """Waits for the headers of the next request."""
    peer.next_request(whole=False)


def await_request_end(peer):
    """Waits for the end of the current request."""
    peer.wait(lambda: peer.stream in peer.complete, "the end of the request")


def await_reset(peer):
    """Waits until the client resets a stream."""
    peer.wait(lambda: ("RST_STREAM", 8) in peer.client_errors, "RST_STREAM")


def silent(peer):
    """Sends nothing until the client closes."""
    peer.until_gone()


def stop_reading(peer):
    """Stops reading until the end of the test."""
    peer.is_paused = True


def stop_acks(peer):
    """Stops acknowledging SETTINGS and PING."""
    peer.acknowledges = False


def ignore_http2(peer):
    """Stops parsing received bytes as HTTP/2."""
    peer.parses_http2 = False


def hold_windows(peer):
    """Stops replenishing the client's windows."""
    peer.returns_credit = False


# MARK: Frames of the server

def hello_with(**changes):
    """Sends the first SETTINGS with values named as in hyperframe."""
    def step(peer):
        peer.h2.local_settings.update(numbered(changes))
        peer.h2.local_settings.acknowledge()
        peer.send_checked(lambda conn: conn.initiate_connection())

    return step


def change(**values):
    """Sends SETTINGS through h2."""
    return lambda peer: peer.send_checked(lambda conn: conn.update_settings(numbered(values)))


def numbered(values):
    return {getattr(frames.SettingsFrame, name.upper()): value for name, value in values.items()}


def grow(count):
    """Sends WINDOW_UPDATE for the connection through h2."""
    return lambda peer: peer.send_checked(lambda conn: conn.increment_flow_control_window(count))


def good(peer):
    """Sends a valid response."""
    peer.respond()


def frame(kind, flags=0, stream=None, payload=b"", length=None):
    """Sends any frame, on the current stream by default, with a false length if one is given."""
    def step(peer):
        number = peer.stream if stream is None else stream
        size = len(payload) if length is None else length
        peer.send(struct.pack(">I", size)[1:] + bytes([kind, flags])
                  + struct.pack(">I", number) + payload)

    return step


def raw(data):
    return lambda peer: peer.send(data)


def block(data, end=False, piece=16384, stream=None):
    """Sends raw bytes as a header block."""
    def step(peer):
        peer.send_frames(*peer.header_frames(data, end, piece, stream))
        # The dynamic table is cleared, because h2 does not know the entries of the block.
        peer.h2.encoder.header_table_size = 0
        peer.h2.encoder.header_table_size = 4096

    return step


def headers(*fields, end=False, piece=16384, stream=None, pad=0):
    """Sends these header fields, or valid ones by default."""
    return lambda peer: peer.send_frames(*peer.header_frames(
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
        peer.send_frames(made)

    return step


def message(body=payload(4), flag=0, length=None, end=False):
    """Sends a message in one DATA frame."""
    return data(framed(body, flag, length), end)


def rst(code, stream=None):
    return frame(3, stream=stream, payload=struct.pack(">I", code))


def refuse(*streams):
    """Sends REFUSED_STREAM through h2, for the current stream by default."""
    def step(peer):
        def act(conn):
            for stream in streams or [peer.stream]:
                conn.reset_stream(stream, 7)

        peer.send_checked(act)

    return step


def goaway(last, code=0, debug=b"", stream=0):
    return frame(7, stream=stream, payload=struct.pack(">II", last, code) + debug)


def settings(*pairs):
    """Sends SETTINGS with pairs of numbers."""
    return frame(4, stream=0, payload=b"".join(struct.pack(">HI", *pair) for pair in pairs))


def update(increment, stream=None):
    """Sends WINDOW_UPDATE, for the current stream by default."""
    return frame(8, stream=stream, payload=struct.pack(">I", increment))


def continued(flags=0, payload=b""):
    return frame(9, flags, payload=payload)


# MARK: Framing and timing

def together(*steps):
    """Sends the output of the steps in one segment."""
    def step(peer):
        output, send = [], peer.send
        peer.send = output.append
        try:
            for each in steps:
                each(peer)
        finally:
            peer.send = send
        peer.send(b"".join(output))

    return step


def paced(*steps, size=1):
    """Sends the output of the steps in pieces of `size` bytes, each in a packet."""
    def step(peer):
        output, send = [], peer.send
        peer.send = output.append
        try:
            for each in steps:
                each(peer)
        finally:
            peer.send = send
        whole = b"".join(output)
        peer.holds_responses = True
        for start in range(0, len(whole), size):
            peer.send(whole[start:start + size])
            # Lets the client read, so that pieces are not joined.
            time.sleep(0.0002)
        peer.holds_responses = False
        peer.send_responses()

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
    """Closes the connection after reading."""
    raise Gone


def abort(peer):
    """Closes the connection with a TCP RST."""
    peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Gone
