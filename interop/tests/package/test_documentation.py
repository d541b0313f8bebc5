"""Do the checks of documentation and imports find faults, and does the page of errors list all messages?"""

import json
import re
import shutil
import subprocess
import sys

import pytest

from support.paths import INTEROP

ROOT = INTEROP.parent
ARTICLES = ROOT / "Tests/TripwireCLITests/Articles"


def check(script, *arguments):
    done = subprocess.run([sys.executable, script, *arguments], text=True, capture_output=True,
                          timeout=60)
    return done.returncode, done.stderr


class TestSite:
    @pytest.fixture
    def site(self, tmp_path):
        """A site of two pages; the first links a section of the second."""
        self.root = tmp_path
        self.write("index/index.json", {"interfaceLanguages": {"swift": [{"path": "/documentation"}]}})
        self.write("data/documentation.json", {"references": {
            "a": {"type": "topic", "url": "/documentation/trip#Fields"},
            "b": {"type": "image", "variants": [{"url": "/images/map.png"}]},
            "c": {"type": "link", "url": "https://example.com/"}}})
        self.write("data/documentation/trip.json", {"sections": [{"anchor": "Fields"}]})
        for page in ["documentation/index.html", "documentation/trip/index.html", "images/map.png"]:
            self.write(page, {})
        return tmp_path

    def write(self, path, node):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(node))

    def check(self):
        return check(ROOT / "docs/check_site.py", self.root)

    def test_complete_site_passes(self, site):
        assert self.check() == (0, "")

    @pytest.mark.parametrize("path, link", [
        ("data/documentation/trip.json", "/documentation/trip#Fields"),
        ("documentation/trip/index.html", "its index.html"),
        ("images/map.png", "/images/map.png"),
    ])
    def test_missing_file_is_reported(self, site, path, link):
        (site / path).unlink()
        code, errors = self.check()
        assert code == 1
        assert f"broken link: {link}\n" in errors

    def test_missing_section_is_reported(self, site):
        self.write("data/documentation/trip.json", {"sections": []})
        assert self.check() == (1, "/documentation: broken link: /documentation/trip#Fields\n")

    def test_missing_page_of_the_index_is_reported(self, site):
        self.write("index/index.json", {"interfaceLanguages": {"swift": [{"path": "/documentation/x"}]}})
        assert self.check() == (1, "the index: broken link: /documentation/x\n")

    def test_empty_site_fails(self, tmp_path):
        code, errors = check(ROOT / "docs/check_site.py", tmp_path)
        assert code == 1
        assert errors.endswith(": no pages\n")


class TestPaths:
    @pytest.fixture
    def check_page(self, tmp_path):
        """Checks a README of this text beside docs/page.md."""
        (tmp_path / "docs").mkdir()
        shutil.copy(ROOT / "docs/check_paths.py", tmp_path / "docs")
        (tmp_path / "docs/page.md").write_text("# A page\n\n## `get` and follow\n\n```\n# no heading\n```\n")

        def check_page(text):
            (tmp_path / "README.md").write_text(text)
            for command in [["init", "-q"], ["add", "."]]:
                subprocess.run(["git", *command], cwd=tmp_path, check=True)
            return check(tmp_path / "docs/check_paths.py")

        return check_page

    def test_links_to_files_and_headings_pass(self, check_page):
        assert check_page("# Top\n[a](docs/page.md) [b](docs/page.md#get-and-follow) [c](#top)") == (0, "")

    @pytest.mark.parametrize("link", [
        "docs/other.md", "docs/other.md#a-page", "docs/page.md#no-heading", "#bottom"])
    def test_broken_link_is_reported(self, check_page, link):
        assert check_page(f"# Top\n[a]({link})") == (1, f"README.md: no such file or heading: {link}\n")


class TestImports:
    @pytest.mark.parametrize(("text", "report"), [
        ("@testable import Low\npackage import CLow\n", ""),
        ("import CLow\n  import Low\n", "High: no file imports Low\n"),
        ("import Low\nimport CLow\nimport Testing\nimport Other\n",
         "High: Other is imported, but no dependency\n")], ids=["same", "not imported", "not declared"])
    def test_dependencies_are_the_imported_modules(self, tmp_path, text, report):
        self.check(tmp_path, text, "Low <- High", report)

    @pytest.mark.parametrize(("drawing", "report"), [
        ("CLow, Low <- High", ""), ("CLow <- Low <- High", "LifeOfACall.md: Low does not import CLow\n"),
        ("Other <- High\nLow <- Other",
         "LifeOfACall.md: High does not import Other\nLifeOfACall.md: Other does not import Low\n"),
        ("Low <- Other\nCLow <- High", "LifeOfACall.md: High imports Low\n"
         "LifeOfACall.md: Other does not import Low\n")], ids=["same", "chain", "more", "fewer"])
    def test_dependencies_are_the_drawn_modules(self, tmp_path, drawing, report):
        self.check(tmp_path, "import CLow\nimport Low", drawing, report)

    def check(self, tmp_path, text, drawing, report):
        (tmp_path / "Tests/High").mkdir(parents=True)
        (tmp_path / "Tests/High/a.swift").write_text(text)
        article = tmp_path / "Sources/Tripwire/Tripwire.docc/LifeOfACall.md"
        article.parent.mkdir(parents=True)
        article.write_text(f"# Life\n```\n{drawing}\n```\n")
        dependencies = [{"byName": ["Low", None]}, {"byName": ["CLow", None]}]
        targets = [{"name": name, "type": "regular", "dependencies": []} for name in ["Low", "CLow", "Other"]]
        targets.append({"name": "High", "type": "test", "dependencies": dependencies})
        done = subprocess.run([sys.executable, ROOT / "Tests/check_imports.py"], cwd=tmp_path, text=True,
                              input=json.dumps({"targets": targets}), capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (1 if report else 0, report)


class TestErrors:
    def test_every_connection_failure_is_listed(self):
        failures = (ROOT / "Sources/WireGRPC/Errors/ConnectionFailure.swift").read_text()
        reasons = re.findall(r"^    case (\w+)", failures.partition("\n  }\n")[0], re.M)
        assert len(reasons) > 20
        rows = (ARTICLES / "Troubleshooting+Connections.swift").read_text()
        assert [reason for reason in reasons if f".{reason}" not in rows] == []

    def test_every_message_is_one_of_the_code(self):
        """A message of a failed connection that is reworded has to be reworded in the page, too."""
        code = "".join(file.read_text() for file in (ROOT / "Sources").rglob("*.swift"))
        page = (ROOT / "Sources/Tripwire/Tripwire.docc/Command/Troubleshooting.md").read_text()
        section = page.partition("## No connection")[2].partition("## ")[0]
        messages = [message for row in section.splitlines() if row.startswith("| `")
                    for message in re.findall(r"`([^`]+)`", row.split("|")[1])]
        assert len(messages) > 30
        # A failure of TLS with the proxy contains that of TLS.
        parts = {part.strip() for message in messages for part in re.split("…|(?<=failed: )", message)}
        assert [part for part in parts if part not in code] == []
