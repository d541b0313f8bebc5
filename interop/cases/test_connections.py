"""Does the channel follow the connection limits of the server without losing calls?"""

import json

import pytest

from support.interop_client import Load, client
from peers.servers.server_process import GRPCIO, ServerProcess

pytestmark = [pytest.mark.interop("grpcio"), pytest.mark.long]


@pytest.fixture
def server(test_protoset):
    """Starts a server with these channel arguments, which runs until the test ends."""
    running = []

    def start(**options):
        command = [*GRPCIO, *(f"--option={name}={value}" for name, value in options.items())]
        running.append(ServerProcess(command, protoset=test_protoset))
        running[-1].start()
        return f"--server_port={running[-1].port}"

    yield start
    for process in running:
        process.kill()


def all_ok(report):
    return report["codes"] == {"OK": report["calls"]}


def test_connections_are_replaced_at_their_max_age(server, note):
    """Under load, the server repeatedly sends a GOAWAY in two phases for max_age."""
    port = server(**{"grpc.max_connection_age_ms": 300, "grpc.max_connection_age_grace_ms": 5000})
    report = Load(port, calls=1500, rate=500, delay_ms=20).result()
    note(f"{report['calls']} calls on {report['connections']} connections")
    assert all_ok(report), report
    assert report["connections"] > 5, report


def test_calls_beyond_the_stream_limit_use_more_connections(server, note):
    """The limit is 2 streams per connection, so further connections take the other calls.

    The server counts a stream a little longer than the client, so it may refuse the next one.
    """
    port = server(**{"grpc.max_concurrent_streams": 2})
    one = Load(port, "--max_connections=1", calls=200, rate=1000, delay_ms=20).result()
    four = Load(port, "--max_connections=4", calls=200, rate=1000, delay_ms=20).result()
    note(f"{one['seconds']:.2f}s on 1 connection, {four['seconds']:.2f}s on {four['connections']}")
    assert all_ok(one) and all_ok(four), (one, four)
    assert (one["connections"], four["connections"]) == (1, 4)
    assert four["seconds"] < one["seconds"]


def test_idle_connections_are_closed(server, note):
    """The channel closes its idle connection before each call, which then reconnects."""
    port = server()
    report = Load(port, "--idle_ms=50", calls=10, rate=4).result()
    note(f"{report['calls']} calls on {report['connections']} connections")
    assert all_ok(report), report
    assert report["connections"] == 10


def test_pings_slow_down_after_too_many_pings(server, note):
    """The server requires a minute between pings. Each call is silent for two seconds."""
    port = server(**{
        "grpc.http2.min_ping_interval_without_data_ms": 60_000,
        "grpc.http2.max_ping_strikes": 1, "grpc.keepalive_permit_without_calls": 0})
    report = Load(
        port, "--keepalive_ms=100", calls=3, rate=0.5, delay_ms=1900, timeout_ms=20_000,
        attempts=5).result()
    note(f"slowed its pings {report['slowings']} times, {report['codes']}")
    assert report["slowings"] >= 1, report
    assert all_ok(report), report


def test_pings_keep_their_interval(server):
    """The server has no limit for pings."""
    port = server()
    report = Load(port, "--keepalive_ms=50", calls=5, rate=2, delay_ms=1000).result()
    assert all_ok(report), report
    assert (report["connections"], report["slowings"]) == (1, 0), report


def test_closed_channels_release_their_resources(server, note):
    """Closed or dropped channels release their descriptors, threads and memory."""
    done = client(server(), "--channels=400", "churn")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    before, after = report["before"], report["after"]
    note(f"descriptors {before['descriptors']} to {after['descriptors']}, threads"
         f" {before['threads']} to {after['threads']}, KiB {before['kilobytes']} to"
         f" {after['kilobytes']}")
    assert after["descriptors"] <= before["descriptors"], report
    assert after["threads"] <= before["threads"] + 2, report
    assert after["kilobytes"] <= before["kilobytes"] + 8 * 1024, report
    # A call without a free descriptor fails, and the next one succeeds.
    assert "UNAVAILABLE" in report["starved"] and "Too many open files" in report["starved"], report
    assert report["fed"] == "OK", report
