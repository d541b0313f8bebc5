"""Do 1,000 calls, 100 per second, succeed while the server or the network fails?

No call may hang, and no attempt may reach the server twice.
"""

import contextlib
import socket
import time
from collections import Counter

import pytest

from support.interop_client import Load
from peers.proxies.fault_proxy import FaultProxy
from peers.negative.run import wait
from peers.system.network import Network, on

pytestmark = [pytest.mark.interop("faults"), pytest.mark.long]

CALLS = 1000


@pytest.fixture
def server(servers, tmp_path):
    with servers("grpcio", log=tmp_path / "nonces") as server:
        yield server


@pytest.fixture
def proxy(server):
    with FaultProxy(server.port) as proxy:
        yield proxy


@pytest.fixture
def network():
    with Network() as network:
        yield network


@pytest.fixture
def load(note):
    """Starts calls to a port; `load.end(server)` returns the number of calls by status code."""
    class Loads:
        def begin(self, port, *flags, **more):
            # The last attempt starts after 15 s. A busy machine needs up to half of that to start a
            # server, and the connection backoff adds to it.
            self.load = Load(
                f"--server_port={port}", *flags, "--attempts=5", "--backoff_ms=1000",
                **{"calls": CALLS, "timeout_ms": 20_000} | more)

        def end(self, *servers):
            report = self.load.result()
            taken = sum((server.answered() for server in servers), start=Counter())
            codes = report["codes"]
            counts = " ".join(f"{code}={count}" for code, count in sorted(codes.items()))
            note(f"{counts} retried={report['retried']} connections={report['connections']}"
                 f" slowest={report['slowest']:.2f}s")
            for error, count in report["errors"].items():
                print(count, error)
            assert max(taken.values()) == 1, taken.most_common(3)
            assert codes.keys() <= {"OK", "UNAVAILABLE", "DEADLINE_EXCEEDED"}
            return codes

    return Loads()


def test_calls_succeed_without_faults(server, load):
    load.begin(server.port)
    assert load.end(server) == {"OK": CALLS}


# Server faults.


def test_server_is_killed(server, load):
    load.begin(server.port)
    for _ in range(3):
        time.sleep(2)
        server.kill()
        server.start()
    assert load.end(server) == {"OK": CALLS}


def test_server_ends_gracefully(server, load):
    """gRPC's C core answers calls between its first GOAWAY and its last with CANCELLED, without passing
    them to the service, on streams that its last GOAWAY includes."""
    load.begin(server.port, "--retry_cancelled")
    for _ in range(3):
        time.sleep(2)
        server.end()
        server.start()
    assert load.end(server) == {"OK": CALLS}
    calls = Counter(line.split()[0] for line in server.answered())
    assert set(calls.values()) == {1}, calls.most_common(3)


def test_server_is_down_for_a_second(server, load):
    load.begin(server.port)
    time.sleep(2)
    server.kill()
    time.sleep(1)
    server.start()
    assert load.end(server) == {"OK": CALLS}


def test_server_is_paused_for_a_second(server, load):
    load.begin(server.port)
    time.sleep(2)
    server.pause()
    time.sleep(1)
    server.resume()
    assert load.end(server) == {"OK": CALLS}


def test_server_is_paused_beyond_deadlines(server, load):
    load.begin(server.port, timeout_ms=500)
    time.sleep(2)
    server.pause()
    time.sleep(2)
    server.resume()
    codes = load.end(server)
    assert codes["OK"] > 700
    assert codes.keys() == {"OK", "DEADLINE_EXCEEDED"}


# Network faults.


def test_network_delays(server, proxy, load):
    proxy.delay(0.2)
    load.begin(proxy.port)
    assert load.end(server) == {"OK": CALLS}


def test_network_stalls(server, proxy, load):
    load.begin(proxy.port)
    for _ in range(3):
        time.sleep(1)
        proxy.stall()
        time.sleep(1)
        proxy.flow()
    assert load.end(server) == {"OK": CALLS}


@pytest.mark.parametrize("how", ["cut", "close", "close_half"])
def test_connection_is_lost(server, proxy, load, how):
    load.begin(proxy.port)
    for _ in range(8):
        time.sleep(1)
        getattr(proxy, how)()
    assert load.end(server) == {"OK": CALLS}


def test_one_of_two_addresses_does_not_respond(server, load):
    with black_hole() as hole:
        load.begin(443, f"--target=ipv4:127.0.0.1:{hole},127.0.0.1:{server.port}")
        assert load.end(server) == {"OK": CALLS}


