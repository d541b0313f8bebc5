"""The .proto files for the tests of dynamic messages."""

import subprocess
import sys

from google.protobuf import descriptor_pb2

from support.paths import INTEROP

SOURCES = {
    "everything.proto": (INTEROP.parent / "Tests/WireProtobufTests", ["protoc"]),
    "old.proto": (INTEROP / "dynamic", ["protoc"]),
    "sets.proto": (INTEROP / "dynamic", ["protoc"]),
    # Debian's protoc does not support editions.
    "edition.proto": (INTEROP / "dynamic", [sys.executable, "-m", "grpc_tools.protoc"]),
}


def compiled(path, folder):
    source, protoc = SOURCES[path]
    protoset = folder / f"{path}.protoset"
    subprocess.run(
        [*protoc, f"-I{source}", "--include_imports", f"--descriptor_set_out={protoset}", path],
        check=True)
    return descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file
