"""Do commands that load a file react to signals immediately and reject other files early?"""

import contextlib
import errno
import os
import signal
import subprocess
import time

import pytest

from support.command import LONGEST, assert_failed, at, binary, environment, replaying, running, start, tripwire
from support.paths import INTEROP, RECORDINGS
from tests.replay.test_replay_verbose import GET_TRIP, T1

DEMO = RECORDINGS / "demo.binlog"
NAME = "providers/demo/trips/t1"
FILE = object()
LOADING = [
    ["replay", FILE], ["replay", DEMO, "--protoset", FILE], ["replay", DEMO, "--tls-cert", FILE],
    ["get", NAME, "--replay", FILE], ["follow", NAME, "--replay", FILE],
    ["call", GET_TRIP[1:], "-d", "{}", "--replay", FILE],
    ["call", GET_TRIP[1:], "-d", "{}", "--replay", DEMO, "--protoset", FILE],
    ["log", FILE], ["log", DEMO, "--protoset", FILE], ["list", "--protoset", FILE],
    ["describe", "--protoset", FILE],
]


def command_id(command):
    return " ".join(str(word) for word in command if word not in (FILE, DEMO))


def open_for_reader(fifo):
    """Returns the write end of a FIFO after a process has opened it for reading."""
    end = time.monotonic() + LONGEST
    while True:
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO and time.monotonic() < end, error
            time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", LOADING, ids=command_id)
def test_signal_ends_the_wait_for_a_fifo(tmp_path, command, number):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with running(*(fifo if word is FILE else word for word in command)) as process:
        end = open_for_reader(fifo)
        process.send_signal(number)
        assert process.wait(LONGEST) in (128 + number, -number)
        os.close(end)


@pytest.mark.parametrize("command", [["replay", FILE], ["get", NAME, "--replay", FILE],
                                     ["log", FILE]], ids=command_id)
def test_huge_file_of_zeros_is_rejected(tmp_path, command):
    path = tmp_path / "sparse"
    with open(path, "wb") as file:
        file.truncate(10 << 30)
    done = subprocess.run(
        ["prlimit", f"--data={1 << 30}", binary(),
         *(path if word is FILE else word for word in command)],
        env=environment(), capture_output=True, timeout=LONGEST)
    assert done.returncode == 1
    kind = b"" if command[0] == "log" else b" nor a script (JSON that begins with {)"
    expected = b"not a gRPC binary log" if command[0] == "log" else b"neither a gRPC binary log"
    assert b"sparse: " + expected + kind + b": no entry found in the first 16 MiB" in done.stderr


def test_huge_recording_is_rejected_before_it_is_loaded(tmp_path):
    path = tmp_path / "huge.binlog"
    path.write_bytes(DEMO.read_bytes())
    os.truncate(path, 10 << 30)
    for command in ["replay", path], ["get", NAME, "--replay", path]:
        assert_failed(tripwire(*command), 1, "huge.binlog: larger than 1024 MiB",
                      hint="record with --record-size 64MiB")


@pytest.mark.parametrize("data, reason, hint", [
    (b'{"calls": []}', "the content looks like JSON", "use 'tripwire replay' for a script"),
    (b"09:30 started\n", "the content looks like text", None),
    (b"\xd4\xc3\xb2\xa1\2\0\4\0" + bytes(16), "the content looks like a pcap file", "--record FILE"),
    (b"\x28\xb5\x2f\xfd\4\0", "the content looks like zstd", "decompress it first: zstd -dc"),
    (b"\xff\xff\xff\xff", "the first entry has a length of 4294967295 bytes", None),
], ids=["JSON", "text", "pcap", "zstd", "other"])
def test_another_format_is_reported(tmp_path, data, reason, hint):
    path = tmp_path / "other"
    path.write_bytes(data)
    assert_failed(tripwire("log", path), 1,
                  error=f"{path}: not a gRPC binary log: {reason}", hint=hint)
    if not data.startswith(b"{"):
        assert_failed(tripwire("replay", path), 1,
                      error=f"{path}: neither a gRPC binary log nor a script (JSON that begins with {{): {reason}",
                      hint=hint)


@pytest.mark.parametrize("command", ["log", "replay"])
def test_stdin_twice_is_a_usage_error(command):
    assert_failed(tripwire(command, "-", DEMO, "-"), 2,
                  error="unexpected argument -: stdin can be read only once", hint="pass - once")


@pytest.mark.parametrize("name", ["recordings/demo.binlog", "scripts/bad-day.json"])
def test_same_file_twice_is_skipped(name, tmp_path):
    path, link = INTEROP / name, tmp_path / "link"
    link.symlink_to(path)
    process = start("replay", path, link, text=True)
    assert process.stdout.readline().startswith("listening on ")
    process.terminate()
    assert process.communicate(timeout=LONGEST)[1] == f"warning: {link}: skipped: the same file is named twice\n"


@pytest.mark.parametrize("command", [["replay", FILE], ["log", FILE]], ids=command_id)
def test_folder_is_reported(tmp_path, command):
    assert_failed(tripwire(*(tmp_path if word is FILE else word for word in command)), 1,
                  f"{tmp_path}: Is a directory")


# While the server runs


def test_sigquit_ends_replay_without_a_backtrace():
    with replaying(DEMO) as (process, _):
        process.send_signal(signal.SIGQUIT)
        assert process.wait(LONGEST) == -signal.SIGQUIT
        assert process.stdout.read() == b""


def test_sighup_ends_replay_with_129():
    with replaying(DEMO) as (process, _):
        process.send_signal(signal.SIGHUP)
        assert process.wait(LONGEST) == 129


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_second_signal_ends_replay_immediately(tmp_path, number):
    script = tmp_path / "slow.json"
    script.write_text(
        '{"calls": [{"method": "%s", "steps": [{"message": {}}, {"delay": "600s", "trailers": {}}]}]}'
        % GET_TRIP)
    with replaying(script) as (process, address), running("get", T1, *at(address), "-v") as get:
        while b"response started" not in (line := get.stderr.readline()):
            assert line
        process.send_signal(number)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        # A signal that arrives before the first was handled does not count as the second.
        for _ in range(LONGEST):
            process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
                break
        assert process.poll() == 128 + number


@pytest.mark.parametrize("address", [":0", "[::]:0"])
def test_replay_can_listen_on_all_addresses(address):
    with running("replay", DEMO, "--listen", address) as process:
        line = process.stdout.readline().decode()
        port = line.split(" (")[0].rsplit(":", 1)[1]
        result = tripwire("get", T1, "--endpoint", f"127.0.0.1:{port}", "--plaintext")
        assert result.code == 0, (line, result.stderr)


def test_address_of_another_machine_is_reported():
    assert_failed(tripwire("replay", DEMO, "--listen", "203.0.113.1:5000"), 1,
                  error="cannot listen on 203.0.113.1:5000: Cannot assign requested address",
                  hint="pass an address of this machine with --listen")


@pytest.mark.parametrize("address", ["127.0.0.1:80000", ":80000", ":http"])
def test_port_out_of_range_is_reported(address):
    assert_failed(tripwire("replay", DEMO, "--listen", address), 2, "--listen",
                  "a port from 0 to 65535")
