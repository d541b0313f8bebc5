"""Is the token read from each source, sent to the server and masked in output?"""

import json

import pytest

from support.command import assert_failed, get, tripwire

TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJ0cmlwaWQiOiJ0MSJ9.c2VjcmV0LXNpZ25hdHVyZQ"


@pytest.fixture
def token_file(tmp_path):
    path = tmp_path / "token.jwt"
    path.write_text(TOKEN + "\n")
    return path


def authorization(result):
    assert result.code == 0, result.stderr
    return result.attributes["authorization"]


def test_token_is_read_from_a_file(server, token_file):
    result = get(server, "trips/echo", "--token-file", token_file)
    assert authorization(result) == [f"Bearer {TOKEN}"]


def test_token_is_read_from_stdin(server):
    result = get(server, "trips/echo", "--token-file", "-", stdin=TOKEN.encode() + b"\r\n")
    assert authorization(result) == [f"Bearer {TOKEN}"]


def test_token_is_read_from_the_environment(server):
    assert authorization(get(server, "trips/echo", TRIPWIRE_TOKEN=TOKEN)) == [f"Bearer {TOKEN}"]


def test_missing_file_of_the_variable_is_reported(own_server):
    result = get(own_server, "trips/echo", TRIPWIRE_TOKEN="absent.jwt")
    assert_failed(result, 1, "absent.jwt: No such file")
    assert own_server.arrived.empty()


def test_token_option_overrides_the_environment(server, token_file):
    result = get(server, "trips/echo", "--token-file", token_file, TRIPWIRE_TOKEN="another")
    assert authorization(result) == [f"Bearer {TOKEN}"]


def test_token_is_sent_over_tls(tls_server, certificates, token_file):
    result = tripwire(
        "get", "providers/p/trips/echo", "--endpoint", tls_server.address, "--cacert",
        certificates.authority, "--token-file", token_file)
    assert authorization(result) == [f"Bearer {TOKEN}"]


@pytest.mark.parametrize("resource, code", [("trips/t1", 0), ("trips/fails-UNAUTHENTICATED", 80)])
def test_token_is_masked_in_the_trace(server, token_file, resource, code):
    result = get(server, resource, "-v", "--token-file", token_file)
    assert result.code == code
    assert "authorization" in result.stderr.lower()
    for part in TOKEN.split("."):
        assert part not in result.stderr


def test_token_in_a_header_is_masked(server):
    result = get(server, "trips/t1", "-v", "--header", f"Authorization: Bearer {TOKEN}")
    assert result.code == 0, result.stderr
    assert TOKEN.split(".")[2] not in result.stderr


def test_missing_token_file_is_reported(server, tmp_path):
    result = get(server, "trips/echo", "--token-file", tmp_path / "absent.jwt")
    assert_failed(result, 1, "absent.jwt")


@pytest.mark.parametrize("content", [b"", b"\n", b"two\nlines", b"a\x00b", b"\xff\xfe"])
def test_invalid_token_file_is_not_sent(own_server, tmp_path, content):
    path = tmp_path / "bad.jwt"
    path.write_bytes(content)
    assert_failed(get(own_server, "trips/echo", "--token-file", path), 1, str(path))
    assert own_server.arrived.empty()


def test_user_credentials_get_a_hint_for_access_tokens(own_server, tmp_path):
    path = tmp_path / "application_default_credentials.json"
    path.write_text(json.dumps({"type": "authorized_user", "client_id": "x", "client_secret": "hush",
                                "refresh_token": "hush"}))
    result = get(own_server, "trips/echo", "--credentials", path)
    assert_failed(result, 1, str(path), "authorized_user",
                  hint=f"pass it with --access-token {path}")
    assert "hush" not in result.stderr
    assert own_server.arrived.empty()
