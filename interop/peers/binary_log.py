"""Reads and writes gRPC binary logs: entries, each behind its length as four bytes, big-endian."""

import struct
import tempfile
from pathlib import Path

import grpc_tools
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

from places import PROTOS

FILE = "grpc/binlog/v1/binarylog.proto"


def entry_class():
    """GrpcLogEntry as our proto defines it, compiled by grpcio-tools."""
    well_known_types = Path(grpc_tools.__file__).parent / "_proto"
    with tempfile.NamedTemporaryFile() as output:
        arguments = ["protoc", f"-I{PROTOS}", f"-I{well_known_types}", "--include_imports",
                     f"--descriptor_set_out={output.name}", FILE]
        if protoc.main(arguments) != 0:
            raise RuntimeError(f"cannot compile {FILE}")
        files = descriptor_pb2.FileDescriptorSet.FromString(output.read()).file
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName("grpc.binarylog.v1.GrpcLogEntry"))


GrpcLogEntry = entry_class()


def write(path, entries):
    with open(path, "wb") as file:
        for entry in entries:
            data = entry.SerializeToString(deterministic=True)
            file.write(struct.pack(">I", len(data)) + data)


def read(path):
    data, entries = Path(path).read_bytes(), []
    while data:
        size, = struct.unpack_from(">I", data)
        if len(data) < 4 + size:
            raise ValueError(f"{path} ends within entry {len(entries) + 1}")
        entries.append(GrpcLogEntry.FromString(data[4:4 + size]))
        data = data[4 + size:]
    return entries
