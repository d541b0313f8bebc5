"""Does a command warn before it sends a token that the server will most likely reject?"""

import time

import pytest

from peers.servers.stale_tokens import unsigned
from support.command import get, replayed, tripwire

EXPIRED = dict(exp=1_000_000_000)
LASTING = dict(exp=int(time.time()) + 36_000)


def with_token(server, tmp_path, resource, *arguments, **claims):
    file = tmp_path / "token.jwt"
    file.write_text(unsigned(**claims))
    return get(server, resource, "--token-file", file, *arguments)


def assert_warned(result, *words):
    """The warning does not stop the call."""
    assert result.code == 0 and result.stdout != ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("warning: ")
    for word in words:
        assert word in line


def test_expired_token(server, tmp_path):
    result = with_token(server, tmp_path, "trips/t1", **EXPIRED)
    assert_warned(result, "--token-file: the token expired at 2001-09-0", "ago")


@pytest.mark.parametrize("resource, claims, words", [
    ("trips/t1", {"tripid": "t2"}, "for the trip t2, not for t1"),
    ("vehicles/v1", {"vehicleid": "v2"}, "for the vehicle v2, not for v1"),
])
def test_token_for_another_resource(server, tmp_path, resource, claims, words):
    result = with_token(server, tmp_path, resource, authorization=claims, **LASTING)
    assert_warned(result, words)


@pytest.mark.parametrize("authorization", [
    {"tripid": "t1"}, {"tripid": "*"}, {"vehicleid": "v1"}, {}])
def test_suitable_token(server, tmp_path, authorization):
    result = with_token(server, tmp_path, "trips/t1", authorization=authorization, **LASTING)
    assert (result.code, result.stderr) == (0, "")


def test_opaque_token(server, tmp_path):
    file = tmp_path / "token"
    file.write_text("ya29.opaque")
    result = get(server, "trips/t1", "--token-file", file)
    assert (result.code, result.stderr) == (0, "")


def test_other_sources_name_themselves(server):
    token = unsigned(**EXPIRED)
    assert_warned(get(server, "trips/t1", TRIPWIRE_TOKEN=token), "TRIPWIRE_TOKEN: the token expired")
    assert_warned(
        get(server, "trips/t1", "--token-command", f"echo {token}"), "--token-command: the token")
    assert_warned(
        get(server, "trips/t1", "-H", f"authorization: Bearer {token}"), "--header authorization")


def test_call_of_any_method(server, tmp_path):
    file = tmp_path / "token.jwt"
    file.write_text(unsigned(authorization={"tripid": "t2"}, **LASTING))
    result = tripwire("call", "TripService/GetTrip", "-d", '{"name": "providers/p/trips/t1"}',
                      "--endpoint", server.address, "--plaintext", "--token-file", file)
    assert_warned(result, "for the trip t2, not for t1")


def test_recording_needs_no_token(tmp_path):
    file = tmp_path / "token.jwt"
    file.write_text(unsigned(**EXPIRED))
    result = tripwire(
        "get", "providers/demo/trips/t1", "--token-file", file, *replayed("demo"))
    assert (result.code, result.stderr) == (0, "")
