"""Does `tripwire call` make one call for each request that it reads for a unary method?"""

import json
import threading

import grpc
import pytest
from google.maps.fleetengine_v1 import types

from peers.servers.paging import PagingServer
from support.command import LONGEST, assert_failed, at, start, tripwire
from support.service_calls import SERVICE, call, lines

UNARY = f"{SERVICE}/UnaryCall"
SearchTripsResponse = types.SearchTripsResponse.pb()


def sizes(*sizes):
    return " ".join(json.dumps({"responseSize": size}) for size in sizes).encode()


def bodies(text):
    """The sizes of the responses."""
    return [len(json.loads(line)["payload"].get("body", "")) // 4 * 3 for line in text.splitlines()]


def failing(code, message):
    return json.dumps({"responseStatus": {"code": code, "message": message}}).encode()


def search(server, *arguments, **more):
    return tripwire("call", "SearchTrips", "-d", "-", *arguments, *at(server.address), **more)


def vehicles(*ids):
    return "\n".join(json.dumps({"parent": "providers/p", "vehicleId": each}) for each in ids).encode()


def test_each_value_on_stdin_is_one_call(address):
    result = call(address, UNARY, "-d", "-", "-v", stdin=sizes(3, 6, 9) + b"\n\n" + sizes(12))
    assert result.code == 0, result.stderr
    assert bodies(result.stdout) == [3, 6, 9, 12]
    # One connection serves the reflection and all calls.
    assert result.stderr.count("* connecting to ") == 1, result.stderr


@pytest.mark.parametrize("arguments", [[], ["--parallel", "3"]])
def test_requests_come_from_a_file_and_from_the_command_line(address, tmp_path, arguments):
    (tmp_path / "requests.json").write_bytes(sizes(*range(3, 63, 3)))
    result = call(address, UNARY, "-d", f"@{tmp_path / 'requests.json'}", *arguments)
    assert bodies(result.stdout) == list(range(3, 63, 3)), result.stderr
    assert bodies(call(address, UNARY, "-d", sizes(3, 6).decode(), *arguments).stdout) == [3, 6]


def response_lines(address, *arguments, **more):
    """How many lines each response takes with -o json."""
    result = call(address, UNARY, "-o", "json", *arguments, **more)
    assert result.code == 0, result.stderr
    return result.stdout.count("\n") / result.stdout.count('"body"')


def test_several_responses_are_one_a_line_with_o_json(address, tmp_path):
    one, several, far = (tmp_path / name for name in ("one.json", "several.json", "far.json"))
    one.write_bytes(sizes(3) + b"\n" * 70_000)
    several.write_bytes(sizes(3, 6))
    far.write_bytes(sizes(3) + b"\n" * 70_000 + sizes(6))
    for given in ["@" + str(several)], ["@" + str(far)], ["@" + str(one), "{\"responseSize\": 3}"], [sizes(3, 6).decode()]:
        assert response_lines(address, *(word for each in given for word in ("-d", each))) == 1
    # Nobody knows how many requests a pipe will have.
    assert response_lines(address, "-d", "-", stdin=sizes(3)) == 1
    for given in "@" + str(one), sizes(3).decode():
        assert response_lines(address, "-d", given) > 1
    stream = call(address, f"{SERVICE}/StreamingOutputCall", "-o", "json", "-d",
                  '{"responseParameters": [{"size": 3}, {"size": 6}]}')
    assert bodies(stream.stdout) == [3, 6]


@pytest.mark.parametrize("arguments, place", [
    (["-d", "-"], "stdin:2:2"), (["-d", '{}\n{"x": 1}'], "2:2"), (["-d", "-", "--keep-going"], "stdin:2:2")])
@pytest.mark.parametrize("method", ["UnaryCall", "StreamingInputCall"])
def test_invalid_request_has_its_number(address, method, arguments, place):
    if method != "UnaryCall":
        arguments = [word for word in arguments if word != "--keep-going"]
    result = call(address, f"{SERVICE}/{method}", *arguments, stdin=b'{}\n{"x": 1}')
    assert f"error: -d: {place}: " in result.stderr and "\n  in request 2\n" in result.stderr, result.stderr
    result = call(address, f"{SERVICE}/{method}", *arguments, "--error-format", "json", stdin=b'{}\n{"x": 1}')
    assert json.loads(result.stderr)["request"] == 2


def test_a_response_is_written_before_the_next_request_is_read(address):
    for parallel in [], ["--parallel", "4"]:
        process = start("call", UNARY, "-d", "-", *parallel, *at(address), stdin=-1)
        watch = threading.Timer(LONGEST, process.kill)
        watch.start()
        for size in (3, 6, 9):
            process.stdin.write(sizes(size) + b"\n")
            process.stdin.flush()
            assert bodies(process.stdout.readline()) == [size]
        process.stdin.close()
        assert process.wait(LONGEST) == 0
        watch.cancel()


def test_requests_are_sent_in_parallel_and_answered_in_order():
    barrier = threading.Barrier(3, timeout=LONGEST)

    def answer(request, context):
        barrier.wait()
        return SearchTripsResponse(next_page_token=request.vehicle_id)

    with PagingServer(answer) as server:
        result = search(server, "--parallel", "3", stdin=vehicles(*"abcdef"))
        assert result.code == 0, result.stderr
        assert [json.loads(line)["nextPageToken"] for line in result.stdout.splitlines()] == [*"abcdef"]


def test_no_more_calls_run_at_once_than_allowed():
    running, most, lock = [0], [0], threading.Lock()
    pair = threading.Barrier(2, timeout=LONGEST)

    def answer(request, context):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        pair.wait()
        with lock:
            running[0] -= 1
        return SearchTripsResponse()

    with PagingServer(answer) as server:
        assert search(server, "--parallel", "2", stdin=vehicles(*"abcdefgh")).code == 0
    assert most == [2]


@pytest.mark.parametrize("parallel", [[], ["--parallel", "1"]])
def test_first_failure_ends_the_calls_and_names_the_request(address, parallel):
    data = sizes(3) + failing(5, "gone") + sizes(6)
    result = call(address, UNARY, "-d", "-", *parallel, stdin=data)
    assert (result.code, bodies(result.stdout)) == (69, [3])
    assert "error: NOT_FOUND: gone\n" in result.stderr
    assert f"in {UNARY} of request 2 at " in result.stderr
    result = call(address, UNARY, "-d", "-", "--error-format", "json", *parallel, stdin=data)
    assert json.loads(result.stderr)["request"] == 2
    first = call(address, UNARY, "-d", "-", *parallel, stdin=failing(5, "gone") + sizes(3))
    assert f"in {UNARY} of request 1 at " in first.stderr and first.stdout == ""


def test_only_request_has_no_number(address):
    result = call(address, UNARY, "-d", "-", stdin=failing(5, "gone") + b"\n")
    assert f"in {UNARY} at " in result.stderr
    result = call(address, UNARY, "-d", "-", "--error-format", "json", stdin=failing(5, "gone"))
    assert "request" not in json.loads(result.stderr)


def test_calls_go_on_after_failures(address):
    data = failing(5, "gone") + sizes(3) + b'{"responseSiez": 1}' + failing(8, "full") + sizes(6)
    for parallel in [], ["--parallel", "3"]:
        result = call(address, UNARY, "-d", "-", "--keep-going", *parallel, stdin=data)
        # The exit code is that of the first failure.
        assert (result.code, bodies(result.stdout)) == (69, [3, 6])
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        assert errors[0] == "error: NOT_FOUND: gone" and errors[2] == "error: RESOURCE_EXHAUSTED: full"
        assert 'unknown field "responseSiez"' in errors[1] and len(errors) == 3
        assert "of request 1 at" in result.stderr and "of request 4 at" in result.stderr
        result = call(address, UNARY, "-d", "-", "--keep-going", "--error-format", "json", *parallel, stdin=data)
        assert [json.loads(line)["request"] for line in result.stderr.splitlines()] == [1, 3, 4]


def test_incomplete_json_ends_also_with_keep_going(address):
    result = call(address, UNARY, "-d", "-", "--keep-going", stdin=sizes(3) + b'{"responseSize": 1')
    assert (result.code, bodies(result.stdout)) == (1, [3])
    assert result.stderr.count("error: ") == 1


def test_invalid_requests_of_the_command_line_are_found_before_the_first_call(address):
    assert_failed(call(address, UNARY, "-d", '{"responseSize": 3}}'), 2, "-d: 1:20: ")
    assert_failed(call(address, UNARY, "-d", '{} {"x": 1}'), 2, '-d: 1:5: SimpleRequest: unknown field "x"')


def test_timeout_limits_all_calls_together():
    release = threading.Event()

    def answer(request, context):
        if request.vehicle_id == "b":
            release.wait(LONGEST)
        return SearchTripsResponse()

    with PagingServer(answer) as server:
        result = search(server, "--timeout", "2s", stdin=vehicles("a", "b"))
        release.set()
        assert result.code == 68 and result.stdout == "{}\n"
        assert "DEADLINE_EXCEEDED" in result.stderr and "of request 2" in result.stderr


def blocked(request, context):
    # The event is set only when the call ends.
    ended = threading.Event()
    if context.add_callback(ended.set):
        ended.wait(LONGEST)
    return SearchTripsResponse()


@pytest.mark.parametrize("is_pipe", [True, False])
def test_requests_are_read_to_their_end_after_the_timeout(tmp_path, is_pipe):
    path = tmp_path / "requests.jsonl"
    path.write_bytes(vehicles("a", "b", "c"))
    with PagingServer(blocked) as server:
        source = {"stdin": path.read_bytes()} if is_pipe else {}
        result = tripwire("call", "SearchTrips", "-d", "-" if is_pipe else f"@{path}", "--timeout", "2s",
                          "--keep-going", *at(server.address), **source)
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert result.code == 68 and len(errors) == 3, result.stderr
    assert all(line.startswith("error: DEADLINE_EXCEEDED") for line in errors)


def test_reading_of_an_open_pipe_ends_with_the_timeout():
    with PagingServer(blocked) as server:
        process = start("call", "SearchTrips", "-d", "-", "--timeout", "2s", "--keep-going", *at(server.address),
                        stdin=-1, text=True)
        process.stdin.write(vehicles("a").decode() + "\n")
        process.stdin.flush()
        error = process.stderr.read()
        # The exit code is that of the first failure.
        assert process.wait(LONGEST) == 68
    errors = [line for line in error.splitlines() if line.startswith("error: ")]
    assert len(errors) == 2 and errors[0].startswith("error: DEADLINE_EXCEEDED"), error
    assert errors[1] == "error: -d: stdin: not read before the deadline"


def test_error_in_the_json_keeps_the_code_of_the_first_failure(address):
    result = call(address, UNARY, "-d", "-", "--keep-going", stdin=failing(5, "gone") + b'{"responseSize": 1')
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert result.code == 69 and len(errors) == 2, result.stderr


def test_calls_end_with_the_reader_of_stdout(address):
    process = start("call", UNARY, "-d", "-", *at(address), stdin=-1)
    process.stdin.write(sizes(3))
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(sizes(6))
    process.stdin.flush()
    assert process.wait(LONGEST) == 141


@pytest.mark.parametrize("option", [["--parallel", "2"], ["--keep-going"]])
def test_options_are_for_unary_methods(address, option):
    for method, kind in ("StreamingOutputCall", "streams responses"), ("StreamingInputCall", "streams requests"):
        result = call(address, f"{SERVICE}/{method}", "-d", "{}", *option)
        assert_failed(result, 2, error=f"{option[0]} cannot be used with {SERVICE}/{method}, which {kind}",
                      hint=f"remove {option[0]}")


def test_server_stream_takes_one_request(address):
    result = call(address, f"{SERVICE}/StreamingOutputCall", "-d", "{} {}")
    assert_failed(result, 2, error="-d: 1:4: unexpected text after the request: this method takes one request",
                  hint="remove the text after the first JSON object")


def test_several_options_are_several_requests(address, tmp_path):
    """The last one used to replace the others without a word."""
    (tmp_path / "b.json").write_bytes(sizes(6, 9))
    assert bodies(call(address, UNARY, "-d", sizes(3).decode(), "-d", f"@{tmp_path / 'b.json'}", "-d", "-",
                       stdin=sizes(12)).stdout) == [3, 6, 9, 12]
    payloads = ['{"payload": {"body": "AAAA"}}', '{"payload": {"body": "AAAAAAAA"}}']
    summed = call(address, f"{SERVICE}/StreamingInputCall", "-d", payloads[0], "-d", payloads[1])
    assert lines(summed) == [{"aggregatedPayloadSize": 9}]


def test_error_names_one_of_several_options(address):
    result = call(address, UNARY, "-d", "{}", "-d", '{"x": 1}')
    assert_failed(result, 2, error='-d number 2: 1:2: SimpleRequest: unknown field "x"')
    result = call(address, f"{SERVICE}/StreamingOutputCall", "-d", "{}", "-d", "{}")
    assert_failed(result, 2, error="-d number 2: 1:1: unexpected text after the request: this method takes one request")
    result = call(address, UNARY, "-d", "-", "-d", "@-")
    assert_failed(result, 2, error="-d -: stdin can be read only once", hint="pass -d - once")


def test_commands_that_change_one_resource_take_one_request(address):
    result = tripwire("update", "providers/p/trips/t", "-d", "{}", "-d", '{"tripStatus": "NEW"}', *at(address))
    assert_failed(result, 2, "-d number 2: 1:1: unexpected text after the request")
