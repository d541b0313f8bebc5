"""grpc.testing.TestService on grpcio, as far as our client's cases need it.

    python -m peers.servers.test_service --protoset=FILE [--host=HOST] [--port=PORT] [--log=FILE]
                                 [--key=FILE --chain=FILE] [--option=NAME=NUMBER…]

Prints its listening port. The log has a line for each unary call with a nonce: the nonce and the number
of previous attempts.
"""

import argparse
import contextlib
import os
import pathlib
import signal
import time
from concurrent import futures

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

ECHO_INITIAL, ECHO_TRAILING = "x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin"

OPTIONS = [
    ("grpc.max_receive_message_length", -1),
    # Frequent pings are allowed.
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 1000),
    ("grpc.http2.max_ping_strikes", 0),
]


class Log:
    """A log file. Each line is one write, so that a kill loses no line."""

    def __init__(self, path):
        self._file = path and os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def write(self, line):
        if self._file:
            os.write(self._file, f"{line}\n".encode())


class TestService:
    __test__ = False

    def __init__(self, protoset, log):
        """`protoset` is a FileDescriptorSet of grpc/testing/test.proto and what it imports."""
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(protoset).file:
            pool.AddSerializedFile(file.SerializeToString())
        self.messages = {
            name: message_factory.GetMessageClass(message)
            for name, message in
            pool.FindFileByName("grpc/testing/test.proto").message_types_by_name.items()
        }
        self._log = log

    def handlers(self):
        def handler(kind, request, behavior):
            return kind(
                behavior, request_deserializer=self.messages[request].FromString,
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
        return self.messages["Payload"](body=bytes(size))

    def _unary(self, request, context):
        echo(request, context)
        metadata = dict(context.invocation_metadata())
        nonce = metadata.get("x-nonce")
        if nonce:
            self._log.write(f"{nonce} {metadata.get('grpc-previous-rpc-attempts', 0)}")
        time.sleep(int(metadata.get("x-delay-ms", 0)) / 1000)
        if request.HasField("response_compressed"):
            context.set_compression(compression(request.response_compressed))
        return self.messages["SimpleResponse"](
            payload=self._payload(request.response_size), username=nonce)

    def _sum(self, requests, context):
        size = sum(len(request.payload.body) for request in requests)
        echo_metadata(context)
        code = int(dict(context.invocation_metadata()).get("x-status", 0))
        if code:
            context.abort(status(code), "requested status")
        return self.messages["StreamingInputCallResponse"](aggregated_payload_size=size)

    def _responses(self, request, context):
        echo(request, context)
        if any(wanted.HasField("compressed") for wanted in request.response_parameters):
            context.set_compression(grpc.Compression.Gzip)
        for wanted in request.response_parameters:
            time.sleep(wanted.interval_us / 1e6)
            if wanted.HasField("compressed") and not wanted.compressed.value:
                context.disable_next_message_compression()
            yield self.messages["StreamingOutputCallResponse"](payload=self._payload(wanted.size))

    def _full_duplex(self, requests, context):
        # A client that disconnects ends the requests with an RpcError, which is not an error here.
        with contextlib.suppress(grpc.RpcError):
            for request in requests:
                yield from self._responses(request, context)


def compression(wanted):
    return grpc.Compression.Gzip if wanted.value else grpc.Compression.NoCompression


def echo(request, context):
    """Echoes metadata and fails with the requested status."""
    echo_metadata(context)
    if request.response_status.code:
        context.abort(status(request.response_status.code), request.response_status.message)


def status(number):
    return next(code for code in grpc.StatusCode if code.value[0] == number)


def echo_metadata(context):
    metadata = dict(context.invocation_metadata())
    if ECHO_INITIAL in metadata:
        context.send_initial_metadata([(ECHO_INITIAL, metadata[ECHO_INITIAL])])
    if ECHO_TRAILING in metadata:
        context.set_trailing_metadata([(ECHO_TRAILING, metadata[ECHO_TRAILING])])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--protoset", type=pathlib.Path, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log")
    parser.add_argument(
        "--option", action="append", default=[], help="a channel argument of gRPC: NAME=NUMBER")
    parser.add_argument("--key", type=pathlib.Path)
    parser.add_argument("--chain", type=pathlib.Path)
    flags = parser.parse_args()

    options = dict(OPTIONS)
    options.update((name, int(value)) for name, value in (o.split("=") for o in flags.option))
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=32), options=list(options.items()))
    service = TestService(flags.protoset.read_bytes(), Log(flags.log))
    server.add_generic_rpc_handlers((service.handlers(),))
    address = f"{flags.host}:{flags.port}"
    if flags.key:
        credentials = grpc.ssl_server_credentials(
            [(flags.key.read_bytes(), flags.chain.read_bytes())])
        port = server.add_secure_port(address, credentials)
    else:
        port = server.add_insecure_port(address)
    server.start()
    print(port, flush=True)
    # Refuses new calls and lets pending ones finish.
    signal.signal(signal.SIGTERM, lambda *_: server.stop(grace=5))
    server.wait_for_termination()


if __name__ == "__main__":
    main()