@contextlib.contextmanager
def black_hole():
    """A loopback port whose accept queue is full, so that connecting gets no response."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        address = listener.getsockname()
        for _ in range(4):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(address)
        yield address[1]


# Host faults.


@pytest.fixture
def far_server(servers, network, tmp_path):
    with servers(
            "grpcio", host=network.SERVER, prefix=on(network.server),
            log=tmp_path / "nonces") as server:
        yield server


def test_link_is_down_for_a_second(far_server, network, load):
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    for _ in range(2):
        time.sleep(2)
        network.take_down()
        time.sleep(1)
        network.bring_up()
    assert load.end(far_server) == {"OK": CALLS}


def test_link_flaps(far_server, network, load):
    """The link is down for 0.1 s, 30 times."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    for _ in range(30):
        time.sleep(0.1)
        network.take_down()
        time.sleep(0.1)
        network.bring_up()
    assert load.end(far_server) == {"OK": CALLS}


def test_link_is_down_beyond_deadlines(far_server, network, load):
    """The connection stays open, and TCP recovers."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client),
               timeout_ms=500)
    time.sleep(2)
    network.take_down()
    time.sleep(3)
    network.bring_up()
    codes = load.end(far_server)
    assert codes.keys() == {"OK", "DEADLINE_EXCEEDED"}
    assert codes["OK"] > 400


def test_client_is_unplugged(far_server, network, load):
    """The client has no route, so connecting fails immediately."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    for _ in range(2):
        time.sleep(2)
        network.unplug()
        time.sleep(1)
        network.plug_in()
    assert load.end(far_server) == {"OK": CALLS}


def test_client_changes_its_address(far_server, network, load):
    """The client gets another address, so packets of the old connection are lost silently.

    A connection attempt would be lost, too, so the client moves again only after calls succeed.
    """
    load.begin(far_server.port, f"--server_host={network.SERVER}", "--keepalive_ms=1000",
               prefix=on(network.client))
    for address in ("192.0.2.8", "192.0.2.9"):
        time.sleep(1)
        network.move(address)
        time.sleep(0.5)
        taken = len(far_server.answered())
        assert wait(lambda: len(far_server.answered()) > taken, 15)
    assert load.end(far_server) == {"OK": CALLS}


def test_client_changes_its_address_while_connecting(far_server, network, load):
    """The connection attempt from its old address gets no response; the client starts another one long
    before that attempt times out."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", "--keepalive_ms=1000",
               prefix=on(network.client))
    time.sleep(1)
    network.take_down()
    # Keepalive closes the connection, and the client reconnects.
    time.sleep(4)
    network.move("192.0.2.8")
    network.bring_up()
    taken = len(far_server.answered())
    assert wait(lambda: len(far_server.answered()) > taken, 9)
    assert load.end(far_server) == {"OK": CALLS}


def test_host_restarts(far_server, network, load):
    """The restarted host does not know the connection."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    time.sleep(2)
    network.take_down()
    far_server.kill()
    time.sleep(0.5)
    network.bring_up()
    far_server.start()
    load.end(far_server)


def test_name_moves_to_another_host(servers, network, load, tmp_path):
    """The first host disappears silently, which only keepalive detects."""
    first, second = "192.0.2.3", network.SERVER
    network.address(first)
    network.name(first, "server.example")
    with contextlib.ExitStack() as stack:
        old = stack.enter_context(servers(
            "grpcio", host=first, prefix=on(network.server), log=tmp_path / "old"))
        new = stack.enter_context(servers(
            "grpcio", host=second, port=old.port, prefix=on(network.server),
            log=tmp_path / "new"))
        load.begin(
            old.port, "--server_host=server.example", "--keepalive_ms=10000",
            prefix=on(network.client), rate=40)
        time.sleep(2)
        network.name(second, "server.example")
        network.remove_address(first)
        assert load.end(old, new) == {"OK": CALLS}


def test_name_changes_its_address(servers, network, load, tmp_path):
    """The server at the old address ends, and the name resolves to another address."""
    with contextlib.ExitStack() as stack:
        network.name("127.0.0.2", "server.example")
        old = stack.enter_context(servers(
            "grpcio", host="127.0.0.2", prefix=on(network.client), log=tmp_path / "old"))
        new = stack.enter_context(servers(
            "grpcio", host="127.0.0.3", port=old.port, prefix=on(network.client),
            log=tmp_path / "new"))
        load.begin(old.port, "--server_host=server.example", prefix=on(network.client))
        time.sleep(2)
        network.name("127.0.0.3", "server.example")
        old.kill()
        assert load.end(old, new) == {"OK": CALLS}
