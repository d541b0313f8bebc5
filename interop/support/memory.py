"""The memory of processes, in bytes."""

import subprocess
import sys
from pathlib import Path

PEAK = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(usage.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""The kernel counts the memory of the process that starts the command, so it is a small one."""


def peak_memory(*command, env):
    """Runs a command, which has to succeed; returns the peak of its memory in bytes."""
    peak = subprocess.run([sys.executable, "-c", PEAK, *map(str, command)], env=env, stdout=subprocess.PIPE, check=True)
    return int(peak.stdout)


def resident_memory(pid):
    """Returns the resident memory of a process.

    Raises:
        OSError, ValueError: if it has ended.
    """
    [kilobytes] = [line.split()[1] for line in Path(f"/proc/{pid}/status").read_text().splitlines()
                   if line.startswith("VmRSS:")]
    return int(kilobytes) * 1024
