"""Are credentials masked on stderr wherever a server can echo them?"""

import base64
import json
from urllib.parse import unquote

import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from support.command import at, tripwire
from support.following import following
from peers.negative.server import ScriptedServer, hello
from peers.negative.steps import (
    GOOD_HEADERS, await_request, await_headers, close, data, goaway, headers, message, silent, trailers,
    trailers_only)
from peers.proxies.http_proxies import ScriptedProxy, response_script
from peers.servers.stale_tokens import alternating_command, unsigned

TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
TRIP = "providers/demo/trips/t1"
STARS = "*" * len(TOKEN)


def base64s(text):
    """Yields the Base64 texts of a text at each offset in the encoded data."""
    for before in range(3):
        code = base64.b64encode(b" " * before + text.encode()).rstrip(b"=").decode()
        # Only the characters that do not depend on the surrounding bytes.
        yield code[[0, 2, 3][before]:-1]


def assert_hidden(result, *secrets):
    """Checks that stderr has no part of the secrets, in plain text, Base64, hex or percent-encoding."""
    for secret in secrets:
        pieces = {secret[i:i + 16] for i in range(max(1, len(secret) - 15))}
        for code in base64s(secret):
            pieces |= {code[i:i + 22] for i in range(max(1, len(code) - 21))}
        shown = result.stderr
        for _ in range(3):
            assert not [piece for piece in pieces if piece in shown], result.stderr
            shown = unquote(shown)
        code = secret.encode().hex()
        assert not [code[i:i + 32] for i in range(max(1, len(code) - 31))
                    if code[i:i + 32] in result.stderr.lower()], result.stderr


def get_from(*scripts, token=TOKEN, options=("--retries", 0), **variables):
    """Runs `get` against a server whose connections follow these scripts."""
    with ScriptedServer(*scripts) as server:
        result = tripwire(
            "get", TRIP, *at(f"127.0.0.1:{server.port}"), *options, **variables,
            **({"TRIPWIRE_TOKEN": token} if token else {}))
    assert not server.faults
    return result


def status(code=16, text="", *details):
    """Returns a trailers-only response with this status."""
    proto = status_pb2.Status(code=code, message=text)
    for detail in details:
        proto.details.add().Pack(detail)
    return trailers_only(
        (b"grpc-status", str(code).encode()), (b"grpc-message", text.encode()),
        (b"grpc-status-details-bin", base64.b64encode(proto.SerializeToString()).rstrip(b"=")))


DETAILS = [
    error_details_pb2.ErrorInfo(reason=TOKEN, domain=TOKEN, metadata={"a": TOKEN, TOKEN: "b"}),
    error_details_pb2.DebugInfo(detail=f"for {TOKEN}", stack_entries=[TOKEN]),
    error_details_pb2.RequestInfo(request_id=TOKEN, serving_data=TOKEN),
    error_details_pb2.Help(links=[{"description": TOKEN, "url": f"https://h/?t={TOKEN}"}]),
    error_details_pb2.LocalizedMessage(locale="en", message=f'"{TOKEN}"'),
    any_pb2.Any(type_url="a/b", value=TOKEN.encode()),
]
ECHOES = [
    (b"x-echo", TOKEN.encode()), (b"x-quoted", f'a "{TOKEN}"'.encode()),
    (b"x-base64", base64.b64encode(TOKEN.encode())),
    (b"x-echo-bin", base64.b64encode(TOKEN.encode())),
    (b"x-in-bin", base64.b64encode(b"\x01" + TOKEN.encode())),
    (b"x-further-bin", base64.b64encode(b"\x01\x02" + TOKEN.encode() + b"\x03")),
]
SUCCESS = [headers(*GOOD_HEADERS, *ECHOES), message(b"\x0a\x03a/b"),
        trailers((b"grpc-status", b"0"), *ECHOES)]
PAGE = f"<p>{TOKEN} is not for here</p>".encode()
TYPE = f"text/{TOKEN[:40]}".encode()


def percent_encoded(text, times=1):
    """Replaces each byte by %XX."""
    for _ in range(times):
        text = "".join(f"%{byte:02X}" for byte in text.encode())
    return text


