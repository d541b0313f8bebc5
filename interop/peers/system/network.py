"""Hosts of our own: network namespaces with a link between them, which can be taken down."""

import itertools
import os
import pathlib
import shutil
import subprocess

counter = itertools.count()


class Network:
    """A host for the client and one for servers, while it is entered. Only root can make them."""

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
        # `ip netns exec` puts what lies here over what lies in /etc.
        self._settings.mkdir(parents=True)
        self.name("127.0.0.1", "localhost")
        return self

    def __exit__(self, *_):
        for host in (self.client, self.server):
            run("netns", "delete", host)
        shutil.rmtree(self._settings)

    def name(self, *line):
        """Gives the client a name for an address, and no other."""
        with open(self._settings / "hosts", "w") as hosts:
            print(*line, file=hosts)

    def address(self, address):
        """Gives the servers' host an address more."""
        run("-n", self.server, "address", "add", f"{address}/24", "dev", "far")

    def remove_address(self, address):
        """Packets to this host get no response any more."""
        run("-n", self.server, "address", "delete", f"{address}/24", "dev", "far")

    def take_down(self):
        """From now on packets in both directions are lost, without an error."""
        run("-n", self.server, "link", "set", "far", "down")

    def bring_up(self):
        run("-n", self.server, "link", "set", "far", "up")

    def unplug(self):
        """The client's host has no network any more, and knows it."""
        run("-n", self.client, "link", "set", "near", "down")

    def plug_in(self):
        run("-n", self.client, "link", "set", "near", "up")

    def move(self, address):
        """Moves the client's host to another address: packets to the old one are lost."""
        run("-n", self.client, "address", "flush", "dev", "near")
        run("-n", self.client, "address", "add", f"{address}/24", "dev", "near")


def on(host):
    """Returns the prefix that runs a command in this namespace."""
    return ["ip", "netns", "exec", host]


def run(*words):
    subprocess.run(["ip", *words], check=True)
