"""Is a token that the server refuses replaced once, whatever is called?"""

import json
import time

import pytest

from support.command import LONGEST, assert_failed, bearer, get, tripwire
from peers.servers.reflecting import V1ALPHA, reflecting_test_service
from peers.servers.stale_tokens import Guard, turns, unsigned


def test_a_refused_token_is_replaced_once(own_server, tmp_path):
    fresh = unsigned(exp=time.time() + 3600)
    result = get(own_server, "trips/no-stale-tokens", "--token-command",
                 turns(tmp_path, unsigned(exp=time.time() + 3600, stale=1), fresh))
    assert bearer(result) == fresh
    assert [own_server.arrived.get(timeout=LONGEST) for _ in range(2)]
    assert own_server.arrived.empty()


def test_token_refused_twice_is_reported_with_both_attempts(own_server, tmp_path):
    line = turns(tmp_path, *(unsigned(exp=time.time() + 3600, stale=n) for n in (1, 2, 3)))
    result = get(
        own_server, "trips/no-stale-tokens", "--token-command", line, "--error-format", "json")
    assert_failed(result, 80)
    report = json.loads(result.stderr)
    assert report["attempts"] == 2
    assert [attempt["code"] for attempt in report["earlierAttempts"]] == ["UNAUTHENTICATED"]
    assert own_server.arrived.qsize() == 2


def test_a_refused_token_of_which_nothing_is_known_is_replaced_too(own_server, tmp_path):
    """As gcloud's: here the claims say no exp."""
    result = get(own_server, "trips/no-stale-tokens", "--token-command",
                 turns(tmp_path, unsigned(stale=1), unsigned()))
    assert bearer(result) == unsigned()


def test_there_may_be_no_other_token(own_server, tmp_path):
    token = unsigned(exp=time.time() + 3600, stale=1)
    path = tmp_path / "token.jwt"
    path.write_text(token)
    for option, value in [("--token-file", path), ("--token-command", f"echo {token}")]:
        result = get(own_server, "trips/no-stale-tokens", option, value)
        assert_failed(result, 80, "the token is stale", lines=["attempt 1"])
        assert own_server.arrived.get(timeout=LONGEST)
    assert own_server.arrived.empty()


@pytest.fixture
def guard():
    return Guard()


@pytest.fixture
def guarded(test_protoset, guard):
    with reflecting_test_service(
            test_protoset.read_bytes(), V1ALPHA, interceptors=[guard]) as address:
        yield address


@pytest.mark.parametrize("method, data, answers", [
    ("UnaryCall", '{"responseSize": 1}', 1),
    ("StreamingOutputCall", '{"responseParameters": [{"size": 1}, {"size": 1}]}', 2),
    ("StreamingOutputCall", "{}", 0),
])
def test_any_call_is_made_again(guarded, guard, test_protoset, tmp_path, method, data, answers):
    line = turns(tmp_path, unsigned(stale=1), unsigned())
    result = tripwire(
        "call", method, "-d", data, "--endpoint", guarded, "--plaintext", "--protoset",
        test_protoset, "--token-command", line)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == answers
    path = f"/grpc.testing.TestService/{method}"
    assert guard.calls == [(path, False), (path, True)]


@pytest.mark.parametrize("method", ["UnaryCall", "StreamingOutputCall"])
def test_call_reports_two_refusals(guarded, guard, test_protoset, tmp_path, method):
    line = turns(tmp_path, *(unsigned(stale=n) for n in range(3)))
    result = tripwire(
        "call", method, "--endpoint", guarded, "--plaintext", "--protoset", test_protoset,
        "--token-command", line, "--error-format", "json")
    assert_failed(result, 80)
    report = json.loads(result.stderr)
    assert report["attempts"] == 2
    assert [attempt["code"] for attempt in report["earlierAttempts"]] == ["UNAUTHENTICATED"]
    assert len(guard.calls) == 2


def test_a_client_stream_is_not_made_again(guarded, guard, test_protoset, tmp_path):
    """What was sent of it is gone."""
    line = turns(tmp_path, unsigned(stale=1), unsigned())
    result = tripwire(
        "call", "FullDuplexCall", "-d", "{}", "--endpoint", guarded, "--plaintext", "--protoset",
        test_protoset, "--token-command", line)
    assert_failed(result, 80, "the token is stale")
    assert len(guard.calls) == 1


@pytest.mark.parametrize("arguments", [
    ["list"], ["list", "grpc.testing.TestService"], ["describe", "grpc.testing.TestService"],
    ["call", "grpc.testing.TestService/EmptyCall"],
])
def test_reflection_is_asked_again(guarded, guard, tmp_path, arguments):
    line = turns(tmp_path, unsigned(stale=1), unsigned(), unsigned())
    result = tripwire(*arguments, "--endpoint", guarded, "--plaintext", "--token-command", line)
    assert (result.code, result.stderr) == (0, "")
    # v1 refuses, v1 is not there, v1alpha answers.
    assert [let_in for _, let_in in guard.calls][:3] == [False, True, True]
    assert all(let_in for _, let_in in guard.calls[1:])


def test_reflection_may_be_refused_for_good(guarded, guard, tmp_path):
    line = turns(tmp_path, unsigned(stale=1), unsigned(stale=2))
    result = tripwire("list", "--endpoint", guarded, "--plaintext", "--token-command", line)
    assert_failed(result, 80, "the token is stale")
    assert len(guard.calls) == 2
