"""The .proto files that nobody wrote for us, and what is in them by Python's account."""

import importlib
import subprocess
from importlib import metadata

from google.protobuf import descriptor_pb2, descriptor_pool

PACKAGE = metadata.distribution("googleapis-common-protos")

# Those of google/protobuf that WireProtobuf does not hold, the proto2 ones among them.
GOOGLE_PROTOBUF = [
    "google/protobuf/api.proto", "google/protobuf/descriptor.proto",
    "google/protobuf/source_context.proto", "google/protobuf/type.proto",
    "google/protobuf/compiler/plugin.proto",
]


def descriptor(path):
    """By its module: one file is known to Python under another path."""
    return importlib.import_module(path.removesuffix(".proto").replace("/", ".") + "_pb2").DESCRIPTOR


THEIR_FILES = sorted(str(path) for path in PACKAGE.files if path.suffix == ".proto")
FILES = {path: descriptor(path) for path in THEIR_FILES + GOOGLE_PROTOBUF}


def messages(file):
    """The messages of a file, those inside others too."""
    yield from with_nested(file.message_types_by_name.values())


def with_nested(descriptors):
    for message in descriptors:
        if not message.GetOptions().map_entry:
            yield message
            yield from with_nested(message.nested_types)


def enums(file):
    """The enums of a file, those inside messages too."""
    yield from file.enum_types_by_name.values()
    for message in messages(file):
        yield from message.enum_types


# Many enums are no field's type: one more file has a message for each, a list of its values.
ENUMS = "every_enum.proto"


def every_enum():
    file = descriptor_pb2.FileDescriptorProto(name=ENUMS, package="every_enum")
    for imported in FILES.values():
        for enum in enums(imported):
            if imported.name not in file.dependency:
                file.dependency.append(imported.name)
            file.message_type.add(name=enum.full_name.replace(".", "_")).field.add(
                name="values", json_name="values", number=1, type_name="." + enum.full_name,
                type="TYPE_ENUM", label="LABEL_REPEATED")
    return file


descriptor_pool.Default().AddSerializedFile(every_enum().SerializeToString())
FILES[ENUMS] = descriptor_pool.Default().FindFileByName(ENUMS)


def compiled(folder):
    """All of FILES and what they import, with their comments, as a FileDescriptorSet.

    Those of google/protobuf are as Python has them: protoc's own may be of another version.
    """
    path = folder / "googleapis"
    subprocess.run(
        ["protoc", "-I", PACKAGE.locate_file(""), "--include_source_info",
         f"--descriptor_set_out={path}", *THEIR_FILES], check=True)
    found = descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes())
    for file in google_protobuf().values():
        found.file.add().MergeFromString(file.serialized_pb)
    found.file.append(every_enum())
    return found


def google_protobuf():
    """What there is of google/protobuf, with all it imports."""
    found = {}

    def add(file):
        for imported in file.dependencies:
            add(imported)
        if file.name.startswith("google/protobuf/"):
            found[file.name] = file

    for file in FILES.values():
        add(file)
    return found
