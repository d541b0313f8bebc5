"""Third-party .proto files, and their content as Python's protobuf reports it."""

import importlib
import subprocess
from importlib import metadata

from google.protobuf import descriptor_pb2, descriptor_pool

PACKAGE = metadata.distribution("googleapis-common-protos")

# The files of google/protobuf that are not part of WireProtobuf, including those in proto2.
GOOGLE_PROTOBUF = [
    "google/protobuf/api.proto", "google/protobuf/descriptor.proto",
    "google/protobuf/source_context.proto", "google/protobuf/type.proto",
    "google/protobuf/compiler/plugin.proto",
]


def descriptor(path):
    """Returns the descriptor of a file from its module, because Python has one file at another path."""
    return importlib.import_module(path.removesuffix(".proto").replace("/", ".") + "_pb2").DESCRIPTOR


THEIR_FILES = sorted(str(path) for path in PACKAGE.files if path.suffix == ".proto")
FILES = {path: descriptor(path) for path in THEIR_FILES + GOOGLE_PROTOBUF}


def messages(file):
    """Yields the messages of a file, including nested ones."""
    yield from with_nested(file.message_types_by_name.values())


def with_nested(descriptors):
    for message in descriptors:
        if not message.GetOptions().map_entry:
            yield message
            yield from with_nested(message.nested_types)


def enums(file):
    """Yields the enums of a file, including those in messages."""
    yield from file.enum_types_by_name.values()
    for message in messages(file):
        yield from message.enum_types


# Many enums are not used by a field. One more file has a message for each, with a list of its values.
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
    """Returns FILES and their imports, with comments, as a FileDescriptorSet.

    The files of google/protobuf come from Python, because those of protoc may have another version.
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
    """Returns the files of google/protobuf, in dependency order."""
    found = {}

    def add(file):
        for imported in file.dependencies:
            add(imported)
        if file.name.startswith("google/protobuf/"):
            found[file.name] = file

    for file in FILES.values():
        add(file)
    return found
