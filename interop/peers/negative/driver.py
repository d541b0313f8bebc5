"""One client process, which makes the calls of many cases."""

import json
import os
import select
import subprocess
import tempfile

# In seconds; far above the deadline of any call.
LONGEST = 300


class Driver:
    """Runs `interop-client drive` while it is entered."""

    def __init__(self, command):
        self._command = command
        self._errors = tempfile.TemporaryFile()

    def __enter__(self):
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._errors)
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        try:
            self._process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def order(self, **order):
        """Gives an order (tripwire.interop.Order) and returns the report."""
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        if not select.select([self._process.stdout], [], [], LONGEST)[0]:
            raise AssertionError(f"the client hangs: no report for {order} within {LONGEST} s")
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            raise AssertionError(
                f"the client crashed ({self._process.returncode}) at {order}: "
                f"{self._errors.read().decode(errors='replace')[-3000:]}")
        return json.loads(line)

    def calls(self, port, **order):
        """Makes calls and returns their outcomes (tripwire.interop.Outcome)."""
        return [OUTCOME | outcome for outcome in self.order(port=port, **order)["outcomes"]]

    def close(self, port):
        self.order(port=port, close=True)

    @property
    def descriptors(self):
        """The number of open file descriptors of the process."""
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    @property
    def cpu_time(self):
        """The CPU time of the process so far in seconds."""
        with open(f"/proc/{self._process.pid}/stat", encoding="ascii") as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self):
        """The resident memory of the process in bytes."""
        with open(f"/proc/{self._process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# JSON omits empty values.
OUTCOME = {"code": "", "message": "", "attempts": 0, "description": "", "details": [],
           "trailers": [], "headers": [], "messages": 0, "bytes": "0", "seconds": 0}
