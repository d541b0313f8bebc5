"""Does `tripwire replay` execute scripts, which can express more than recordings?"""

import contextlib
import json
import time

import grpc
import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from support.command import GROWING, LONGEST, assert_failed, at, replaying, tripwire
from peers.servers.protosets import compiled
from support.paths import INTEROP
from support.samples import articles, samples, says

METHOD = "/test.Echo/Say"
GET_TRIP = "/maps.fleetengine.v1.TripService/GetTrip"
TRIP = "providers/p/trips/t1"
EXAMPLE = INTEROP / "scripts" / "bad-day.json"
HI = {"message": {"bytes": "aGk="}}
END = {"trailers": {}}


@pytest.fixture
def channel(script):
    """Makes a grpcio channel to a server that executes the steps."""
    with contextlib.ExitStack() as stack:
        def make(*steps, options=()):
            _, address = stack.enter_context(replaying(script(*steps), *options))
            return stack.enter_context(
                grpc.insecure_channel(address, [("grpc.enable_retries", 0)]))

        yield make


def ask(channel, method=METHOD, **more):
    return channel.unary_unary(method).with_call(b"?", timeout=LONGEST, **more)


def failure(channel):
    with pytest.raises(grpc.RpcError) as caught:
        ask(channel)
    return caught.value


# The scripts of the article


def test_first_script_of_the_article_is_the_example():
    script, *_ = samples(articles()["CommandScripts"], "json")
    assert script.code == EXAMPLE.read_text()


def test_error_of_the_article_is_reported_as_it_says(tmp_path):
    script = next(sample for sample in samples(articles()["CommandScripts"], "json") if "details" in sample.code)
    (tmp_path / "quota.json").write_text(script.code)
    (shown,) = [block for block in samples(articles()["CommandScripts"], "") if block.code.startswith("$ ")]
    command, *documented = shown.code.splitlines()
    result = tripwire(*command.split()[2:], cwd=tmp_path)
    lines = result.stderr.splitlines()
    assert len(lines) == len(documented)
    assert all(map(says, documented, lines)), result.stderr


# To a grpcio client


def test_message_and_trailers_are_sent(channel):
    answer, call = ask(channel(
        {"headers": {"fields": [{"name": "x-first", "value": "a"}]}}, HI,
        {"trailers": {"fields": [{"name": "x-last-bin", "value": "AP8"}]}}))
    assert answer == b"hi"
    assert ("x-first", "a") in call.initial_metadata()
    assert ("x-last-bin", b"\0\xff") in call.trailing_metadata()


