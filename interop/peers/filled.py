"""Messages with every field set, each to another value, so that no field can be lost or swapped."""

import itertools

from google.protobuf import duration_pb2, timestamp_pb2
from google.protobuf.descriptor import FieldDescriptor as Field

INT32 = [7, -1, 2**31 - 1, -2**31, 842]
INT64 = [2**53 + 1, -2**63, 2**63 - 1]
DOUBLES = [37.7749, -122.4194, 0.1, 1e-7, 1e21, 123456789.125, 5e-324,
           1.7976931348623157e308]
FLOATS = [0.1, 87.5, 1e-7, 3.4028234663852886e38]
STRINGS = ["Straße „7“", "quote \" back \\ slash / tab \t line \n nul \0 del \x7f", "☃ 😀 e\u0301",
           "<&>  \u2028", "x" * 300]
# Seconds and nanoseconds: none, milli-, micro- and nanoseconds, before 1970, the ends of the range.
TIMESTAMPS = [(1795253400, 0), (1795253401, 250_000_000), (1795253402, 1_000), (1795253403, 1),
              (-1, 999_999_999), (-62135596800, 0), (253402300799, 999_999_999), (0, 0)]
DURATIONS = [(180, 0), (2, 500_000_000), (0, 304_650_000), (0, 1), (-3, -500_000_000), (0, 0),
             (315576000000, 0), (0, -1_000)]


def filled(message_class):
    """A message with every field set; of a oneof, the fields take turns."""
    message = message_class()
    Filler().fill(message)
    return message


class Filler:
    def __init__(self):
        self.cycles = {}
        self.turns = {}

    def next_of(self, key, values):
        return next(self.cycles.setdefault(key, itertools.cycle(values)))

    def fill(self, message):
        if isinstance(message, timestamp_pb2.Timestamp):
            message.seconds, message.nanos = self.next_of("timestamp", TIMESTAMPS)
            return
        if isinstance(message, duration_pb2.Duration):
            message.seconds, message.nanos = self.next_of("duration", DURATIONS)
            return
        message.SetInParent()
        taken = {oneof.full_name: self.turn(oneof) for oneof in message.DESCRIPTOR.oneofs}
        for field in message.DESCRIPTOR.fields:
            oneof = field.containing_oneof
            if oneof and taken[oneof.full_name] is not field:
                continue
            if field.is_repeated:
                self.fill_repeated(getattr(message, field.name), field)
            elif field.message_type:
                self.fill(getattr(message, field.name))
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

    def scalar(self, field):
        match field.type:
            case Field.TYPE_STRING:
                return f"{field.name} {self.next_of('string', STRINGS)}"
            case Field.TYPE_BOOL:
                return True
            case Field.TYPE_INT32:
                return self.next_of("int32", INT32)
            case Field.TYPE_INT64:
                return self.next_of("int64", INT64)
            case Field.TYPE_DOUBLE:
                return self.next_of("double", DOUBLES)
            case Field.TYPE_FLOAT:
                return self.next_of("float", FLOATS)
            case Field.TYPE_ENUM:
                numbers = [value.number for value in field.enum_type.values if value.number]
                return self.next_of(field.enum_type.full_name, numbers)
