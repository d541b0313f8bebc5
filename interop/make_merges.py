"""Generates Tests/Payloads/merges_*.txt and field_masks.txt with Python's protobuf.

They contain merges of random messages, complete or by a field mask, and operations on random masks.

    python make_merges.py [SEED]

A line of merges_*.txt has a message type, a field mask or "-" for MergeFrom, the options of the mask (m
replaces messages, r repeated fields, "-" none), and in hexadecimal the message before, the message
merged into it, and the result. A line of field_masks.txt has an operation, its masks and its result.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

from google.maps import fleetengine_v1
from google.protobuf import (
    descriptor_pb2, descriptor_pool, field_mask_pb2, message_factory)
from google.protobuf.descriptor import FieldDescriptor as Field

from support.paths import INTEROP

TESTS = INTEROP.parent / "Tests"
PAYLOADS = TESTS / "Payloads"
EVERYTHING = TESTS / "WireProtobufTests" / "everything.proto"
NUMBERS = {
    Field.CPPTYPE_INT32: [0, 1, -1, 300, -2**31, 2**31 - 1],
    Field.CPPTYPE_INT64: [0, 1, -1, 2**40, -2**63, 2**63 - 1],
    Field.CPPTYPE_UINT32: [0, 1, 300, 2**32 - 1],
    Field.CPPTYPE_UINT64: [0, 1, 2**40, 2**64 - 1],
    Field.CPPTYPE_DOUBLE: [0.0, -0.0, 1.5, -1e300, float("nan"), float("inf")],
    Field.CPPTYPE_FLOAT: [0.0, -0.0, 1.5, float("nan"), float("-inf")],
    Field.CPPTYPE_BOOL: [False, True],
}
# The unknown fields 3000 and 3001: a number and a text.
UNKNOWN = [bytes.fromhex("c0bb0105"), bytes.fromhex("cabb01026869")]


class Messages:
    """Generates random messages, equal for equal seeds."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def message(self, message_class):
        message = message_class()
        self.fill(message, 3)
        return message

    def fill(self, message, depth):
        for field in message.DESCRIPTOR.fields:
            is_message = field.message_type is not None
            if self.random.random() < 0.6 or is_message and depth == 0:
                continue
            if is_map(field):
                for _ in range(self.random.randint(1, 2)):
                    self.put(getattr(message, field.name), field.message_type, depth)
            elif field.is_repeated:
                values = getattr(message, field.name)
                for _ in range(self.random.randint(1, 2)):
                    if is_message:
                        self.fill(values.add(), depth - 1)
                    else:
                        values.append(self.scalar(field))
            elif is_message:
                getattr(message, field.name).SetInParent()
                self.fill(getattr(message, field.name), depth - 1)
            else:
                setattr(message, field.name, self.scalar(field))
        if self.random.random() < 0.2:
            message.MergeFromString(self.random.choice(UNKNOWN))

    def put(self, values, entry, depth):
        key = self.scalar(entry.fields_by_name["key"])
        value = entry.fields_by_name["value"]
        if value.message_type:
            values[key].Clear()
            self.fill(values[key], depth - 1)
        else:
            values[key] = self.scalar(value)

    def scalar(self, field):
        if field.type == Field.TYPE_ENUM:
            return self.random.choice(field.enum_type.values).number
        if field.type == Field.TYPE_STRING:
            return self.random.choice(["", "a", "b", "ü"])
        if field.type == Field.TYPE_BYTES:
            return self.random.choice([b"", b"\0", b"\xff\xfe"])
        return self.random.choice(NUMBERS[field.cpp_type])

    def mask(self, descriptor):
        paths = [self.path(descriptor, 2) for _ in range(self.random.randint(1, 5))]
        return field_mask_pb2.FieldMask(paths=paths)

    def path(self, descriptor, depth):
        field = self.random.choice(descriptor.fields)
        inside = field.message_type and field.message_type.fields and not field.is_repeated
        if inside and depth and self.random.random() < 0.7:
            return f"{field.name}.{self.path(field.message_type, depth - 1)}"
        return field.name


