"""When a server violates HTTP/2 or gRPC, does the command name the violation and one action?"""

import pytest

from support.command import assert_failed, replaying, tripwire

TRIP = "providers/p/trips/t"
CHECK_LOG = "check the log of the server"


@pytest.fixture
def get(script):
    """Gets a trip from a server that answers with these steps."""
    def run(*steps, options=()):
        path = script(calls=[
            {"method": "/maps.fleetengine.v1.TripService/GetTrip", "steps": list(steps)}])
        with replaying(path) as (_, address):
            return tripwire("get", TRIP, "--endpoint", address, "--plaintext", *options)

    return run


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
