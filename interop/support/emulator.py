"""Runs `tripwire emulate`."""

import contextlib
import subprocess
import threading

import pytest

from support.command import LONGEST, start


class Emulator:
    def __init__(self, process, lines):
        self.process, self.lines = process, lines
        self.address = lines[0].split()[2]
        # The URL of --rest.
        self.url = lines[1].split()[2] if lines[1].startswith("listening on http") else None


@contextlib.contextmanager
def emulating(*options):
    """Yields an emulator that listens."""
    process = start("emulate", *options, stderr=subprocess.STDOUT)
    watch = threading.Timer(LONGEST, process.kill)
    watch.start()
    try:
        lines = [process.stdout.readline().decode() for _ in range(2 + sum(option in ("--rest", "--map") for option in options))]
        if not lines[0].startswith("listening on "):
            pytest.fail(f"tripwire emulate printed no address, but: {lines}")
        watch.cancel()
        yield Emulator(process, lines)
    finally:
        watch.cancel()
        process.kill()
        process.communicate()
