"""Runs `tripwire follow -o json` and reads its output."""

import contextlib
import json
import queue
import threading
import time

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import json_format

from support.command import LONGEST, environment, start


class Following:
    """A running `tripwire follow` and its lines."""

    def __init__(self, process):
        self.process = process
        self.lines = []
        self._coming = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._coming.put(json.loads(line))
        self._coming.put(None)

    def until(self, condition):
        """Reads lines until the condition holds for one; returns this line."""
        deadline = time.monotonic() + LONGEST
        while True:
            try:
                line = self._coming.get(timeout=max(deadline - time.monotonic(), 0))
            except queue.Empty:
                last = str(self.lines[-1:])[-1000:]
                pytest.fail(f"no such line within {LONGEST} s; the last one was …{last}")
            if line is None:
                pytest.fail(f"the command ended: {self.process.wait()} {self.process.stderr.read()}")
            self.lines.append(line)
            if condition(line):
                return line

    def until_next(self, condition):
        """The same, without the lines that have arrived already."""
        for _ in range(self._coming.qsize()):
            self.lines.append(self._coming.get())
        return self.until(condition)

    def lines_within(self, seconds):
        """Returns the lines that arrive within this time in seconds."""
        lines = []
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                lines.append(self._coming.get(timeout=left))
        return lines

    def until_status(self, status):
        return self.until(lambda line: status == line.get("trip", {}).get("tripStatus"))

    def until_error(self, code):
        return self.until(lambda line: "error" in line and line["error"]["code"] == code)

    def until_recovered(self):
        return self.until(lambda line: "trip" in line and "stale" not in line)

    def wait_until(self, condition):
        """Waits until the condition holds, without reading lines."""
        deadline = time.monotonic() + LONGEST
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"the condition does not hold after {LONGEST} s")
            time.sleep(0.02)

    def end(self):
        """Waits until the command ends and reads its remaining lines; returns the exit code."""
        code = self.process.wait(LONGEST)
        self._reader.join()
        while (line := self._coming.get()) is not None:
            self.lines.append(line)
        return code

    @property
    def statuses(self):
        """The trip statuses in the lines, without repetitions in a row."""
        found = []
        for line in self.lines:
            if "trip" in line and (status := line["trip"].get("tripStatus")) not in found[-1:]:
                found.append(status)
        return found

    @property
    def errors(self):
        return [line["error"]["code"] for line in self.lines if "error" in line]


@contextlib.contextmanager
def following(address, *trips, options=("--plaintext",), interval="100ms", **variables):
    """Follows trips, given as trips or names; without an address, `options` must name the source.

    `variables` are environment variables.
    """
    names = [getattr(trip, "name", trip) for trip in trips]
    endpoint = ["--endpoint", address] if address else []
    process = start("follow", *names, *endpoint, "--interval", interval, "-o", "json", *options,
                    env=environment(**variables))
    try:
        yield Following(process)
    finally:
        process.kill()
        process.wait()


def trip_of(line):
    """Returns the Trip message of a line."""
    return json_format.ParseDict(line["trip"], types.Trip.pb()())
