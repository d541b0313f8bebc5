"""The accepted differences from upb, each with its reason."""

import json as _json
import re

from google.protobuf import json_format
from google.protobuf.message import DecodeError

import types_under_test
from generate import varint


def binary(cls, data, ours, theirs, error):
    """Whether our result equals that of upb, apart from the known differences."""
    if theirs is None:
        return False
    if ours is None:
        return is_zero_in_a_group(error)
    plain = without_extras_of_map_entries(cls.DESCRIPTOR, data)
    return rewritten(cls, ours) == rewritten(cls, plain)


def rewritten(cls, data):
    """The result of decoding and encoding with upb.

    This sorts map entries in upb's order: if one key is a prefix of another, upb writes the longer
    key first, and we write the shorter one first.
    """
    message = cls()
    message.ParseFromString(data)
    # A message of numbers alone cannot store unknown fields; the enclosing message keeps them, and
    # a root message has none.
    if cls.DESCRIPTOR.full_name in types_under_test.PLAIN:
        message.DiscardUnknownFields()
    return message.SerializeToString(deterministic=True)


def without_extras_of_map_entries(descriptor, data, within_any=False):
    """The message without the fields of map entries other than key and value.

    With such a field, upb treats the entire entry as an unknown field, and its key is not in the
    map. We use key and value and drop the rest, as C++, Java and Go do.
    """
    out = b""
    for number, wire_type, start, body, end in records(data):
        field = descriptor.fields_by_number.get(number)
        if descriptor.GetOptions().map_entry and (
            field is None or wire_type != wire_type_of(field)
        ):
            continue
        if field is None or field.message_type is None or wire_type != 2:
            out += data[start:end]
            continue
        inner = without_extras_of_map_entries(field.message_type, data[body:end], within_any)
        out += varint(number << 3 | 2) + varint(len(inner)) + inner
    if within_any and descriptor.full_name == "google.protobuf.Any":
        return without_extras_in_any(out)
    return out


def without_extras_in_any(data):
    message = types_under_test.CLASSES[types_under_test.NAMES.index("google.protobuf.Any")]()
    message.ParseFromString(data)
    name = message.type_url.rpartition("/")[2]
    if name in types_under_test.NAMES:
        inner = types_under_test.CLASSES[types_under_test.NAMES.index(name)].DESCRIPTOR
        try:
            message.value = without_extras_of_map_entries(inner, message.value, within_any=True)
        except (DecodeError, IndexError):
            pass  # It does not contain a message.
    return message.SerializeToString()


def wire_type_of(field):
    kinds = {field.CPPTYPE_DOUBLE: 1, field.CPPTYPE_FLOAT: 5, field.CPPTYPE_STRING: 2,
             field.CPPTYPE_MESSAGE: 2}
    fixed = {field.TYPE_FIXED32: 5, field.TYPE_SFIXED32: 5, field.TYPE_FIXED64: 1,
             field.TYPE_SFIXED64: 1}
    return fixed.get(field.type, kinds.get(field.cpp_type, 0))


def records(data):
    """The fields of a valid message: number, wire type, start, start of the value, end."""
    at = 0
    while at < len(data):
        start = at
        tag, at = read_varint(data, at)
        body, at = skip(data, at, tag)
        yield tag >> 3, tag & 7, start, body, at


def skip(data, at, tag):
    """The start and end of a value."""
    wire_type = tag & 7
    if wire_type == 0:
        return at, read_varint(data, at)[1]
    if wire_type == 2:
        length, at = read_varint(data, at)
        return at, at + length
    if wire_type == 3:
        body = at
        while True:
            inner, at = read_varint(data, at)
            if inner & 7 == 4:
                return body, at
            at = skip(data, at, inner)[1]
    return at, at + (8 if wire_type == 1 else 4)


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def json(cls, data, ours, theirs, error):
    """Python's json_format accepts much that is invalid JSON for the type; we need not."""
    if ours is None:
        # For example "" and [] for any message, false for 0, 1.5 for an enum, " 1", 1e400, unquoted
        # Infinity. But we must accept what it writes itself, except lossy paths of a mask.
        return is_lossy_path(error) or not is_same(json_of(cls.FromString(theirs)), data)
    if theirs is None:
        # It fails with a TypeError if a wrapper or list is null as a whole, also in an Any.
        return data.strip() == b"null" or re.search(rb'"value"\s*:\s*null', data) is not None
    # It reads -0 as an integer, which has no sign. The order of map entries also differs.
    signed = re.sub(
        rb'"(?:[^"\\]|\\.)*"|-0(?![\d.eE])',
        lambda found: b"-0.0" if found[0] == b"-0" else found[0], data, flags=re.DOTALL)
    message = json_format.Parse(signed, cls(), descriptor_pool=types_under_test.POOL)
    return is_same(json_of(cls.FromString(ours)), json_of(message))


def written(cls, data, ours, theirs, error):
    """Whether our JSON equals that of upb, apart from the known differences."""
    if not is_readable(cls, data):
        return False
    # An entry that upb leaves out of its map may replace one without a JSON form, such as an infinite
    # google.protobuf.Value. Then upb can write the input only without the entry's unknown field.
    plain = without_extras_of_map_entries(cls.DESCRIPTOR, data, within_any=True)
    theirs = json_of(cls.FromString(plain))
    if ours is None:
        # A google.protobuf.Value without a kind has no meaning: we reject it, upb writes null.
        kindless = b"no kind is set" in error and "null" in str(theirs)
        return theirs is None or kindless or is_lossy_path(error) or is_zero_in_a_group(error)
    if theirs is None:
        return False
    # upb does not always find the shortest decimal for a small float.
    return is_same(ours, theirs) or reads_as(cls, ours) == reads_as(cls, theirs)


def is_readable(cls, data):
    """Whether upb can decode a message."""
    try:
        cls.FromString(data)
    except DecodeError:
        return False
    return True


def reads_as(cls, text):
    message = json_format.Parse(text, cls(), descriptor_pool=types_under_test.POOL)
    return message.SerializeToString(deterministic=True)


def is_zero_in_a_group(error):
    """upb does not check field numbers inside an unknown group, which may be 0."""
    return b"illegal tag" in error


def is_lossy_path(error):
    """A path of a field mask that is empty or has a comma does not round-trip, so we reject it."""
    return re.search(rb'the path "(.*,.*)?" ', error) or b"expected lowerCamelCase paths" in error


def json_of(message):
    """The JSON written by upb; None if it fails, for example for an infinite Value."""
    try:
        return json_format.MessageToJson(message, descriptor_pool=types_under_test.POOL)
    except (DecodeError, json_format.SerializeToJsonError, TypeError, ValueError):
        return None


def is_same(a, b):
    """Whether two texts are the same JSON."""
    return comparable(a) == comparable(b) is not None


def comparable(text):
    try:
        return _json.dumps(_json.loads(text, parse_int=float), sort_keys=True)
    except (TypeError, ValueError):
        return None
