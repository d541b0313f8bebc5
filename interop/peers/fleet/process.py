"""A moving fleet in a process of its own, which can be killed and started again."""

import signal
import subprocess
import sys
import time

from places import INTEROP


class FleetProcess:
    """Runs while it is entered; started again, it listens at the same port, and its trips are where
    they would have been."""

    def __init__(self, *options, speed=10, host="127.0.0.1"):
        """`options` are those of the command line."""
        self._options = [
            *map(str, options), f"--speed={speed}", f"--start={time.time()}", f"--host={host}"]
        self.host, self.port = host, 0

    @property
    def address(self):
        return f"{self.host}:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "peers.fleet", *self._options, f"--port={self.port}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=INTEROP)
        said = self.process.stdout.readline()
        assert said.startswith("listening on"), f"the fleet does not say its port but {said!r}"
        self.port = int(said.rsplit(":", 1)[1])
        self.example = self.process.stdout.readline().strip()

    def tell(self, line):
        """What one types into it (console.py); when it is done."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        assert answer == "ok", answer

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """At once, as by kill -9."""
        self.process.kill()
        self._wait()

    def end(self):
        self.process.terminate()
        self._wait()

    def _wait(self):
        self.process.wait(20)
        self.process.stdin.close()
        self.process.stdout.close()

    def pause(self):
        """It holds its connections and does nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)
