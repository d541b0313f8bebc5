"""Prints the screens that a command shows on a terminal as text.

    python -m support.capture [--columns N] [--first TEXT]… -- COMMAND…

It waits until the command ends. Then it prints the first screen that contains TEXT, for each TEXT, and
the last screen. The screens in README.md and CommandDemos.md were made in interop/ with

    TZ=UTC ../.venv/bin/python -m support.capture --columns 90 --first "426 m" --first "256 m" \\
      --first "arrived at pickup" -- tripwire follow providers/demo/trips/t1 \\
      --replay recordings/trip.binlog --interval 1s
"""

import argparse
import fcntl
import os
import pty
import re
import struct
import sys
import termios

# A screen begins at the first row of the alternate screen, or when the alternate screen ends.
BEGIN = re.compile(r"\x1b\[H|\x1b\[\?1049l")
# Clear to the end of a row, cursor position, and begin of the alternate screen.
REST = re.compile(r"\x1b\[K|\x1b\[\d+;1H|\x1b\[\?1049h")


def screens(command, columns=100, rows=24):
    """Runs the command; returns its screens as lists of lines, and its exit code."""
    pid, terminal = pty.fork()
    if pid == 0:
        # No profile of the user.
        os.environ.update(TERM="xterm", XDG_CONFIG_HOME="/dev/null")
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.execvp(command[0], command)
    text = b""
    while part := read(terminal):
        text += part
    shown = [each.rstrip("\n") for each in BEGIN.split(REST.sub("", text.decode()).replace("\r", ""))]
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return [screen.splitlines() for screen in shown if screen], code


def read(terminal):
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        # The last writer closed the terminal.
        return b""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--first", metavar="TEXT", action="append", default=[])
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    shown, code = screens(options.command, options.columns)
    for text in options.first:
        found = next((screen for screen in shown if text in "\n".join(screen)), None)
        if not found:
            sys.exit(f"no screen has {text!r} in it")
        print(*found, sep="\n", end="\n\n")
    print(*shown[-1], sep="\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
