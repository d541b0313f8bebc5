"""Generates almost valid messages as bytes, and compares messages."""

import random

from google.protobuf.descriptor import FieldDescriptor as Field

WIRE_TYPES = {
    Field.TYPE_DOUBLE: 1, Field.TYPE_FIXED64: 1, Field.TYPE_SFIXED64: 1, Field.TYPE_FLOAT: 5,
    Field.TYPE_FIXED32: 5, Field.TYPE_SFIXED32: 5, Field.TYPE_STRING: 2, Field.TYPE_BYTES: 2,
    Field.TYPE_MESSAGE: 2, Field.TYPE_GROUP: 3}


class Noise:
    """Generates random bytes that are almost valid messages."""

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


def same(a, b):
    # NaN differs from itself, but its bytes are equal.
    return a == b or a.SerializePartialToString(deterministic=True) == \
        b.SerializePartialToString(deterministic=True)
