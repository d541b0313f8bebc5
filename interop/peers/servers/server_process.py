"""A server in a separate process, which can be killed, paused and restarted."""

import collections
import os
import re
import signal
import subprocess
import sys

from support.paths import INTEROP


class ServerProcess:
    """Runs while it is entered. A restart uses the same port."""

    def __init__(self, command, protoset=None, certificate=None, log=None, host="127.0.0.1",
                 port=0, prefix=()):
        self._command = [*prefix, *command, f"--host={host}"]
        if protoset:
            self._command.append(f"--protoset={protoset}")
        if certificate:
            self._command += [f"--key={certificate.key}", f"--chain={certificate.chain}"]
        if log:
            self._command.append(f"--log={log}")
        self._log = log
        self.host, self.port = host, port

    @property
    def address(self):
        return f"{self.host}:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [*self._command, f"--port={self.port}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd=INTEROP)
        line = self.process.stdout.readline()
        port = re.search(r"(\d+)$", line.rstrip())
        assert port, f"the server printed no port but {line!r}"
        self.port = int(port[1])

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """Kills the process (SIGKILL)."""
        self.process.kill()
        self._wait()

    def end(self):
        """Ends the process gracefully, after its calls have ended."""
        self.process.terminate()
        self._wait()

    def _wait(self):
        self.process.wait(300)
        self.process.stdin.close()
        self.process.stdout.close()

    def pause(self):
        """Stops the process without closing its connections."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def answered(self):
        """Returns the number of times that each attempt arrived, by nonce and previous attempts."""
        if not os.path.exists(self._log):
            return collections.Counter()
        with open(self._log) as log:
            return collections.Counter(log.read().splitlines())


GRPCIO = [sys.executable, "-m", "peers.servers.test_service"]
