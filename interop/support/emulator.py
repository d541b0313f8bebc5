"""Runs `tripwire emulate`."""

import contextlib
import subprocess

import pytest

from support.command import running, watched


class Emulator:
    def __init__(self, process, lines):
        self.process, self.lines = process, lines
        self.address = lines[0].split()[2]
        # The URL of --rest.
        self.url = lines[1].split()[2] if lines[1].startswith("listening on http") else None


@contextlib.contextmanager
def emulating(*options):
    """Yields an emulator that listens."""
    count = 2 + sum(option in ("--rest", "--map") for option in options)
    with running("emulate", *options, stderr=subprocess.STDOUT) as process:
        with watched(process):
            lines = [process.stdout.readline().decode() for _ in range(count)]
        if not lines[0].startswith("listening on "):
            pytest.fail(f"tripwire emulate printed no address, but: {lines}")
        yield Emulator(process, lines)
