"""Runs the `tripwire` command that TRIPWIRE_BIN names."""

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

from support.paths import RECORDINGS

# The time in seconds after which a hanging command fails a test. No test depends on the value.
LONGEST = 300
# The timeout of a call that must not reach it.
PATIENT = f"{LONGEST}s"
# Timeouts in seconds, tried in order: on a busy machine a short one may expire before the command has
# reached the tested state.
GROWING = [1, 4, 16, 64]
# The folder with the commands that pip installs.
TOOLS = Path(sys.executable).parent


def binary():
    path = os.environ.get("TRIPWIRE_BIN")
    if not path:
        pytest.fail("TRIPWIRE_BIN must name the tripwire command to test")
    return path


def environment(**variables):
    """Returns our environment with `variables`, without those that configure the command."""
    kept = {
        name: value for name, value in os.environ.items()
        if not name.startswith("TRIPWIRE_") and not name.lower().endswith("_proxy")
        and not name.startswith(("SSL_CERT", "GOOGLE_", "CLOUDSDK_", "GCE_"))
    }
    # No program finds or creates files there.
    return kept | {"XDG_CONFIG_HOME": "/dev/null", "CLOUDSDK_CONFIG": "/dev/null"} | variables


@dataclass
class Result:
    code: int
    stdout: str
    stderr: str

    @property
    def json(self):
        """The JSON on stdout, with exact numbers."""
        return exactly(self.stdout)

    @property
    def attributes(self):
        """The attributes of the trip on stdout, as `{key: [text or number, …]}`."""
        found = {}
        for attribute in json.loads(self.stdout).get("attributes", []):
            value = attribute.get("stringValue", attribute.get("numberValue"))
            found.setdefault(attribute["key"], []).append(value)
        return found


def exactly(text):
    """Parses JSON with decimal numbers, so that they are compared exactly."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def tripwire(*arguments, stdin=b"", cwd=None, **variables):
    """Runs the command to its end."""
    done = subprocess.run(
        [binary(), *map(str, arguments)], input=stdin, capture_output=True, timeout=LONGEST,
        cwd=cwd, env=environment(**variables))
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def start(*arguments, **streams):
    """Starts the command without waiting for its end."""
    return subprocess.Popen(
        [binary(), *map(str, arguments)],
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
           "env": environment()}
        | streams)


@contextlib.contextmanager
def watched(process):
    """Kills a process that hangs."""
    watch = threading.Timer(LONGEST, process.kill)
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


@contextlib.contextmanager
def running(*arguments, **streams):
    """Starts the command, and kills it at the end."""
    process = start(*arguments, **streams)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def run(*command):
    """Runs another program to its end."""
    return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)


def bearer(result):
    """Returns the token that the request for the trip `echo` had."""
    assert result.code == 0, result.stderr
    (value,) = result.attributes["authorization"]
    scheme, token = value.split(" ")
    assert scheme == "Bearer"
    return token


@contextlib.contextmanager
def replaying(recording, *options):
    """Runs `tripwire replay`; yields the process and its listening address."""
    with running("replay", recording, *options, stderr=subprocess.STDOUT) as process:
        output = b""
        with watched(process):
            while not (found := re.search(rb"127\.0\.0\.1:\d+", output)):
                if not (line := process.stdout.readline()):
                    pytest.fail(f"tripwire replay printed no address, but: {output}")
                output += line
        yield process, found[0].decode()


def full(name):
    """The whole name of a resource of the provider p."""
    return f"providers/p/{name}"


def get(server, resource, *arguments, **more):
    """`tripwire get providers/p/RESOURCE` without TLS."""
    return tripwire("get", full(resource), "--endpoint", server.address, "--plaintext", *arguments, **more)


def at(address):
    """The options to call a server without TLS."""
    return ["--endpoint", address, "--plaintext"]


def replayed(name):
    """The options to replay a recording."""
    return ["--replay", RECORDINGS / f"{name}.binlog"]


def assert_failed(result, code, *words, error=None, hint=None, lines=(), caret=None):
    """Asserts that the command failed with this exit code and printed nothing to stdout.

    `words` are parts of the `error:` line, and `error` is the whole of it. `hint` is a part, or a list
    of parts, of the `hint:` line. `lines` are parts of the other lines of stderr. `caret` holds the
    first and the last marked column of the excerpt, from 1.
    """
    assert result.code == code, result.stderr
    assert result.stdout == ""
    errors, hints, others = [], [], []
    for line in result.stderr.splitlines():
        kind = {"error": errors, "hint": hints}.get(line.partition(": ")[0], others)
        kind.append(line if kind is others else line.partition(": ")[2])
    # With --error-format json there is an object instead of lines.
    assert len(errors) == (0 if result.stderr.startswith("{") else 1), result.stderr
    for word in words:
        assert word in errors[0], result.stderr
    if error is not None:
        assert errors[0] == error
    if hint is not None:
        (printed,) = hints
        for part in [hint] if isinstance(hint, str) else hint:
            assert part in printed, result.stderr
    for text in lines:
        assert any(text in line for line in others), result.stderr
    if caret is not None:
        first, last = caret
        assert others[1] == "  " + " " * (first - 1) + "^" * (last - first + 1), result.stderr
