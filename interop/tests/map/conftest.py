"""The browser, and pages of recordings."""

import pytest

from support.map.browser import Browser
from support.command import tripwire
from support.paths import RECORDINGS
from peers.recordings.fleet_recording import many_trips


@pytest.fixture(scope="session")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def page_of(tmp_path_factory):
    """Makes the page of a recording, given by its path or by the name of one of ours; its address."""
    pages, folder = {}, tmp_path_factory.mktemp("pages")

    def page_of(recording):
        if recording not in pages:
            path = RECORDINGS / f"{recording}.binlog" if isinstance(recording, str) else recording
            page = folder / f"{len(pages)}.html"
            result = tripwire("log", path, "--map", page)
            assert result.code == 0, result.stderr
            pages[recording] = page.as_uri()
        return pages[recording]

    return page_of


@pytest.fixture(scope="module")
def three_trips(page_of, tmp_path_factory):
    """The address of the page of three trips."""
    return page_of(many_trips(tmp_path_factory.mktemp("trips") / "three.binlog", 3, polls=20))
