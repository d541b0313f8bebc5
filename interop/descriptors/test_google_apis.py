"""Do our protos of Google's common types and of protoc's plugins equal those of PyPI?"""

from google.api import annotations_pb2, http_pb2, routing_pb2
from google.geo.type import Viewport
from google.protobuf.compiler import plugin_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from google.type import latlng_pb2

from descriptors.compare import differences, shape_of_files

THEIRS = {
    "google/api/annotations.proto": annotations_pb2.DESCRIPTOR,
    "google/api/http.proto": http_pb2.DESCRIPTOR,
    "google/api/routing.proto": routing_pb2.DESCRIPTOR,
    "google/geo/type/viewport.proto": Viewport.pb().DESCRIPTOR.file,
    "google/rpc/code.proto": code_pb2.DESCRIPTOR,
    "google/rpc/error_details.proto": error_details_pb2.DESCRIPTOR,
    "google/rpc/status.proto": status_pb2.DESCRIPTOR,
    "google/type/latlng.proto": latlng_pb2.DESCRIPTOR,
}

PLUGIN = "google/protobuf/compiler/plugin.proto"
SINCE_PROTOC_3_21 = {
    "google.protobuf.compiler.CodeGeneratorRequest.source_file_descriptors",
    "google.protobuf.compiler.CodeGeneratorResponse.Feature.FEATURE_SUPPORTS_EDITIONS",
    "google.protobuf.compiler.CodeGeneratorResponse.maximum_edition",
    "google.protobuf.compiler.CodeGeneratorResponse.minimum_edition",
}


def test_common_protos_equal_upstream(ours):
    assert differences(
        shape_of_files(ours(*THEIRS)), shape_of_files(THEIRS.values())) == []


def test_plugin_proto_equals_that_of_protoc_3_21(ours):
    assert differences(shape_of_files(ours(PLUGIN)), shape_of_files([plugin_pb2.DESCRIPTOR])) == \
        sorted(f"{name}: only theirs" for name in SINCE_PROTOC_3_21)
