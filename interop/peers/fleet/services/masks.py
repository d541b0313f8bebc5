"""The update masks of requests."""

from peers.fleet.services.errors import invalid

# proto-plus adds an underscore to names that Python reserves.
RENAMED = {"type": "type_"}


def public(field):
    """Returns the name of a field in Google's protos."""
    return field.removesuffix("_")


def fields_of(mask, message, server_owned=()):
    """Returns the fields of the message in the mask; raises INVALID_ARGUMENT if one may not be updated."""
    if not mask.paths:
        raise invalid("update_mask", "must contain at least one field")
    known = message.DESCRIPTOR.fields_by_name
    found = []
    for path in mask.paths:
        field = RENAMED.get(path.partition(".")[0], path.partition(".")[0])
        if field not in known:
            raise invalid("update_mask", f"names {path!r}, which {message.DESCRIPTOR.name} lacks")
        if field in server_owned:
            raise invalid("update_mask", f"names {path!r}, which Fleet Engine maintains")
        if field not in found:
            found.append(field)
    return found


def copy_fields(fields, source, target):
    """Replaces these fields of the target with those of the source, which may be absent."""
    for field in fields:
        target.ClearField(field)
        value = getattr(source, field)
        descriptor = source.DESCRIPTOR.fields_by_name[field]
        if descriptor.is_repeated:
            getattr(target, field).extend(value)
        elif descriptor.message_type:
            if source.HasField(field):
                getattr(target, field).CopyFrom(value)
        else:
            setattr(target, field, value)
