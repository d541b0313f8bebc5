"""Does protoc-gen-tripwire cope with protos it has never seen, and are their messages read and
written right?

Every .proto file of googleapis-common-protos, and those of google/protobuf that the runtime does
not hold itself, become Swift in one module, warnings being errors. Every message of them is filled
by Python several times, until every field and every member of every oneof was set, and read and
written by the Swift code in bytes and in JSON.
"""

import pytest
from google.protobuf import descriptor_pool, json_format, message_factory

from googleapis import swift
from googleapis.protos import FILES, enums, messages
from peers.recordings.filled import Filler


def test_all_of_them_are_compared():
    """The versions are pinned: these numbers only change with them. The last 47 messages are ours,
    one for each enum."""
    all_messages = [message for file in FILES.values() for message in messages(file)]
    all_enums = [enum for file in FILES.values() for enum in enums(file)]
    assert (len(FILES), len(all_messages), len(all_enums)) == (69, 189 + 47, 47)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """The Swift code, built. It takes half a minute the first time."""
    return swift.build(tmp_path_factory.mktemp("generated"))


def test_every_message_was_generated(program):
    assert set(program.types) == {
        message.full_name for file in FILES.values() for message in messages(file)}


@pytest.mark.parametrize("path", FILES)
def test_messages_survive(program, path):
    filled = [sample for message in messages(FILES[path]) for sample in samples(message)]
    for sample, result in zip(filled, program.round_trips(filled), strict=True):
        assert result.error == "", f"{sample.DESCRIPTOR.full_name}: {result.error}\n{sample}"
        read = type(sample).FromString
        assert read(result.bytes) == sample
        assert read(result.from_own_json) == sample
        assert read(result.from_their_json) == sample
        assert json_format.Parse(result.json, type(sample)()) == sample


def samples(descriptor):
    """An empty message, and so many filled ones that every member of every oneof has its turn."""
    message_class = message_factory.GetMessageClass(descriptor)
    # Not with a required field, which Python does not write when it is missing.
    if message_class().IsInitialized():
        yield message_class()
    filler = Filler()
    for _ in range(most_members(descriptor)):
        sample = message_class()
        filler.fill(sample)
        yield sample


def most_members(descriptor, around=()):
    """Of the oneofs in a message and in the messages in it; at least 2."""
    inside = [field.message_type for field in descriptor.fields if field.message_type]
    return max(
        [2, *(len(oneof.fields) for oneof in descriptor.oneofs)]
        + [most_members(message, (*around, descriptor)) for message in inside
           if message not in around and message is not descriptor])


def test_extensions_survive_as_unknown_fields(program):
    """The plugin makes nothing of `extend`: an option set by one stays among the unknown fields."""
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
