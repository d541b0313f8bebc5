"""Which version of reflection is used if one fails, and is a stream that the server ends opened again?"""

import grpc
import h2.errors
import pytest
from google.protobuf import descriptor_pb2

from support.command import assert_failed
from peers.negative.peer import GOOD_HEADERS, OK_TRAILERS, framed
from peers.negative.server import ScriptedServer, hello
from peers.servers.reflecting import V1, V1ALPHA, Response, correct_answers, handler, serving, stream_handler
from tests.command.test_faulty_reflection import at

LIST = ["acme.S", V1ALPHA]


def failing(version, code, *, calls=None):
    """Returns a handler that ends each stream with a status."""
    def answer(requests, context):
        if calls is not None:
            calls.append(version)
        context.abort(code, f"{version} fails")
        yield
    return stream_handler(version, answer)


@pytest.fixture(scope="module")
def acme():
    proto = descriptor_pb2.FileDescriptorProto(
        name="acme.proto", package="acme", syntax="proto3", dependency=["m.proto"])
    proto.service.add(name="S").method.add(name="Do", input_type=".acme.M", output_type=".acme.M")
    message = descriptor_pb2.FileDescriptorProto(name="m.proto", package="acme", syntax="proto3")
    message.message_type.add(name="M")
    return [message, proto]


CODES = [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_v1alpha_is_used_if_v1_fails(acme, code):
    with serving(failing(V1, code), handler(V1ALPHA, correct_answers(LIST, acme))) as address:
        assert at(address, "list").stdout.split() == LIST
        assert at(address, "list", "acme.S").stdout == "acme.S/Do\n"


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_error_of_v1_is_reported_if_both_fail(code):
    calls = []
    with serving(failing(V1, code, calls=calls),
                 failing(V1ALPHA, grpc.StatusCode.DATA_LOSS, calls=calls)) as address:
        result = at(address, "list")
    # A server without v1 has at most v1alpha, whose error is then the cause.
    wanted = V1ALPHA if code is grpc.StatusCode.UNIMPLEMENTED else V1
    assert result.code != 0 and f"{wanted} fails" in result.stderr
    assert calls == [V1, V1ALPHA]


def test_server_that_cannot_be_reached_is_asked_once():
    result = at("127.0.0.1:1", "list", "-v")
    assert (result.code, result.stdout) == (78, "")
    assert "v1alpha" not in result.stderr


# Proxies that reject v1 without a status of gRPC.

def http_status(status):
    return lambda peer: peer.send_checked(lambda conn: conn.send_headers(
        peer.stream, [(b":status", status), (b"content-type", b"text/plain")], end_stream=True))


def reset(code):
    return lambda peer: peer.send_checked(lambda conn: conn.reset_stream(peer.stream, code))


def proxy(reject):
    """Returns a script that rejects v1 and answers v1alpha with a list of one service."""
    listed = Response(list_services_response={"service": [{"name": "acme.S"}]}).SerializeToString()

    def serve(peer):
        hello(peer)
        while True:
            peer.next_request(whole=False)
            if V1.encode() in peer.requests[peer.stream]:
                reject(peer)
                continue
            stream = peer.stream
            peer.send_checked(lambda conn: conn.send_headers(stream, GOOD_HEADERS))
            peer.send_checked(lambda conn: conn.send_data(stream, framed(listed)))
            peer.send_checked(lambda conn: conn.send_headers(stream, OK_TRAILERS, end_stream=True))

    return [serve]


REJECTIONS = {
    "HTTP 503": http_status(b"503"), "HTTP 403": http_status(b"403"), "HTTP 404": http_status(b"404"),
    "REFUSED_STREAM": reset(h2.errors.ErrorCodes.REFUSED_STREAM),
    "INTERNAL_ERROR": reset(h2.errors.ErrorCodes.INTERNAL_ERROR)}


@pytest.mark.parametrize("reject", REJECTIONS.values(), ids=REJECTIONS)
def test_v1alpha_is_used_if_a_proxy_rejects_v1(reject):
    with ScriptedServer(*[proxy(reject)] * 4) as server:
        assert at(f"127.0.0.1:{server.port}", "list").stdout == "acme.S\n"


# Servers that end the stream.

def one_by_one(correct, ending=lambda context: None):
    """Answers the first request of each stream and ends it."""
    def answer(requests, context):
        yield from correct(iter([next(requests)]))
        ending(context)
    return answer


@pytest.mark.parametrize("ending", [
    lambda context: None, lambda context: context.abort(grpc.StatusCode.UNKNOWN, "EOF"),
    lambda context: context.abort(grpc.StatusCode.UNAVAILABLE, "reset")], ids=["ok", "unknown", "unavailable"])
@pytest.mark.parametrize("version", [V1, V1ALPHA])
def test_stream_that_ends_after_an_answer_is_opened_again(acme, version, ending):
    answer = one_by_one(correct_answers(["acme.S", version], acme), ending)
    with serving(stream_handler(version, answer)) as address:
        assert at(address, "list", "acme.S").stdout == "acme.S/Do\n"
        assert "acme.M" in at(address, "describe", "acme.S/Do").stdout


def test_status_not_found_is_an_answer(acme):
    """Some servers end the stream where others answer that there is no such file."""
    pool_answers = correct_answers(["acme.S", V1], acme)

    def answer(requests, context):
        for request in requests:
            if request.file_by_filename or request.file_containing_symbol == "acme.Nothing":
                context.abort(grpc.StatusCode.NOT_FOUND, "no such file")
            yield from pool_answers(iter([request]))

    with serving(stream_handler(V1, answer)) as address:
        result = at(address, "list", "acme.S")
        assert (result.code, result.stdout) == (0, "acme.S/Do\n"), result.stderr
        assert_failed(at(address, "describe", "acme.Nothing"), 2, "acme.Nothing was not found")
