"""A terminal that can be looked at and resized: a window of tmux, on a socket of its own."""

import os
import re
import shlex
import subprocess
import tempfile
import time

import pytest

from support.command import LONGEST, environment

CONFIGURATION = """
set -g status off
set -g default-shell /bin/sh
"""
# The shell survives the Ctrl-C that ends the command, and the window what is said at the end.
SCRIPT = """trap : INT
{command}
echo ended with $?
exec cat"""


class Terminal:
    """Runs a command line of the shell in a window; use it as a context manager."""

    def __init__(self, command, columns=80, rows=24):
        self._command, self._size = command, (columns, rows)
        self._folder = tempfile.TemporaryDirectory(prefix="tmux")

    def __enter__(self):
        configuration = os.path.join(self._folder.name, "tmux.conf")
        with open(configuration, "w") as file:
            file.write(CONFIGURATION)
        columns, rows = map(str, self._size)
        self._tmux("-f", configuration, "new-session", "-d", "-x", columns, "-y", rows,
                   SCRIPT.format(command=self._command))
        return self

    def __exit__(self, *_):
        self._tmux("kill-server")
        self._folder.cleanup()

    def _tmux(self, *arguments):
        done = subprocess.run(
            ["tmux", "-L", "tripwire", *arguments], capture_output=True, text=True,
            timeout=LONGEST, env=environment(TMUX_TMPDIR=self._folder.name, LC_ALL="C.UTF-8"))
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _ask(self, what):
        return self._tmux("display-message", "-p", f"#{{{what}}}").strip()

    def type(self, *keys):
        """Keys by the names that tmux gives them, such as C-c."""
        self._tmux("send-keys", *keys)

    def resize(self, columns, rows=24):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def rows(self):
        """What is visible: the text of each row, without those at the end that are empty."""
        return [row.rstrip() for row in self._tmux("capture-pane", "-p").rstrip().split("\n")]

    @property
    def history(self):
        """How many rows are in the scrollback."""
        return int(self._ask("history_size"))

    def wait(self, condition):
        """Waits until the condition holds of the rows; the rows."""
        deadline = time.monotonic() + LONGEST
        while True:
            rows = self.rows
            if condition(rows):
                return rows
            if time.monotonic() > deadline:
                pytest.fail("it did not come; the last that was seen is:\n" + "\n".join(rows))
            time.sleep(0.02)

    def wait_for_end(self):
        """The exit code of the command, and what is shown above that."""
        *rows, end = self.wait(lambda rows: re.fullmatch(r"ended with \d+", rows[-1]))
        return int(end.split()[-1]), rows


def shell(*arguments):
    """A command line."""
    return shlex.join(map(str, arguments))
