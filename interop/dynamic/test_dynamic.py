"""Do dynamic messages agree with Python's protobuf (upb) in reading and writing binary and JSON?"""

import json

import pytest
from google.protobuf import json_format, message_factory
from google.protobuf.message import DecodeError

from dynamic.noise import Noise, same
from dynamic.sources import SOURCES
from dynamic.testee import JSON, PROTOBUF
from googleapis.protos import FILES, messages
from peers.recordings.filled import Filler


def samples(pool, descriptor, count=6):
    """Yields filled messages, with and without extensions."""
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
    """Returns the JSON value with only its structure and names."""
    if isinstance(value, dict):
        return {name: shape(inside) for name, inside in value.items()}
    if isinstance(value, list):
        return [shape(inside) for inside in value]
    return type(value) is str


def parsed(text, sample, pool):
    return json_format.Parse(text, type(sample)(), descriptor_pool=pool)


# Filled descriptors have megabytes and test nothing new.
@pytest.mark.parametrize("path", [*SOURCES, *(path for path in FILES if "descriptor" not in path
                                              and "plugin" not in path)])
def test_messages_round_trip(testee, pool, path):
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
def test_encoding_equals_that_of_upb(testee, pool, path):
    """The encodings use the same bytes, including packing, groups and omitted defaults."""
    for descriptor in messages(pool.FindFileByName(path)):
        for sample in samples(pool, descriptor):
            data = sample.SerializeToString(deterministic=True)
            assert sorted(testee.bytes(descriptor.full_name, data)) == sorted(data)
            assert len(testee.bytes(descriptor.full_name, data)) == len(data)


@pytest.mark.parametrize("name", [
    "tripwire.dynamic.Flat", "tripwire.edition.Expanding", "tripwire.edition.Delimited",
    "tripwire.test.Repeated", "tripwire.test.Choices", "tripwire.test.Tree",
    "tripwire.test.Optionals", "tripwire.test.Scalars"])
def test_random_bytes_decode_as_in_upb(testee, pool, name):
    """Both decoders reject the bytes, or both read the same message."""
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
        # upb accepts the field number 0 within unknown groups.
        if "illegal tag" in response.parse_error:
            continue
        assert response.WhichOneof("result") == "protobuf_payload", (data.hex(), response)
        again = message_class()
        again.MergeFromString(response.protobuf_payload)
        if not same(again, theirs):
            # upb keeps unknown numbers of closed enums in full; tripwire and C++ keep 32 bits.
            again.DiscardUnknownFields()
            theirs.DiscardUnknownFields()
        assert same(again, theirs), (data.hex(), response.protobuf_payload.hex())
        read += 1


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
def test_invalid_json_is_rejected(testee, pool, name, text):
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
def test_json_is_read_as_in_python(testee, pool, name, text):
    if '"choice"' in text:
        text = text.replace(',"choice":null', "")
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
    json_format.Parse(text, message, descriptor_pool=pool)
    assert type(message).FromString(testee.bytes(name, text)) == message


def test_invalid_utf8_is_accepted_only_without_validation(testee):
    unchecked = b"\x32\x02\xc3\x28"
    assert testee.bytes("tripwire.edition.Edition", unchecked) == unchecked
    assert "UTF-8" in testee.ask("tripwire.edition.Edition", unchecked, JSON).serialize_error
    checked = b"\x2a\x02\xc3\x28"
    assert "Edition.checked at byte 2: not UTF-8" in testee.ask(
        "tripwire.edition.Edition", checked, PROTOBUF).parse_error


def test_errors_name_line_column_and_field(testee):
    def fault(name, payload):
        return testee.ask(name, payload, PROTOBUF).parse_error

    assert fault("tripwire.dynamic.Old", '{"byNumber":{"3":{"group":\n {"insied":1}}}}') == (
        '2:3: Old.by_number["3"].group: unknown field "insied"; did you mean inside?')
    assert fault("tripwire.dynamic.Old", '{"[tripwire.dynamic.extra_old]":{"number":"x"}}') == (
        '1:44: Old.[tripwire.dynamic.extra_old].number: malformed number')
    assert fault("tripwire.dynamic.Old", b"\x5a\x05\x08\x01\x12\x01\x08") == (
        "Old.by_number[0].value.number at byte 7: truncated")
