"""grpcio servers with reflection: v1, v1alpha, both, or with faults."""

import contextlib
from concurrent import futures

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_reflection.v1alpha import reflection, reflection_pb2

from peers.servers.test_service import Log, TestService

V1 = "grpc.reflection.v1.ServerReflection"
V1ALPHA = "grpc.reflection.v1alpha.ServerReflection"
# The messages of both versions are equal on the wire.
Request, Response = reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse


def handler(service, answer):
    """Returns a handler that answers the requests of one version with `answer(requests)`."""
    return stream_handler(service, lambda requests, _: answer(requests))


def stream_handler(service, answer):
    """Returns a handler that answers the requests of one version with `answer(requests, context)`."""
    return grpc.method_handlers_generic_handler(service, {
        "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(
            answer, request_deserializer=Request.FromString, response_serializer=Response.SerializeToString)})


def correct_answers(names, files):
    """Returns the answers of grpcio's own servicer for these services."""
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    servicer = reflection.ReflectionServicer(names, pool=pool)
    return lambda requests: servicer.ServerReflectionInfo(requests, None)


@contextlib.contextmanager
def serving(*handlers, interceptors=(), port=0):
    """Runs a server and yields its address."""
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), interceptors=interceptors)
    server.add_generic_rpc_handlers(handlers)
    port = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(grace=None).wait()


def reflecting_test_service(protoset, *versions, interceptors=()):
    """Runs TestService with these reflection versions and yields its address."""
    names = ["grpc.testing.TestService", *versions]
    files = descriptor_pb2.FileDescriptorSet.FromString(protoset).file
    return serving(
        TestService(protoset, Log(None)).handlers(),
        *(handler(version, correct_answers(names, files)) for version in versions),
        interceptors=interceptors)