def is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def merge_result(before, other, mask, options):
    after = type(before)()
    after.CopyFrom(before)
    if mask is None:
        after.MergeFrom(other)
        return after
    mask.MergeMessage(
        other, after, replace_message_field="m" in options, replace_repeated_field="r" in options)
    # C++ and Java create each message on a path that the other message has. Python does so only if it
    # sets a field in it.
    for path in mask.paths:
        source, target = other, after
        for name in path.split(".")[:-1]:
            if not source.HasField(name):
                break
            source, target = getattr(source, name), getattr(target, name)
            target.SetInParent()
    return after


def merges(messages, classes, count):
    for message_class in classes:
        for index in range(count):
            before, other = messages.message(message_class), messages.message(message_class)
            masks = [(None, "-")]
            if index % 2:
                options = messages.random.choice(["-", "m", "r", "mr"])
                masks.append((messages.mask(message_class.DESCRIPTOR), options))
            for mask, options in masks:
                after = merge_result(before, other, mask, options)
                yield " ".join([
                    message_class.DESCRIPTOR.full_name, ",".join(mask.paths) if mask else "-",
                    options, *(hexadecimal(message) for message in (before, other, after))])


def hexadecimal(message):
    return message.SerializeToString(deterministic=True).hex() or "-"


def masks(messages, count):
    def mask():
        paths = [".".join(messages.random.choices("abc", k=messages.random.randint(1, 3)))
                 for _ in range(messages.random.randint(0, 4))]
        return field_mask_pb2.FieldMask(paths=paths)

    def text(mask):
        return ",".join(mask.paths) or "-"

    for _ in range(count):
        one, other, result = mask(), mask(), field_mask_pb2.FieldMask()
        result.CanonicalFormFromMask(one)
        yield f"canonical {text(one)} {text(result)}"
        result.Union(one, other)
        yield f"union {text(one)} {text(other)} {text(result)}"
        result.Intersect(one, other)
        yield f"intersect {text(one)} {text(other)} {text(result)}"


def paths(messages, descriptor, count):
    """Yields valid and invalid paths, and whether they are valid."""
    names = sorted({name for message in [descriptor, *(
        field.message_type for field in descriptor.fields if field.message_type)]
        for name in message.fields_by_name})
    for _ in range(count):
        path = messages.path(descriptor, 2)
        if messages.random.random() < 0.5:
            path += "." + messages.random.choice(names)
        is_valid = field_mask_pb2.FieldMask(paths=[path]).IsValidForDescriptor(descriptor)
        yield f"valid {descriptor.full_name} {path} {str(is_valid).lower()}"


def everything():
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(
            ["protoc", "-I", EVERYTHING.parent, "--include_imports",
             f"--descriptor_set_out={file.name}", EVERYTHING.name], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(
            pathlib.Path(file.name).read_bytes()).file
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return lambda name: message_factory.GetMessageClass(
        pool.FindMessageTypeByName("tripwire.test." + name))


def files(seed=1):
    """Returns the lines of each file by its path."""
    messages = Messages(seed)
    test_class = everything()
    classes = [test_class(name) for name in
               ["Scalars", "Repeated", "Optionals", "Choices", "Maps", "Tree", "WellKnown"]]
    return {
        PAYLOADS / "merges_everything.txt": [*merges(messages, classes, 20)],
        PAYLOADS / "merges_trip.txt": [*merges(messages, [fleetengine_v1.Trip.pb()], 20)],
        PAYLOADS / "field_masks.txt": [
            *masks(messages, 60),
            *(line for message_class in classes
              for line in paths(messages, message_class.DESCRIPTOR, 20))],
    }


if __name__ == "__main__":
    for path, lines in files(*map(int, sys.argv[1:2])).items():
        path.write_text("".join(line + "\n" for line in lines))
