"""Simulated hosts: network namespaces with a link that can be taken down."""

import itertools
import os
import pathlib
import shutil
import subprocess

counter = itertools.count()


class Network:
    """A host for the client and one for servers, while it is entered. This requires root."""

    CLIENT, SERVER = "192.0.2.1", "192.0.2.2"

    def __init__(self):
        name = f"tripwire-{os.getpid()}-{next(counter)}"
        self.client, self.server = f"{name}-client", f"{name}-server"
        self._settings = pathlib.Path("/etc/netns") / self.client

    def __enter__(self):
        assert os.geteuid() == 0, "only root can make network namespaces"
        for host in (self.client, self.server):
            run("netns", "add", host)
            run("-n", host, "link", "set", "lo", "up")
        run("-n", self.client, "link", "add", "near", "type", "veth", "peer", "far",
            "netns", self.server)
        for host, end, address in (
                (self.client, "near", self.CLIENT), (self.server, "far", self.SERVER)):
            run("-n", host, "address", "add", f"{address}/24", "dev", end)
            run("-n", host, "link", "set", end, "up")
        # `ip netns exec` mounts these files over those in /etc.
        self._settings.mkdir(parents=True)
        self.name("127.0.0.1", "localhost")
        return self

    def __exit__(self, *_):
        for host in (self.client, self.server):
            run("netns", "delete", host)
        shutil.rmtree(self._settings)

    def name(self, *line):
        """Sets the only name that the client can resolve."""
        with open(self._settings / "hosts", "w") as hosts:
            print(*line, file=hosts)

    def address(self, address):
        """Adds an address to the servers' host."""
        run("-n", self.server, "address", "add", f"{address}/24", "dev", "far")

    def remove_address(self, address):
        """Removes an address, so that packets to it get no response."""
        run("-n", self.server, "address", "delete", f"{address}/24", "dev", "far")

    def take_down(self):
        """Drops packets in both directions silently."""
        run("-n", self.server, "link", "set", "far", "down")

    def bring_up(self):
        run("-n", self.server, "link", "set", "far", "up")

    def unplug(self):
        """Disconnects the client's host, which sees the link go down."""
        run("-n", self.client, "link", "set", "near", "down")

    def plug_in(self):
        run("-n", self.client, "link", "set", "near", "up")

    def move(self, address):
        """Changes the address of the client's host. Packets to the old one are lost."""
        run("-n", self.client, "address", "flush", "dev", "near")
        run("-n", self.client, "address", "add", f"{address}/24", "dev", "near")


def on(host):
    """Returns the prefix that runs a command in this namespace."""
    return ["ip", "netns", "exec", host]


def run(*words):
    subprocess.run(["ip", *words], check=True)
