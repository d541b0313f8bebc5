"""A dynamic-testee with the types of all sources, and the same types in Python."""

import pytest
from google.protobuf import (  # The well-known types come with their modules.
    any_pb2, descriptor_pb2, descriptor_pool, duration_pb2, empty_pb2, field_mask_pb2, struct_pb2,
    timestamp_pb2, wrappers_pb2)

from dynamic.sources import SOURCES, compiled
from dynamic.testee import Testee
from googleapis.protos import FILES


@pytest.fixture(scope="package")
def files(tmp_path_factory):
    """The FileDescriptorProtos of all sources and of googleapis, each once."""
    folder = tmp_path_factory.mktemp("compiled")
    found = {file.name: file for path in SOURCES for file in compiled(path, folder)}

    def add(file):
        if file.name not in found:
            file.CopyToProto(found.setdefault(file.name, descriptor_pb2.FileDescriptorProto()))
            for imported in file.dependencies:
                add(imported)

    for file in FILES.values():
        add(file)
    return found


@pytest.fixture(scope="package")
def pool(files):
    """Python's default pool, which has the well-known types."""
    pool = descriptor_pool.Default()
    for path in SOURCES:
        pool.AddSerializedFile(files[path].SerializeToString())
    return pool


@pytest.fixture(scope="package")
def testee(files, tmp_path_factory):
    with Testee(files.values(), tmp_path_factory.mktemp("testee")) as testee:
        yield testee
