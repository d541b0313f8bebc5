"""Is a refused token replaced once, for every kind of call?"""

import json
import time

import pytest

from support.command import LONGEST, assert_failed, bearer, get, tripwire
from peers.servers.reflecting import V1ALPHA, reflecting_test_service
from peers.servers.stale_tokens import Guard, alternating_command, unsigned


def test_refused_token_is_replaced_once(own_server, tmp_path):
    fresh = unsigned(exp=time.time() + 3600)
    result = get(own_server, "trips/no-stale-tokens", "--token-command",
                 alternating_command(tmp_path, unsigned(exp=time.time() + 3600, stale=1), fresh))
    assert bearer(result) == fresh
    assert [own_server.arrived.get(timeout=LONGEST) for _ in range(2)]
    assert own_server.arrived.empty()


def test_token_refused_twice_is_reported_with_both_attempts(own_server, tmp_path):
    line = alternating_command(tmp_path, *(unsigned(exp=time.time() + 3600, stale=n) for n in (1, 2, 3)))
    result = get(
        own_server, "trips/no-stale-tokens", "--token-command", line, "--error-format", "json")
    assert_failed(result, 80)
    report = json.loads(result.stderr)
    assert report["attempts"] == 2
    assert [attempt["code"] for attempt in report["earlierAttempts"]] == ["UNAUTHENTICATED"]
    assert own_server.arrived.qsize() == 2


def test_refused_token_without_expiry_is_replaced(own_server, tmp_path):
    """The token has no exp claim. Tokens of gcloud have no readable claims either."""
    result = get(own_server, "trips/no-stale-tokens", "--token-command",
                 alternating_command(tmp_path, unsigned(stale=1), unsigned()))
    assert bearer(result) == unsigned()


def test_unchanged_token_is_not_sent_again(own_server, tmp_path):
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
def test_refused_call_is_repeated_with_a_new_token(
        guarded, guard, test_protoset, tmp_path, method, data, answers):
    line = alternating_command(tmp_path, unsigned(stale=1), unsigned())
    result = tripwire(
        "call", method, "-d", data, "--endpoint", guarded, "--plaintext", "--protoset",
        test_protoset, "--token-command", line)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == answers
    path = f"/grpc.testing.TestService/{method}"
    assert guard.calls == [(path, False), (path, True)]


@pytest.mark.parametrize("method", ["UnaryCall", "StreamingOutputCall"])
def test_call_reports_two_refusals(guarded, guard, test_protoset, tmp_path, method):
    line = alternating_command(tmp_path, *(unsigned(stale=n) for n in range(3)))
    result = tripwire(
        "call", method, "--endpoint", guarded, "--plaintext", "--protoset", test_protoset,
        "--token-command", line, "--error-format", "json")
    assert_failed(result, 80)
    report = json.loads(result.stderr)
    assert report["attempts"] == 2
    assert [attempt["code"] for attempt in report["earlierAttempts"]] == ["UNAUTHENTICATED"]
    assert len(guard.calls) == 2


def test_client_stream_is_not_repeated(guarded, guard, test_protoset, tmp_path):
    """The messages that were sent are not kept, so they cannot be sent again."""
    line = alternating_command(tmp_path, unsigned(stale=1), unsigned())
    result = tripwire(
        "call", "FullDuplexCall", "-d", "{}", "--endpoint", guarded, "--plaintext", "--protoset",
        test_protoset, "--token-command", line)
    assert_failed(result, 80, "the token is stale")
    assert len(guard.calls) == 1


@pytest.mark.parametrize("arguments", [
    ["list"], ["list", "grpc.testing.TestService"], ["describe", "grpc.testing.TestService"],
    ["call", "grpc.testing.TestService/EmptyCall"],
])
def test_refused_reflection_is_repeated_with_a_new_token(guarded, guard, tmp_path, arguments):
    line = alternating_command(tmp_path, unsigned(stale=1), unsigned(), unsigned())
    result = tripwire(*arguments, "--endpoint", guarded, "--plaintext", "--token-command", line)
    assert (result.code, result.stderr) == (0, "")
    # v1 refuses the token, v1 is unimplemented, v1alpha responds.
    assert [accepted for _, accepted in guard.calls][:3] == [False, True, True]
    assert all(accepted for _, accepted in guard.calls[1:])


def test_reflection_refused_twice_is_reported(guarded, guard, tmp_path):
    line = alternating_command(tmp_path, unsigned(stale=1), unsigned(stale=2))
    result = tripwire("list", "--endpoint", guarded, "--plaintext", "--token-command", line)
    assert_failed(result, 80, "the token is stale")
    assert [path.split(".")[2] for path, _ in guard.calls] == ["v1", "v1", "v1alpha"]
