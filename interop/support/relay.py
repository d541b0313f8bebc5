"""Runs `tripwire-relay`: workers, readers and the other commands."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from google.maps.fleetengine_v1 import types

from support.command import LONGEST, Result, binary, environment
from support.nats.server import delimited, trip_state, until

TripState = trip_state()


def program():
    path = Path(binary()).with_name("tripwire-relay")
    if not path.exists():
        pytest.fail(f"{path} is missing: build the product tripwire-relay")
    return path


def relay(nats, *arguments, stdin=b"", **variables):
    """Runs a command to its end."""
    done = subprocess.run(
        [program(), *map(str, arguments)], input=stdin, capture_output=True, timeout=LONGEST,
        env=environment(NATS_URL=getattr(nats, "url", nats), **variables))
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


class Process:
    """A process of the relay, which ends with the test."""

    def __init__(self, nats, *arguments, prefix=(), **options):
        """`prefix` is a command that runs the process elsewhere."""
        self.process = subprocess.Popen(
            [*prefix, program(), *map(str, arguments)], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            env=environment(NATS_URL=getattr(nats, "url", nats)), **options)
        self.errors, self.start = [], None
        """The lines of stderr, without the first of a worker."""
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read_errors(self):
        for line in self.process.stderr:
            line = line.decode().rstrip()
            if line.startswith("worker "):
                self.start = line
            else:
                self.errors.append(line)
            # For the report of a test that fails.
            print(self.process.pid, line, file=sys.stderr)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LONGEST)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(LONGEST)

    def error(self, text):
        return until(lambda: any(text in line for line in self.errors), f"an error with {text!r}")


class App:
    """Runs interop/relay-app, which follows trips with the library."""

    def __init__(self, nats, *names):
        program = Path(binary()).with_name("relay-app")
        if not program.exists():
            pytest.fail(f"{program} is missing: build the product relay-app")
        self.process = subprocess.Popen(
            [program, getattr(nats, "url", nats), *map(str, names)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            env=environment())
        self.lines = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.decode().rstrip())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(LONGEST)


class Worker(Process):
    def __init__(self, nats, fleet, *options, interval="200ms", prefix=()):
        super().__init__(nats, "work", "--endpoint", fleet.address, "--plaintext", "--interval", interval,
                         *options, prefix=prefix, stdout=subprocess.DEVNULL)

    @property
    def name(self):
        """Its name in the status."""
        return until(lambda: self.start, "the worker begins").split()[1].removesuffix(":")


class Search(Process):
    """Keeps what a search finds requested."""

    def __init__(self, nats, fleet, *options, what="trips", every="1s"):
        super().__init__(nats, "want", "--search", what, "--provider", "p", "--every", every,
                         "--endpoint", fleet.address, "--plaintext", *options, stdout=subprocess.DEVNULL)


class Reader(Process):
    """Collects the states that `tripwire-relay read` writes."""

    def __init__(self, nats, *names, options=(), kind=TripState, prefix=()):
        super().__init__(nats, "read", *names, *options, prefix=prefix, stdout=subprocess.PIPE)
        self.states, self._kind = [], kind
        self._data, self._output = b"", self.process.stdout.fileno()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while data := self._next():
            self._data += data
            messages = delimited(self._data, self._kind)
            self._data = self._data[sum(length(each.ByteSize()) + each.ByteSize() for each in messages):]
            self.states += messages

    def _next(self):
        try:
            return os.read(self._output, 1 << 16)
        except OSError:
            # The test has closed it.
            return b""

    def until(self, condition, what="a state"):
        """Returns the first state from now on, or the last one, for which the condition holds."""
        start = max(len(self.states) - 1, 0)

        def found():
            return next((state for state in self.states[start:] if condition(state)), None)
        return until(found, what)


def length(size):
    """The bytes of a varint."""
    return max(1, (size.bit_length() + 6) // 7)


def google_trip(state):
    """The trip of a state, as Google's library has it."""
    return types.Trip.pb(types.Trip.deserialize(state.trip.SerializeToString()))


def status(nats, *options):
    return json.loads(relay(nats, "status", "-o", "json", *options).stdout)


def working(nats, count, *options):
    """Waits until this many workers work."""
    def found():
        result = relay(nats, "status", "-o", "json", *options)
        workers = json.loads(result.stdout)["workers"] if result.code == 0 else []
        # A dead worker keeps its entry for a minute.
        workers = [each for each in workers if each["phase"] == "working" and each["ageMs"] < 5000]
        return workers if len(workers) == count else None
    return until(found, f"{count} workers")
