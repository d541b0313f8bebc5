"""Do dynamic messages agree with Python's protobuf (upb), in binary and in JSON, both ways?"""

import json
import random
import subprocess
import sys

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
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


@pytest.mark.parametrize("path", SOURCES)
@pytest.mark.parametrize("seed", range(4))
def test_damaged_bytes_mean_the_same(testee, pool, path, seed):
    """A byte changed, dropped or added: both refuse it, or both read the same."""
    dice = random.Random(seed)
    refused = read = 0
    for descriptor in messages(pool.FindFileByName(path)):
        for sample in samples(pool, descriptor, 2):
            data = sample.SerializePartialToString()
            for _ in range(40):
                damaged = bytearray(data)
                for _ in range(dice.randint(1, 3)):
                    place = dice.randrange(len(damaged) + 1)
                    match dice.randrange(3):
                        case 0: damaged[place:place + 1] = bytes([dice.randrange(256)])
                        case 1: del damaged[place:place + 1]
                        case 2: damaged.insert(place, dice.randrange(256))
                response = testee.ask(descriptor.full_name, bytes(damaged), PROTOBUF)
                theirs = type(sample)()
                try:
                    theirs.MergeFromString(bytes(damaged))
                except DecodeError:
                    assert response.WhichOneof("result") == "parse_error", damaged.hex()
                    refused += 1
                    continue
                assert response.WhichOneof("result") == "protobuf_payload", \
                    (damaged.hex(), descriptor.full_name, response)
                # Unknown fields may be in another place: written and read once more they are not.
                again = type(sample)()
                again.MergeFromString(response.protobuf_payload)
                assert again == theirs or \
                    again.SerializePartialToString(deterministic=True) == \
                    theirs.SerializePartialToString(deterministic=True), \
                    (damaged.hex(), descriptor.full_name)
                read += 1
    assert refused > 50 and read > 50


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
