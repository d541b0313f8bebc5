"""Do our calls of all kinds agree with grpcio's server (doc/interop-test-descriptions.md)?

INTEROP_CLIENT names the program that makes them.
"""

import os
import subprocess

import pytest
from google.protobuf import descriptor_pb2

from places import INTEROP
from peers.test_service import TestServer

CASES = [
    "empty_unary", "large_unary", "client_streaming", "server_streaming", "ping_pong",
    "empty_stream", "cancel_after_begin", "cancel_after_first_response",
    "timeout_on_sleeping_server", "status_code_and_message", "special_status_message",
    "custom_metadata", "unimplemented_method", "unimplemented_service",
]


def client(*arguments):
    path = os.environ.get("INTEROP_CLIENT")
    if not path:
        pytest.fail("INTEROP_CLIENT must name the interop-client to test")
    return subprocess.run(
        [path, *map(str, arguments)], capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    path = tmp_path_factory.mktemp("protos") / "test.protoset"
    subprocess.run(
        ["protoc", "-I", INTEROP / "protos", "--include_imports", f"--descriptor_set_out={path}",
         "grpc/testing/test.proto"], check=True)
    with TestServer(descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes()).file) as server:
        yield server.port


@pytest.mark.parametrize("case", CASES)
def test_case(port, case):
    done = client(port, case)
    assert (done.returncode, done.stdout) == (0, f"ok {case}\n"), done.stderr


def test_these_are_all_its_cases(port):
    done = client(port)
    assert done.stdout.splitlines() == [f"ok {case}" for case in sorted(CASES)]


def test_what_it_does_not_know_is_not_passed_over():
    done = client(1, "empty_unary", "no_such_case")
    assert done.returncode == 2
    assert "empty_unary" in done.stdout


def test_a_case_can_fail():
    done = client(1, "empty_unary")
    assert done.returncode == 1
    assert done.stdout.startswith("FAILED empty_unary: UNAVAILABLE")
