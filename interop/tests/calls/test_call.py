"""Does `tripwire call` work with grpcio: every kind of call, streams, pipes and Ctrl-C?"""

import base64
import json
import os
import signal
import subprocess
import time

import pytest

from support.command import GROWING, LONGEST, PATIENT, assert_failed, at, running, start, tripwire
from support.memory import resident_memory
from support.service_calls import SERVICE, call, lines


# Fleet Engine, whose types are built in.

def test_every_form_of_a_method_name_is_accepted(server):
    got = tripwire("get", "providers/p/trips/rich", "--endpoint", server.address, "--plaintext")
    for method in ["maps.fleetengine.v1.TripService/GetTrip", "TripService/GetTrip", "GetTrip",
                   "/maps.fleetengine.v1.TripService/GetTrip", "TripService.GetTrip",
                   "maps.fleetengine.v1.TripService.GetTrip"]:
        result = call(server.address, method, "-d", '{"name":"providers/p/trips/rich"}', "-o", "json")
        assert (result.code, result.stdout, result.stderr) == (0, got.stdout, "")


def test_piped_responses_are_json_lines(server):
    result = call(server.address, "GetTrip", "-d", '{"name":"providers/p/trips/rich"}')
    assert result.stdout.count("\n") == 1
    assert len(lines(result)) == 1


def test_call_and_get_send_the_same_headers(server):
    common = ["--endpoint", server.address, "--plaintext", "-H", "x-own: a"]
    got = tripwire("get", "providers/p/trips/echo", *common, TRIPWIRE_TOKEN="token").attributes
    called = tripwire("call", "GetTrip", "-d", '{"name":"providers/p/trips/echo"}', *common,
                      TRIPWIRE_TOKEN="token").attributes
    for attributes in got, called:
        # The timeout of the service config is 15 seconds.
        assert 10 < attributes.pop("time remaining")[0] <= 15
    assert got == called
    assert called["x-goog-request-params"] == ["provider_id=providers%2Fp"]
    assert called["authorization"] == ["Bearer token"]


@pytest.mark.parametrize("trip, code", [
    ("fails-INVALID_ARGUMENT-with-details", 67), ("missing", 69), ("fails-RESOURCE_EXHAUSTED", 72)])
def test_call_and_get_report_the_same_errors(server, trip, code):
    name = f"providers/p/trips/{trip}"
    for arguments in [], ["--error-format", "json"]:
        got = tripwire("get", name, "--endpoint", server.address, "--plaintext", *arguments)
        result = call(server.address, "GetTrip", "-d", json.dumps({"name": name}), *arguments)
        assert (result.code, result.stdout) == (code, "")
        if arguments:
            theirs, ours = json.loads(got.stderr), json.loads(result.stderr)
            theirs.pop("hint"), ours.pop("hint")
            assert theirs == ours
        else:
            assert got.stderr.splitlines()[:-1] == result.stderr.splitlines()[:-1]


# The four kinds of calls.

def test_unary_call(address):
    result = call(address, f"{SERVICE}/UnaryCall", "-d", '{"responseSize": 3}')
    assert lines(result) == [{"payload": {"body": base64.b64encode(bytes(3)).decode()}}]


def test_missing_data_is_an_empty_request(address):
    assert lines(call(address, f"{SERVICE}/EmptyCall")) == [{}]


def test_server_streaming_call(address):
    request = {"response_parameters": [{"size": 1}, {"size": 0}, {"size": 2}]}
    result = call(address, f"{SERVICE}/StreamingOutputCall", "-d", json.dumps(request))
    assert [len(base64.b64decode(line.get("payload", {}).get("body", ""))) for line in lines(result)] \
        == [1, 0, 2]


def test_client_streaming_call(address):
    bodies = b"".join(b'{"payload":{"body":"AAAA"}}' + space for space in [b"", b"\n", b"  \t", b""])
    result = call(address, f"{SERVICE}/StreamingInputCall", "-d", "-", stdin=bodies)
    assert lines(result) == [{"aggregatedPayloadSize": 12}]


def test_client_stream_without_messages(address):
    assert lines(call(address, f"{SERVICE}/StreamingInputCall", "-d", "@")) == [{}]


def test_requests_are_read_from_a_file(address, tmp_path):
    path = tmp_path / "requests.json"
    path.write_text('{"payload":\n{"body":"AA=="}}' * 3)
    result = call(address, f"{SERVICE}/StreamingInputCall", "-d", f"@{path}")
    assert lines(result) == [{"aggregatedPayloadSize": 3}]
    gone = call(address, f"{SERVICE}/StreamingInputCall", "-d", f"@{path}.gone")
    assert_failed(gone, 1, "No such file", f"{path}.gone")


def test_bidirectional_responses_follow_each_request(address):
    process = start("call", f"{SERVICE}/FullDuplexCall", "-d", "-", "--endpoint", address,
                    "--plaintext", stdin=subprocess.PIPE)
    for size in 1, 5, 2:
        process.stdin.write(b'{"responseParameters":[{"size":%d}]}\n' % size)
        process.stdin.flush()
        body = json.loads(process.stdout.readline())["payload"]["body"]
        assert len(base64.b64decode(body)) == size
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out, err) == (0, b"", b"")


