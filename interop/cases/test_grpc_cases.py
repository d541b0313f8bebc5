"""Do gRPC's interop test cases pass with third-party servers?

The cases are described in gRPC's doc/interop-test-descriptions.md.
"""

import contextlib
from typing import NamedTuple

import pytest

from support.interop_client import CASES, CHECKING_CASES, SOAK_CASES, assert_passes, client
from peers.tls.certificates import OTHER_HOST


class Peer(NamedTuple):
    """A server, the name of its certificate if it has one, and the client's options for it."""

    server: str
    certificate: str | None = None
    flags: tuple = ()


PEERS = {
    "grpcio": Peer("grpcio"),
    "grpcio tls": Peer("grpcio", "good", ("--use_tls",)),
    "grpcio tls-override": Peer(
        "grpcio", "wrong_host", ("--use_tls", f"--server_host_override={OTHER_HOST}")),
    "grpc++": Peer("grpc++"),
    "grpc++ tls": Peer("grpc++", "good", ("--use_tls",)),
    "grpc++ tls-override": Peer(
        "grpc++", "wrong_host", ("--use_tls", f"--server_host_override={OTHER_HOST}")),
}


@pytest.fixture(scope="module")
def flags(servers, certificates):
    """Returns the client's options for a peer, which is started on its first use."""
    with contextlib.ExitStack() as stack:
        running = {}

        def flags(name):
            peer = PEERS[name]
            if name not in running:
                certificate = peer.certificate and getattr(certificates, peer.certificate)
                running[name] = stack.enter_context(
                    servers(peer.server, certificate=certificate)).port
            more = (f"--ca_file={certificates.authority}",) if peer.certificate else ()
            return (f"--server_port={running[name]}", *peer.flags, *more)

        yield flags


@pytest.mark.interop
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("peer", PEERS)
def test_case(flags, peer, case):
    assert_passes(case, *flags(peer))


@pytest.mark.interop
@pytest.mark.parametrize("case", CHECKING_CASES)
@pytest.mark.parametrize("peer", [name for name in PEERS if name.startswith("grpc++")])
def test_checking_case(flags, peer, case):
    assert_passes(case, *flags(peer))


SLOW = ["--soak_per_iteration_max_acceptable_latency_ms=300000", "--soak_overall_timeout_seconds=300"]


@pytest.mark.interop
@pytest.mark.parametrize("case", SOAK_CASES)
@pytest.mark.parametrize("peer", PEERS)
def test_soak_case(flags, peer, case):
    more = ["--soak_iterations=20", "--soak_num_threads=4", "--soak_min_time_ms_between_rpcs=1"]
    assert_passes(case, *flags(peer), *SLOW, *more)


@pytest.mark.parametrize("case", SOAK_CASES)
@pytest.mark.parametrize("limits, failure", [
    (["--soak_per_iteration_max_acceptable_latency_ms=0"],
     "10 of 10 calls failed or were slow: slower than 0.0 seconds"),
    (["--soak_overall_timeout_seconds=0"], "the number of calls within 0.0 seconds is 0, not 10"),
    (["--soak_response_size=5000000"], "10 of 10 calls failed or were slow: RESOURCE_EXHAUSTED"),
])
def test_soak_case_fails_at_its_limits(flags, case, limits, failure):
    done = client(*flags("grpc++"), *SLOW, *limits, case)
    assert done.returncode == 1
    assert done.stdout.startswith(f"FAILED {case}: {failure}")
    if "calls failed" in failure:
        assert_passes(case, *flags("grpc++"), *SLOW, *limits, "--soak_max_failures=10")


def test_client_runs_all_its_cases(flags):
    done = client(*flags("grpc++"), *SLOW)
    assert done.stdout.splitlines() == [
        f"ok {case}" for case in sorted(CASES + CHECKING_CASES + SOAK_CASES)]


def test_untrusted_server_is_rejected(flags):
    done = client(*flags("grpcio tls"), "--server_host_override=another.example", "empty_unary")
    assert done.returncode == 1
    assert done.stdout.startswith("FAILED empty_unary: UNAVAILABLE")
    assert "another.example" in done.stdout


@pytest.mark.parametrize("words", [
    ["empty_unary", "no_such_case"], ["--no_such_flag"], ["load", "--calls=many"],
    ["--calls=1", "empty_unary"]])
def test_unknown_arguments_are_reported(words):
    done = client("--server_port=1", *words)
    assert done.returncode == 2
    assert "empty_unary" in done.stdout


def test_failed_case_is_reported():
    done = client("--server_port=1", "empty_unary")
    assert done.returncode == 1
    assert done.stdout.startswith("FAILED empty_unary: UNAVAILABLE")
