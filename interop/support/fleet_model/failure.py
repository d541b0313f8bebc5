"""Failed calls, and the checks of requests that lead to them."""

import math
import unicodedata

from support.fleet_model.places import decoded


class Failed(Exception):
    """A call that fails with a code, and the fields that a BadRequest names."""

    def __init__(self, code, *fields):
        self.code, self.fields = code, sorted(set(fields))
        super().__init__(f"{code} {self.fields}" if fields else code)


class Invalid:
    """The invalid fields of a request: `invalid.unless(condition, field)`."""

    def __init__(self):
        self.fields = []

    def unless(self, holds, field):
        if not holds:
            self.fields.append(field)

    def raise_any(self):
        if self.fields:
            raise Failed("INVALID_ARGUMENT", *self.fields)

    def parent(self, text, field="parent"):
        head, _, provider = text.partition("/")
        self.unless(head == "providers" and is_id(provider), field)

    def name(self, text, collection, field="name"):
        parts = text.split("/")
        self.unless(len(parts) == 4 and parts[0] == "providers" and parts[2] == collection
                    and is_id(parts[1]) and is_id(parts[3]), field)

    def place(self, message, field):
        """Checks a TerminalLocation or LocationInfo, whose point is required."""
        if message.HasField("point"):
            self.unless(on_globe(message.point), f"{field}.point")
        else:
            self.unless(False, field)

    def attributes(self, attributes, field, most=100):
        keys = [each.key for each in attributes]
        texts = [f"{each.key}:{attribute_text(each)}" for each in attributes]
        self.unless(
            len(keys) <= most and len(set(keys)) == len(keys)
            and all(key and ":" not in key for key in keys) and all(len(text) <= 256 for text in texts)
            and all(same_values(each) for each in attributes), field)

    def route(self, text, field):
        """Checks a `current_route_segment`."""
        self.unless(not text or is_polyline(text), field)

    def location(self, location, field):
        """Checks a VehicleLocation that is reported."""
        self.unless(location.HasField("location") and on_globe(location.location), f"{field}.location")
        self.unless(not location.HasField("heading") or 0 <= location.heading.value < 360, f"{field}.heading")
        self.unless(location.location_sensor != 6, f"{field}.location_sensor")


def checked_paths(mask, allowed):
    """Returns the paths of an update mask, which must name fields that the provider may update."""
    if not mask.paths or not set(mask.paths) <= allowed:
        raise Failed("INVALID_ARGUMENT", "update_mask")
    return set(mask.paths)


def check_page(request):
    """Checks the first request of a list, after its other fields."""
    if request.page_size < 0:
        raise Failed("INVALID_ARGUMENT", "page_size")
    if request.page_token:
        raise Failed("INVALID_ARGUMENT", "page_token")


def is_polyline(text):
    try:
        return bool(decoded(text))
    except ValueError:
        return False


def is_id(text):
    return (0 < len(text) <= 64 and unicodedata.is_normalized("NFC", text)
            and not any(character in text for character in "/:?,#"))


def on_globe(point):
    return all(math.isfinite(each) for each in (point.latitude, point.longitude)) and (
        -90 <= point.latitude <= 90 and -180 <= point.longitude <= 180)


def attribute_text(attribute):
    """Returns the value of an attribute, which is stored as a string."""
    kind = next((attribute.WhichOneof(each.name) for each in attribute.DESCRIPTOR.oneofs), None)
    if kind == "bool_value":
        return "true" if attribute.bool_value else "false"
    if kind == "number_value":
        return f"{attribute.number_value:g}"
    return attribute.string_value or getattr(attribute, "value", "")


def same_values(attribute):
    """Whether `value` and `string_value` agree, if both are set."""
    old = getattr(attribute, "value", "")
    return not old or not attribute.string_value or old == attribute.string_value


def stored_attributes(message):
    """Sets both `value` and `string_value` in attributes with a text."""
    for each in message.attributes:
        if hasattr(each, "value") and not any(each.HasField(kind) for kind in ("bool_value", "number_value")):
            each.value = each.string_value = each.string_value or each.value
