"""Does protoc-gen-tripwire support third-party protos, and are their messages read and written right?

The Swift code for every .proto file of googleapis-common-protos, and for those of google/protobuf that
are not part of the runtime, is built in one module with warnings as errors. Python fills every message
several times, until every field and every member of every oneof was set. The Swift code reads and
writes each as bytes and as JSON.
"""

import pytest
from google.protobuf import descriptor_pool, json_format, message_factory

from googleapis import swift
from googleapis.protos import FILES, enums, messages
from peers.recordings.filled import Filler


def test_all_messages_and_enums_are_compared():
    """The versions are pinned, so these numbers change only with them. The last 47 messages are ours,
    one for each enum."""
    all_messages = [message for file in FILES.values() for message in messages(file)]
    all_enums = [enum for file in FILES.values() for enum in enums(file)]
    assert (len(FILES), len(all_messages), len(all_enums)) == (69, 189 + 47, 47)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """The built Swift program. The first build takes half a minute."""
    return swift.build(tmp_path_factory.mktemp("generated"))


def test_every_message_is_generated(program):
    assert set(program.types) == {
        message.full_name for file in FILES.values() for message in messages(file)}


@pytest.mark.parametrize("path", FILES)
def test_messages_round_trip(program, path):
    filled = [sample for message in messages(FILES[path]) for sample in samples(message)]
    for sample, result in zip(filled, program.round_trips(filled), strict=True):
        assert result.error == "", f"{sample.DESCRIPTOR.full_name}: {result.error}\n{sample}"
        read = type(sample).FromString
        assert read(result.bytes) == sample
        assert read(result.from_own_json) == sample
        assert read(result.from_their_json) == sample
        assert json_format.Parse(result.json, type(sample)()) == sample


def samples(descriptor):
    """Yields an empty message, and filled ones until every member of every oneof was set."""
    message_class = message_factory.GetMessageClass(descriptor)
    # Python does not write a message without its required fields.
    if message_class().IsInitialized():
        yield message_class()
    filler = Filler()
    for _ in range(most_members(descriptor)):
        sample = message_class()
        filler.fill(sample)
        yield sample


def most_members(descriptor, around=()):
    """Returns the largest number of members of a oneof in a message and its submessages, at least 2."""
    inside = [field.message_type for field in descriptor.fields if field.message_type]
    return max(
        [2, *(len(oneof.fields) for oneof in descriptor.oneofs)]
        + [most_members(message, (*around, descriptor)) for message in inside
           if message not in around and message is not descriptor])


def test_extensions_are_kept_as_unknown_fields(program):
    """The plugin ignores `extend`, so an extension stays among the unknown fields."""
    pool = descriptor_pool.Default()
    extended = {
        extension.containing_type: pool.FindAllExtensions(extension.containing_type)
        for file in FILES.values() for extension in file.extensions_by_name.values()}
    assert extended
    filled = []
    for descriptor, extensions in extended.items():
        sample = message_factory.GetMessageClass(descriptor)()
        for extension in extensions:
            Filler().fill_extension(sample, extension)
        assert len(sample.ListFields()) == len(extensions)
        filled.append(sample)
    for sample, result in zip(filled, program.round_trips(filled, json=lambda _: "{}"), strict=True):
        assert type(sample).FromString(result.bytes) == sample
