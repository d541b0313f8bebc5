"""Runs Examples/ReadRelay/read_relay.py."""

import subprocess
import sys
import threading

from peers.servers.protosets import compiled
from support.command import LONGEST
from support.nats.server import until
from support.paths import INTEROP

EXAMPLE = INTEROP.parent / "Examples/ReadRelay"


class PythonReader:
    """The example in a process of its own, and the lines that it prints."""

    def __init__(self, folder, url, *arguments, settings=""):
        """`settings` are statements that change constants of the module `read_relay`."""
        (folder / "relay.protoset").write_bytes(compiled(
            INTEROP.parent / "protos", "tripwire/relay/v1/poll_request.proto", "tripwire/relay/v1/trip_state.proto"))
        script = f"import asyncio, read_relay, sys; {settings}; asyncio.run(read_relay.main(*sys.argv[1:]))"
        program = ["-c", script] if settings else [EXAMPLE / "read_relay.py"]
        self.process = subprocess.Popen(
            [sys.executable, *program, url, *arguments], cwd=folder, env={"PYTHONPATH": EXAMPLE},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(LONGEST)

    def until(self, text):
        """Waits until a line contains the text."""
        return until(lambda: next((line for line in self.lines if text in line), None), f"{text} of {self.lines}")
