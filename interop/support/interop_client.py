"""Runs the `interop-client` that INTEROP_CLIENT names."""

import json
import os
import subprocess

import pytest

# The cases for every server, and those for servers that can check whether a request was compressed.
CASES = [
    "empty_unary", "large_unary", "client_streaming", "server_streaming", "ping_pong",
    "empty_stream", "cancel_after_begin", "cancel_after_first_response",
    "timeout_on_sleeping_server", "status_code_and_message", "special_status_message",
    "custom_metadata", "unimplemented_method", "unimplemented_service",
    "server_compressed_unary", "server_compressed_streaming", "big_unary",
    "timeout_on_slow_server", "cancel_and_read_on", "error_metadata",
]

# Cases with time limits of their own.
SOAK_CASES = ["rpc_soak", "channel_soak"]

CHECKING_CASES = ["client_compressed_unary", "client_compressed_streaming"]

# The time in seconds after which a hanging client fails a test.
LONGEST = 300


def command(*arguments):
    path = os.environ.get("INTEROP_CLIENT")
    if not path:
        pytest.fail("INTEROP_CLIENT must name the interop-client to test")
    return [path, *map(str, arguments)]


def client(*arguments):
    """Runs the client to its end."""
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=LONGEST)


def assert_passes(case, *flags):
    done = client(*flags, case)
    assert (done.returncode, done.stdout) == (0, f"ok {case}\n"), done.stdout + done.stderr


def number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


class Load:
    """Calls at a constant rate, which start with the object and have ended when `result()` returns."""

    def __init__(self, *flags, calls, rate=100, prefix=(), **more):
        flags += (f"--calls={calls}", f"--interval_us={round(1e6 / rate)}")
        flags += tuple(f"--{name}" if value is True else f"--{name}={value}"
                       for name, value in more.items())
        self.calls = calls
        self._longest = calls / rate + more.get("timeout_ms", 5000) / 1000 + LONGEST
        self.process = subprocess.Popen(
            [*prefix, *command(*flags, "load")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)

    def result(self):
        """Checks that no call hung and each response was right; returns the report."""
        try:
            output, _ = self.process.communicate(timeout=self._longest)
        except subprocess.TimeoutExpired:
            self.process.kill()
            pytest.fail(f"the client hangs: {self.process.communicate()[0]}")
        assert self.process.returncode == 0, output
        report = json.loads(output, parse_float=number)
        assert sum(report["codes"].values()) == report["calls"] == self.calls, report
        assert (report["late"], report["not_ours"]) == (0, 0), report
        return report
