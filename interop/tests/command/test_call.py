"""Does `tripwire call` work with grpcio: every kind of call, JSON, and every source of types?"""

import base64
import json
import os
import signal
import subprocess
import time

import pytest

from support.command import GROWING, LONGEST, PATIENT, assert_failed, start, tripwire
from peers.servers.reflecting import V1, V1ALPHA, reflecting_test_service
from support.paths import INTEROP

SERVICE = "grpc.testing.TestService"


@pytest.fixture(scope="module")
def address(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes(), V1ALPHA) as address:
        yield address


@pytest.fixture(scope="module")
def both(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes(), V1, V1ALPHA) as address:
        yield address


def call(address, method, *arguments, **more):
    return tripwire("call", method, "--endpoint", address, "--plaintext", *arguments, **more)


def lines(result):
    assert result.code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.split("\n")[:-1]]


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
    process = start("call", f"{SERVICE}/FullDuplexCall", "-d", "-", "--endpoint", address,
                    "--plaintext", stdin=subprocess.PIPE)
    process.stdin.write(b'{"responseStatus":{"code":5,"message":"no"}}')
    process.stdin.flush()
    assert process.wait(timeout=LONGEST) == 69
    assert b"NOT_FOUND: no" in process.stderr.read()
    process.communicate()


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
    process = start("call", f"{SERVICE}/FullDuplexCall", "-d", f"@{pipe}", "--endpoint", address,
                    "--plaintext", "--timeout", PATIENT)
    with open(pipe, "wb", buffering=0) as requests:
        requests.write(b'{"responseParameters":[{"size":1}]}')
        assert json.loads(process.stdout.readline()) == {"payload": {"body": "AA=="}}
        requests.write(b'{"responseStatus":{"code":5,"message":"no"}}')
        assert process.wait(timeout=LONGEST) == 69
    process.communicate()


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
    process = start("call", f"{SERVICE}/StreamingOutputCall", "-d", json.dumps(request),
                    "--endpoint", address, "--plaintext")
    process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=LONGEST) == 130
    process.communicate()


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
    status = f"/proc/{process.pid}/status"

    def resident():
        with open(status) as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    last = first = resident()
    since = time.monotonic()
    while time.monotonic() - since < 1:
        time.sleep(0.1)
        if (now := resident()) > last + 100:
            last, since = now, time.monotonic()
        assert now < first + 15_000, "buffers output that nobody reads"
    out, _ = process.communicate(timeout=4 * LONGEST)
    assert process.returncode == 0 and out.count(b"\n") == 30


def test_closed_reader_ends_the_command(address):
    request = {"responseParameters": [{"size": 100_000}] * 100}
    process = start("call", f"{SERVICE}/StreamingOutputCall", "-d", json.dumps(request),
                    "--endpoint", address, "--plaintext")
    process.stdout.read(1)
    process.stdout.close()
    assert process.wait(timeout=LONGEST) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


# Invalid requests.

FIELDS = "run 'tripwire describe grpc.testing.SimpleRequest SERVER' to list its fields"


def for_server(hint, address):
    """The types come from this server only."""
    return hint.replace("SERVER", f"--endpoint {address} --plaintext")


@pytest.mark.parametrize("data, error, hint", [
    ('{"responseSiez": 1}',
     '1:2: SimpleRequest: unknown field "responseSiez"; did you mean responseSize?', FIELDS),
    ('{"zzzzzzzz": 1}', '1:2: SimpleRequest: unknown field "zzzzzzzz"',
     f"{FIELDS}, or pass --allow-unknown-fields"),
    ('{"payload":\n {"body": "?"}}', "2:14: SimpleRequest.payload.body: malformed base64",
     "correct the JSON at line 2, column 14"),
    ("{} {}", "1:4: unexpected text after the request: this method takes one request",
     "remove the text after the first JSON object"),
    ("{", "1:2: unexpected end of JSON: the { at 1:1 is not closed", "append } to the JSON"),
    ('{"payload":\n {"body": "AA',
     "2:14: unexpected end of JSON: the string at 2:11 is not closed", 'append "}} to the JSON'),
    ('{"payload":\n {"body": "AA"', "2:15: unexpected end of JSON: the { at 2:2 is not closed",
     "append }} to the JSON"),
    ("[]", "1:1: SimpleRequest: expected a JSON object that begins with {",
     "correct the JSON at line 1, column 1"),
    ("5 5", "1:1: SimpleRequest: expected a JSON object that begins with {",
     "correct the JSON at line 1, column 1"),
    ('{"responseType": "LOST"}',
     '1:18: SimpleRequest.response_type: grpc.testing.PayloadType has no value "LOST"',
     "run 'tripwire describe grpc.testing.PayloadType SERVER' to list its values"),
    ('{"payload":', "1:12: unexpected end of JSON: the { at 1:1 is not closed", "complete the JSON"),
])
def test_invalid_request_is_reported(address, data, error, hint):
    assert_failed(call(address, f"{SERVICE}/UnaryCall", "-d", data), 2, error=f"-d: {error}",
                  hint=for_server(hint, address))