ERRORS = {
    "grpc-message": [status(16, f"the token {TOKEN} is stale")],
    "fully percent-encoded": [trailers_only((b"grpc-status", b"7"), (
        b"grpc-message", "".join(f"%{ord(letter):02X}" for letter in TOKEN).encode()))],
    "Base64 of the header": [status(16, base64.b64encode(f"Bearer {TOKEN}".encode()).decode())],
    "partly percent-encoded": [trailers_only(
        (b"grpc-status", b"7"), (b"grpc-message", "%{:02X}{}".format(ord(TOKEN[0]), TOKEN[1:]).encode()))],
    "Base64": [status(16, f"{base64.b64encode(TOKEN.encode()).decode()} is stale")],
    "hex": [status(16, f"{TOKEN.encode().hex()} is stale")],
    "hex in capitals": [status(16, TOKEN.encode().hex().upper())],
    # grpc-message itself adds another level.
    "percent-encoded twice": [trailers_only((b"grpc-status", b"7"), (
        b"grpc-message", percent_encoded(TOKEN, 2).encode()))],
    "percent-encoded three times": [trailers_only((b"grpc-status", b"7"), (
        b"grpc-message", percent_encoded(TOKEN).replace("%", "%2525").lower().encode()))],
    "HTTP, percent-encoded twice": [
        headers((b":status", b"503"), (b"content-type", b"text/html")),
        data(percent_encoded(TOKEN).replace("%", "%25").encode(), end=True)],
    "details": [status(3, "see below", *DETAILS)],
    "details of the hint": [status(7, "", error_details_pb2.ErrorInfo(
        reason="IAM_PERMISSION_DENIED", domain="googleapis.com",
        metadata={"permission": TOKEN, "resource": f"projects/{TOKEN}"}))],
    "command of the hint": [status(7, "", error_details_pb2.ErrorInfo(
        reason="SERVICE_DISABLED", domain="googleapis.com",
        metadata={"service": TOKEN, "consumer": f"projects/{TOKEN}"}))],
    "after an escape": [status(16, f"\n{TOKEN[1:]}\n\\{TOKEN}\"")],
    "GOAWAY": [goaway(1, 11, TOKEN.encode()), close],
    "GOAWAY on every connection": [goaway(0, 11, f"see {TOKEN}".encode()), silent],
    "HTTP": [headers((b":status", b"503"), (b"content-type", b"text/html")), data(PAGE, end=True)],
    "content-type": [headers((b":status", b"200"), (b"content-type", TYPE), end=True)],
    "status": [trailers_only((b"grpc-status", TOKEN.encode()))],
}


@pytest.mark.parametrize("option", ["-v", "json", "text"])
@pytest.mark.parametrize("echo", ERRORS)
def test_error_is_reported_without_the_token(echo, option):
    script = [hello, await_request, *ERRORS[echo]]
    chosen = {"-v": ["-v"], "json": ["--error-format", "json"], "text": []}[option]
    result = get_from(script, script, options=["--retries", 0, *chosen])
    assert result.code > 64 and "***" in result.stderr
    assert_hidden(result, TOKEN)
    if option == "json":
        assert json.loads(result.stderr)["code"]


def test_masked_error_keeps_its_other_text():
    result = get_from([hello, await_request, status(16, f"{TOKEN} is stale", *DETAILS[:2])])
    assert result.stderr.startswith(
        f"error: UNAUTHENTICATED: {STARS} is stale\n"
        f"  reason {STARS} (domain {STARS})\n  a: {STARS}\n  {STARS}: b\n"
        f"  debug: for {STARS}\n    at {STARS}\n")


def test_trace_of_a_response_masks_the_token():
    hint = headers((b":status", b"103"), *ECHOES)
    result = get_from([hello, await_request, hint, *SUCCESS], options=["-v"])
    assert result.code == 0, result.stderr
    assert result.stderr.count(f'< x-quoted: a "{STARS}"') == 3
    assert_hidden(result, TOKEN)


def test_earlier_attempt_is_reported_without_the_token():
    script = [hello, await_request, status(14, f"{TOKEN} later"), await_request, status(5, "no such trip")]
    for options in ["-v"], ["--error-format", "json"]:
        result = get_from(script, options=[*options, "--retries", 1])
        assert result.code == 69 and f"{STARS} later" in result.stderr
        assert_hidden(result, TOKEN)


