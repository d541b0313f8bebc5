"""Reads and writes gRPC binary logs: entries, each after its length in four bytes, big-endian."""

import struct
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from peers.servers.protosets import compiled
from support.paths import PROTOS


def entry_class():
    """Returns the class GrpcLogEntry of our proto, compiled by grpcio-tools."""
    protoset = compiled(PROTOS, "grpc/binlog/v1/binarylog.proto")
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(protoset).file:
        pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName("grpc.binarylog.v1.GrpcLogEntry"))


GrpcLogEntry = entry_class()


def write(path, entries):
    Path(path).write_bytes(encoded(entries))


def encoded(entries):
    parts = [entry.SerializeToString(deterministic=True) for entry in entries]
    return b"".join(struct.pack(">I", len(data)) + data for data in parts)


def read(path):
    return decoded(Path(path).read_bytes(), path)


def decoded(data, path="the log"):
    entries = []
    while data:
        size, = struct.unpack_from(">I", data)
        if len(data) < 4 + size:
            raise ValueError(f"{path} ends within entry {len(entries) + 1}")
        entries.append(GrpcLogEntry.FromString(data[4:4 + size]))
        data = data[4 + size:]
    return entries
