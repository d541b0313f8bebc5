"""A proxy that stands between our client and a server."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path


# Debian puts some where only root looks.
PATH = os.environ["PATH"] + os.pathsep + "/usr/sbin"
PATIENCE = 300
KEEPERS = []


class Middlebox:
    """Runs in front of the server at `backend`, a port of the loopback, while it is entered.

    `streams` is how many a connection may have at once, `idle` after how many seconds without any
    the proxy closes it. What it says is printed when it is left, which pytest shows of a test that
    failed.
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
        """Reloads the proxy: connected clients are asked to leave, and served until they do."""
        raise NotImplementedError

    def start(self, **more):
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                self.command(), stdout=log, stderr=log, cwd=self.folder,
                # Caddy writes to where these point.
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
    """Ends it, at the latest by force."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def reserved_port():
    """A port of 127.0.0.1 on which a server that sets SO_REUSEADDR can listen, as all of ours do.

    A socket that does not listen keeps it until this process ends: the kernel gives a port that is
    merely free to the next program that asks for one.
    """
    keeper = socket.socket()
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    keeper.bind(("127.0.0.1", 0))
    KEEPERS.append(keeper)
    return keeper.getsockname()[1]


def program(name):
    found = shutil.which(name, path=PATH)
    assert found, f"{name} is not installed: make deps-interop"
    return found
