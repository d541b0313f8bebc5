"""Evaluates filters in the Logging query language, as far as comparisons with AND, OR and NOT go.

https://cloud.google.com/logging/docs/view/logging-query-language: NOT binds closer than OR, and OR closer than AND,
which may be left out. Strings are equal without regard to case. A comparison with a list is true if one is true for an
element. A field that is missing makes a comparison false.
"""

import operator
import re

from google.protobuf.struct_pb2 import ListValue, Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp

TOKEN = re.compile(r"""\s*(?:
    (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<operator><=|>=|!=|=|<|>|:)
  | (?P<parenthesis>[()])
  | (?P<word>[\w.@/%-]+)
)""", re.X)
OPERATORS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
             ">=": operator.ge, ":": lambda field, wanted: wanted in field}
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))", re.S)
LETTERS = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
LONGEST = 20_000


class InvalidFilter(ValueError):
    pass


def parsed(text):
    """Returns a function that says whether an entry, a LogEntry, matches the filter."""
    if len(text) > LONGEST:
        raise InvalidFilter(f"longer than {LONGEST} characters")
    parser = Parser(text)
    if not parser.tokens:
        return lambda entry: True
    matches = parser.conjunction()
    if parser.tokens:
        raise InvalidFilter(f"unexpected {parser.tokens[0][1]}")
    return matches


class Parser:
    def __init__(self, text):
        self.tokens, end, text = [], 0, text.rstrip()
        while end < len(text):
            found = TOKEN.match(text, end)
            if not found:
                raise InvalidFilter(f"cannot read {text[end:end + 20]!r}")
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            end = found.end()

    def takes(self, *token):
        if self.tokens and self.tokens[0] == token:
            return self.tokens.pop(0)
        return None

    def conjunction(self):
        terms = [self.disjunction()]
        while self.tokens and self.tokens[0] != ("parenthesis", ")"):
            self.takes("word", "AND")
            terms.append(self.disjunction())
        return lambda entry: all(term(entry) for term in terms)

    def disjunction(self):
        terms = [self.term()]
        while self.takes("word", "OR"):
            terms.append(self.term())
        return lambda entry: any(term(entry) for term in terms)

    def term(self):
        if self.takes("word", "NOT"):
            term = self.term()
            return lambda entry: not term(entry)
        if self.takes("parenthesis", "("):
            inner = self.conjunction()
            if not self.takes("parenthesis", ")"):
                raise InvalidFilter("a parenthesis is missing")
            return inner
        return self.comparison()

    def comparison(self):
        if len(self.tokens) < 3 or [kind for kind, _ in self.tokens[:2]] != ["word", "operator"]:
            raise InvalidFilter(f"expected a comparison, found {self.tokens[:3]}")
        (_, path), (_, sign), (kind, value) = (self.tokens.pop(0) for _ in range(3))
        if kind not in ("string", "word"):
            raise InvalidFilter(f"expected a value, found {value}")
        value = unescaped(value[1:-1]) if kind == "string" else value
        compare = OPERATORS[sign]
        return lambda entry: any(compared(field, compare, value) for field in fields(entry, path.split(".")))


def unescaped(text):
    def character(found):
        number = found[1] or found[2] or found[3]
        return chr(int(number, 16)) if number else LETTERS.get(found[4], found[4])
    return ESCAPE.sub(character, text)


def compared(field, compare, value):
    if isinstance(field, Timestamp):
        wanted = Timestamp()
        try:
            wanted.FromJsonString(value)
        except ValueError:
            raise InvalidFilter(f"{value} is not a timestamp") from None
        return compare((field.seconds, field.nanos), (wanted.seconds, wanted.nanos))
    if isinstance(field, str):
        return compare(field.lower(), value.lower())
    return isinstance(field, float) and compare(field, float(value))


def fields(value, path):
    """Yields the values at a path."""
    if isinstance(value, Value):
        value = getattr(value, value.WhichOneof("kind") or "null_value")
    if isinstance(value, ListValue):
        for element in value.values:
            yield from fields(element, path)
    elif not path:
        yield value
    elif isinstance(value, Struct):
        if path[0] in value.fields:
            yield from fields(value.fields[path[0]], path[1:])
    elif hasattr(value, "DESCRIPTOR"):
        field = next((each for each in value.DESCRIPTOR.fields if path[0] in (each.name, each.json_name)), None)
        if field is None:
            raise InvalidFilter(f"no field {path[0]}")
        if not field.has_presence or value.HasField(field.name):
            yield from fields(getattr(value, field.name), path[1:])
    elif hasattr(value, "items") and path[0] in value:
        yield from fields(value[path[0]], path[1:])
