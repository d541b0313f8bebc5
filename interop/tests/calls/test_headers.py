"""Does `--header` send the header, and is an invalid header reported before connecting?"""

import base64

import pytest

from support.command import assert_failed, at, get, tripwire


def echo(server, *headers):
    arguments = [word for header in headers for word in ("--header", header)]
    result = get(server, "trips/echo", *arguments)
    assert result.code == 0, result.stderr
    return result.attributes


def test_header_is_sent(server):
    assert echo(server, "x-test: some value")["x-test"] == ["some value"]


def test_header_can_be_repeated(server):
    seen = echo(server, "x-test: one", "x-other: two", "x-test: three")
    assert seen["x-test"] == ["one", "three"]
    assert seen["x-other"] == ["two"]


def test_headers_are_read_from_files_and_stdin(server, tmp_path):
    (tmp_path / "headers").write_text("x-test: one\r\n\nX-Other:two\nx-test-bin: AAH/\n")
    seen = echo(server, f"@{tmp_path / 'headers'}", "x-test: three")
    assert sorted(seen["x-test"]) == ["one", "three"] and seen["x-other"] == ["two"]
    assert seen["x-test-bin"] == ["AAH/"]
    result = get(server, "trips/echo", "-H", "@-", stdin=b"authorization: Bearer secret")
    assert result.attributes["authorization"] == ["Bearer secret"]


def test_headers_of_a_file_are_not_shown(server, tmp_path):
    (tmp_path / "headers").write_text("authorization: Bearer hushhush\n")
    traced = get(server, "trips/echo", "-v", "-H", f"@{tmp_path / 'headers'}")
    assert traced.code == 0 and "hushhush" not in traced.stderr
    for text, error in [
            ("x-a: b\nhushhush\n", ":2: expected 'NAME: VALUE'"),
            ("x-test-bin: hushhush!", ":1: expected base64 after the colon"), ("\n", ": contains no header")]:
        (tmp_path / "headers").write_text(text)
        result = get(server, "trips/echo", "-H", f"@{tmp_path / 'headers'}")
        assert_failed(result, 1, error=f"--header: {tmp_path / 'headers'}{error}", hint="NAME: VALUE")
        assert "hushhush" not in result.stderr


def test_unreadable_header_file_is_reported(own_server, tmp_path):
    result = get(own_server, "trips/echo", "-H", f"@{tmp_path / 'none'}")
    assert_failed(result, 1, error=f"--header: {tmp_path / 'none'}: No such file or directory",
                  hint="check the path in --header")
    assert_failed(get(own_server, "trips/echo", "-H", "@"), 2, error="-H @: expected 'NAME: VALUE' or @FILE")
    assert own_server.arrived.empty()


def test_header_file_and_token_are_a_contradiction(own_server, tmp_path):
    (tmp_path / "headers").write_text("authorization: Bearer a")
    (tmp_path / "token").write_text("b")
    result = get(own_server, "trips/echo", "-H", f"@{tmp_path / 'headers'}", "--token-file", tmp_path / "token")
    assert_failed(result, 2, error="--header authorization cannot be used with --token-file: both set the token")
    result = get(own_server, "trips/echo", "-H", "@-", "--token-file", "-")
    assert_failed(result, 2, error="--header @- cannot read stdin: the token is read from it",
                  hint="write the headers to a file, and pass it with -H @FILE")
    result = tripwire("call", "GetTrip", "-H", "@-", "-d", "-", *at(own_server.address))
    assert_failed(result, 2, error="-d cannot read stdin: the headers are read from it",
                  hint="write the JSON to a file, and pass it with -d @FILE")
    assert own_server.arrived.empty()


def test_header_name_is_sent_in_lower_case(server):
    assert echo(server, "X-Test: one")["x-test"] == ["one"]


def test_header_value_may_contain_colons(server):
    assert echo(server, "x-test: a: b:c")["x-test"] == ["a: b:c"]


@pytest.mark.parametrize("data", [b"\x00\x01\xff", b"\x00", b"ab", b"abc", bytes(range(256))])
def test_binary_value_is_decoded_from_base64(server, data):
    [seen] = echo(server, f"x-test-bin: {base64.b64encode(data).decode()}")["x-test-bin"]
    assert base64.b64decode(seen) == data


def test_base64_without_padding_is_accepted(server):
    assert echo(server, "x-test-bin: AAH/Ag")["x-test-bin"] == ["AAH/Ag=="]


@pytest.mark.parametrize("header", [
    "no-colon", ": empty name", "x test: space in name", "x-test: line\nbreak",
    "x-test-bin: not base64!", "grpc-timeout: 1S", ":path: /", "x-tést: é",
])
def test_invalid_header_is_a_usage_error(own_server, header):
    assert_failed(get(own_server, "trips/echo", "--header", header), 2, "--header")
    assert own_server.arrived.empty()


@pytest.mark.parametrize("authority", ["a b", "line\nbreak", "\x1b[31m", "zürich.example", "u@host"])
def test_invalid_authority_is_a_usage_error(own_server, authority):
    result = get(own_server, "trips/echo", "--authority", authority)
    assert_failed(result, 2, "--authority")
    assert own_server.arrived.empty()


def test_oversized_headers_are_a_client_error(own_server):
    result = get(own_server, "trips/echo", "--header", "x-test: " + "y" * 100_000)
    assert_failed(result, 72, "RESOURCE_EXHAUSTED", hint="fewer or shorter headers",
                  lines=["client error: retrying will not help"])
    assert own_server.arrived.empty()
