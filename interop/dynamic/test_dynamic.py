"""Do dynamic messages agree with Python's protobuf (upb), in binary and in JSON, both ways?"""

import json
import random
import subprocess
import sys

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import DecodeError

from dynamic.testee import JSON, PROTOBUF, Testee
from googleapis.protos import FILES, messages
from peers.filled import Filler
from places import INTEROP

SOURCES = {
    "everything.proto": (INTEROP.parent / "Tests/WireProtobufTests", ["protoc"]),
    "old.proto": (INTEROP / "dynamic", ["protoc"]),
    # Debian's protoc knows no editions.
    "edition.proto": (INTEROP / "dynamic", [sys.executable, "-m", "grpc_tools.protoc"]),
}


def compiled(path, folder):
    source, protoc = SOURCES[path]
    protoset = folder / f"{path}.protoset"
    subprocess.run(
        [*protoc, f"-I{source}", "--include_imports", f"--descriptor_set_out={protoset}", path],
        check=True)
    return descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def pool(files):
    """Python's own, where the well-known types are."""
    pool = descriptor_pool.Default()
    for path in SOURCES:
        pool.AddSerializedFile(files[path].SerializeToString())
    return pool


@pytest.fixture(scope="module")
def testee(files, tmp_path_factory):
    with Testee(files.values(), tmp_path_factory.mktemp("testee")) as testee:
        yield testee


def samples(pool, descriptor, count=6):
    """Filled messages, extensions too."""
    message_class = message_factory.GetMessageClass(descriptor)
    filler = Filler()
    for index in range(count):
        sample = message_class()
        filler.fill(sample)
        if index % 2:
            for extension in pool.FindAllExtensions(descriptor):
                if extension.file.package == descriptor.file.package:
                    filler.fill_extension(sample, extension)
        yield sample


def shape(value):
    """The names in JSON, without the values."""
    if isinstance(value, dict):
        return {name: shape(inside) for name, inside in value.items()}
    if isinstance(value, list):
        return [shape(inside) for inside in value]
    return type(value) is str


def parsed(text, sample, pool):
    return json_format.Parse(text, type(sample)(), descriptor_pool=pool)


# Descriptors filled are megabytes, of nothing new.
@pytest.mark.parametrize("path", [*SOURCES, *(path for path in FILES if "descriptor" not in path
                                              and "plugin" not in path)])
def test_messages_survive(testee, pool, path):
    for descriptor in messages(FILES.get(path) or pool.FindFileByName(path)):
        if descriptor.full_name == "tripwire.dynamic.Needy":
            continue
        for sample in samples(pool, descriptor):
            name, read = descriptor.full_name, type(sample).FromString
            assert read(testee.bytes(name, sample.SerializeToString())) == sample
            ours = testee.json(name, sample.SerializeToString())
            theirs = json_format.MessageToJson(sample, descriptor_pool=pool)
            assert parsed(ours, sample, pool) == sample
            assert shape(json.loads(ours)) == shape(json.loads(theirs))
            assert read(testee.bytes(name, ours)) == sample
            assert read(testee.bytes(name, theirs)) == sample


@pytest.mark.parametrize("path", SOURCES)
def test_the_same_bytes_are_written(testee, pool, path):
    """Not only equal ones: packed or not, groups or not, defaults left out."""
    for descriptor in messages(pool.FindFileByName(path)):
        for sample in samples(pool, descriptor):
            data = sample.SerializeToString(deterministic=True)
            assert sorted(testee.bytes(descriptor.full_name, data)) == sorted(data)
            assert len(testee.bytes(descriptor.full_name, data)) == len(data)


WIRE_TYPES = {
    Field.TYPE_DOUBLE: 1, Field.TYPE_FIXED64: 1, Field.TYPE_SFIXED64: 1, Field.TYPE_FLOAT: 5,
    Field.TYPE_FIXED32: 5, Field.TYPE_SFIXED32: 5, Field.TYPE_STRING: 2, Field.TYPE_BYTES: 2,
    Field.TYPE_MESSAGE: 2, Field.TYPE_GROUP: 3}


