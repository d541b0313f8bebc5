"""Do 1,000 calls, 100 a second, end properly when the server or the network fails meanwhile?

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
    """Begins calls to a port; `load.end(server)` gives what became of them, by the code."""
    class Loads:
        def begin(self, port, *flags, **more):
            # The last attempt comes after 15 s. A busy machine takes up to half of it to start a
            # server, and the connection's own back-off comes on top.
            self.load = Load(
                f"--server_port={port}", *flags, "--attempts=5", "--backoff_ms=1000",
                **{"calls": CALLS, "timeout_ms": 20_000} | more)

        def end(self, *servers):
            report = self.load.result()
            taken = sum((server.answered() for server in servers), start=Counter())
            codes = report["codes"]
            told = " ".join(f"{code}={count}" for code, count in sorted(codes.items()))
            note(f"{told} retried={report['retried']} connections={report['connections']}"
                 f" slowest={report['slowest']:.2f}s")
            for error, count in report["errors"].items():
                print(count, error)
            assert max(taken.values()) == 1, taken.most_common(3)
            assert codes.keys() <= {"OK", "UNAVAILABLE", "DEADLINE_EXCEEDED"}
            return codes

    return Loads()


def test_none(server, load):
    load.begin(server.port)
    assert load.end(server) == {"OK": CALLS}


# The server.


def test_server_killed(server, load):
    load.begin(server.port)
    for _ in range(3):
        time.sleep(2)
        server.kill()
        server.start()
    assert load.end(server) == {"OK": CALLS}


def test_server_ended(server, load):
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


def test_server_away_for_a_second(server, load):
    load.begin(server.port)
    time.sleep(2)
    server.kill()
    time.sleep(1)
    server.start()
    assert load.end(server) == {"OK": CALLS}


def test_server_stopped_for_a_second(server, load):
    load.begin(server.port)
    time.sleep(2)
    server.pause()
    time.sleep(1)
    server.resume()
    assert load.end(server) == {"OK": CALLS}


def test_server_stopped_beyond_deadlines(server, load):
    load.begin(server.port, timeout_ms=500)
    time.sleep(2)
    server.pause()
    time.sleep(2)
    server.resume()
    codes = load.end(server)
    assert codes["OK"] > 700
    assert codes.keys() == {"OK", "DEADLINE_EXCEEDED"}


# The way there.


def test_delay(server, proxy, load):
    proxy.delay(0.2)
    load.begin(proxy.port)
    assert load.end(server) == {"OK": CALLS}


def test_stall(server, proxy, load):
    load.begin(proxy.port)
    for _ in range(3):
        time.sleep(1)
        proxy.stall()
        time.sleep(1)
        proxy.flow()
    assert load.end(server) == {"OK": CALLS}


@pytest.mark.parametrize("how", ["cut", "close", "close_half"])
def test_connection(server, proxy, load, how):
    load.begin(proxy.port)
    for _ in range(8):
        time.sleep(1)
        getattr(proxy, how)()
    assert load.end(server) == {"OK": CALLS}


def test_black_hole_beside_a_good_address(server, load):
    with black_hole() as hole:
        load.begin(443, f"--target=ipv4:127.0.0.1:{hole},127.0.0.1:{server.port}")
        assert load.end(server) == {"OK": CALLS}


@contextlib.contextmanager
def black_hole():
    """A port of the loopback where what wants to connect gets no answer: the queue is full."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        address = listener.getsockname()
        for _ in range(4):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(address)
        yield address[1]


# Hosts.


@pytest.fixture
def far_server(servers, network, tmp_path):
    with servers(
            "grpcio", host=network.SERVER, prefix=on(network.server),
            log=tmp_path / "nonces") as server:
        yield server


def test_link_down_for_a_second(far_server, network, load):
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    for _ in range(2):
        time.sleep(2)
        network.take_down()
        time.sleep(1)
        network.bring_up()
    assert load.end(far_server) == {"OK": CALLS}


def test_link_flapping(far_server, network, load):
    """Down for a tenth of a second, thirty times."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    for _ in range(30):
        time.sleep(0.1)
        network.take_down()
        time.sleep(0.1)
        network.bring_up()
    assert load.end(far_server) == {"OK": CALLS}


def test_link_down_beyond_deadlines(far_server, network, load):
    """Nothing ends the connection: TCP recovers by itself."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client),
               timeout_ms=500)
    time.sleep(2)
    network.take_down()
    time.sleep(3)
    network.bring_up()
    codes = load.end(far_server)
    assert codes.keys() == {"OK", "DEADLINE_EXCEEDED"}
    assert codes["OK"] > 400


def test_client_unplugged(far_server, network, load):
    """It has no route, so what it dials fails at once."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    for _ in range(2):
        time.sleep(2)
        network.unplug()
        time.sleep(1)
        network.plug_in()
    assert load.end(far_server) == {"OK": CALLS}


def test_client_moved(far_server, network, load):
    """To another address: what is on its way on the old connection is lost without a word. So would
    be a connection that is just being made; hence it moves again only when it is served again."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", "--keepalive_ms=1000",
               prefix=on(network.client))
    for address in ("192.0.2.8", "192.0.2.9"):
        time.sleep(1)
        network.move(address)
        time.sleep(0.5)
        taken = len(far_server.answered())
        assert wait(lambda: len(far_server.answered()) > taken, 15)
    assert load.end(far_server) == {"OK": CALLS}


def test_client_moved_while_it_dials(far_server, network, load):
    """The connection attempt from its old address gets no response; the client starts another one long
    before that attempt times out."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", "--keepalive_ms=1000",
               prefix=on(network.client))
    time.sleep(1)
    network.take_down()
    # It finds that the connection is dead, and dials.
    time.sleep(4)
    network.move("192.0.2.8")
    network.bring_up()
    taken = len(far_server.answered())
    assert wait(lambda: len(far_server.answered()) > taken, 9)
    assert load.end(far_server) == {"OK": CALLS}


def test_host_restarted(far_server, network, load):
    """It is back, but knows nothing of the connection."""
    load.begin(far_server.port, f"--server_host={network.SERVER}", prefix=on(network.client))
    time.sleep(2)
    network.take_down()
    far_server.kill()
    time.sleep(0.5)
    network.bring_up()
    far_server.start()
    load.end(far_server)


def test_host_gone_and_another_of_its_name_there(servers, network, load, tmp_path):
    """The first vanishes without a word, which only keepalive finds."""
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


def test_address_changed(servers, network, load, tmp_path):
    """The server at the old address ends; the name leads to another."""
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
