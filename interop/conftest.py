"""Our protos, compiled, and certificates: what the tests in more than one folder ask for."""

import os
import signal
import subprocess

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool

from peers.tls.certificates import make_certificates
from support.places import INTEROP, PROTOS

# A shell has its jobs in the background ignore Ctrl-C, nohup has what it starts ignore the end of the
# terminal, and what they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Peers, which have all they need on the loopback, would go through the proxies of this machine.
for variable in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[variable]

# The most characters of an argument that a test's name shows.
LONGEST_ID = 60
SECRETS = ("-----BEGIN", "eyJ")


def pytest_make_parametrize_id(val, argname):
    """The names of tests have no secrets, and of long texts only the beginning."""
    if not isinstance(val, (str, bytes)) or argname == "case":
        return None
    text = str(val, "latin-1") if isinstance(val, bytes) else val
    if text.startswith(SECRETS):
        return argname
    text = text.encode("unicode_escape").decode()
    return f"{text[:LONGEST_ID]}..." if len(text) > LONGEST_ID else None


@pytest.fixture(scope="session")
def protoset(tmp_path_factory):
    """The path of our protos, compiled: a FileDescriptorSet with all they import."""
    path = tmp_path_factory.mktemp("protos") / "ours.protoset"
    files = sorted(str(file.relative_to(PROTOS)) for file in PROTOS.rglob("*.proto"))
    subprocess.run(
        ["protoc", "-I", PROTOS, "--include_imports", f"--descriptor_set_out={path}", *files],
        check=True)
    return path


@pytest.fixture(scope="session")
def our_files(protoset):
    """Our protos and all they import, as FileDescriptorProtos, each behind what it imports."""
    return descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file


@pytest.fixture(scope="session")
def ours(our_files):
    """Looks up our FileDescriptors by path, in a pool of their own."""
    pool = descriptor_pool.DescriptorPool()
    for file in our_files:
        pool.AddSerializedFile(file.SerializeToString())
    return lambda *paths: [pool.FindFileByName(path) for path in paths]


@pytest.fixture(scope="session")
def test_protoset(tmp_path_factory):
    """The path of grpc.testing.TestService, compiled: a FileDescriptorSet with all it imports."""
    path = tmp_path_factory.mktemp("protos") / "test.protoset"
    subprocess.run(
        ["protoc", "-I", INTEROP / "protos", "--include_imports", f"--descriptor_set_out={path}",
         "grpc/testing/test.proto"], check=True)
    return path


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return make_certificates(tmp_path_factory.mktemp("certificates"))
