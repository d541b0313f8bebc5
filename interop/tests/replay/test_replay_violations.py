"""When a server violates HTTP/2 or gRPC, does the command name the violation and one action?"""

import base64
import json

import pytest

from support.command import assert_failed, replaying, tripwire

GET_TRIP = "/maps.fleetengine.v1.TripService/GetTrip"
TRIP = "providers/p/trips/t"
CHECK_LOG = "check the log of the server"


@pytest.fixture
def get(script):
    """Gets a trip from a server that answers with these steps."""
    def run(*steps, options=()):
        path = script(calls=[{"method": GET_TRIP, "steps": list(steps)}])
        with replaying(path) as (_, address):
            return tripwire("get", TRIP, "--endpoint", address, "--plaintext", *options)

    return run


def frame(kind, payload, stream):
    return {"frame": {
        "type": kind, "stream": stream, "payload": base64.b64encode(payload).decode()}}


def headers(*pairs):
    fields = [{"name": name, "value": value} for name, value in pairs]
    return {"frame": {"type": "HEADERS", "flags": 4, "fields": fields}}


@pytest.mark.parametrize("field, violation", [
    (("content-type", "application/grpc"), "the response headers have no :status"),
    ((":status", "abc"), "invalid header field: name: [:status], value: [abc]"),
], ids=["missing", "abc"])
def test_invalid_status_is_named(get, field, violation):
    assert_failed(
        get(headers(field)), 64 + 13, hint=CHECK_LOG,
        error=f"INTERNAL: the server violated HTTP/2: {violation} (PROTOCOL_ERROR)")


@pytest.mark.parametrize("broken, violation", [
    (frame("DATA", b"x", 9), "DATA: stream in idle (PROTOCOL_ERROR)"),
    (frame("WINDOW_UPDATE", bytes(4), 0),
     "WINDOW_UPDATE: window_size_increment == 0 (PROTOCOL_ERROR)"),
    (frame("PING", b"x", 0), "invalid frame size (FRAME_SIZE_ERROR)"),
], ids=["DATA", "WINDOW_UPDATE", "PING"])
def test_violation_that_ends_the_connection_is_named(get, broken, violation):
    assert_failed(
        get(broken, options=["--retries", 0]), 64 + 14, hint=CHECK_LOG,
        error=f"UNAVAILABLE: the server violated HTTP/2: {violation}")


@pytest.mark.parametrize("message, text", [
    ("", "grpc-status is 99, which is not a gRPC code"),
    ("odd", "odd (grpc-status is 99, which is not a gRPC code)"),
], ids=["empty", "odd"])
def test_undefined_code_is_reported_as_unknown(get, message, text):
    trailers = {"trailers": {"code": 99, "message": message}}
    assert_failed(get(trailers), 64 + 2, error=f"UNKNOWN: {text}", hint=CHECK_LOG)
    error = json.loads(get(trailers, options=["--error-format", "json"]).stderr)
    assert (error["code"], error["number"], error["message"]) == ("CODE_99", 99, text)


def test_inadequate_security_asks_for_tls(get):
    assert_failed(
        get({"reset": "INADEQUATE_SECURITY"}), 64 + 7, hint="remove --plaintext",
        error="PERMISSION_DENIED: the server reset the stream with INADEQUATE_SECURITY")


def test_inadequate_security_over_tls_asks_for_newer_tls(script, certificates):
    path = script(calls=[{"method": GET_TRIP, "steps": [{"reset": "INADEQUATE_SECURITY"}]}])
    tls = ["--tls-cert", certificates.good.chain, "--tls-key", certificates.good.key]
    with replaying(path, *tls) as (_, address):
        result = tripwire("get", TRIP, "--endpoint", address, "--cacert", certificates.authority)
    assert_failed(result, 64 + 7, hint="enable TLS 1.3 on the server")
