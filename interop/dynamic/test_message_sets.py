"""Do dynamic message sets agree with Python's protobuf (upb)?

The cases are those of RunMessageSetTests in protobuf's conformance suite, which Debian's version of
the suite lacks, and similar ones.
"""

import json

import pytest
from google.protobuf import json_format, message_factory
from google.protobuf.message import DecodeError

from dynamic.noise import Noise, same, varint
from dynamic.testee import PROTOBUF

SET, HOLDER, NUMBERED = (f"tripwire.sets.{name}" for name in ("Set", "Holder", "Numbered"))
NUMBER, CHOICE, FAR, UNKNOWN = 4135312, 1547769, 2147483646, 4135300


def field(number, value):
    return varint(number << 3) + varint(value)


def delimited(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def group(number, *parts):
    return varint(number << 3 | 3) + b"".join(parts) + varint(number << 3 | 4)


def item(*parts):
    return group(1, *parts)


def type_id(number):
    return field(2, number)


def message(data):
    return delimited(3, data)


CASES = {
    "item": item(type_id(NUMBER), message(field(9, 99))),
    "message before type ID": item(message(field(9, 99)), type_id(NUMBER)),
    "number too large for a tag": item(type_id(FAR), message(delimited(1, b"x"))),
    "unknown type": item(type_id(UNKNOWN), message(b"\0\x63")),
    "unknown type, message first": item(message(b"\0\x63"), type_id(UNKNOWN)),
    "type ID 0": item(type_id(0), message(b"")),
    "type ID of more than 32 bits": item(type_id(2**32 + NUMBER), message(field(9, 99))),
    "encoded as a submessage": delimited(NUMBER, field(9, 99)),
    "unknown submessage": delimited(UNKNOWN, field(9, 99)),
    "submessage, then item": (
        delimited(CHOICE, field(1, 42)) + item(type_id(CHOICE), message(field(2, 99)))),
    "duplicate type ID": item(type_id(NUMBER), message(field(9, 99)), type_id(CHOICE)),
    "duplicate message": item(type_id(NUMBER), message(field(9, 99)), message(field(9, 88))),
    "duplicate message after the type ID": (
        item(message(field(9, 99)), type_id(NUMBER), message(field(9, 88)))),
    "duplicate item": (
        item(type_id(CHOICE), message(field(1, 1))) + item(type_id(CHOICE), message(field(2, 2)))),
    "duplicate item, not merged": (
        item(type_id(NUMBER), message(field(9, 1)))
        + item(type_id(NUMBER), message(delimited(10, item(type_id(CHOICE), message(b"")))))),
    "item, then submessage, merged": (
        item(type_id(NUMBER), message(field(9, 1)))
        + delimited(NUMBER, delimited(10, item(type_id(CHOICE), message(b""))))),
    "no type ID": item(message(field(9, 99))),
    "no message": item(type_id(NUMBER)),
    "empty item": item(),
    "empty message": item(type_id(NUMBER), message(b"")),
    "other fields in an item": (
        item(field(5, 1), type_id(NUMBER), group(6, field(1, 1)), message(field(9, 99)))),
    "type ID with wrong wire type": item(b"\x15\1\0\0\0", type_id(NUMBER), message(b"")),
    "item with wrong wire type": field(1, 5) + delimited(1, b"\x08\x01"),
    "another group": group(2, field(1, 1)),
    "non-canonical tags": b"\x8b\x00\x90\x00" + varint(NUMBER) + b"\x9a\x00\x00\x8c\x00",
    "set in a set": item(type_id(NUMBER), message(delimited(10, item(
        type_id(CHOICE), message(field(1, 7)))))),
}


def class_of(pool, name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name, wrapped", [
    (SET, lambda data: data), (HOLDER, lambda data: delimited(500, data))])
def test_bytes_and_json_equal_those_of_python(testee, pool, case, name, wrapped):
    data = wrapped(CASES[case])
    theirs = class_of(pool, name).FromString(data)
    assert testee.bytes(name, data) == theirs.SerializeToString()
    text = json_format.MessageToJson(theirs, descriptor_pool=pool)
    assert json.loads(testee.json(name, data)) == json.loads(text)
    # JSON omits unknown fields.
    known = class_of(pool, name)()
    json_format.Parse(text, known, descriptor_pool=pool)
    assert testee.bytes(name, text) == known.SerializeToString(deterministic=True)


