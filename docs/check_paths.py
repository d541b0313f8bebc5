"""Fails if a page of the documentation names or links a file or a heading that does not exist.

A name is code in backquotes: a path from the root or from the page, or the end of the path of a source
file, such as `Pool/Dispatcher.swift`.
"""

import os.path
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
FILES = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True,
                       check=True).stdout.splitlines()
# Every file and folder.
PATHS = {"/".join(file.split("/")[:count]) for file in FILES
         for count in range(1, file.count("/") + 2)}
TOP = {path for path in PATHS if "/" not in path}
# Files of the reader's own package, in examples.
EXAMPLES = {"a/b.proto", "google/protobuf/timestamp.proto", "shop/v1/cart.proto"}


def from_page(page, path):
    return os.path.normpath(os.path.join(os.path.dirname(page), path))


def is_missing(page, name):
    if name in EXAMPLES or name.startswith(".build"):
        return False
    if name.startswith("../"):
        return from_page(page, name) not in PATHS
    if name.endswith((".swift", ".py", ".proto")):
        return not any(file == name or file.endswith("/" + name) for file in FILES)
    return name.split("/")[0] in TOP and name.rstrip("/") not in PATHS


def anchors(page):
    """The anchors of the page's headings, as GitHub and most other hosts form them."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ +(.+)$", text, re.M)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def is_broken(page, link):
    path, _, anchor = link.partition("#")
    target = from_page(page, path) if path else page
    return target not in PATHS or bool(anchor) and anchor not in anchors(target)


def missing(page):
    text = (ROOT / page).read_text()
    names = re.findall(r"`([\w.+/-]+/[\w.+/-]*)`", text)
    links = re.findall(r"\]\(([^):]+)\)", text)
    return ([name for name in names if is_missing(page, name)]
            + [link for link in links if is_broken(page, link)])


def main():
    found = [(page, name) for page in FILES if page.endswith(".md") for name in missing(page)]
    for page, name in found:
        print(f"{page}: no such file or heading: {name}", file=sys.stderr)
    sys.exit(bool(found))


main()
