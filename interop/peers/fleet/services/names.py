"""The names and IDs in requests."""

import unicodedata

from peers.fleet.services.errors import invalid

MAX_ID = 64
"""The maximum length of an ID in characters."""
FORBIDDEN = "/:?,#"


def check_id(violations, field, value):
    """Adds a violation unless the value is a valid ID."""
    violations.require(value, field)
    violations.require(len(value) <= MAX_ID, field, f"has more than {MAX_ID} characters")
    violations.require(
        not set(FORBIDDEN) & set(value), field, f"contains one of the characters {FORBIDDEN}")
    violations.require(
        unicodedata.is_normalized("NFC", value), field, "is not in Unicode Normalization Form C")


def check_parent(fleet, violations, parent, field="parent"):
    expected = f"providers/{fleet.provider}"
    violations.require(parent == expected, field, f"is {parent!r}, not {expected}")


def name(fleet, collection, resource_id):
    return f"providers/{fleet.provider}/{collection}/{resource_id}"


def last_segment(full_name):
    return full_name.rpartition("/")[2]


def resource_id(fleet, full_name, collection, placeholder, field="name"):
    """Returns the ID in a name; raises INVALID_ARGUMENT if the name is malformed."""
    found = last_segment(full_name)
    if not found or full_name != name(fleet, collection, found):
        expected = name(fleet, collection, placeholder)
        raise invalid(field, f"is {full_name!r}, not {expected}")
    return found
