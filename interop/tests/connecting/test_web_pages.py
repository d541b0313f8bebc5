"""Does the hint say what answered in place of a gRPC server?"""

import pytest

from peers.negative.server import ScriptedServer, hello
from peers.negative.steps import await_request, data, headers
from support.command import assert_failed, at, tripwire

TRIP = "providers/demo/trips/t1"
LOGIN = b"""<!doctype html>
<html><head><meta charset="utf-8"><script>if (1 < 2) {}</script>
<title>
  Sign in \x1b]0;owned\x07\xe2\x80\xae to ACME</title></head><body>""" + b"<p>Welcome</p>" * 1000


def answer(status, *fields, page=None):
    head = [(b":status", str(status).encode()), *fields]
    script = [hello, await_request, headers(*head, end=page is None)]
    # The stream of a long page stays open: a client must not wait for its end.
    return script if page is None else [*script, data(page, end=len(page) < 256)]


def get_from(script, *options, **variables):
    with ScriptedServer(script, script) as server:
        place = f"127.0.0.1:{server.port}"
        result = tripwire("get", TRIP, *at(place), *options, **variables)
    assert not server.faults
    return result, place


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_shows_its_target(status):
    target = "https://login.example/\u202eevil"
    script = answer(status, (b"location", target.encode()), (b"content-type", b"text/html"))
    result, place = get_from(script)
    assert_failed(result, 66, f"HTTP status {status}",
                  hint=f"check --endpoint ({place}): this server redirects to"
                  " https://login.example/\\u{202e}evil")


@pytest.mark.parametrize("format", ["text", "json"])
def test_credentials_in_a_target_are_hidden(format, tmp_path):
    script = answer(302, (b"location", b"https://anna:hush@login.example/a?token=hush#hush"))
    recording = tmp_path / "calls.binlog"
    result, _ = get_from(script, "-vvv", "--error-format", format, "--record", recording)
    assert result.code == 66 and "redirects to https://…@login.example/a?…" in result.stderr
    assert "hush" not in result.stderr and b"hush" not in recording.read_bytes()


@pytest.mark.parametrize("status, code", [(200, 66), (403, 71), (404, 76), (511, 66)])
def test_page_shows_its_title(status, code):
    result, place = get_from(answer(status, (b"content-type", b"text/html"), page=LOGIN))
    # A control character separates words, as white space does; the others are escaped.
    assert_failed(result, code, hint=f"check --endpoint ({place}): this server sent a web page, as a login or a"
                  r' proxy does: "Sign in ]0;owned \u{202e} to ACME"')


@pytest.mark.parametrize("page, shown", [(b"Hello", '; its body begins with "Hello"'), (b"", "")])
def test_short_answer_whose_stream_stays_open_is_shown(page, shown):
    script = [hello, await_request, headers((b":status", b"200"), (b"content-type", b"text/plain"), end=False),
              *([data(page, end=False)] if page else [])]
    # Well before the deadline.
    result, _ = get_from(script, "--timeout", "60s")
    assert_failed(result, 66, error='UNKNOWN: the response has content-type "text/plain", not application/grpc' + shown)


def test_page_of_an_overloaded_server_is_temporary():
    result, _ = get_from(answer(503, (b"content-type", b"text/html"), page=LOGIN), "--retries", 0)
    assert_failed(result, 78, hint="try again later")


@pytest.mark.parametrize("kind", [b"application/grpc-web", b"application/grpc-web-text+proto"])
def test_grpc_web_is_named(kind):
    result, place = get_from(answer(200, (b"content-type", kind), page=b"\0\0\0\0\0"))
    assert_failed(result, 77, hint=f"check --endpoint ({place}): this server answers with gRPC-Web, not with gRPC")


@pytest.mark.parametrize("format", ["text", "json"])
def test_token_in_a_title_or_a_target_is_masked(format):
    token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
    for script in [
            answer(200, (b"content-type", b"text/html"), page=b"<title>%s</title>" % token.encode()),
            answer(302, (b"location", b"/login/" + token.encode()))]:
        result, _ = get_from(script, "--error-format", format, TRIPWIRE_TOKEN=token)
        assert result.code == 66 and "***" in result.stderr and "c2lnbmF0" not in result.stderr
