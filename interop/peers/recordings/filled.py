"""Fills messages with a different value in every field, so that lost or swapped fields are found."""

import itertools

from google.protobuf import any_pb2, duration_pb2, field_mask_pb2, struct_pb2, timestamp_pb2
from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.json_format import ParseDict

INT32 = [7, -1, 2**31 - 1, -2**31, 842]
INT64 = [2**53 + 1, -2**63, 2**63 - 1]
UINT32 = [7, 2**32 - 1, 842]
UINT64 = [2**53 + 1, 2**64 - 1, 1]
DOUBLES = [37.7749, -122.4194, 0.1, 1e-7, 1e21, 123456789.125, 5e-324,
           1.7976931348623157e308]
# Not the largest float: rounded to the digits of a float in JSON, it is out of range for Python.
FLOATS = [0.1, 87.5, 1e-7, 3.4028232635611926e38]
STRINGS = ["Straße „7“", "quote \" back \\ slash / tab \t line \n nul \0 del \x7f", "☃ 😀 e\u0301",
           "<&>  \u2028", "x" * 300]
# Seconds and nanoseconds: whole, milli-, micro- and nanoseconds, before 1970, the limits of the range.
TIMESTAMPS = [(1795253400, 0), (1795253401, 250_000_000), (1795253402, 1_000), (1795253403, 1),
              (-1, 999_999_999), (-62135596800, 0), (253402300799, 999_999_999), (0, 0)]
DURATIONS = [(180, 0), (2, 500_000_000), (0, 304_650_000), (0, 1), (-3, -500_000_000), (0, 0),
             (315576000000, 0), (0, -1_000)]
BYTES = [b"\0\xff", b"bytes \xfb\xef\xbe", b"?>~"]
STRUCTS = [{"text": "a", "numbers": [1.5, -2, None]}, {"": {"deep": [[], {}, True]}}, {"false": False}]
VALUES = [None, -0.5, "text", True, *STRUCTS, ["list", None, {"of": 3}]]
MASKS = [["status", "last_location.point"], ["a1.b_c.d", "x"], ["name"]]
# The maximum depth of recursive messages.
NESTED = 2


def filled(message_class):
    """Returns a message with every field set, except that a oneof has one field set."""
    message = message_class()
    Filler().fill(message)
    return message


def is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def inside(field):
    """Returns the message type of a field; None for scalars."""
    return field.message_type.fields[1].message_type if is_map(field) else field.message_type


class Filler:
    def __init__(self):
        self.cycles = {}
        self.around = []

    def next_of(self, key, values):
        return next(self.cycles.setdefault(key, itertools.cycle(values)))

    def fill(self, message):
        if isinstance(message, timestamp_pb2.Timestamp):
            message.seconds, message.nanos = self.next_of("timestamp", TIMESTAMPS)
        elif isinstance(message, duration_pb2.Duration):
            message.seconds, message.nanos = self.next_of("duration", DURATIONS)
        elif isinstance(message, any_pb2.Any):
            inside = self.next_of("any", [timestamp_pb2.Timestamp, field_mask_pb2.FieldMask])()
            self.fill(inside)
            message.Pack(inside)
        elif isinstance(message, field_mask_pb2.FieldMask):
            message.paths.extend(self.next_of("mask", MASKS))
        elif isinstance(message, struct_pb2.Struct):
            ParseDict(self.next_of("struct", STRUCTS), message)
        elif isinstance(message, struct_pb2.Value):
            ParseDict(self.next_of("value", VALUES), message)
        elif isinstance(message, struct_pb2.ListValue):
            ParseDict(VALUES, message)
        else:
            self.fill_fields(message)

    def fill_fields(self, message):
        message.SetInParent()
        self.around.append(message.DESCRIPTOR)
        taken = {oneof.full_name: self.turn(oneof) for oneof in message.DESCRIPTOR.oneofs}
        for field in message.DESCRIPTOR.fields:
            oneof = field.containing_oneof
            if oneof and taken[oneof.full_name] is not field:
                continue
            if self.around.count(inside(field)) <= NESTED:
                self.fill_field(message, field)
        self.around.pop()

    def fill_extension(self, message, field):
        if field.is_repeated:
            self.fill_repeated(message.Extensions[field], field)
        elif field.message_type:
            self.fill(message.Extensions[field])
        else:
            message.Extensions[field] = self.scalar(field)

    def fill_field(self, message, field):
        values = getattr(message, field.name)
        if is_map(field):
            self.fill_map(values, *field.message_type.fields)
        elif field.is_repeated:
            self.fill_repeated(values, field)
        elif field.message_type:
            self.fill(values)
        else:
            setattr(message, field.name, self.scalar(field))

    def turn(self, oneof):
        return self.next_of(oneof.full_name, oneof.fields)

    def fill_repeated(self, values, field):
        for _ in range(3):
            if field.message_type:
                self.fill(values.add())
            else:
                values.append(self.scalar(field))

    def fill_map(self, values, key, value):
        for _ in range(3):
            if value.message_type:
                self.fill(values[self.scalar(key)])
            else:
                values[self.scalar(key)] = self.scalar(value)

    def scalar(self, field):
        match field.type:
            case Field.TYPE_STRING:
                return f"{field.name} {self.next_of('string', STRINGS)}"
            case Field.TYPE_BOOL:
                return True
            case Field.TYPE_BYTES:
                return self.next_of("bytes", BYTES)
            case Field.TYPE_INT32 | Field.TYPE_SINT32 | Field.TYPE_SFIXED32:
                return self.next_of("int32", INT32)
            case Field.TYPE_INT64 | Field.TYPE_SINT64 | Field.TYPE_SFIXED64:
                return self.next_of("int64", INT64)
            case Field.TYPE_UINT32 | Field.TYPE_FIXED32:
                return self.next_of("uint32", UINT32)
            case Field.TYPE_UINT64 | Field.TYPE_FIXED64:
                return self.next_of("uint64", UINT64)
            case Field.TYPE_DOUBLE:
                return self.next_of("double", DOUBLES)
            case Field.TYPE_FLOAT:
                return self.next_of("float", FLOATS)
            case Field.TYPE_ENUM:
                numbers = [value.number for value in field.enum_type.values if value.number] or [0]
                return self.next_of(field.enum_type.full_name, numbers)
