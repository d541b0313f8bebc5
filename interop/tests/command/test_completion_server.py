"""Do the services, methods and types of a server with reflection complete command lines?"""

import json
import subprocess

import pytest

from peers.servers.reflecting import V1, V1ALPHA, Response, handler, reflecting_test_service, serving
from support.command import LONGEST, binary, environment


@pytest.fixture(scope="module", params=[V1, V1ALPHA])
def server(test_protoset, request):
    with reflecting_test_service(test_protoset.read_bytes(), request.param) as address:
        yield address


def complete(*words, **variables):
    done = subprocess.run(
        [binary(), "__complete", *map(str, words)], capture_output=True, text=True, timeout=LONGEST,
        stdin=subprocess.DEVNULL, env=environment(**variables))
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def test_methods_of_a_server_are_completed(server):
    end = ["--endpoint", server, "--plaintext", "TestService/UnaryC"]
    assert complete("call", *end) == ["TestService/UnaryCall"]
    assert complete("call", server, "--plaintext", "TestService/UnaryC") == ["TestService/UnaryCall"]
    assert complete("call", "--plaintext", "TestService/UnaryC", TRIPWIRE_ENDPOINT=server) == [
        "TestService/UnaryCall"]
    assert complete("call", server, "--plaintext", "grpc.testing.TestService/Em") == [
        "grpc.testing.TestService/EmptyCall"]
    assert complete("call", server, "--plaintext", "TripService/") == []


def test_server_of_a_profile_is_asked(server, tmp_path):
    config = tmp_path / "tripwire" / "config.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"profiles": {"default": {"endpoint": server, "plaintext": "true"}}}))
    assert complete("call", "TestService/UnaryC", XDG_CONFIG_HOME=str(tmp_path)) == ["TestService/UnaryCall"]


def test_services_and_types_of_a_server_are_completed(server):
    at = [server, "--plaintext"]
    assert complete("list", *at, "Test") == ["TestService"]
    assert "grpc.testing.TestService" in complete("list", *at, "grpc.t")
    assert complete("describe", *at, "SimpleReq") == ["SimpleRequest"]
    assert complete("describe", *at, "grpc.testing.SimpleReq") == ["grpc.testing.SimpleRequest"]
    assert complete("describe", *at, "TestService/Em") == ["TestService/EmptyCall"]


def test_server_without_reflection_leaves_the_builtin_names(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes()) as address:
        assert complete("call", address, "--plaintext", "TripService/GetT") == ["TripService/GetTrip"]
    assert complete("call", "127.0.0.1:1", "--plaintext", "TripService/GetT") == ["TripService/GetTrip"]


def test_silent_server_does_not_block_the_shell():
    def silent(requests):
        for _ in requests:
            pass
        yield Response()

    with serving(handler(V1, silent)) as address:
        assert complete("call", address, "--plaintext", "TripService/GetT") == ["TripService/GetTrip"]


@pytest.mark.parametrize("options", [
    ["--token-command", "touch {0}; echo a.b.c"], ["--token-file", "-"], ["--record", "{0}"], ["--keylog", "{0}"],
    ["-v"], ["--timing", "json"], ["--replay", "/none"],
])
def test_tab_key_runs_and_writes_nothing(server, tmp_path, options):
    file = tmp_path / "file"
    options = [each.format(file) for each in options]
    assert len(complete("call", server, "--plaintext", *options, "TestService/UnaryC")) <= 1
    assert not file.exists()