def test_invalid_requests_get_a_hint(address, tmp_path):
    path = tmp_path / "request.json"
    path.write_text('{"responseSize": "many"}')
    for data, hint in [
            ('{"zzzzzzzz": 1}', f"{FIELDS}, or pass --allow-unknown-fields"),
            (f"@{path}", "correct the JSON at line 1, column 19"),
            (str(path), f"did you mean -d @{path}?")]:
        result = call(address, f"{SERVICE}/UnaryCall", "-d", data)
        assert result.stderr.endswith(f"hint: {for_server(hint, address)}\n"), result.stderr


def test_response_limit_does_not_apply_to_descriptors(address):
    result = call(address, f"{SERVICE}/UnaryCall", "-d", '{"responseSize":1}',
                  "--max-message-size", "20")
    assert lines(result) == [{"payload": {"body": "AA=="}}]


@pytest.mark.parametrize("scheme", ["", "dns:///", "ipv4:"])
def test_grpc_target_schemes_are_accepted(address, scheme):
    assert lines(call(scheme + address, f"{SERVICE}/EmptyCall")) == [{}]


def test_invalid_message_in_a_stream_is_reported(address):
    data = b'{"payload":{"body":"AAAA"}}\n\n  {"payload":{"body":1}}'
    result = call(address, f"{SERVICE}/StreamingInputCall", "-d", "-", stdin=data)
    assert_failed(result, 1, "-d: stdin:3:22: StreamingInputCallRequest.payload.body: expected a string")


def test_unknown_fields_can_be_skipped(address):
    result = call(address, f"{SERVICE}/UnaryCall", "-d", '{"x":[{}],"responseSize":1}',
                  "--allow-unknown-fields")
    assert lines(result) == [{"payload": {"body": "AA=="}}]


def test_defaults_can_be_written(address):
    result = call(address, f"{SERVICE}/UnaryCall", "--emit-defaults")
    assert lines(result)[0]["username"] == ""


# Sources of types.

def test_both_reflection_versions_are_used(address, both):
    for server, version in (address, "v1alpha"), (both, "v1"):
        result = call(server, f"{SERVICE}/EmptyCall", "-v")
        assert lines(result) == [{}]
        assert f"grpc.reflection.{version}.ServerReflection" in result.stderr


def test_protoset_needs_no_reflection(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes()) as plain:
        assert lines(call(plain, "EmptyCall", "--protoset", test_protoset)) == [{}]
        result = call(plain, f"{SERVICE}/EmptyCall")
        assert_failed(result, 76, "UNIMPLEMENTED",
                      hint=f"--protoset FILE: {plain} has no reflection service")


def test_option_header_is_sent_and_echoed(address):
    result = call(address, f"{SERVICE}/UnaryCall", "-H", "x-grpc-test-echo-initial: hello", "-v")
    assert result.code == 0 and "x-grpc-test-echo-initial: hello" in result.stderr


@pytest.mark.parametrize("method, error, hint", [
    ("UnaryCal", "METHOD: UnaryCal was not found in the reflection service of ",
     "did you mean grpc.testing.TestService/UnaryCall?"),
    ("TestService/UnaryCal", "METHOD: grpc.testing.TestService has no method UnaryCal",
     "did you mean grpc.testing.TestService/UnaryCall?"),
    ("TestServise/UnaryCall",
     "METHOD: TestServise/UnaryCall was not found in the reflection service of ",
     "did you mean grpc.testing.TestService/UnaryCall?"),
    ("a/b/c", "METHOD: a/b/c is not a method name", "write SERVICE/METHOD"),
])
def test_unknown_method_is_reported(both, method, error, hint):
    assert_failed(call(both, method), 2, error, hint=hint)


