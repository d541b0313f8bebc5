"""Marks tests with what they check: rules of the reference of Fleet Engine, and guesses of the emulator.

`@rule("CreateTripRequest.trip_id", "has at most 64 characters")` names a field or a method of the reference.
`@guess("status of a trip")` names a row of the tables in "Rules" of CommandEmulate.md.
"""

import ast
import contextlib

import pytest
from google.maps import fleetengine_delivery_v1, fleetengine_v1

from peers.fleet.methods import METHODS
from support.paths import INTEROP, ROOT

ARTICLE = ROOT / "Sources/Tripwire/Tripwire.docc/Command/CommandEmulate.md"
REFERENCE = "https://developers.google.com/maps/documentation/mobility/fleet-engine/reference"
PACKAGES = [
    (fleetengine_v1.Trip.pb().DESCRIPTOR.file, f"{REFERENCE}/trips/rpc/maps.fleetengine.v1"),
    (fleetengine_delivery_v1.Task.pb().DESCRIPTOR.file, f"{REFERENCE}/tasks/rpc/maps.fleetengine.delivery.v1")]


def rule(element, text):
    return pytest.mark.rule(element, text)


def guess(subject):
    return pytest.mark.guess(subject)


def source(element):
    """Returns the URL of a field or a method in the reference; LookupError if it has none."""
    for file, page in PACKAGES:
        name = f"{file.package}.{element}"
        owner, _, part = name.rpartition(".")
        if f"/{owner}/{part}" in {method.path for method in METHODS.values()}:
            return f"{page}#{name}"
        with contextlib.suppress(KeyError):
            if part in file.pool.FindMessageTypeByName(owner).fields_by_name:
                return f"{page}#{owner}"
    raise LookupError(element)


def marked(mark):
    """Returns the arguments of all marks of a kind, with the name of their test."""
    found = []
    for path in sorted((INTEROP / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            for call in getattr(node, "decorator_list", []):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == mark:
                    found.append((*map(ast.literal_eval, call.args), node.name))
    return found


def guesses():
    """Returns the subjects in the tables of the article."""
    rules = ARTICLE.read_text().partition("\n## Rules\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in rules.splitlines() if line.startswith("|")]
    return [row for row in rows if row != "subject" and set(row) != {"-"}]
