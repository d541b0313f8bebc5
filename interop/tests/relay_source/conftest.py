"""The commands beside a program that takes the place of tripwire-relay."""

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import sys

import pytest

from support.command import LONGEST, binary, environment
from support.following import Following
from support.paths import INTEROP
from peers.relay.messages import URL, delimited


@pytest.fixture(scope="session")
def alone(tmp_path_factory):
    """A folder with tripwire, but without tripwire-relay."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copy(binary(), folder / "tripwire")
    return folder


@pytest.fixture(scope="session")
def beside(alone, tmp_path_factory):
    """A folder on the PATH with the replacement of tripwire-relay."""
    folder = tmp_path_factory.mktemp("beside")
    program = folder / "tripwire-relay"
    fake = INTEROP / "peers" / "relay" / "fake_relay.py"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {fake} \"$@\"\n")
    program.chmod(0o755)
    return folder


class FakeRelay:
    """A command and the program that it started in place of tripwire-relay."""

    def __init__(self, process, connection, is_map=False):
        self.process = process
        self._connection = connection
        self._lines = connection.makefile()
        self.arguments = self.next_line()["arguments"]
        self.map_url = process.stdout.readline().decode().strip() if is_map else None
        self.following = Following(process) if process.stdout else None

    def next_line(self):
        """Returns the next message of the program; None at its end."""
        line = self._lines.readline()
        return json.loads(line) if line else None

    def _command(self, **command):
        self._connection.sendall(json.dumps(command).encode() + b"\n")

    def send(self, *states):
        self.write(delimited(*states))

    def write(self, data):
        self._command(out=base64.b64encode(data).decode())

    def complain(self, text):
        self._command(err=text)

    def exit(self, code):
        self._command(exit=code)

    def kill(self):
        self._command(kill=True)

    def ignore_end(self):
        self._command(ignore=True)
        assert self.next_line() == {}

    def end(self):
        """Waits until the command ends; returns the exit code and stderr."""
        code = self.following.end()
        error = self.process.stderr.read()
        return code, error.decode() if isinstance(error, bytes) else error


@pytest.fixture
def relay(alone, beside, tmp_path):
    """Starts a command with --from, and the program that it reads."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        listener.settimeout(LONGEST)

        def start(command, *arguments, stdout=subprocess.PIPE):
            process = subprocess.Popen(
                [alone / "tripwire", command, *arguments, "--from", URL],
                stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                env=environment(PATH=f"{beside}:/usr/bin:/bin", FAKE_RELAY=str(tmp_path / "s")))
            stack.callback(process.wait)
            stack.callback(process.kill)
            connection, _ = listener.accept()
            connection.settimeout(LONGEST)
            stack.enter_context(connection)
            return FakeRelay(process, connection, command == "map")

        yield start