def test_status_with_details_is_sent(channel):
    error = failure(channel({"trailers": {
        "code": "RESOURCE_EXHAUSTED", "message": "später",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"}]}}))
    assert (error.code(), error.details()) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "später")
    (encoded,) = [
        value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    status = status_pb2.Status.FromString(encoded)
    info = error_details_pb2.RetryInfo()
    assert (status.code, status.message) == (8, "später")
    assert any_pb2.Any.Unpack(status.details[0], info)
    assert info.retry_delay.seconds == 3


def test_http_status_is_sent(channel):
    error = failure(channel({"headers": {
        "status": 503, "fields": [{"name": "content-type", "value": "text/html"}],
        "endStream": True}}))
    assert error.code() == grpc.StatusCode.UNAVAILABLE
    assert "503" in error.details()


def test_missing_status_is_unknown(channel):
    error = failure(channel(HI, {"trailers": {"raw": True}}))
    assert error.code() == grpc.StatusCode.UNKNOWN


def test_compressed_message_is_sent(channel):
    encoding = [{"name": "grpc-encoding", "value": "gzip"}]
    body = channel({"headers": {"fields": encoding}}, {
        "message": {"bytes": "QUFB" * 300, "compression": "GZIP"}}, END)
    assert ask(body)[0] == b"A" * 900


def test_compressed_flag_without_encoding_is_internal(channel):
    error = failure(channel({"message": {"bytes": "aGk=", "flags": 1}}, END))
    assert error.code() == grpc.StatusCode.INTERNAL


def test_speed_scales_delays(channel):
    def seconds(delay, *options):
        steps = [HI, {"delay": delay, **HI}, {"delay": delay, **END}]
        channel_ = channel(*steps, options=options)
        grpc.channel_ready_future(channel_).result(timeout=LONGEST)
        start = time.monotonic()
        assert list(channel_.unary_stream(METHOD)(b"?", timeout=LONGEST)) == [b"hi", b"hi"]
        return time.monotonic() - start

    assert seconds("1s") >= 2
    # Without the speed this would exceed the timeout.
    assert seconds(f"{LONGEST}s", "--speed", "1000") >= 2 * LONGEST / 1000


def test_steps_wait_for_client_messages(channel):
    steps = [{"after": 1, **HI}, {"after": 2, **HI}, {"after": 2, **END}]
    sent = []

    def requests():
        for _ in range(2):
            sent.append(True)
            yield b"?"
            while len(answers) < len(sent):
                time.sleep(0.001)

    answers = []
    for answer in channel(*steps).stream_stream(METHOD)(requests(), timeout=LONGEST):
        answers.append((answer, len(sent)))
    assert answers == [(b"hi", 1), (b"hi", 2)]


@pytest.mark.parametrize("reset, code", [
    ("CANCEL", "CANCELLED"), ("REFUSED_STREAM", "UNAVAILABLE"),
    ("ENHANCE_YOUR_CALM", "RESOURCE_EXHAUSTED"), ("INADEQUATE_SECURITY", "PERMISSION_DENIED"),
    ("INTERNAL_ERROR", "INTERNAL"),
])
def test_stream_is_reset(channel, reset, code):
    assert failure(channel({"headers": {}}, {"reset": reset})).code().name == code


# To tripwire


def test_get_replays_the_example():
    result = tripwire("get", "providers/demo/trips/t1", "--replay", EXAMPLE)
    assert (result.code, result.json["tripStatus"]) == (0, "ENROUTE_TO_PICKUP")


def test_requests_select_their_call(script):
    def call(status, **selector):
        trip = {"@type": "type.googleapis.com/maps.fleetengine.v1.Trip", "tripStatus": status}
        return {"method": GET_TRIP, **selector, "steps": [{"message": {"json": trip}}, END]}

    request = {"@type": "type.googleapis.com/maps.fleetengine.v1.GetTripRequest", "name": TRIP}
    path = script(calls=[
        call("NEW", request=request), call("COMPLETE", resource=TRIP), call("CANCELED")])
    with replaying(path, "--loop") as (_, address):
        def status(name):
            return tripwire(
                "get", name, "--endpoint", address, "--plaintext").json["tripStatus"]

        assert [status(TRIP) for _ in range(3)] == ["NEW", "NEW", "NEW"]
        assert status("providers/p/trips/other") == "CANCELED"


@pytest.mark.parametrize("loops", [False, True])
def test_follow_loops_with_the_option(script, loops):
    def call(status):
        trip = {"@type": "type.googleapis.com/maps.fleetengine.v1.Trip", "name": TRIP,
                "tripStatus": status}
        return {"method": GET_TRIP, "steps": [{"message": {"json": trip}}, END]}

    for seconds in GROWING:
        result = tripwire(
            "follow", TRIP, "--replay", script(calls=[call("NEW"), call("ENROUTE_TO_PICKUP")]),
            "--interval", "100ms", "--for", f"{seconds}s", "--until", "complete",
            *(["--loop"] if loops else []))
        # The third response has arrived, or as many as there are.
        if result.stdout.count("ENROUTE_TO_PICKUP") and result.stdout.count('"NEW"') > loops:
            break
    assert result.code == 4, result.stderr
    assert (result.stdout.count('"NEW"') > 1) == loops, result.stdout


def test_our_client_reports_the_reason(script):
    def failed(*steps):
        result = tripwire(
            "call", "grpc.health.v1.Health/Check", "--replay",
            script(calls=[{"method": "/grpc.health.v1.Health/Check", "steps": steps}]))
        assert result.stdout == ""
        return result.stderr

    assert "503" in failed({"headers": {
        "status": 503, "fields": [{"name": "content-type", "value": "text/html"}],
        "endStream": True}})
    assert "compressed" in failed({"message": {"bytes": "aGk=", "flags": 1}}, END)
    assert "refused the stream" in failed({"reset": "REFUSED_STREAM"})
    assert "CANCEL" in failed({"reset": "CANCEL"})
    assert "draining" in failed({"goAway": {"last": 0}})
    assert "the server closed it" in failed({"close": {}})
    assert "middle of a message" in failed(
        {"message": {"bytes": "aGk=", "declaredLength": 9}}, END)


# Invalid scripts


@pytest.mark.parametrize("text, words", [
    ('{"calls": [\n  {"metod": "/a/b"}]}', ["made.yaml:2:", "did you mean method?"]),
    ('{"calls": [\n  {"method": "a"}]}', ["made.yaml:2:14: calls[0].method: expected a", "/package.Service/Method"]),
    ('{"calls": [{"method": "/a/b", "steps": [{"trailers": {}},\n\n {"headers": {}}]}]}',
     ["made.yaml:3:2: calls[0].steps[1]:", '"headers" must be the first step']),
    ('{"calls": [{"method": "/a/b",\n "steps": [{"message": {"json": {"@type": "x/y"}}}]}]}',
     ["made.yaml:2:", 'unknown type "x/y"']),
    ("{}", ["made.yaml", "no calls"]),
    ("calls:\n- method: /a/b\n", [
        "made.yaml", "neither a gRPC binary log nor a script (JSON that begins with {)"]),
])
@pytest.mark.parametrize("command", [["replay"], ["get", TRIP, "--replay"]])
def test_invalid_script_is_reported(tmp_path, command, text, words):
    path = tmp_path / "made.yaml"
    path.write_text(text)
    hint = (f"yq -o=json {path}" if text.startswith("calls:")
            else ["'tripwire replay' with --protoset FILE", 'base64 instead of "json"'] if "x/y" in text
            else "add a call to the script" if text == "{}"
            else f"correct {path} at line 2, column " if "metod" in text else None)
    assert_failed(tripwire(*command, path), 1, *words, hint=hint)


def test_messages_may_use_types_of_a_protoset(script, tmp_path):
    (tmp_path / "shop.proto").write_text("""
        syntax = "proto3"; package shop; import "google/protobuf/any.proto";
        import "google/protobuf/timestamp.proto";
        message Order { int32 count = 1; google.protobuf.Any more = 2;
          google.protobuf.Timestamp time = 3; }
        service Shop { rpc Buy(Order) returns (Order); }""")
    protoset = tmp_path / "shop.protoset"
    protoset.write_bytes(compiled(tmp_path, "shop.proto"))
    order = {"@type": "a.b/shop.Order", "count": 7, "time": "1970-01-01T00:00:05Z",
             "more": {"@type": "a.b/shop.Order", "count": 9}}
    path = script(calls=[
        {"method": "/shop.Shop/Buy", "request": order,
         "steps": [{"message": {"json": order | {"count": 8}}}, {"trailers": {"details": [
             order, {"@type": "a.b/google.rpc.Help"}, {"@type": "a.b/google.protobuf.Duration",
                                                       "value": "3s"}]}}]}])
    assert_failed(tripwire("replay", path), 1, "shop.Order", hint="--protoset")
    with replaying(path, "--protoset", protoset) as (_, address):
        call = ["call", "shop.Shop/Buy", *at(address), "-d"]
        # The client gets the types by reflection.
        del order["@type"]
        answer = tripwire(*call, json.dumps(order))
        assert answer.code == 0, answer.stderr
        assert answer.json == order | {"count": 8}
        assert tripwire(*call, '{"count": 1}').code == 69
    broken = script(calls=[{"method": "/shop.Shop/Buy", "steps": [
        {"message": {"json": {"@type": "a.b/shop.Order", "cuont": 1}}}]}])
    assert_failed(
        tripwire("replay", broken, "--protoset", protoset), 1, "made.yaml:1:", "cuont")
