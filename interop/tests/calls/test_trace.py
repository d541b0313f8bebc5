"""Does `-v` trace each step on stderr?"""

import base64
import re

from support.command import get, tripwire


def test_trace_does_not_change_stdout(server):
    quiet, verbose = get(server, "trips/t1"), get(server, "trips/t1", "-v")
    assert quiet.stderr == ""
    assert verbose.stderr != ""
    assert verbose.stdout == quiet.stdout


def test_headers_and_trailers_are_traced(server):
    trace = get(server, "trips/metadata", "-v").stderr
    for header in [
        ":method: POST", ":path: /maps.fleetengine.v1.TripService/GetTrip", ":scheme: http",
        f":authority: {server.address}", "content-type: application/grpc", "te: trailers",
        "x-goog-request-params: provider_id=providers%2Fp", ":status: 200", "x-first: one",
        "x-last: two", "grpc-status: 0",
    ]:
        assert header in trace
    for name, data in [("x-first-bin", b"\x00\x01\xff"), ("x-last-bin", b"\xfe")]:
        assert f"{name}: {base64.b64encode(data).decode().rstrip('=')}" in trace


def test_resolving_connecting_and_tls_are_traced(tls_server, certificates):
    trace = tripwire(
        "get", "providers/p/trips/t1", "-v", "--endpoint", f"localhost:{tls_server.port}",
        "--cacert", certificates.authority).stderr
    assert "localhost" in trace
    assert tls_server.address in trace
    assert "TLSv1.3" in trace
    assert re.search(r"ALPN.*\bh2\b", trace)
    assert ":scheme: https" in trace


def test_sizes_and_times_are_traced(server):
    trace = get(server, "trips/t1", "-v").stderr
    assert re.search(r"\d (B|bytes)\b", trace)
    assert re.search(r"\d [mµ]?s\b", trace)


def test_frames_are_traced(server):
    trace = get(server, "trips/t1", "-vv").stderr
    for frame in ["SETTINGS", "HEADERS", "DATA"]:
        assert frame in trace


def test_failed_call_is_traced(server):
    trace = get(server, "trips/fails-NOT_FOUND", "-v").stderr
    assert "grpc-status: 5" in trace
    assert "error: NOT_FOUND" in trace
