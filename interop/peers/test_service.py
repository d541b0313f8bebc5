"""grpc.testing.TestService on grpcio, as far as our client's cases ask for it.

In a test:  with TestServer(protos) as server: ... server.port
"""

import contextlib
import time
from concurrent import futures

import grpc
from google.protobuf import descriptor_pool, message_factory

ECHO_INITIAL, ECHO_TRAILING = "x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin"


class TestServer:
    """Listens on a free port of the loopback while it is entered."""

    __test__ = False

    def __init__(self, protos):
        """`protos` are the FileDescriptorProtos of grpc/testing/test.proto and what it imports."""
        pool = descriptor_pool.DescriptorPool()
        for file in protos:
            pool.AddSerializedFile(file.SerializeToString())
        self._messages = {
            name: message_factory.GetMessageClass(message)
            for name, message in
            pool.FindFileByName("grpc/testing/test.proto").message_types_by_name.items()
        }
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=16))
        self._server.add_generic_rpc_handlers((self._handlers(),))
        self.port = self._server.add_insecure_port("127.0.0.1:0")

    def __enter__(self):
        self._server.start()
        return self

    def __exit__(self, *_):
        self._server.stop(grace=None).wait()

    def _handlers(self):
        def handler(kind, request, behaviour):
            return kind(
                behaviour, request_deserializer=self._messages[request].FromString,
                response_serializer=lambda message: message.SerializeToString())

        return grpc.method_handlers_generic_handler("grpc.testing.TestService", {
            "EmptyCall": handler(
                grpc.unary_unary_rpc_method_handler, "Empty", lambda request, _: request),
            "UnaryCall": handler(
                grpc.unary_unary_rpc_method_handler, "SimpleRequest", self._unary),
            "StreamingOutputCall": handler(
                grpc.unary_stream_rpc_method_handler, "StreamingOutputCallRequest",
                self._responses),
            "StreamingInputCall": handler(
                grpc.stream_unary_rpc_method_handler, "StreamingInputCallRequest", self._sum),
            "FullDuplexCall": handler(
                grpc.stream_stream_rpc_method_handler, "StreamingOutputCallRequest",
                self._full_duplex),
        })

    def _payload(self, size):
        return self._messages["Payload"](body=bytes(size))

    def _unary(self, request, context):
        echo(request, context)
        return self._messages["SimpleResponse"](payload=self._payload(request.response_size))

    def _sum(self, requests, context):
        size = sum(len(request.payload.body) for request in requests)
        return self._messages["StreamingInputCallResponse"](aggregated_payload_size=size)

    def _responses(self, request, context):
        echo(request, context)
        for wanted in request.response_parameters:
            time.sleep(wanted.interval_us / 1e6)
            yield self._messages["StreamingOutputCallResponse"](payload=self._payload(wanted.size))

    def _full_duplex(self, requests, context):
        # A client that goes away ends the requests with an error that is none of ours.
        with contextlib.suppress(grpc.RpcError):
            for request in requests:
                yield from self._responses(request, context)


def echo(request, context):
    """Sends back what the metadata and the request ask for."""
    metadata = dict(context.invocation_metadata())
    if ECHO_INITIAL in metadata:
        context.send_initial_metadata([(ECHO_INITIAL, metadata[ECHO_INITIAL])])
    if ECHO_TRAILING in metadata:
        context.set_trailing_metadata([(ECHO_TRAILING, metadata[ECHO_TRAILING])])
    if request.response_status.code:
        status = next(
            code for code in grpc.StatusCode if code.value[0] == request.response_status.code)
        context.abort(status, request.response_status.message)
