"""Do calls succeed through proxies in front of servers while either fails or reloads?"""

import contextlib
import time

import pytest

from support.interop_client import CASES, Load, assert_passes, client
from peers.proxies.caddy import Caddy
from peers.proxies.envoy import Envoy
from peers.proxies.haproxy import HAProxy
from peers.proxies.nghttpx import Nghttpx
from peers.proxies.nginx import Nginx

KINDS = {
    "envoy": Envoy, "nghttpx": Nghttpx, "nginx": Nginx, "haproxy": HAProxy, "caddy": Caddy,
}

pytestmark = [pytest.mark.interop, pytest.mark.long]
each_kind = pytest.mark.parametrize("peer", KINDS)


@pytest.fixture(scope="module")
def shared(servers, certificates, tmp_path_factory):
    """Returns the client's options for a proxy, with or without TLS, in front of a server."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(servers("grpcio"))
        running = {}

        def flags(name):
            kind, _, tls = name.partition(" ")
            if name not in running:
                running[name] = stack.enter_context(KINDS[kind](
                    tmp_path_factory.mktemp(kind), server.port, tls and certificates.good))
            more = ("--use_tls", f"--ca_file={certificates.authority}") if tls else ()
            return (f"--server_port={running[name].port}", *more)

        yield flags


@pytest.fixture
def own(servers, tmp_path):
    """A server for one test, with a proxy of a kind in front of it."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(servers("grpcio", log=tmp_path / "nonces"))

        def start(kind, **more):
            return server, stack.enter_context(KINDS[kind](tmp_path, server.port, **more))

        yield start


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("peer", [kind + tls for kind in KINDS for tls in ("", " tls")])
def test_case(shared, peer, case):
    assert_passes(case, *shared(peer))


@each_kind
def test_server_is_down(own, peer):
    server, proxy = own(peer)
    server.kill()
    done = client(f"--server_port={proxy.port}", "empty_unary")
    assert done.stdout.startswith("FAILED empty_unary: UNAVAILABLE"), done.stdout
    server.start()
    # Some proxies do not use a failed server again for a while.
    end = time.monotonic() + 300
    while client(f"--server_port={proxy.port}", "empty_unary").returncode != 0:
        assert time.monotonic() < end
        time.sleep(0.2)


@each_kind
@pytest.mark.parametrize("how", ["kill", "end"])
def test_server_restarts(own, note, peer, how):
    server, proxy = own(peer)
    load = Load(
        f"--server_port={proxy.port}", "--attempts=5", calls=500, backoff_ms=1000,
        timeout_ms=20_000)
    for _ in range(2):
        time.sleep(1)
        getattr(server, how)()
        server.start()
    report = load.result()
    # HAProxy answers all pending calls of a lost server connection with REFUSED_STREAM, although the
    # server may have processed them. The client has to retry them.
    again = report["retried"] if (peer, how) == ("haproxy", "kill") else 0
    note(summary(report, server, again))
    codes = report["codes"]
    # Retried calls succeed. A call that the proxy or the ending server aborted halfway is not retried.
    # grpcio cancels all calls that reach it before the proxy processes its GOAWAY: up to 139 on a busy
    # machine.
    assert codes.keys() <= {"OK", "INTERNAL", "CANCELLED"}
    assert codes["OK"] + (codes.get("CANCELLED", 0) if how == "end" else 0) >= 490
    assert codes["OK"] >= 250


@each_kind
def test_proxy_reloads(own, note, peer):
    server, proxy = own(peer)
    load = Load(f"--server_port={proxy.port}", calls=700)
    for _ in range(2):
        time.sleep(1)
        proxy.reload()
        # The last old connection may end within this time.
        time.sleep(2)
    report = load.result()
    note(summary(report, server))
    assert report["codes"] == {"OK": 700}
    assert report["connections"] >= 3


# Caddy cannot limit streams.
@pytest.mark.parametrize("peer", [kind for kind in KINDS if kind != "caddy"])
def test_proxy_allows_one_stream(own, note, peer):
    server, proxy = own(peer, streams=1)
    report = Load(f"--server_port={proxy.port}", calls=20, rate=10_000).result()
    assert report["codes"] == {"OK": 20}, report
    note(summary(report, server))


@each_kind
def test_proxy_closes_idle_connections(own, note, peer):
    server, proxy = own(peer, idle=1)
    report = Load(f"--server_port={proxy.port}", calls=4, rate=0.5).result()
    assert (report["codes"], report["connections"]) == ({"OK": 4}, 4), report
    note(summary(report, server))


def summary(report, server, again=0):
    """Checks that at most `again` calls reached the server twice; returns the report in one line."""
    print(report)
    taken = server.answered()
    assert max(taken.values()) <= 2, taken.most_common(3)
    twice = [call for call, count in taken.items() if count == 2]
    assert len(twice) <= again, twice
    codes = " ".join(f"{code}={count}" for code, count in sorted(report["codes"].items()))
    return (f"{codes} retried={report['retried']} connections={report['connections']}"
            f" slowest={report['slowest']:.2f}s")
