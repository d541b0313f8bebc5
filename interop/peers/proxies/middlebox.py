"""A third-party proxy between our client and a server."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path


# Debian installs some proxies into a folder that PATH may lack.
PATH = os.environ["PATH"] + os.pathsep + "/usr/sbin"
PATIENCE = 300
RESERVING_SOCKETS = []


class Middlebox:
    """Runs in front of the server at the loopback port `backend` while it is entered.

    `streams` is the maximum number of concurrent streams of a connection. `idle` is the time in seconds
    after which the proxy closes a connection without streams. The proxy's log is printed at the end, so
    that pytest shows it for a failed test.
    """

    def __init__(self, folder, backend, certificate=None, streams=100, idle=60):
        self.folder, self.backend, self.certificate = Path(folder), backend, certificate
        self.streams, self.idle = streams, idle
        self.port = reserved_port()
        self.address = f"127.0.0.1:{self.port}"
        self.log = self.folder / "log"

    def command(self):
        """Writes the configuration and returns the command that starts the proxy in the foreground."""
        raise NotImplementedError

    def reload(self):
        """Reloads the proxy, which drains its client connections."""
        raise NotImplementedError

    def start(self, **more):
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                self.command(), stdout=log, stderr=log, cwd=self.folder,
                # Caddy writes into HOME.
                env=os.environ | {"PATH": PATH, "HOME": str(self.folder)}, **more)

    def __enter__(self):
        self.process = self.start()
        self.wait_until_it_listens()
        return self

    def wait_until_it_listens(self):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is None and time.monotonic() < end:
                    time.sleep(0.02)
                    continue
            self.__exit__()
            raise AssertionError(f"{type(self).__name__} does not listen: {self.log.read_text()}")

    def __exit__(self, *_):
        stop(self.process)
        print(self.log.read_text()[-5000:])

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


def stop(process):
    """Terminates the process, and kills it after 5 s."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def reserved_port():
    """Returns a port of 127.0.0.1 for a server that sets SO_REUSEADDR, as all of ours do.

    A socket that does not listen reserves it until this process ends. The kernel could give a free port to
    another program.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    RESERVING_SOCKETS.append(holder)
    return holder.getsockname()[1]


def program(name):
    found = shutil.which(name, path=PATH)
    assert found, f"{name} is not installed: make deps-interop"
    return found
