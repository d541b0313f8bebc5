"""Fixtures shared by several folders: compiled protos and certificates."""

import os
import signal
import subprocess

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool

from peers.tls.certificates import make_certificates
from support.paths import INTEROP, PROTOS

# Background jobs of a shell ignore SIGINT and SIGQUIT, and commands under nohup ignore SIGHUP. Child processes
# inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# All peers are on loopback and must not use the proxies of this machine.
for variable in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[variable]

# The maximum length of an argument in a test ID.
LONGEST_ID = 60
SECRETS = ("-----BEGIN", "eyJ")


def pytest_make_parametrize_id(val, argname):
    """Keeps secrets out of test IDs and truncates long texts."""
    if not isinstance(val, (str, bytes)) or argname == "case":
        return None
    text = str(val, "latin-1") if isinstance(val, bytes) else val
    if text.startswith(SECRETS):
        return argname
    text = text.encode("unicode_escape").decode()
    return f"{text[:LONGEST_ID]}..." if len(text) > LONGEST_ID else None


@pytest.fixture(scope="session")
def protoset(tmp_path_factory):
    """The path of our compiled protos: a FileDescriptorSet that includes the imports."""
    path = tmp_path_factory.mktemp("protos") / "ours.protoset"
    files = sorted(str(file.relative_to(PROTOS)) for file in PROTOS.rglob("*.proto"))
    subprocess.run(
        ["protoc", "-I", PROTOS, "--include_imports", f"--descriptor_set_out={path}", *files],
        check=True)
    return path


@pytest.fixture(scope="session")
def our_files(protoset):
    """Our protos and their imports as FileDescriptorProtos, in dependency order."""
    return descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file


@pytest.fixture(scope="session")
def ours(our_files):
    """Looks up our FileDescriptors by path, in a separate pool."""
    pool = descriptor_pool.DescriptorPool()
    for file in our_files:
        pool.AddSerializedFile(file.SerializeToString())
    return lambda *paths: [pool.FindFileByName(path) for path in paths]


@pytest.fixture(scope="session")
def test_protoset(tmp_path_factory):
    """The path of the compiled grpc.testing.TestService: a FileDescriptorSet with its imports."""
    path = tmp_path_factory.mktemp("protos") / "test.protoset"
    subprocess.run(
        ["protoc", "-I", INTEROP / "protos", "--include_imports", f"--descriptor_set_out={path}",
         "grpc/testing/test.proto"], check=True)
    return path


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return make_certificates(tmp_path_factory.mktemp("certificates"))
