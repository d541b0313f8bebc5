"""Fails if the dependencies of a target are not the modules that its files import.

Reads the output of `swift package dump-package`. SwiftPM itself does not report a dependency that is
never imported, nor an import of a dependency's dependency.
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
        if not files:  # C, which includes headers
            continue
        imported = {module for file in files for module in IMPORT.findall(file.read_text())}
        declared = {dependency["byName"][0] for dependency in target["dependencies"]}
        wrong += [f"{name}: no file imports {module}" for module in sorted(declared - imported)]
        wrong += [f"{name}: {module} is imported, but no dependency"
                  for module in sorted((imported & names) - declared)]
    sys.exit("\n".join(wrong) or 0)


main()
