"""The servers for gRPC's interop test cases."""

import os
import subprocess

import pytest

from peers.servers.server_process import GRPCIO, ServerProcess
from support.paths import INTEROP


@pytest.fixture(scope="session")
def servers(test_protoset):
    """Makes a server of a kind, "grpcio" or "grpc++", as a context manager."""

    def server(kind, **more):
        if kind == "grpcio":
            return ServerProcess(GRPCIO, protoset=test_protoset, **more)
        path = os.environ.get("INTEROP_SERVER")
        if not path:
            pytest.fail("INTEROP_SERVER must name the server on libgrpc++ to test with")
        return ServerProcess([path], **more)

    return server
