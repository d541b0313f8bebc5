"""Fails if a public symbol of a library product has no documentation comment.

    swift package dump-package | check_comments.py SYMBOLS

SYMBOLS is the folder of the symbol graphs that docs/build.sh extracts. Fails, too, if that script leaves out a library.
Generated code needs no comments: buf checks those of the .proto files. Neither do members that implement a requirement
of a protocol, because the comment of the requirement documents them: the symbol graph names it as their origin.
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
    products = json.load(sys.stdin)["products"]
    modules = {file.name.split(".")[0] for file in files}
    for product in products:
        # A module that another one of the product exports is documented there.
        if "library" in product["type"] and modules.isdisjoint(product["targets"]):
            sys.exit(f"docs/build.sh: the library {product['name']} is missing")
    found = sorted(set(missing([json.loads(file.read_bytes()) for file in files])))
    for file, line, path in found:
        print(f"{file}:{line}: no documentation comment: {path}", file=sys.stderr)
    sys.exit(bool(found))


main()
