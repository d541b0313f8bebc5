"""Runs interop/map-app, which serves a map view in browsers."""

import contextlib
import os
import pathlib
import queue
import subprocess
import threading

from support.command import LONGEST


class MapApp:
    """A running map-app."""

    def __init__(self, process):
        self.process = process
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.url = self.next()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())

    def next(self):
        """The next line that it prints."""
        return self.lines.get(timeout=LONGEST)

    def tell(self, *words):
        """Runs a command, and waits for its end."""
        self.process.stdin.write(" ".join(str(getattr(word, "name", word)) for word in words) + "\n")
        self.process.stdin.flush()
        assert self.next() == "done"


@contextlib.contextmanager
def map_app(fleet):
    program = pathlib.Path(os.environ["TRIPWIRE_BIN"]).with_name("map-app")
    process = subprocess.Popen([program, fleet.address], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    try:
        yield MapApp(process)
    finally:
        process.kill()
        process.communicate()
