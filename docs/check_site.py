"""Fails if a link of the static site does not lead to a page, a section or a file of the site.

    check_site.py SITE   the folder that docs/build.sh writes
"""

import json
import pathlib
import sys
import urllib.parse


def values(node, key):
    """All values of a key, at any depth."""
    if isinstance(node, dict):
        if key in node:
            yield node[key]
        for child in node.values():
            yield from values(child, key)
    elif isinstance(node, list):
        for child in node:
            yield from values(child, key)


class Site:
    def __init__(self, root):
        self.root = root
        data = root / "data"
        self.pages = {"/" + file.relative_to(data).with_suffix("").as_posix():
                      json.loads(file.read_bytes()) for file in data.rglob("*.json")}
        self.anchors = {}

    def has_anchor(self, path, anchor):
        if path not in self.anchors:
            self.anchors[path] = set(values(self.pages[path], "anchor"))
        return anchor in self.anchors[path]

    def is_broken(self, page, url):
        """Whether a URL leads nowhere; URLs of other sites are not opened."""
        parts = urllib.parse.urlsplit(url)
        if parts.scheme or parts.netloc:
            return False
        path = urllib.parse.unquote(parts.path) or page
        if path not in self.pages:
            return True
        return bool(parts.fragment) and not self.has_anchor(path, parts.fragment)

    def broken(self):
        """Pairs of a page and a link."""
        for page, node in self.pages.items():
            if not (self.root / page[1:] / "index.html").is_file():
                yield page, "its index.html"
            for reference in node.get("references", {}).values():
                if "url" in reference and self.is_broken(page, reference["url"]):
                    yield page, reference["url"]
                for variant in reference.get("variants", []):
                    if not (self.root / variant["url"].lstrip("/")).is_file():
                        yield page, variant["url"]
        index = json.loads((self.root / "index" / "index.json").read_bytes())
        yield from (("the index", path) for path in values(index["interfaceLanguages"], "path")
                    if self.is_broken("/documentation", path))


def main():
    site = Site(pathlib.Path(sys.argv[1]))
    if not site.pages:
        sys.exit(f"{sys.argv[1]}: no pages")
    found = sorted(set(site.broken()))
    for page, link in found:
        print(f"{page}: broken link: {link}", file=sys.stderr)
    sys.exit(bool(found))


main()
