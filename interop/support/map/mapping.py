"""Runs `tripwire map`."""

import contextlib
import re

import pytest

from support.command import LONGEST, running, watched


class Mapping:
    """A running `tripwire map` and the address of its page."""

    def __init__(self, process):
        self.process = process
        with watched(process):
            line = process.stdout.readline().decode()
        if not re.fullmatch(r"http://\S+/\S*\n", line):
            process.kill()
            pytest.fail(f"no address, but: {line} {process.stderr.read().decode()}")
        self.url = line.strip()

    @property
    def port(self):
        return int(re.search(r":(\d+)/", self.url)[1])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Waits until it ends by itself; returns its exit code."""
        return self.process.wait(LONGEST)


@contextlib.contextmanager
def mapping(address, *trips, options=(), interval="100ms"):
    """Shows trips, given as trips or names, until the end of the test."""
    names = [getattr(trip, "name", trip) for trip in trips]
    with running("map", *names, "--endpoint", address, "--plaintext", "--interval", interval, *options) as process:
        yield Mapping(process)
