"""A NATS server, and the states of a relay."""

import functools
import shutil
import socket
import subprocess
import time

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from peers.servers.protosets import compiled
from support.command import LONGEST
from support.paths import INTEROP


class NATSServer:
    """nats-server with JetStream on loopback. A restart keeps its port and its streams."""

    def __init__(self, folder, configuration="", jetstream=True, port=None, program="nats-server"):
        self.folder, self.port, self.program = folder, port or free_port(), program
        self.path = folder / "nats.conf"
        store = f'jetstream {{ store_dir: "{folder}/js" }}\n' if jetstream else ""
        self.path.write_text(f"listen: 127.0.0.1:{self.port}\n{store}{configuration}")

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def start(self):
        program = shutil.which(self.program, path="/usr/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin")
        if not program:
            pytest.fail("nats-server is missing; make deps-test installs it")
        log = self.folder / "nats.log"
        log.write_text("")
        with log.open("a") as output:
            self.process = subprocess.Popen([program, "-c", self.path], stdout=output, stderr=output)
        until(lambda: "Server is ready" in log.read_text() or self.process.poll() is not None, "NATS starts")
        assert self.process.poll() is None, log.read_text()

    def kill(self):
        self.process.kill()
        self.process.wait(LONGEST)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(condition, what, pause=0.05):
    """Waits until `condition` returns something, and returns it. `what` is a text, or returns one."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(pause)
    pytest.fail(f"{what() if callable(what) else what}: not within {LONGEST} s")


def trip_state():
    """The class of tripwire.relay.v1.TripState, compiled from our .proto file."""
    return _message("TripState", "trip_state")


def resource_state():
    """The class of tripwire.relay.v1.ResourceState, compiled from our .proto file."""
    return _message("ResourceState", "resource_state")


def poll_request():
    """The class of tripwire.relay.v1.PollRequest, compiled from our .proto file."""
    return _message("PollRequest", "poll_request")


@functools.cache
def _message(name, file):
    pool = descriptor_pool.DescriptorPool()
    data = compiled(INTEROP.parent / "protos", f"tripwire/relay/v1/{file}.proto")
    for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"tripwire.relay.v1.{name}"))


def delimited(data, kind):
    """Returns the complete messages in `data`, each after its length as a varint."""
    messages, start = [], 0
    while start < len(data):
        length, shift, position = 0, 0, start
        while position < len(data):
            byte = data[position]
            length |= (byte & 0x7F) << shift
            shift, position = shift + 7, position + 1
            if byte < 0x80:
                break
        else:
            break
        if position + length > len(data):
            break
        messages.append(kind.FromString(data[position:position + length]))
        start = position + length
    return messages
