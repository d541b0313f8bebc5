"""Compares the shapes of two sets of messages, enums and methods.

A shape is a flat dictionary from the full name of each message, field, enum and enum value to the
properties that the wire format, JSON and the generated code depend on. It has no declaration order.
"""

from google.protobuf.descriptor import FieldDescriptor

TYPE_NAMES = {
    value: name.removeprefix("TYPE_").lower()
    for name, value in vars(FieldDescriptor).items()
    if name.startswith("TYPE_")
}


def shape_of_files(files, deprecated=None):
    """Returns the shape of FileDescriptors.

    `deprecated(descriptor)` returns whether a message or field is deprecated, for descriptors whose
    options do not include it. By default, the options are used.
    """
    deprecated = deprecated or (lambda descriptor: descriptor.GetOptions().deprecated)
    shape = {}
    for file in files:
        file_name = file.name.rsplit("/", 1)[-1]
        for message in file.message_types_by_name.values():
            add_message(shape, message, file_name, deprecated)
        for enum in file.enum_types_by_name.values():
            add_enum(shape, enum, file_name)
        for extension in file.extensions_by_name.values():
            shape[extension.full_name] = dict(
                field_shape(extension, deprecated), extends=extension.containing_type.full_name)
    return shape


def add_message(shape, message, file_name, deprecated):
    shape[message.full_name] = dict(
        kind="message", file=file_name, deprecated=deprecated(message),
        map_entry=message.GetOptions().map_entry,
        oneofs=sorted(oneof.name for oneof in message.oneofs))
    for field in message.fields:
        shape[field.full_name] = field_shape(field, deprecated)
    for nested in message.nested_types:
        add_message(shape, nested, file_name, deprecated)
    for enum in message.enum_types:
        add_enum(shape, enum, file_name)


def add_enum(shape, enum, file_name):
    shape[enum.full_name] = dict(kind="enum", file=file_name)
    for value in enum.values:
        shape[f"{enum.full_name}.{value.name}"] = dict(kind="enum value", number=value.number)


def field_shape(field, deprecated):
    of = field.message_type or field.enum_type
    label = "repeated" if field.is_repeated else "required" if field.is_required else "singular"
    return dict(
        kind="field", number=field.number, type=TYPE_NAMES[field.type],
        type_name=of.full_name if of else None, label=label, packed=field.is_packed,
        oneof=field.containing_oneof.name if field.containing_oneof else None,
        # `optional` in proto3 gives presence to a field that is no message and in no real oneof.
        presence=field.has_presence, json_name=field.json_name, deprecated=deprecated(field))


def shape_of_services(files):
    """Returns the shape of the services in FileDescriptors: each method's request and response."""
    return {
        f"/{service.full_name}/{method.name}": dict(
            request=method.input_type.full_name, response=method.output_type.full_name,
            client_streaming=method.client_streaming, server_streaming=method.server_streaming)
        for file in files
        for service in file.services_by_name.values()
        for method in service.methods
    }


def differences(ours, theirs):
    """Returns one sentence for each difference between two shapes."""
    found = [f"{name}: only ours" for name in ours.keys() - theirs.keys()]
    found += [f"{name}: only theirs" for name in theirs.keys() - ours.keys()]
    for name in ours.keys() & theirs.keys():
        for fact in sorted(ours[name].keys() | theirs[name].keys()):
            mine, other = ours[name].get(fact), theirs[name].get(fact)
            if mine != other:
                found.append(f"{name}: {fact} is {mine!r} with us and {other!r} with them")
    return sorted(found)