def test_unknown_service_is_reported():
    result = tripwire("call", "pkg.Some/Thing")
    assert_failed(result, 2, error="METHOD: pkg.Some/Thing was not found in the built-in descriptors",
                  hint=["--protoset", "--endpoint"])


def test_protoset_without_its_imports_is_reported(tmp_path):
    (tmp_path / "types.proto").write_text('syntax = "proto3"; package t; message T {}')
    (tmp_path / "a.proto").write_text(
        'syntax = "proto3"; package a; import "types.proto";'
        "service S { rpc M(t.T) returns (t.T); }")
    protoset = tmp_path / "a.protoset"
    subprocess.run(["protoc", f"-I{tmp_path}", f"--descriptor_set_out={protoset}", "a.proto"],
                   check=True)
    assert_failed(tripwire("call", "S/M", "--protoset", protoset), 1,
                  error="--protoset: a.proto: .t.T is not defined; missing imports: types.proto",
                  hint="--include_imports")
    other = tmp_path / "t.protoset"
    subprocess.run(["protoc", f"-I{tmp_path}", f"--descriptor_set_out={other}", "types.proto"],
                   check=True)
    listed = tripwire("list", "S", "--protoset", protoset, "--protoset", other)
    assert listed.stdout == "a.S/M\n"
    assert_failed(tripwire("list", "--protoset", tmp_path / "a.proto"), 1,
                  f"--protoset: {tmp_path / 'a.proto'}: not a FileDescriptorSet")


def test_other_methods_are_not_sent_to_fleet_engine(test_protoset):
    assert_failed(tripwire("call", "EmptyCall", "--protoset", test_protoset), 2,
                  "--endpoint is missing", "grpc.testing.TestService/EmptyCall")
    assert_failed(tripwire("call", "Health/Check"), 2, "--endpoint is missing")


def test_ambiguous_method_lists_its_services(tmp_path):
    (tmp_path / "two.proto").write_text(
        'syntax = "proto3"; package t; message M {}'
        "service A { rpc Do(M) returns (M); } service B { rpc Do(M) returns (M); }")
    protoset = tmp_path / "two.protoset"
    subprocess.run(["protoc", f"-I{tmp_path}", f"--descriptor_set_out={protoset}", "two.proto"],
                   check=True)
    assert_failed(tripwire("call", "Do", "--protoset", protoset), 2,
                  error="METHOD: Do is ambiguous", hint="add the name of the service",
                  lines=["t.A/Do", "t.B/Do"])


def test_data_and_token_from_stdin_is_a_usage_error():
    assert_failed(tripwire("call", "GetTrip", "-d", "-", "--token-file", "-"), 2,
                  error="-d cannot read stdin: the token is read from it",
                  hint="write the JSON to a file, and pass it with -d @FILE")


def test_output_equals_that_of_grpcurl(address, tmp_path):
    """Compares unary responses, streams and lists with those of grpcurl."""
    grpcurl = [os.path.join(INTEROP.parent, ".venv/bin/grpcurl"), "-plaintext"]

    def theirs(*arguments, stdin=b""):
        done = subprocess.run([*grpcurl, *arguments], input=stdin, capture_output=True,
                              timeout=LONGEST, check=True)
        return done.stdout.decode()

    def values(text):
        decoder, found = json.JSONDecoder(), []
        text = text.strip()
        while text:
            value, end = decoder.raw_decode(text)
            found.append(value)
            text = text[end:].strip()
        return found

    request = '{"responseSize": 4}'
    assert call(address, f"{SERVICE}/UnaryCall", "-d", request, "-o", "json").stdout \
        == theirs("-d", request, address, f"{SERVICE}/UnaryCall")
    many = b'{"responseParameters":[{"size":2},{"size":3}]} {"responseParameters":[{"size":1}]}'
    assert values(call(address, f"{SERVICE}/FullDuplexCall", "-d", "@", stdin=many).stdout) \
        == values(theirs("-d", "@", address, f"{SERVICE}/FullDuplexCall", stdin=many))
    listed = tripwire("list", "--endpoint", address, "--plaintext").stdout
    assert listed == theirs(address, "list")
    methods = tripwire("list", SERVICE, "--endpoint", address, "--plaintext").stdout
    assert sorted(methods.replace("/", ".").split()) == sorted(theirs(address, "list", SERVICE).split())
