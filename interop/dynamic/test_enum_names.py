"""Do dynamic enums support the JSON names of edition 2026, (pb.enumvalue.json).string, like Python?

No released protoc compiles edition 2026 yet, so this file builds the descriptors.
"""

import json

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

from dynamic.testee import PROTOBUF, Testee

Field = descriptor_pb2.FieldDescriptorProto
FOOD = "tripwire.food.Food"
NAMES = {1: "gr8 helm", 3: 'a"b', 4: "", 5: "8", 6: "p\taul\n", 7: "sabaton", 9: "é"}


def options_file():
    """Returns the needed part of google/protobuf/json_enumvalue_options.proto."""
    file = descriptor_pb2.FileDescriptorProto(
        name="google/protobuf/json_enumvalue_options.proto", package="pb.enumvalue",
        dependency=["google/protobuf/descriptor.proto"], syntax="editions", edition=1001)
    options = file.message_type.add(name="JsonEnumValueOptions")
    options.field.add(name="string", number=1, type=Field.TYPE_STRING, label=1)
    file.extension.add(
        name="json", number=998, type=Field.TYPE_MESSAGE, label=1,
        type_name=".pb.enumvalue.JsonEnumValueOptions", extendee=".google.protobuf.EnumValueOptions")
    return file


def option(*strings):
    """Returns EnumValueOptions with (pb.enumvalue.json), split into one part for each string."""
    data = b""
    for string in strings:
        inside = b"" if string is None else b"\x0a" + bytes([len(string.encode())]) + string.encode()
        data += b"\xb2\x3e" + bytes([len(inside)]) + inside
    return descriptor_pb2.EnumValueOptions.FromString(data)


def food_file():
    file = descriptor_pb2.FileDescriptorProto(
        name="food.proto", package="tripwire.food", syntax="editions", edition=1002,
        dependency=["google/protobuf/json_enumvalue_options.proto"])
    enum = file.enum_type.add(name="Armor")
    enum.options.allow_alias = True
    for number in range(10):
        value = enum.value.add(name=f"ARMOR_{number}", number=number)
        if number in NAMES:
            value.options.CopyFrom(option(NAMES[number]))
    # An alias of 7 with the same JSON name, an alias of 2, which has none, and an option of 8 in two parts.
    enum.value.add(name="ARMOR_SEVEN", number=7).options.CopyFrom(option("sabaton"))
    enum.value.add(name="ARMOR_TWO", number=2).options.CopyFrom(option("two"))
    enum.value[8].options.CopyFrom(option("first", "ate"))
    food = file.message_type.add(name="Food")
    food.field.add(name="armor", number=1, type=Field.TYPE_ENUM, label=1, type_name=".tripwire.food.Armor")
    food.field.add(name="armors", number=2, type=Field.TYPE_ENUM, label=3, type_name=".tripwire.food.Armor")
    entry = food.nested_type.add(name="ByNameEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=Field.TYPE_STRING, label=1)
    entry.field.add(name="value", number=2, type=Field.TYPE_ENUM, label=1, type_name=".tripwire.food.Armor")
    food.field.add(
        name="by_name", number=3, type=Field.TYPE_MESSAGE, label=3,
        type_name=".tripwire.food.Food.ByNameEntry")
    return file


@pytest.fixture(scope="module")
def food(tmp_path_factory):
    """The testee and Python's class. Python reads options from its default pool."""
    files = [options_file(), food_file()]
    pool = descriptor_pool.Default()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    descriptor = descriptor_pb2.FileDescriptorProto()
    descriptor_pb2.DESCRIPTOR.CopyToProto(descriptor)
    with Testee([descriptor, *files], tmp_path_factory.mktemp("enum-names")) as testee:
        yield testee, message_factory.GetMessageClass(pool.FindMessageTypeByName(FOOD))


def test_json_name_is_written_and_read(food):
    testee, food_class = food
    for number in [*range(11), -1]:
        message = food_class(armor=number, armors=[number, 1], by_name={"x": number})
        data = message.SerializeToString()
        text = testee.json(FOOD, data)
        assert json.loads(text) == json.loads(json_format.MessageToJson(message))
        assert testee.bytes(FOOD, text) == data


@pytest.mark.parametrize("text, number", [
    *((f'"ARMOR_{number}"', number) for number in range(10)),
    *((json.dumps(name), number) for number, name in NAMES.items()),
    ('"ARMOR_SEVEN"', 7), ('"ARMOR_TWO"', 2), ('"two"', 2), ('"ate"', 8), ("8", 8), ("5", 5)])
def test_both_names_and_the_number_are_read(food, text, number):
    testee, food_class = food
    theirs = json_format.Parse(f'{{"armor":{text}}}', food_class())
    assert theirs.armor == number
    assert food_class.FromString(testee.bytes(FOOD, f'{{"armor":{text}}}')) == theirs


@pytest.mark.parametrize("text", ['"GR8 HELM"', '"first"', '"e\u0301"', '"sabato"'])
def test_other_names_are_rejected(food, text):
    testee, food_class = food
    with pytest.raises(json_format.ParseError):
        json_format.Parse(f'{{"armor":{text}}}', food_class())
    response = testee.ask(FOOD, f'{{"armor":{text}}}', PROTOBUF)
    assert "tripwire.food.Armor" in response.parse_error


def test_option_without_a_string_keeps_the_name(tmp_path):
    """Java and upb do the same. Python writes an empty name."""
    file = food_file()
    file.enum_type[0].value[1].options.CopyFrom(option(None))
    with Testee([file], tmp_path) as testee:
        assert testee.json(FOOD, b"\x08\x01") == '{"armor":"ARMOR_1"}'
