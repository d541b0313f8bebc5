"""Runs the `tripwire` command that TRIPWIRE_BIN names."""

import contextlib
import json
import os
import re
import subprocess
import threading
from dataclasses import dataclass
from decimal import Decimal

import pytest

from support.places import RECORDINGS

# Nothing hangs; if the command does, the test fails here, after so many seconds. No test asserts it.
LONGEST = 300
# The timeout of a call that must not end by it.
PATIENT = f"{LONGEST}s"
# Seconds to wait for the end of a timeout: on a busy machine the first may be over before the command
# has come to what is tested, and then the next is taken.
GROWING = [1, 4, 16, 64]


def binary():
    path = os.environ.get("TRIPWIRE_BIN")
    if not path:
        pytest.fail("TRIPWIRE_BIN must name the tripwire command to test")
    return path


def environment(**variables):
    """Ours, without what would steer the command, and with `variables`."""
    kept = {
        name: value for name, value in os.environ.items()
        if not name.startswith("TRIPWIRE_") and not name.lower().endswith("_proxy")
        and not name.startswith("SSL_CERT")
    }
    return kept | variables


@dataclass
class Result:
    code: int
    stdout: str
    stderr: str

    @property
    def json(self):
        """What stdout says, numbers to the last digit."""
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
    """JSON, with numbers as decimals, so that equal means equal to the last digit."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def tripwire(*arguments, stdin=b"", **variables):
    """Runs the command to its end."""
    done = subprocess.run(
        [binary(), *map(str, arguments)], input=stdin, capture_output=True, timeout=LONGEST,
        env=environment(**variables))
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def start(*arguments, **streams):
    """Starts the command and does not wait for it."""
    return subprocess.Popen(
        [binary(), *map(str, arguments)],
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
           "env": environment()}
        | streams)


def bearer(result):
    """The token that the trip `echo` was asked for with."""
    assert result.code == 0, result.stderr
    (value,) = result.attributes["authorization"]
    scheme, token = value.split(" ")
    assert scheme == "Bearer"
    return token


@contextlib.contextmanager
def replaying(recording, *options):
    """A running `tripwire replay`: the process and the address at which it listens."""
    process = start("replay", recording, *options, stderr=subprocess.STDOUT)
    watch = threading.Timer(LONGEST, process.kill)
    watch.start()
    try:
        said = b""
        while not (found := re.search(rb"127\.0\.0\.1:\d+", said)):
            if not (line := process.stdout.readline()):
                pytest.fail(f"tripwire replay does not say where it listens, but: {said}")
            said += line
        watch.cancel()
        yield process, found[0].decode()
    finally:
        watch.cancel()
        process.kill()
        process.communicate()


def get(server, resource, *arguments, **more):
    """`tripwire get providers/p/RESOURCE` without TLS."""
    return tripwire("get", f"providers/p/{resource}", "--endpoint", server.address, "--plaintext",
                    *arguments, **more)


def at(address):
    """The options to call a server without TLS."""
    return ["--endpoint", address, "--plaintext"]


def replayed(name):
    """The options to call what was recorded."""
    return ["--replay", RECORDINGS / f"{name}.binlog"]


def assert_failed(result, code, *words, error=None, hint=None, lines=(), caret=None):
    """Asserts that the command failed with this exit code and printed nothing to stdout.

    `words` are parts of the `error:` line, and `error` is the whole of it. `hint` is a part, or a list
    of parts, of the `hint:` line. `lines` are parts of the other lines of stderr. `caret` holds the
    first and the last column of the excerpt that are marked, from 1."""
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
