"""Generates binary and JSON inputs from the fields of a type, most of them valid."""

import struct

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor as F
from google.protobuf.message import DecodeError

import types_under_test

FIXED32 = {F.TYPE_FIXED32, F.TYPE_SFIXED32, F.TYPE_FLOAT}
FIXED64 = {F.TYPE_FIXED64, F.TYPE_SFIXED64, F.TYPE_DOUBLE}
NUMBERS = [0, 1, 2, 5, 127, 128, 300, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63,
           2**64 - 1, 2**64 - 2**31, 2**64 - 2**31 - 1]
DOUBLES = [0.0, -0.0, 1.0, -1.5, 37.774749, 1e300, 5e-324, float("inf"), float("nan")]
STRINGS = [b"", b"a", b"name", "è€😀".encode(), b"x" * 16, b"foo_bar,baz", b"1.5s",
           b"2026-08-05T06:50:45Z", b"\x00\n\"\\"]
URLS = [f"type.googleapis.com/{name}".encode() for name in types_under_test.NAMES] + [b"none"]


def varint(value, padding=0):
    """A varint with extra bytes of padding."""
    out = bytearray()
    while value > 0x7F or padding > 0:
        if value <= 0x7F:
            padding -= 1
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def odd_varint(chance, value):
    padding = 0
    if chance.random() < 0.03:
        padding = chance.randrange(11 - len(varint(value)) + 1)
    return varint(value, padding)


def tag(chance, number, wire_type):
    value = number << 3 | wire_type
    padding = chance.randrange(6 - len(varint(value))) if chance.random() < 0.02 else 0
    return varint(value, padding)


def length_delimited(chance, data):
    return odd_varint(chance, len(data)) + data


def number_bytes(chance, field_type):
    if field_type in FIXED32:
        return struct.pack("<f", chance.choice([d for d in DOUBLES if abs(d) != 1e300]))
    if field_type in FIXED64:
        return struct.pack("<d", chance.choice(DOUBLES))
    return odd_varint(chance, chance.choice(NUMBERS) if chance.random() < 0.7
                      else chance.randrange(200))


def unknown(chance, number, depth=0):
    wire_type = chance.choice([0, 1, 2, 5, 3 if depth < 4 else 0])
    head = tag(chance, number, wire_type)
    if wire_type == 0:
        return head + odd_varint(chance, chance.choice(NUMBERS))
    if wire_type == 1:
        return head + chance.randbytes(8)
    if wire_type == 5:
        return head + chance.randbytes(4)
    if wire_type == 2:
        return head + length_delimited(chance, chance.randbytes(chance.randrange(6)))
    inner = b"".join(unknown(chance, chance.choice([1, 7, 1000]), depth + 1)
                     for _ in range(chance.randrange(3)))
    return head + inner + tag(chance, number, 4)


def value(chance, field, depth):
    """A field with its tag and a random value."""
    number = field.number
    if field.type == F.TYPE_MESSAGE:
        data = message(chance, field.message_type, depth + 1)
        return tag(chance, number, 2) + length_delimited(chance, data)
    if field.type in (F.TYPE_STRING, F.TYPE_BYTES):
        data = chance.choice(STRINGS)
        if field.full_name == "google.protobuf.Any.type_url" and chance.random() < 0.9:
            data = chance.choice(URLS)
        if chance.random() < 0.01:
            data += b"\xff"
        return tag(chance, number, 2) + length_delimited(chance, data)
    if field.is_repeated and chance.random() < 0.6:
        data = b"".join(number_bytes(chance, field.type) for _ in range(chance.randrange(5)))
        return tag(chance, number, 2) + length_delimited(chance, data)
    wire_type = 5 if field.type in FIXED32 else 1 if field.type in FIXED64 else 0
    return tag(chance, number, wire_type) + number_bytes(chance, field.type)