class Noise:
    """Bytes that are nearly those of a message."""

    def __init__(self, seed):
        self.dice = random.Random(seed)

    def message(self, descriptor, extensions, depth=4):
        data = b""
        for _ in range(self.dice.randrange(5)):
            fields = [*descriptor.fields, *extensions, None]
            data += self.field(self.dice.choice(fields), descriptor, extensions, depth)
        return data

    def field(self, field, descriptor, extensions, depth):
        number = field.number if field else self.dice.randrange(1, 200)
        wire_type = WIRE_TYPES.get(field.type, 0) if field else self.dice.choice([0, 1, 2, 3, 5])
        if self.dice.random() < 0.2:
            wire_type = self.dice.choice([0, 1, 2, 3, 5])
        if field and field.is_repeated and self.dice.random() < 0.5:
            wire_type = 2 if wire_type in (0, 1, 5) else wire_type
        inner = field.message_type if field and field.message_type else descriptor
        inside = self.message(inner, extensions if inner is descriptor else [], depth - 1) \
            if depth and self.dice.random() < 0.7 \
            else bytes(self.dice.choice([0, 1, 5, 65, 195, 128]) for _ in range(self.dice.randrange(5)))
        tag = varint(number << 3 | wire_type)
        match wire_type:
            case 0: return tag + varint(self.dice.choice(
                [0, 1, 5, 7, 2**31 - 1, 2**64 - 3, self.dice.randrange(300)]))
            case 1 | 5: return tag + self.dice.randbytes(8 if wire_type == 1 else 4)
            case 2: return tag + varint(len(inside)) + inside
            case 3: return tag + inside + varint(number << 3 | 4)

    def damaged(self, data):
        if data and self.dice.random() < 0.3:
            place = self.dice.randrange(len(data))
            return data[:place] + self.dice.randbytes(1) + data[place + 1:]
        return data


def varint(number):
    data = b""
    while number >= 0x80:
        data += bytes([number & 0x7F | 0x80])
        number >>= 7
    return data + bytes([number])


@pytest.mark.parametrize("name", [
    "tripwire.dynamic.Flat", "tripwire.edition.Expanding", "tripwire.edition.Delimited",
    "tripwire.test.Repeated", "tripwire.test.Choices", "tripwire.test.Tree",
    "tripwire.test.Optionals", "tripwire.test.Scalars"])
def test_noise_means_the_same(testee, pool, name):
    """Both refuse it, or both read the same."""
    descriptor = pool.FindMessageTypeByName(name)
    message_class = message_factory.GetMessageClass(descriptor)
    noise, extensions = Noise(name), pool.FindAllExtensions(descriptor)
    refused = read = 0
    while refused < 200 or read < 200:
        data = noise.damaged(noise.message(descriptor, extensions))
        response = testee.ask(name, data, PROTOBUF)
        theirs = message_class()
        try:
            theirs.MergeFromString(data)
        except DecodeError:
            assert response.WhichOneof("result") == "parse_error", data.hex()
            refused += 1
            continue
        # Within unknown groups upb takes the field number 0.
        if "illegal tag" in response.parse_error:
            continue
        assert response.WhichOneof("result") == "protobuf_payload", (data.hex(), response)
        again = message_class()
        again.MergeFromString(response.protobuf_payload)
        if not same(again, theirs):
            # Numbers that a closed enum does not have upb keeps whole, we (and C++) with 32 bits.
            again.DiscardUnknownFields()
            theirs.DiscardUnknownFields()
        assert same(again, theirs), (data.hex(), response.protobuf_payload.hex())
        read += 1


def same(a, b):
    # NaN is not equal to itself, but in bytes it is.
    return a == b or a.SerializePartialToString(deterministic=True) == \
        b.SerializePartialToString(deterministic=True)


