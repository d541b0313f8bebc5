"""Are calls retried as the service config and the server require (gRFC A6)?"""

import json
import re
import time

import pytest

from support.command import GROWING, assert_failed, at, get, replaying, tripwire
from peers.negative.server import ScriptedServer, hello
from peers.negative.steps import await_request, goaway, rst, silent
from support.paths import INTEROP


def previous_attempts(result):
    assert result.code == 0, result.stderr
    return result.attributes["previous attempts"]


def test_unavailable_call_is_retried_after_the_backoff(server):
    begin = time.monotonic()
    assert previous_attempts(get(server, "trips/down-once")) == ["1"]
    # The retry policy of Fleet Engine waits one second, with 20 % jitter.
    assert time.monotonic() - begin > 0.8


def test_server_pushback_sets_the_delay(server):
    begin = time.monotonic()
    assert previous_attempts(get(server, "trips/down-twice-with-pushback")) == ["2"]
    assert time.monotonic() - begin > 0.1


def test_call_fails_after_five_attempts(server):
    result = get(server, "trips/down-for-long", "--error-format", "json")
    assert result.code == 78
    error = json.loads(result.stderr)
    assert (error["attempts"], error["message"]) == (5, "down, after 4 attempts")
    assert [attempt["message"] for attempt in error["earlierAttempts"]] == [
        "down, after no attempts", *(f"down, after {n} attempts" for n in (1, 2, 3))]
    assert {attempt["peer"] for attempt in error["earlierAttempts"]} == {server.address}


@pytest.mark.parametrize("resource", ["down-for-good", "down-with-invalid-pushback"])
def test_negative_or_invalid_pushback_prevents_retries(server, resource):
    result = get(server, f"trips/{resource}", "--error-format", "json")
    assert result.code == 78
    assert json.loads(result.stderr)["attempts"] == 1


def test_other_codes_are_not_retried(server):
    result = get(server, "trips/busy", "--error-format", "json")
    assert result.code == 72
    assert json.loads(result.stderr)["attempts"] == 1


def test_call_is_not_retried_after_response_headers(server):
    result = get(server, "trips/down-in-the-middle", "--error-format", "json")
    assert result.code == 78
    assert json.loads(result.stderr)["attempts"] == 1


@pytest.mark.parametrize("retries, attempts", [(0, 1), (1, 2), (4, 5)])
def test_option_sets_the_number_of_retries(server, retries, attempts):
    result = get(
        server, "trips/down-for-long", "--retries", retries, "--error-format", "json")
    assert result.code == 78
    assert json.loads(result.stderr)["attempts"] == attempts


@pytest.mark.parametrize("retries", ["5", "-1", "x", "+1", ""])
def test_invalid_number_of_retries_is_a_usage_error(server, retries):
    assert_failed(get(server, "trips/t1", "--retries", retries), 2, "--retries", "from 0 to 4")


def test_deadline_covers_all_attempts(tmp_path):
    """The server's pushback is one hour."""
    name = "providers/demo/trips/t1"
    (tmp_path / "down.json").write_text(json.dumps({"calls": [{
        "method": "/maps.fleetengine.v1.TripService/GetTrip", "steps": [{"trailers": {
            "code": "UNAVAILABLE", "message": "down",
            "fields": [{"name": "grpc-retry-pushback-ms", "value": "3600000"}]}}]}]}))
    with replaying(tmp_path / "down.json") as (_, address):
        for seconds in GROWING:
            result = tripwire("get", name, *at(address), "--timeout", f"{seconds}s")
            if "down" in result.stderr:
                break
    assert_failed(result, 68, "DEADLINE_EXCEEDED", "UNAVAILABLE: down")


def test_trace_shows_failed_attempts_and_delays(server):
    result = get(server, "trips/down-twice-with-pushback", "-v")
    assert result.code == 0
    shown = re.findall(r"^\* (attempt \d+ failed: .*)$", result.stderr, re.MULTILINE)
    assert shown == [
        "attempt 1 failed: UNAVAILABLE: down, after no attempts; retry in 50.0 ms",
        "attempt 2 failed: UNAVAILABLE: down, after 1 attempts; retry in 50.0 ms"]
    assert re.findall("> grpc-previous-rpc-attempts: .*", result.stderr) == [
        "> grpc-previous-rpc-attempts: 1", "> grpc-previous-rpc-attempts: 2"]


def test_error_lists_earlier_attempts(server):
    result = get(server, "trips/down-for-long", "--retries", 1)
    assert_failed(result, 78, 
                  lines=[f"attempt 1 at {server.address}: UNAVAILABLE: down, after no",
                         "tried 2 times"])


def test_connecting_is_retried_only_with_the_option():
    arguments = ["get", "providers/p/trips/t", "--endpoint", "127.0.0.1:1", "--plaintext", "-v"]
    assert tripwire(*arguments).stderr.count("* connecting to 127.0.0.1:1") == 1
    result = tripwire(*arguments, "--retries", 1)
    assert_failed(result, 78, "refused", lines=["tried 2 times"])
    assert result.stderr.count("* connecting to 127.0.0.1:1") == 2


def test_reflection_is_retried_with_the_option():
    result = tripwire("list", "--endpoint", "127.0.0.1:1", "--plaintext", "--retries", 1)
    assert_failed(result, 78, lines=["tried 2 times", "grpc.reflection.v1.ServerReflection/"])


# Refused streams (gRFC A6, transparent retries)

BAD_DAY = INTEROP / "scripts" / "bad-day.json"
REFUSED = 'the server refused the stream (GOAWAY ENHANCE_YOUR_CALM "too_many_pings")'


@pytest.mark.parametrize("options, attempts", [([], 6), (["--retries", 2], 4),
                                               (["--retries", 0], 2)])
def test_refused_stream_gets_one_more_attempt(options, attempts):
    with replaying(BAD_DAY, "--loop", "--speed", "max") as (_, address):
        command = ["get", "providers/demo/trips/other", *at(address), *options]
        text = tripwire(*command)
        report = tripwire(*command, "--error-format", "json")
    which = "both" if attempts == 2 else f"all {attempts}"
    assert_failed(text, 78, error=f"UNAVAILABLE: {REFUSED}",
                  lines=[f"  {which} attempts: {REFUSED}", f"(tried {attempts} times)"])
    assert text.stderr.count("GOAWAY") == 2
    error = json.loads(report.stderr)
    assert (error["attempts"], error["message"]) == (attempts, REFUSED)
    assert [attempt["message"] for attempt in error["earlierAttempts"]] == [REFUSED] * (attempts - 1)


@pytest.mark.parametrize("scripts", [
    [[hello, await_request, rst(7), await_request, rst(7)]], [[hello, await_request, goaway(0), silent]] * 2,
], ids=["RST_STREAM", "GOAWAY"])
def test_help_states_the_transparent_retry(scripts):
    with ScriptedServer(*scripts) as server:
        result = tripwire("get", "providers/p/trips/t", *at(f"127.0.0.1:{server.port}"),
                          "--retries", 0, "--error-format", "json")
    assert not server.faults
    assert result.code == 78
    assert json.loads(result.stderr)["attempts"] == 2
    shown = " ".join(tripwire("get", "--help").stdout.split())
    assert "rejects a call without processing it, tripwire sends it again once" in shown