def message(chance, descriptor, depth=0):
    """A random message; the deeper it is nested, the fewer fields it has."""
    if descriptor.full_name == "google.protobuf.Any" and chance.random() < 0.5:
        inner = chance.choice(types_under_test.CLASSES).DESCRIPTOR
        url = f"type.googleapis.com/{inner.full_name}".encode()
        data = message(chance, inner, depth + 2)
        return b"\n" + varint(len(url)) + url + b"\x12" + varint(len(data)) + data
    parts = []
    for _ in range(chance.randrange(max(1, 6 - depth)) if chance.random() < 0.9 else 1):
        dice = chance.random()
        if descriptor.fields and dice < 0.9:
            field = chance.choice(descriptor.fields)
            parts.append(value(chance, field, depth) if depth < 8
                         else unknown(chance, field.number))
        elif descriptor.fields and dice < 0.93:
            parts.append(unknown(chance, chance.choice(descriptor.fields).number))
        else:
            parts.append(unknown(chance, chance.choice([15, 16, 100, 2**29 - 1, 5000])))
    return b"".join(parts)


def mutated(chance, data):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        at = chance.randrange(len(data) + 1)
        dice = chance.randrange(6)
        if dice == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif dice == 1 and at < len(data):
            data[at] = chance.choice([0, 0xFF, 0x80, 0x7F, chance.randrange(256)])
        elif dice == 2:
            data[at:at] = chance.randbytes(chance.randrange(4))
        elif dice == 3:
            del data[at : at + chance.randrange(1, 8)]
        elif dice == 4:
            end = at + chance.randrange(32)
            data[at:at] = data[at:end]
        elif chance.random() < 0.2:
            del data[at:]
    return bytes(data)


def binary(chance, descriptor, seeds):
    dice = chance.random()
    if seeds and dice < 0.15:
        data = chance.choice(seeds)
        # Two concatenated messages form one message.
        return mutated(chance, data) if dice < 0.1 else data + message(chance, descriptor)
    data = message(chance, descriptor)
    return data if dice < 0.8 else mutated(chance, data)


TOKENS = ["null", "true", "false", "0", "-0", "1", "1.0", "1.5", "-1", "1e2", "1e400", "1E-2", '"1"',
          '"1.0"', '"-1"', '" 1"', '""', '"a"', "[]", "{}", "[null]", '"NaN"', '"Infinity"',
          '"-Infinity"', "NaN", "01", "1.", ".5", "+1", "0x1", '"0x1"', '"1e3"', "2147483648",
          "4294967296", "9223372036854775808", "18446744073709551616", "18446744073709551615",
          "-9223372036854775809", "1e19", "3.5e38", '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud83d"',
          '"\\x"', '"1.000000001s"', '"-1.5s"', '"1.5"', '"2026-08-05T06:50:45.5+01:00"',
          '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59.999999999Z"', '"fooBar,baz"',
          '"foo_bar"', '"AQI="', '"AQI"', '"-_8"', '"A"', '"COLOR_RED"', '"COLOR_NONE"', "5", "{\"a\":1}",
          '"\\u0000"', '"tRue"', '"true"']


def json(chance, cls, seeds):
    """JSON written by upb, or a message of one field, with a token or bytes mutated."""
    dice = chance.random()
    if dice < 0.4 and cls.DESCRIPTOR.fields:
        field = chance.choice(cls.DESCRIPTOR.fields)
        name = field.json_name if dice < 0.3 else field.name
        return f'{{"{name}":{chance.choice(TOKENS)}}}'.encode()
    if dice < 0.5:
        return chance.choice(TOKENS).encode()
    made = cls()
    try:
        made.ParseFromString(binary(chance, cls.DESCRIPTOR, []))
        text = json_format.MessageToJson(
            made, indent=None, descriptor_pool=types_under_test.POOL,
            ensure_ascii=dice < 0.6, preserving_proto_field_name=dice > 0.95)
    except (DecodeError, json_format.SerializeToJsonError, TypeError, ValueError):
        return b"{}"
    if dice < 0.7:
        return text.encode()
    if dice < 0.85:
        return mutated(chance, text.encode())
    # Replaces one value by another.
    at = chance.randrange(len(text) + 1)
    start = text.find(":", at)
    if start < 0:
        return text.encode()
    end = min((i for i in (text.find(c, start) for c in ",}]") if i > 0), default=len(text))
    return (text[: start + 1] + chance.choice(TOKENS) + text[end:]).encode()
