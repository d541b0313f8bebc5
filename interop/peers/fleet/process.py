"""A moving fleet in a process of its own, which can be killed and started again."""

import sys
import time

from peers.servers.server_process import ServerProcess


class FleetProcess(ServerProcess):
    """Started again, its trips are where they would have been."""

    def __init__(self, *options, speed=10, host="127.0.0.1"):
        """`options` are those of the command line."""
        super().__init__(
            [sys.executable, "-m", "peers.fleet", *map(str, options), f"--speed={speed}",
             f"--start={time.time()}"], host=host)

    def start(self):
        super().start()
        self.example = self.process.stdout.readline().strip()
        self.help = self.process.stdout.readline().strip()

    def tell(self, line):
        """Writes a line to its console (console.py), and returns when it is done."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        assert answer == "ok", answer