@pytest.mark.parametrize("name, text", [
    ("tripwire.dynamic.Old", '{"closed":7}'),
    ("tripwire.dynamic.Old", '{"closed":"CLOSED_SEVEN"}'),
    ("tripwire.dynamic.Old", '{"first":1,"second":"x"}'),
    ("tripwire.dynamic.Old", '{"number":1,"number":2}'),
    ("tripwire.dynamic.Old", '{"group":{"inside":1}}'),
    ("tripwire.dynamic.Old", '{"[tripwire.dynamic.Scope.name]":1}'),
    ("tripwire.dynamic.Old", '{"unpacked":[1,null]}'),
    ("tripwire.dynamic.Old", '{"byName":{"a":"MAPPED_ONE","a":"MAPPED_ONE"}}'),
    ("tripwire.dynamic.Old", '{"any":{"@type":"type.googleapis.com/not.There"}}'),
    ("tripwire.dynamic.Old", '{"any":{"number":1}}'),
    ("tripwire.edition.Edition", '{"shut":3}'),
    ("tripwire.test.WellKnown", '{"time":"2026-13-01T00:00:00Z"}'),
])
def test_json_is_refused(testee, pool, name, text):
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
    with pytest.raises(json_format.ParseError):
        json_format.Parse(text, message, descriptor_pool=pool)
    assert testee.ask(name, text, PROTOBUF).WhichOneof("result") == "parse_error"


@pytest.mark.parametrize("name, text", [
    ("tripwire.dynamic.Old", '{"closed":-3,"other.name":4}'),
    ("tripwire.dynamic.Old", '{"renamed":4,"by_name":{"x":"MAPPED_ZERO"}}'),
    ("tripwire.dynamic.Old", '{"group":{"inside":"a","deeper":{"groups":[{"inside":1},{}]}}}'),
    ("tripwire.dynamic.Old", '{"[tripwire.dynamic.extra]":3,"[tripwire.dynamic.Scope.nested]":{}}'),
    ("tripwire.dynamic.Old",
     '{"any":{"@type":"type.googleapis.com/tripwire.dynamic.Old","number":3,'
     '"[tripwire.dynamic.extra]":4}}'),
    ("tripwire.dynamic.Old",
     '{"any":{"value":{"@type":"x/google.protobuf.Timestamp","value":"1970-01-01T00:00:01Z"},'
     '"@type":"y/google.protobuf.Any"}}'),
    ("tripwire.dynamic.Old", '{"number":null,"unpacked":null,"by_name":null,"choice":null}'),
    ("tripwire.edition.Edition", '{"open":7,"implicit":0,"explicit":0,"delimited":{}}'),
])
def test_json_means_the_same(testee, pool, name, text):
    if '"choice"' in text:
        text = text.replace(',"choice":null', "")
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
    json_format.Parse(text, message, descriptor_pool=pool)
    assert type(message).FromString(testee.bytes(name, text)) == message


def test_text_that_is_no_utf8_passes_where_it_may(testee):
    unchecked = b"\x32\x02\xc3\x28"
    assert testee.bytes("tripwire.edition.Edition", unchecked) == unchecked
    assert "UTF-8" in testee.ask("tripwire.edition.Edition", unchecked, JSON).serialize_error
    checked = b"\x2a\x02\xc3\x28"
    assert "Edition.checked: not UTF-8 at byte 2" in testee.ask(
        "tripwire.edition.Edition", checked, PROTOBUF).parse_error


def test_faults_name_their_place(testee):
    def fault(name, payload):
        return testee.ask(name, payload, PROTOBUF).parse_error

    assert fault("tripwire.dynamic.Old", '{"byNumber":{"3":{"group":\n {"insied":1}}}}') == (
        '2:3: Old.by_number["3"].group: unknown field "insied"; did you mean inside?')
    assert fault("tripwire.dynamic.Old", '{"[tripwire.dynamic.extra_old]":{"number":"x"}}') == (
        '1:44: Old.[tripwire.dynamic.extra_old].number: malformed number')
    assert fault("tripwire.dynamic.Old", b"\x5a\x05\x08\x01\x12\x01\x08") == (
        "Old.by_number[0].value.number: truncated at byte 7")
