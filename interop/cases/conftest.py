"""The servers that the cases of gRPC run against."""

import os
import subprocess

import pytest

from peers.server_process import GRPCIO, ServerProcess
from places import INTEROP


@pytest.fixture(scope="session")
def test_protos(tmp_path_factory):
    """The path of a FileDescriptorSet: grpc/testing/test.proto and what it imports."""
    path = tmp_path_factory.mktemp("protos") / "test.protoset"
    subprocess.run(
        ["protoc", "-I", INTEROP / "protos", "--include_imports", f"--descriptor_set_out={path}",
         "grpc/testing/test.proto"], check=True)
    return path


@pytest.fixture(scope="session")
def servers(test_protos):
    """Makes a server of a kind, "grpcio" or "grpc++", which runs while it is entered."""

    def server(kind, **more):
        if kind == "grpcio":
            return ServerProcess(GRPCIO, protoset=test_protos, **more)
        path = os.environ.get("INTEROP_SERVER")
        if not path:
            pytest.fail("INTEROP_SERVER must name the server on libgrpc++ to test with")
        return ServerProcess([path], **more)

    return server
