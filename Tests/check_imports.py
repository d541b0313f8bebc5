"""Fails if the dependencies of a target are not the modules that its files import, or not those of LifeOfACall.md.

Reads the output of `swift package dump-package`. SwiftPM itself does not report a dependency that no file imports,
and an import of a dependency's dependency only in a clean build.
"""

import json
import pathlib
import re
import sys

IMPORT = re.compile(r"^(?:@?\w+ )*import (\w+)", re.M)


def main():
    targets = json.load(sys.stdin)["targets"]
    names = {target["name"] for target in targets}
    wrong = []
    for target in targets:
        name = target["name"]
        parent = "Tests" if target["type"] == "test" else "Sources"
        files = list(pathlib.Path(target.get("path") or f"{parent}/{name}").rglob("*.swift"))
        # C includes headers, and a plugin runs the programs that it depends on.
        if not files or target["type"] == "plugin":
            continue
        imported = {module for file in files for module in IMPORT.findall(file.read_text())}
        declared = {dependency["byName"][0] for dependency in target["dependencies"]}
        wrong += [f"{name}: no file imports {module}" for module in sorted(declared - imported)]
        wrong += [f"{name}: {module} is imported, but no dependency"
                  for module in sorted((imported & names) - declared)]
    libraries = {target["name"]: {dependency["byName"][0] for dependency in target["dependencies"]}
                 for target in targets}
    sys.exit("\n".join(wrong + differences(documented(), libraries)) or 0)


def documented():
    """Returns the modules that each module may import directly: "A, B <- C" in the article's first block."""
    edges = {}
    article = pathlib.Path("Sources/Tripwire/Tripwire.docc/LifeOfACall.md").read_text()
    for line in article.split("```")[1].strip().split("\n"):
        groups = [re.split(", ", group) for group in line.split(" <- ")]
        for lower, upper in zip(groups, groups[1:]):
            for module in upper:
                edges.setdefault(module, set()).update(lower)
    return edges


def differences(edges, libraries):
    def below(module):
        return set().union(*({lower} | below(lower) for lower in edges.get(module, ())))
    named = set(edges) | set().union(*edges.values())
    wrong = []
    for module in sorted(named):
        imported = libraries.get(module, set())
        wrong += [f"LifeOfACall.md: {module} does not import {lower}"
                  for lower in sorted(edges.get(module, set()) - imported)]
        wrong += [f"LifeOfACall.md: {module} imports {lower}"
                  for lower in sorted((imported & named) - below(module))]
    return wrong


main()
