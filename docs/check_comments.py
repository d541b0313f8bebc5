"""Fails if a public symbol of Sources has no documentation comment.

    check_comments.py SYMBOLS   the folder of the symbol graphs that docs/build.sh extracts

Generated code needs no comments. Neither do members that implement a requirement of a protocol, because the comment of
the requirement documents them: the symbol graph names it as their origin.
"""

import json
import pathlib
import re
import sys


def missing(graphs):
    """The file, line and path of each symbol without a comment."""
    implementations = {relationship["source"] for graph in graphs for relationship in graph["relationships"]
                       if "sourceOrigin" in relationship or relationship["kind"] == "defaultImplementationOf"}
    for symbol in (symbol for graph in graphs for symbol in graph["symbols"]):
        identifier = symbol["identifier"]["precise"]
        location = symbol.get("location", {"uri": ""})
        file = re.search("/(Sources/.*)", location["uri"])
        if (file and "/Generated/" not in file[1] and "docComment" not in symbol
                and "::SYNTHESIZED::" not in identifier and identifier not in implementations):
            yield file[1], location["position"]["line"] + 1, ".".join(symbol["pathComponents"])


def main():
    files = sorted(pathlib.Path(sys.argv[1]).glob("*/*.symbols.json"))
    if not files:
        sys.exit(f"{sys.argv[1]}: no symbol graphs")
    found = sorted(set(missing([json.loads(file.read_bytes()) for file in files])))
    for file, line, path in found:
        print(f"{file}:{line}: no documentation comment: {path}", file=sys.stderr)
    sys.exit(bool(found))


main()