def test_error_ends_a_stream_while_stdin_is_open(address):
    with running("call", f"{SERVICE}/FullDuplexCall", "-d", "-", *at(address), stdin=subprocess.PIPE) as process:
        process.stdin.write(b'{"responseStatus":{"code":5,"message":"no"}}')
        process.stdin.flush()
        assert process.wait(timeout=LONGEST) == 69
        assert b"NOT_FOUND: no" in process.stderr.read()


def test_ctrl_c_cancels_the_call(address):
    process = start("call", f"{SERVICE}/FullDuplexCall", "-d", "-", "--endpoint", address,
                    "--plaintext", stdin=subprocess.PIPE)
    process.stdin.write(b'{"responseParameters":[{"size":1}]}\n')
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    # communicate() closes stdin, which would end the call successfully.
    process.wait(LONGEST)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.fixture
def pipe(tmp_path):
    """A named pipe without a writer."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_responses_are_printed_while_a_pipe_is_open(address, pipe):
    """A named pipe is read like stdin."""
    arguments = ["call", f"{SERVICE}/FullDuplexCall", "-d", f"@{pipe}", *at(address), "--timeout", PATIENT]
    with running(*arguments) as process, open(pipe, "wb", buffering=0) as requests:
        requests.write(b'{"responseParameters":[{"size":1}]}')
        assert json.loads(process.stdout.readline()) == {"payload": {"body": "AA=="}}
        requests.write(b'{"responseStatus":{"code":5,"message":"no"}}')
        assert process.wait(timeout=LONGEST) == 69


def wait_for_handler(process, number):
    """Waits until the process has installed a signal handler."""
    handled = 0
    while not handled >> (number - 1) & 1:
        assert process.poll() is None, process.stderr.read()
        with open(f"/proc/{process.pid}/status") as status:
            handled = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
        time.sleep(0.01)


@pytest.mark.parametrize("arguments", [["-d", "@PIPE"], ["--protoset", "PIPE"]])
def test_ctrl_c_ends_the_wait_for_a_pipe(address, pipe, arguments):
    process = start(
        "call", f"{SERVICE}/UnaryCall", "--endpoint", address, "--plaintext",
        *(argument.replace("PIPE", str(pipe)) for argument in arguments))
    wait_for_handler(process, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_ctrl_c_ends_the_command_without_a_reader(address):
    request = {"responseParameters": [{"size": 1_000_000}] * 3}
    with running("call", f"{SERVICE}/StreamingOutputCall", "-d", json.dumps(request), *at(address)) as process:
        process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=LONGEST) == 130


@pytest.mark.parametrize("arguments, attempts", [([], 1), (["--retries", 1], 2)])
def test_method_without_a_policy_is_retried_with_the_option(address, arguments, attempts):
    request = {"responseStatus": {"code": 14, "message": "down"}}
    result = call(address, f"{SERVICE}/UnaryCall", "-d", json.dumps(request), "--error-format",
                  "json", *arguments)
    assert result.code == 78
    error = json.loads(result.stderr)
    assert error["attempts"] == attempts
    assert (error["method"], error["peer"]) == (f"{SERVICE}/UnaryCall", address)


@pytest.mark.parametrize("method", ["UnaryCall", "StreamingOutputCall", "FullDuplexCall"])
def test_errors_name_the_method_and_the_address(address, method):
    data = json.dumps({"responseStatus": {"code": 3, "message": "no"}})
    assert_failed(call(address, method, "-d", data), 67, error="INVALID_ARGUMENT: no",
                  lines=[f"  in {SERVICE}/{method} at {address}, attempt 1"])


def test_deadline_ends_a_stream(address):
    request = {"responseParameters": [{"size": 1}, {"size": 1, "intervalUs": 300_000_000}]}
    for seconds in GROWING:
        result = call(address, f"{SERVICE}/StreamingOutputCall", "-d", json.dumps(request),
                      "--timeout", f"{seconds}s")
        if result.stdout:
            break
    assert result.code == 68 and "DEADLINE_EXCEEDED" in result.stderr
    assert result.stdout.count("\n") == 1


def test_slow_reader_does_not_increase_memory(address):
    """Without a reader, the command must not buffer everything that the server sends."""
    request = {"responseParameters": [{"size": 1_000_000}] * 30}
    process = start("call", f"{SERVICE}/StreamingOutputCall", "-d", json.dumps(request),
                    "--endpoint", address, "--plaintext")
    process.stdout.read(1)
    last = first = resident_memory(process.pid)
    since = time.monotonic()
    while time.monotonic() - since < 1:
        time.sleep(0.1)
        if (now := resident_memory(process.pid)) > last + 100 * 1024:
            last, since = now, time.monotonic()
        assert now < first + 15_000 * 1024, "buffers output that nobody reads"
    out, _ = process.communicate(timeout=4 * LONGEST)
    assert process.returncode == 0 and out.count(b"\n") == 30


def test_closed_reader_ends_the_command(address):
    request = {"responseParameters": [{"size": 100_000}] * 100}
    with running("call", f"{SERVICE}/StreamingOutputCall", "-d", json.dumps(request), *at(address)) as process:
        process.stdout.read(1)
        process.stdout.close()
        assert process.wait(timeout=LONGEST) == 141
        assert process.stderr.read() == b""
