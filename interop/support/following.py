"""Runs `tripwire follow -o json` and reads what it says."""

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
    """A running `tripwire follow`; its lines, and the newest trip and error of each name."""

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
        """Reads on until a line comes of which that holds; the line."""
        deadline = time.monotonic() + LONGEST
        while True:
            try:
                line = self._coming.get(timeout=max(deadline - time.monotonic(), 0))
            except queue.Empty:
                last = str(self.lines[-1:])[-1000:]
                pytest.fail(f"it did not come in {LONGEST} s; the last one was …{last}")
            if line is None:
                pytest.fail(f"it ended: {self.process.wait()} {self.process.stderr.read()}")
            self.lines.append(line)
            if condition(line):
                return line

    def quiet(self, seconds):
        """The lines that come within this time."""
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
        """Waits until the condition holds, whatever lines come meanwhile."""
        deadline = time.monotonic() + LONGEST
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"it did not happen in {LONGEST} s")
            time.sleep(0.02)

    def end(self):
        """What it ends with by itself, and all its lines."""
        code = self.process.wait(LONGEST)
        self._reader.join()
        while (line := self._coming.get()) is not None:
            self.lines.append(line)
        return code

    @property
    def statuses(self):
        """Which the lines have told of, each as often as it came anew."""
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
    """Follows trips, or names of trips, until the end of the test; without an address, `options`
    say where. `variables` are those of its environment."""
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
    """The Trip of a line as protobuf's message."""
    return json_format.ParseDict(line["trip"], types.Trip.pb()())
