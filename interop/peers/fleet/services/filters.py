"""Filters as in https://google.aip.dev/160: comparisons of fields, with AND, OR, NOT and parentheses.

As in the AIP, OR binds more tightly than AND.
"""

import operator
import re

from google.protobuf import timestamp_pb2

from peers.fleet.services.errors import invalid

MAX_RESTRICTIONS = 50
TOKEN = re.compile(r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
                   r"|(?P<sign><=|>=|!=|[=<>():])|(?P<word>[^\s=<>!():\"']+))")
COMPARISONS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}


def parse_filter(text, fields=(), ordered=()):
    """Returns a predicate on a function that returns the value of a field, or None.

    Filters can use attributes.KEY and these fields. The `ordered` ones are times, of which the function
    returns nanoseconds, and only they permit < and >. Raises INVALID_ARGUMENT.
    """
    if not text.strip():
        return lambda value_of: True
    return Parser(text, fields, ordered).parse()


def attributes_of(message):
    """Returns the attributes of a resource as text by key. Filters compare them as text."""
    return dict(attribute_pairs(message.attributes))


def attribute_pairs(attributes):
    """Returns the pairs of key and text, also if a key is there twice."""
    found = set()
    for each in attributes:
        kind = next((name for name in ("string_value", "bool_value", "number_value")
                     if each.HasField(name)), "value")
        value = getattr(each, kind, "")
        found.add((each.key, str(value).lower() if isinstance(value, bool) else (
            f"{value:g}" if isinstance(value, float) else value)))
    return found


def lookup(message, **fields):
    """Returns the function that a predicate takes."""
    attributes = attributes_of(message)

    def value_of(field):
        if field.startswith("attributes."):
            return attributes.get(field.removeprefix("attributes."))
        return fields[field]

    return value_of


class Parser:
    def __init__(self, text, fields, ordered):
        self._fields, self._ordered = fields, ordered
        self._tokens = list(self._scan(text))
        self._restrictions = 0

    def parse(self):
        predicate = self._all()
        if self._tokens:
            raise error(f"has an unexpected {self._tokens[0][1]!r}")
        return predicate

    def _scan(self, text):
        end = 0
        while text[end:].strip():
            if not (found := TOKEN.match(text, end)):
                raise error(f"cannot be read from {text[end:]!r} on")
            yield found.lastgroup, found[found.lastgroup]
            end = found.end()

    def _all(self):
        parts = [self._any()]
        while self._tokens and self._tokens[0][1] != ")":
            self._take("AND")
            parts.append(self._any())
        return lambda value_of: all(part(value_of) for part in parts)

    def _any(self):
        parts = [self._one()]
        while self._take("OR"):
            parts.append(self._one())
        return lambda value_of: any(part(value_of) for part in parts)

    def _one(self):
        if self._take("NOT"):
            negated = self._one()
            return lambda value_of: not negated(value_of)
        if self._take("("):
            inner = self._all()
            if not self._take(")"):
                raise error("lacks a closing parenthesis")
            return inner
        return self._restriction()

    def _restriction(self):
        self._restrictions += 1
        if self._restrictions > MAX_RESTRICTIONS:
            raise error(f"has more than {MAX_RESTRICTIONS} restrictions")
        (kind, field), (_, sign), value = self._next(), self._next(), self._next()
        if kind != "word" or not (field in self._fields or re.fullmatch(r"attributes\..+", field)):
            raise error(f"cannot use the field {field!r}")
        if sign == ":" and value == ("word", "*"):
            return lambda value_of: value_of(field) is not None
        compare = COMPARISONS.get(sign)
        if not compare or value[0] == "sign":
            raise error(f"has an invalid comparison of {field}")
        if sign not in ("=", "!=") and field not in self._ordered:
            raise error(f"cannot compare {field} with {sign}")
        wanted = unquoted(*value)
        if field in self._ordered:
            wanted = time_of(wanted)

        def matches(value_of):
            found = value_of(field)
            return sign == "!=" if found is None else compare(found, wanted)

        return matches

    def _next(self):
        if not self._tokens:
            raise error("is incomplete")
        return self._tokens.pop(0)

    def _take(self, word):
        if self._tokens and self._tokens[0][0] != "quoted" and self._tokens[0][1] == word:
            return self._tokens.pop(0)
        return None


def time_of(text):
    """Returns the nanoseconds of a time in the format of RFC 3339."""
    found = timestamp_pb2.Timestamp()
    try:
        found.FromJsonString(text)
    except ValueError:
        raise error(f"has an invalid time {text!r}") from None
    return found.ToNanoseconds()


def unquoted(kind, text):
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if kind == "quoted" else text


def error(description):
    return invalid("filter", description)
