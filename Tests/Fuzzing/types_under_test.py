"""The types of Sources/Fuzz/Types.swift in Python's protobuf, in the same order."""

import importlib.resources
import pathlib
import re
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal import field_mask
from grpc_tools import protoc

ROOT = pathlib.Path(__file__).parents[2]

NAMES = (
    [f"maps.fleetengine.v1.{name}" for name in ("Trip", "SearchTripsResponse", "Vehicle")]
    + [
        f"tripwire.test.{name}"
        for name in "Scalars Repeated Optionals Choices Maps Tree WellKnown Awkward".split()
    ]
    + [f"google.protobuf.{name}" for name in "Struct Value ListValue Any FieldMask".split()]
    + [f"google.rpc.{name}" for name in "Status ErrorInfo QuotaFailure BadRequest".split()]
    + ["google.protobuf.StringValue", "google.protobuf.BytesValue"]
)
# Messages of numbers alone.
PLAIN = [
    f"google.protobuf.{name}"
    for name in (
        "Timestamp Duration DoubleValue FloatValue Int64Value UInt64Value Int32Value "
        "UInt32Value BoolValue"
    ).split()
] + ["tripwire.test.Point", "tripwire.test.Span"]
NAMES += PLAIN


def _pool():
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "descriptors")
        google = importlib.resources.files("grpc_tools") / "_proto"
        fleet = "google/maps/fleetengine/v1"
        files = [
            "everything.proto",
            "google/rpc/status.proto",
            "google/rpc/error_details.proto",
            f"{fleet}/trips.proto",
            f"{fleet}/trip_api.proto",
            f"{fleet}/vehicles.proto",
        ]
        includes = [f"-I{p}" for p in (ROOT / "protos", ROOT / "Tests/WireProtobufTests", google)]
        arguments = ["protoc", *includes, "--include_imports", f"--descriptor_set_out={out}", *files]
        if protoc.main(arguments) != 0:
            raise SystemExit("protoc failed")
        descriptors = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in descriptors.file:
        pool.Add(file)
    return pool


POOL = _pool()
CLASSES = [message_factory.GetMessageClass(POOL.FindMessageTypeByName(name)) for name in NAMES]


def _in_ascii(convert):
    """Restricts a case conversion to ASCII letters."""
    def converted(path):
        others = iter(re.findall(r"[^\x00-\x7f]", path))
        return re.sub(
            "\ue000", lambda _: next(others), convert(re.sub(r"[^\x00-\x7f]", "\ue000", path)))

    return converted


# In the paths of a google.protobuf.FieldMask, Python converts every letter that has a case in Unicode
# and refuses to write upper case. C++, Go and we convert ASCII letters only.
for _name in ("_SnakeCaseToCamelCase", "_CamelCaseToSnakeCase"):
    setattr(field_mask, _name, _in_ascii(getattr(field_mask, _name)))
