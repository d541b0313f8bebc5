"""HTTP proxies: two third-party ones and a scripted one."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

from peers.proxies.middlebox import PATIENCE, reserved_port

# Debian installs it into a folder that PATH may lack.
TINYPROXY = shutil.which("tinyproxy", path=os.environ["PATH"] + os.pathsep + "/usr/sbin")


def wait_until_it_listens(port, process):
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise RuntimeError(f"nothing listens on {port}")


@contextlib.contextmanager
def tinyproxy(folder, *lines):
    """Runs Debian's tinyproxy with these configuration lines; yields its address."""
    port = reserved_port()
    configuration = folder / "tinyproxy.conf"
    configuration.write_text("\n".join(
        [f"Port {port}", "Listen 127.0.0.1", "Timeout 60", "LogLevel Connect",
         f'LogFile "{folder / "tinyproxy.log"}"', *lines]) + "\n")
    process = subprocess.Popen(
        [TINYPROXY, "-d", "-c", configuration], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        wait_until_it_listens(port, process)
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def proxy_py(folder, *arguments):
    """Runs PyPI's proxy.py; yields its address, and a function that waits until it has logged a CONNECT.

    It logs a CONNECT some time after the end of the connection.
    """
    log, port_file = folder / "proxy.log", folder / "proxy.port"
    process = subprocess.Popen(
        [sys.executable, "-m", "proxy", "--hostname", "127.0.0.1", "--port", "0", "--port-file",
         port_file, "--num-workers", "1", "--num-acceptors", "1", "--log-file", log,
         "--data-dir", folder, *map(str, arguments)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE
        while not (port_file.exists() and port_file.read_text().strip()):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("proxy.py does not start")
            time.sleep(0.02)
        port = int(port_file.read_text().split()[0])
        wait_until_it_listens(port, process)
        yield f"127.0.0.1:{port}", lambda target: wait_for(rf"CONNECT {target}\b", log)
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(pattern, log):
    deadline = time.monotonic() + PATIENCE
    while not re.search(pattern, log.read_text()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{pattern} is not in {log.read_text()}")
        time.sleep(0.02)


def response_script(*pieces, stays=True, pause=0):
    """A script for ScriptedProxy: reads a request, and sends `pieces`, with `pause` seconds after each.

    Then it closes the connection, or keeps it open if it `stays`.
    """
    def script(proxy, connection):
        proxy.head(connection)
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        if stays:
            connection.recv(1)
    return script


class ScriptedProxy:
    """Listens while it is entered, and runs `script(self, socket)` for each connection.

    `requests` has the heads of all CONNECTs that `head` has read.
    """

    def __init__(self, script):
        self._script = script
        self.requests = []

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self._threads = []
        self._sockets = []
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()
        for connection in self._sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._sockets.append(connection)
                thread = threading.Thread(target=self._serve, args=(connection,))
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection):
        with connection, contextlib.suppress(OSError):
            self._script(self, connection)

    def head(self, connection):
        """Reads a request up to its empty line."""
        text = b""
        while not text.endswith(b"\r\n\r\n"):
            byte = connection.recv(1)
            if not byte:
                raise OSError("the client closed the connection")
            text += byte
        self.requests.append(text.decode())
        return text

    def relay(self, connection, port, first=b""):
        """Relays bytes to and from a loopback port until one side ends.

        `first` is sent to the client in one segment with the first bytes of the server.
        """
        with socket.create_connection(("127.0.0.1", port)) as server:
            self._sockets.append(server)
            if first:
                connection.sendall(first + server.recv(65536))
            up = threading.Thread(target=pump, args=(connection, server))
            up.start()
            pump(server, connection)
            up.join()


def pump(source, sink):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
