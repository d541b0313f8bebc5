"""Do readers survive a NATS server that declares messages which do not fit into memory?"""

import contextlib
import json
import queue
import re
import socket
import threading
from pathlib import Path

from support.command import LONGEST
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


@contextlib.contextmanager
def hostile():
    """Yields the URL of a server, and a queue of the errors of its connections."""
    ended = queue.Queue()

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=answer, args=(connection, ended), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"nats://127.0.0.1:{listener.getsockname()[1]}", ended


def peak_memory(process):
    """Returns the largest resident memory of a process so far, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def test_message_that_does_not_fit_into_memory_ends_the_connection():
    with hostile() as (url, ended), Reader(url, "providers/p/trips/t1") as reader:
        for _ in range(2):
            ended.get(timeout=LONGEST)
        reader.error("was lost")
        assert reader.process.poll() is None
        assert peak_memory(reader.process) < 256 << 20
