"""A file system that is soon full."""

import subprocess
from contextlib import contextmanager

import pytest


@contextmanager
def small_disk(folder, size):
    """Mounts a file system of its own."""
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True)
    if done.returncode:
        pytest.fail(f"mount is not permitted here (run as root): {done.stderr.decode()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def enlarge(folder, size):
    subprocess.run(["mount", "-o", f"remount,size={size}", folder], check=True)