@pytest.mark.parametrize("options", [["-v"], ["--error-format", "json"], []])
def test_replaced_token_stays_masked(tmp_path, options):
    fresh = unsigned(sub="b")
    script = [hello, await_request, status(16, f"not {TOKEN}"), await_request,
              status(16, f"neither {fresh} nor {TOKEN}")]
    command = alternating_command(tmp_path, TOKEN, fresh)
    result = get_from(script, token=None, options=["--token-command", command, *options])
    assert result.code == 80 and f"neither {'*' * len(fresh)} nor {STARS}" in result.stderr
    assert_hidden(result, TOKEN, fresh)


PASSWORD = "correct-horse"
BASIC = base64.b64encode(f"anna:{PASSWORD}".encode()).decode()


@pytest.mark.parametrize("header, secrets", [
    (f"authorization: Bearer {TOKEN}", [TOKEN]),
    (f"authorization: Basic {BASIC}", [BASIC, PASSWORD]),
    ("x-goog-api-key: AIzaSyD-9tSrke72PouQMnMX", ["AIzaSyD-9tSrke72PouQMnMX"]),
    ("cookie: lang=en; id=c2Vzc2lvbjpvbmU", ["c2Vzc2lvbjpvbmU"]),
    ("cookie: c2Vzc2lvbjpvbmU", ["c2Vzc2lvbjpvbmU"]),
    (f"x-goog-ext: {{\"token\":\"{TOKEN}\"}}", [TOKEN]),
    (f"x-forwarded: https://h/?t={TOKEN}&a=b", [TOKEN]),
    (f"x-ext-bin: {base64.b64encode(b'12' + TOKEN.encode()).decode()}", [TOKEN]),
])
def test_every_kind_of_credential_is_masked(header, secrets):
    script = [hello, await_request, status(7, "none of " + " ".join(secrets))]
    for options in ["-v"], ["--error-format", "json"]:
        result = get_from(script, token=None, options=[*options, "-H", header])
        assert result.code == 71 and "none of ***" in result.stderr
        assert_hidden(result, *secrets)


@pytest.mark.parametrize("options", [["-v"], ["--error-format", "json"]])
@pytest.mark.parametrize("echo", [PASSWORD, BASIC, f"anna:{PASSWORD}"])
def test_password_echoed_by_a_proxy_is_masked(echo, options):
    page = f"not {echo}".encode()
    answer = b"HTTP/1.1 407 not %s\r\nContent-Length: %d\r\n\r\n%s" % (page, len(page), page)
    with ScriptedProxy(response_script(answer)) as proxy:
        result = tripwire(
            "get", TRIP, "--endpoint", "fleet.example:443", "--proxy",
            f"http://anna:{PASSWORD}@{proxy.address}", "--retries", 0, *options)
    assert result.code == 78 and "not ***" in result.stderr.replace("anna:", "")
    assert_hidden(result, PASSWORD, BASIC)


def test_other_commands_mask_the_token():
    script = [hello, *[await_headers, status(16, f"the token {TOKEN} is stale", *DETAILS)] * 2]
    for command in [
        ["call", "TripService/GetTrip", "-d", "{}"], ["list"], ["describe", "a.B"],
        ["follow", TRIP, "--fail-fast"],
    ]:
        with ScriptedServer(script) as server:
            result = tripwire(
                *command, *at(f"127.0.0.1:{server.port}"), "-v", TRIPWIRE_TOKEN=TOKEN)
        assert result.code == 80 and "***" in result.stderr
        assert_hidden(result, TOKEN)
        assert TOKEN not in result.stdout


def test_errors_of_followed_trips_are_reported_without_the_token(tmp_path):
    (tmp_path / "token").write_text(TOKEN)
    script = [hello, await_request, status(7, f"{TOKEN} is not for this trip", *DETAILS)]
    with ScriptedServer(script) as server:
        options = ["--plaintext", "--token-file", tmp_path / "token"]
        with following(f"127.0.0.1:{server.port}", TRIP, options=options) as follow:
            line = follow.until_error("PERMISSION_DENIED")
    assert TOKEN not in json.dumps(line) and line["error"]["message"].startswith(STARS)


def test_response_message_is_not_masked():
    answer = [headers(), message(b"\x0a" + bytes([len(TOKEN)]) + TOKEN.encode()), trailers()]
    result = get_from([hello, await_request, *answer])
    assert json.loads(result.stdout) == {"name": TOKEN}
