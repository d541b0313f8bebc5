"""Are the manual pages correct?"""

import re
import subprocess

import pytest

from support.command import LONGEST, environment, tripwire


@pytest.fixture(scope="module")
def manuals(tmp_path_factory):
    """The pages as they are installed: a folder with man1."""
    folder = tmp_path_factory.mktemp("manuals")
    (folder / "man1").mkdir()
    for page in tripwire("__manual").stdout.split():
        text = tripwire("__manual", page, "November 23, 2026").stdout
        (folder / "man1" / f"{page}.1").write_text(text)
    run("makewhatis", folder)
    return folder


def run(*command, folder="", stdin=""):
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=LONGEST, input=stdin,
        env=environment(MANPATH=f"{folder}:", LC_ALL="C.UTF-8"))
    return done.stdout + done.stderr


def test_pages_are_valid(manuals):
    pages = sorted((manuals / "man1").iterdir())
    assert len(pages) > 10
    assert run("mandoc", "-T", "lint", "-W", "style", *pages, folder=manuals) == ""


def test_pages_have_every_option_of_the_help(manuals):
    for page in (manuals / "man1").iterdir():
        command = re.sub("-(token|config)-", r"-\1 ", page.stem).partition("-")[2].split()
        options = set(re.findall(r"^  (?:-., )?(--[a-z-]+)", tripwire(*command, "--help").stdout, re.M))
        assert "--help" in options
        text = run("col", "-b", stdin=run("mandoc", "-T", "utf8", "-O", "width=200", page))
        for option in options:
            assert option in text, (page.name, option)