@pytest.mark.parametrize("data", [
    item(type_id(NUMBER), message(b"\0\x63")),
    item(type_id(NUMBER), message(field(9, 99)[:1])),
    item(type_id(NUMBER), message(b"\x4c")),
    item(type_id(NUMBER), message(field(9, 99)))[:-1],
    b"\x0b" + type_id(NUMBER) + b"\x1a\x05\x08\x01\x0c",
    b"\x0b\x14",
    b"\x0b",
    b"\x0c",
], ids=lambda data: data.hex())
def test_malformed_sets_are_rejected(testee, pool, data):
    with pytest.raises(DecodeError):
        class_of(pool, SET).FromString(data)
    assert testee.ask(SET, data, PROTOBUF).WhichOneof("result") == "parse_error"


@pytest.mark.parametrize("tail, deepest", [
    (item(type_id(NUMBER), message(b"")), 97), (delimited(NUMBER, b""), 98),
    (item(type_id(UNKNOWN), message(b"")), 99),
    (item(type_id(NUMBER), message(delimited(11, b""))), 97),
])
def test_depth_limit_equals_that_of_upb(testee, pool, tail, deepest):
    """The message of an item uses one level of depth, except the last; its group uses none."""
    def nested(levels):
        data = delimited(10, tail)
        for _ in range(levels):
            data = delimited(11, data)
        return data

    def read_by_upb(data):
        try:
            return bool(class_of(pool, NUMBERED).FromString(data))
        except DecodeError:
            return False

    def read(data):
        return testee.ask(NUMBERED, data, PROTOBUF).WhichOneof("result") == "protobuf_payload"

    for levels in range(94, 102):
        assert read_by_upb(nested(levels)) == read(nested(levels)) == (levels <= deepest), levels


class SetNoise(Noise):
    """Generates random bytes that are almost valid messages with message sets."""

    def message(self, descriptor, extensions, depth=4):
        if not descriptor.GetOptions().message_set_wire_format or self.dice.random() < 0.2:
            return super().message(descriptor, extensions, depth)
        return b"".join(self.item(depth) for _ in range(self.dice.randrange(4)))

    def item(self, depth):
        parts = [self.part(depth) for _ in range(self.dice.choice([1, 2, 2, 2, 2, 3, 4]))]
        return item(*parts)

    def part(self, depth):
        kind = self.dice.random()
        if kind < 0.45:
            return type_id(self.dice.choice([NUMBER, NUMBER, CHOICE, FAR, UNKNOWN, 0, 1]))
        if kind < 0.9:
            inside = self.types[self.dice.randrange(len(self.types))]
            return message(self.message(inside, [], depth - 1) if depth > 0 else b"")
        return self.field(None, self.types[0], [], 0)


@pytest.mark.parametrize("name", [SET, HOLDER, NUMBERED])
def test_random_bytes_decode_as_in_upb(testee, pool, name):
    """Both decoders reject the bytes, or both read the same message."""
    noise = SetNoise(name)
    noise.types = [pool.FindMessageTypeByName(f"tripwire.sets.{type}")
                   for type in ("Numbered", "Choosing", "Far")]
    descriptor, message_class = pool.FindMessageTypeByName(name), class_of(pool, name)
    refused = read = 0
    while refused < 200 or read < 200:
        data = noise.damaged(noise.message(descriptor, []))
        response = testee.ask(name, data, PROTOBUF)
        theirs = message_class()
        try:
            theirs.MergeFromString(data)
        except DecodeError:
            assert response.WhichOneof("result") == "parse_error", data.hex()
            refused += 1
            continue
        # upb accepts the field number 0 within unknown groups and items.
        if "illegal tag" in response.parse_error:
            continue
        assert response.WhichOneof("result") == "protobuf_payload", (data.hex(), response)
        again = message_class.FromString(response.protobuf_payload)
        assert same(again, theirs), (data.hex(), response.protobuf_payload.hex())
        read += 1


def test_unknown_extension_in_json_is_rejected(testee, pool):
    text = '{"[tripwire.sets.Nobody.message_set_extension]":{}}'
    with pytest.raises(json_format.ParseError):
        json_format.Parse(text, class_of(pool, SET)(), descriptor_pool=pool)
    assert "unknown field" in testee.ask(SET, text, PROTOBUF).parse_error


def test_errors_name_the_field(testee):
    def fault(data):
        return testee.ask(HOLDER, data, PROTOBUF).parse_error

    step = "Holder.set.[tripwire.sets.Numbered.message_set_extension]"
    assert fault(delimited(500, item(type_id(NUMBER), message(b"\x48")))) == (
        f"{step}.number at byte 12: truncated")
    assert fault(delimited(500, item(message(b"\x48"), type_id(NUMBER)))) == (
        f"{step}.number at byte 7: truncated")
    assert fault(delimited(500, item(type_id(NUMBER), b"\0\1"))).startswith(f"{step} at byte 10: illegal tag")
    assert fault(delimited(500, b"\x0b\x14"))== "Holder.set.1 at byte 5: END_GROUP tag without a matching START_GROUP"
