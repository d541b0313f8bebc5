"""A terminal that tests can read and resize: a window of tmux on a separate socket."""

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
# The shell survives the Ctrl-C that ends the command, and `cat` keeps the window open.
SCRIPT = """trap : INT
{command}
echo ended with $?
exec cat"""


class Terminal:
    """A context manager that runs a shell command line in a window."""

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
        """Types keys, named as in tmux, such as C-c."""
        self._tmux("send-keys", *keys)

    def resize(self, columns, rows=24):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def rows(self):
        """The text of each visible row, without empty rows at the end."""
        return [row.rstrip() for row in self._tmux("capture-pane", "-p").rstrip().split("\n")]

    @property
    def colors(self):
        """The visible text with the escape sequences of its colors."""
        return self._tmux("capture-pane", "-p", "-e")

    @property
    def history(self):
        """The number of rows in the scrollback."""
        return int(self._ask("history_size"))

    def wait(self, condition):
        """Waits until the condition holds for the rows; returns the rows."""
        deadline = time.monotonic() + LONGEST
        while True:
            rows = self.rows
            if condition(rows):
                return rows
            if time.monotonic() > deadline:
                pytest.fail("the condition does not hold; the last rows:\n" + "\n".join(rows))
            time.sleep(0.02)

    def wait_for_end(self):
        """Waits for the end of the command; returns its exit code and the rows above it."""
        *rows, end = self.wait(lambda rows: re.fullmatch(r"ended with \d+", rows[-1]))
        return int(end.split()[-1]), rows


def shell(*arguments):
    """Returns the arguments as a shell command line."""
    return shlex.join(map(str, arguments))
