"""Writes FileDescriptorSets that contain messages of their types, for the target `descriptors`.

    descriptors.py FOLDER
"""

import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2, json_format, message_factory

SOURCES = {
    "proto3": """
        syntax = "proto3"; package p;
        // Of all kinds.
        message All {
          int32 a = 1; sint64 b = 2; fixed32 c = 3; double d = 4; bool e = 5; string f = 6;
          bytes g = 7; Kind h = 8; All i = 9; repeated uint64 j = 10; repeated All k = 11;
          map<string, All> l = 12; map<int32, Kind> m = 13; optional float n = 14;
          oneof o { int32 p = 15; string q = 16; All r = 17; }
          enum Kind { NONE = 0; SOME = 1; }
          reserved 20 to 30; reserved "gone";
        }
        service S { rpc Do(All) returns (stream All) { option deprecated = true; } }""",
    "proto2": """
        syntax = "proto2";
        message Old {
          required int32 a = 1; optional string b = 2 [default = "x\\n"]; repeated int32 c = 3;
          optional group G = 4 { optional int32 x = 1; } optional Closed d = 5;
          extensions 100 to 200;
        }
        enum Closed { option allow_alias = true; ONE = 1; UNO = 1; TWO = -2; }
        extend Old { optional Old more = 100; repeated int32 many = 101 [packed = true]; }""",
    "edition": """
        edition = "2023"; package e;
        message M {
          int32 a = 1 [features.field_presence = LEGACY_REQUIRED];
          M b = 2 [features.message_encoding = DELIMITED];
          repeated int32 c = 3 [features.repeated_field_encoding = EXPANDED];
          string d = 4 [features.utf8_validation = NONE];
        }""",
}
VALUES = {
    "p.All": {
        "a": -1, "b": "-2", "c": 3, "d": "NaN", "e": True, "f": "x", "g": "AQI=", "h": "SOME",
        "i": {"a": 1}, "j": ["1", "2"], "k": [{}, {"p": 0}], "l": {"x": {}}, "m": {"-1": "SOME"},
        "n": 0, "r": {"q": "y"}},
    "Old": {
        "a": 1, "b": "x", "c": [1, 2], "g": {"x": 1}, "d": "TWO",
        "[more]": {"a": 2, "[many]": [3]}},
    "e.M": {"a": 1, "b": {"a": 2}, "c": [1], "d": "x"},
}


def field(**more):
    return descriptor_pb2.FieldDescriptorProto(label="LABEL_OPTIONAL", **more)


def invalid_sets():
    """Sets that no compiler generates."""
    def named(name):
        made = descriptor_pb2.FileDescriptorSet()
        file = made.file.add(name=name, syntax="proto3", package="p")
        return made, file

    made, file = named("entry")
    entry = file.message_type.add(name="E", field=[
        field(name="key", number=1, type="TYPE_MESSAGE", type_name=".p.E"),
        field(name="value", number=2, type="TYPE_ENUM", type_name=".p.Empty")])
    entry.options.map_entry = True
    repeated = field(name="map", number=1, type="TYPE_MESSAGE", type_name="E")
    repeated.label = repeated.LABEL_REPEATED
    file.message_type.add(name="M", field=[repeated])
    file.enum_type.add(name="Empty")
    yield made

    made, file = named("nested")
    inner = file.message_type.add(name="M")
    for _ in range(30):
        inner.field.append(field(name="x", number=1, type="TYPE_MESSAGE", type_name="M"))
        inner = inner.nested_type.add(name="M")
    yield made

    for name in "circle", "circle":
        made, file = named(name)
        file.dependency.append(name)
        file.message_type.add(name="M", field=[
            field(name="a", number=1, type="TYPE_INT32", oneof_index=0),
            field(name="b", number=1, type="TYPE_INT32", oneof_index=7, json_name="a")])
        file.extension.add(name="x", number=5, extendee="M", type="TYPE_GROUP", type_name="M")
        yield made


def compiled(name, source):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.proto"
        path.write_text(source)
        protoset = pathlib.Path(folder) / "a.protoset"
        subprocess.run(
            [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}", "--include_source_info",
             f"--descriptor_set_out={protoset}", path], check=True)
        return descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes())


def with_message(made, binary, text):
    """The set with messages for the target to decode, in the unknown fields 100 and 101."""
    def tagged(number, value):
        tag = number << 3 | 2
        return bytes([tag & 0x7F | 0x80, tag >> 7]) + varint(len(value)) + value

    return made.SerializeToString() + tagged(100, binary) + tagged(101, text)


def varint(value):
    return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value > 0x7F else bytes([value])


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, source in SOURCES.items():
    made = compiled(name, source)
    types = message_factory.GetMessages(made.file)
    (type_name, value), = [pair for pair in VALUES.items() if pair[0] in types]
    message = json_format.ParseDict(value, types[type_name]())
    text = json_format.MessageToJson(message).encode()
    # The target ignores the first byte of its input.
    (folder / name).write_bytes(b"\0" + with_message(made, message.SerializeToString(), text))
for index, made in enumerate(invalid_sets()):
    (folder / f"invalid{index}").write_bytes(
        b"\0" + with_message(made, b"\x0a\x02\x08\x01\x13\x14", b'{"map": {"a": "b"}, "x": {}}'))
