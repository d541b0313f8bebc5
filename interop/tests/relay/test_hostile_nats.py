"""Do readers survive a NATS server that declares messages which do not fit into memory, or does not answer?"""

import collections
import contextlib
import json
import queue
import re
import socket
import threading
from pathlib import Path

from support.command import LONGEST
from support.nats.server import until
from support.relay import Reader

INFO = {"server_id": "x", "version": "2.9.10", "proto": 1, "headers": True, "max_payload": 1 << 20}


def answer(connection, ended):
    """Sends a message without an end; puts the error of the connection into the queue."""
    with connection:
        connection.sendall(b"INFO " + json.dumps(INFO).encode() + b"\r\n")
        received = b""
        while b"PING" not in received:
            received += connection.recv(1 << 16)
        try:
            connection.sendall(b"PONG\r\nMSG a 1 2000000000\r\n")
            while True:
                connection.sendall(bytes(1 << 20))
        except OSError as error:
            ended.put(error)


def answer_some(connection, requests):
    """Counts the requests by subject, and answers none about a trip whose ID begins with `lost`."""
    with connection, contextlib.suppress(OSError):
        connection.sendall(b"INFO " + json.dumps(INFO).encode() + b"\r\n")
        subscriptions, lines = {}, connection.makefile("rb")
        for line in lines:
            words = line.decode().split()
            if words[0] == "PING":
                connection.sendall(b"PONG\r\n")
            elif words[0] == "SUB":
                subscriptions[words[1].removesuffix(".*")] = words[-1]
            elif words[0] in ("PUB", "HPUB"):
                lines.read(int(words[-1]) + 2)
                requests[words[1]] += 1
                if ".lost" not in words[1]:
                    connection.sendall(reply(words[1], words[2], subscriptions[words[2].rpartition(".")[0]]))


def reply(request, subject, number):
    """Returns the reply to a request: a message is stored, or there is none."""
    if request.startswith("$KV"):
        stored = b'{"stream": "KV_TRIPWIRE_WANTS", "seq": 1}'
        return f"MSG {subject} {number} {len(stored)}\r\n".encode() + stored + b"\r\n"
    status = b"NATS/1.0 404\r\n\r\n"
    return f"HMSG {subject} {number} {len(status)} {len(status)}\r\n".encode() + status + b"\r\n"


@contextlib.contextmanager
def server(answer, argument):
    """Yields the URL of a server that calls `answer(connection, argument)` for each connection."""
    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=answer, args=(connection, argument), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"nats://127.0.0.1:{listener.getsockname()[1]}"


def peak_memory(process):
    """Returns the largest resident memory of a process so far, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def test_message_that_does_not_fit_into_memory_ends_the_connection():
    ended = queue.Queue()
    with server(answer, ended) as url, Reader(url, "providers/p/trips/t1") as reader:
        for _ in range(2):
            ended.get(timeout=LONGEST)
        reader.error("was lost")
        assert reader.process.poll() is None
        assert peak_memory(reader.process) < 256 << 20


def test_lost_requests_are_repeated_seldom_and_alone():
    requests = collections.Counter()
    with server(answer_some, requests) as url, \
            Reader(url, "providers/p/trips/lost1", "providers/p/trips/lost2", "providers/p/trips/t1") as reader:
        subject = "$JS.API.DIRECT.GET.TRIPWIRE_TRIPS.tripwire.v1.trips.p."
        reader.error("NATS has no stream TRIPWIRE_TRIPS, or did not answer")
        # After 0, 0.25, 0.75, 1.75 and 3.75 s. The request ends after 5 s.
        assert requests[subject + "lost1"] == requests[subject + "lost2"] == 5
        until(lambda: requests[subject + "lost1"] == 10, "a second request")
        # A reader reads the last message again after 30 s without one.
        assert requests[subject + "t1"] == 1
        assert {state.name for state in reader.states if state.HasField("relay_error")} == {
            "providers/p/trips/lost1", "providers/p/trips/lost2"}
