"""A simulated fleet in a separate process, which can be killed and restarted."""

import sys
import time

from peers.servers.server_process import ServerProcess


class FleetProcess(ServerProcess):
    """A fleet process. A restart continues the simulation."""

    def __init__(self, *options, speed=10, host="127.0.0.1"):
        """`options` are for the command line."""
        super().__init__(
            [sys.executable, "-m", "peers.fleet", *map(str, options), f"--speed={speed}",
             f"--start={time.time()}"], host=host)

    def start(self):
        super().start()
        self.example = self.process.stdout.readline().strip()
        self.help = self.process.stdout.readline().strip()

    def run_command(self, line):
        """Executes a command of console.py and waits until it is done."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        assert answer == "ok", answer
