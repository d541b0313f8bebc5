"""Does the command handle signals, closed pipes and full disks like a Unix process?"""

import contextlib
import json
import os
import select
import signal
import subprocess

import pytest

from support.command import LONGEST, PATIENT, bearer, binary, environment, get, replaying, start
from support.paths import RECORDINGS


def start_slow(server):
    """Starts a command whose request has arrived and never gets a response."""
    process = start("get", "providers/p/trips/slow", "--plaintext", "--endpoint", server.address)
    assert server.arrived.get(timeout=LONGEST) == "providers/p/trips/slow"
    return process


def test_ctrl_c_exits_with_130(own_server):
    process = start_slow(own_server)
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=LONGEST)
    # Not -SIGINT: the command cancels the call before it exits.
    assert process.returncode == 130
    assert stdout == b""
    assert own_server.ended.get(timeout=LONGEST) == "providers/p/trips/slow"


def test_ctrl_c_ends_the_command_while_it_prints(server):
    process = start("get", "providers/p/trips/large", "--plaintext", "--endpoint", server.address,
                    "--max-message-size", 8 << 20)
    process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(LONGEST) == 130
    process.stdout.close()
    process.stderr.close()


def test_ignored_ctrl_c_stays_ignored(own_server):
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = start("get", "providers/p/trips/slow", "--plaintext", "--endpoint",
                        own_server.address, "--timeout", PATIENT)
    finally:
        signal.signal(signal.SIGINT, previous)
    assert own_server.arrived.get(timeout=LONGEST) == "providers/p/trips/slow"
    process.send_signal(signal.SIGINT)
    # Of two pending signals, the process gets SIGINT first.
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONGEST)
    assert process.returncode == 128 + signal.SIGTERM


def test_sigterm_ends_the_command(own_server):
    process = start_slow(own_server)
    process.terminate()
    stdout, _ = process.communicate(timeout=LONGEST)
    assert process.returncode in (143, -signal.SIGTERM)
    assert stdout == b""


@contextlib.contextmanager
def blocking(*numbers):
    """Blocks signals, as libdispatch does in the threads from which Foundation's Process starts programs."""
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_that_the_parent_blocked_ends_the_command(own_server, number):
    with blocking(number):
        process = start_slow(own_server)
    process.send_signal(number)
    process.communicate(timeout=LONGEST)
    assert process.returncode == 128 + number


def test_sigterm_that_the_parent_blocked_ends_a_replay():
    with blocking(signal.SIGTERM), replaying(RECORDINGS / "quota.binlog") as (process, _):
        process.terminate()
        assert process.wait(LONGEST) == 0


def test_exit_code_of_a_token_command_with_ignored_sigchld(own_server):
    previous = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        process = start("get", "providers/p/trips/t1", "--plaintext", "--endpoint",
                        own_server.address, "--token-command", "echo token; exit 3")
    finally:
        signal.signal(signal.SIGCHLD, previous)
    _, stderr = process.communicate(timeout=LONGEST)
    assert b"exit code 3" in stderr


def test_token_command_ignores_and_blocks_no_signal(server):
    # The C library ignores its internal signals 32 and 33 in children: bits 31 and 32.
    line = ("! grep -E '^Sig(Blk|Ign)' /proc/self/status | grep -v '[08]0000000$' >&2 "
            "&& echo token")
    result = get(server, "trips/echo", "--token-command", line)
    assert bearer(result) == "token"


def wait_for_the_last_reader(writer):
    """Waits until no process has the other end of a pipe."""
    events = select.poll()
    events.register(writer, select.POLLERR)
    assert events.poll(LONGEST * 1000)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("arguments", [
    ["list", "--proto", "pipe"],
    ["call", "a.B/C", "--endpoint", "localhost:1", "--proto", "pipe"],
    ["get", "providers/p/trips/t1", "--endpoint", "localhost:1", "--token-command", "cat pipe; :"],
], ids=["list", "call", "token command"])
def test_children_end_with_the_command(tmp_path, arguments, number):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = start(*arguments, cwd=tmp_path)
    # Waits for the child to open the other end.
    with open(pipe, "wb") as writer:
        process.send_signal(number)
        process.communicate(timeout=LONGEST)
        assert process.returncode == 128 + number
        wait_for_the_last_reader(writer)


def test_closed_pipe_ends_the_command_silently(server):
    read, write = os.pipe()
    os.close(read)
    process = start("get", "providers/p/trips/large", "--plaintext", "--endpoint", server.address,
                    "--max-message-size", 8 << 20, stdout=write)
    os.close(write)
    _, stderr = process.communicate(timeout=LONGEST)
    assert process.returncode in (141, -signal.SIGPIPE)
    assert stderr == b""


def test_full_disk_is_reported(server):
    with open("/dev/full", "wb") as full:
        process = start(
            "get", "providers/p/trips/t1", "--plaintext", "--endpoint", server.address, stdout=full)
        _, stderr = process.communicate(timeout=LONGEST)
    assert process.returncode == 1
    assert stderr == (b"error: cannot write to stdout: No space left on device\n"
                      b"hint: free space on the disk, or write to another one\n")


def start_without(files, *arguments):
    """Starts the command with these descriptors closed.

    A shell closes them: Python code between fork and exec sometimes makes the threads of gRPC abort.
    """
    close = " ".join(f"{file}>&-" for file in files)
    return subprocess.Popen(
        ["sh", "-c", f'exec "$@" {close}', "sh", binary(), *arguments], env=environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("closed", [[1], [0, 1], [0, 1, 2]])
def test_closed_stdout_is_reported(server, closed):
    process = start_without(closed, "get", "providers/p/trips/t1", "--plaintext", "--endpoint",
                            server.address, "-v")
    _, stderr = process.communicate(timeout=LONGEST)
    assert process.returncode == 1
    if 2 not in closed:
        assert b"Bad file descriptor" in stderr


@pytest.mark.parametrize("closed", [[2], [0, 2]])
def test_closed_stderr_does_not_truncate_stdout(server, closed):
    process = start_without(closed, "get", "providers/p/trips/t1", "--plaintext", "--endpoint",
                            server.address, "-v")
    stdout, _ = process.communicate(timeout=LONGEST)
    assert process.returncode == 0
    assert json.loads(stdout)["name"] == "providers/p/trips/t1"


def test_slow_reader_gets_the_whole_large_response(server):
    process = start("get", "providers/p/trips/large", "--plaintext", "--endpoint", server.address,
                    "--max-message-size", 8 << 20)
    size = 0
    while chunk := process.stdout.read1(1000):
        size += len(chunk)
        if size > 100_000:
            size += len(process.stdout.read())
            break
    assert process.wait(LONGEST) == 0
    assert size > 5 << 20
    process.stdout.close()
    process.stderr.close()
