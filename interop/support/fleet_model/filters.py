"""Filters (AIP-160), and required attributes."""

from google.protobuf import timestamp_pb2

from support.fleet_model.failure import Failed, attribute_text

OPERATORS = ["!=", "<=", ">=", "=", "<", ">"]


def parsed(text, fields=()):
    """Returns a predicate on a message for a filter on attributes and `fields`.

    Only the grammar of the reference is understood: restrictions with AND and OR, where OR binds more tightly.
    """
    parts = text.split(" AND ") if text else []
    groups = [[restriction(each, fields) for each in part.split(" OR ")] for part in parts]
    if sum(len(group) for group in groups) > 50:
        raise Failed("INVALID_ARGUMENT", "filter")
    return lambda message: all(any(holds(message) for holds in group) for group in groups)


def restriction(text, fields):
    parts = text.strip().split(" ", 2)
    if len(parts) != 3 or parts[1] not in OPERATORS or (" " in parts[2] and parts[2][0] != '"'):
        raise Failed("INVALID_ARGUMENT", "filter")
    key, operator, wanted = parts[0], parts[1], parts[2].strip('"')
    if key.startswith("attributes."):
        if operator not in ("=", "!="):
            raise Failed("INVALID_ARGUMENT", "filter")
        key = key.removeprefix("attributes.")
        return lambda message: (has(message, key, wanted)) == (operator == "=")
    if key not in fields:
        raise Failed("INVALID_ARGUMENT", "filter")
    return fields[key](operator, wanted)


def has(message, key, wanted):
    return any(each.key == key and attribute_text(each) == wanted for each in message.attributes)


def enum_field(name):
    """Returns the comparison of a field with the name of an enum's value."""
    def compare(operator, wanted):
        field = {"type": "type_"}.get(name, name)
        return lambda message: (message.DESCRIPTOR.fields_by_name[field].enum_type.values_by_number[
            getattr(message, field)].name == wanted) == (operator == "=")
    return compare


def text_field(name):
    return lambda operator, wanted: lambda message: (getattr(message, name) == wanted) == (operator == "=")


def time_field(name):
    def compare(operator, wanted):
        bound = timestamp_pb2.Timestamp()
        bound.FromJsonString(wanted)
        def holds(message):
            if not message.HasField(name):
                return operator == "!="
            found, limit = getattr(message, name).ToNanoseconds(), bound.ToNanoseconds()
            return {"=": found == limit, "!=": found != limit, "<": found < limit, ">": found > limit,
                    "<=": found <= limit, ">=": found >= limit}[operator]
        return holds
    return compare


def required(request, attributes_of):
    """Returns a predicate for the required attributes of a request; `attributes_of` parses one list of them."""
    def holds(vehicle):
        def matches(pairs, combine):
            return combine(has(vehicle, key, value) for key, value in pairs)

        sets = [attributes_of(each) for each in request.required_one_of_attribute_sets]
        return (matches(attributes_of(request.required_attributes), all)
                and all(matches(attributes_of(each), any) for each in request.required_one_of_attributes)
                and (not sets or any(matches(each, all) for each in sets)))
    return holds


def check_required(invalid, request):
    """Checks the required attributes, which a filter excludes."""
    given = request.required_attributes or request.required_one_of_attributes or request.required_one_of_attribute_sets
    invalid.unless(not request.filter or not given, "filter")
    invalid.unless(len(request.required_attributes) <= 50, "required_attributes")
