"""Does the page show both sides of a trip: both vehicles, the causes as bands, and the age of locations?"""

import pytest

from peers.recordings.two_sides import TwoSides
from support.command import tripwire


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sides")
    trip = TwoSides()
    trip.run(60)
    trip.is_suspended = True
    begin = trip.run(60)
    trip.is_suspended = False
    trip.run(60)
    client, server = trip.write(folder)
    result = tripwire(
        "log", client, "--import-cloud-logging", server, "--map", folder / "trip.html", TZ="UTC")
    assert result.code == 0, result.stderr
    return (folder / "trip.html").as_uri(), begin


def test_both_vehicles_are_on_the_map(browser, page):
    url, begin = page
    browser.open(url)
    browser.seek(begin + 50)
    found = {each["trip"]: each["position"]["latitude"] for each in browser.js("tripwire.markers()")
             if each["kind"] == "vehicle"}
    client, server = (found[f"providers/demo/trips/t1 ({side})"] for side in ("client", "server"))
    assert abs(server - client) > 0.003


def test_the_cause_is_shown_at_its_time(browser, page):
    url, begin = page
    browser.open(url)
    browser.seek(begin + 30)
    assert "the client did not ask" in browser.js("document.getElementById('cause').textContent")
    browser.seek(begin - 30)
    assert browser.js("document.getElementById('cause').textContent") == ""
    spans = browser.js("tripwire.recording.analysis(null).spans")
    assert [(span["state"], span.get("side")) for span in spans] == [
        ("waiting", None), ("current", None), ("stale", "client"), ("current", None)]
    for one, other in zip(spans, spans[1:]):
        assert one["end"] == other["start"]


def test_the_bands_have_the_colors_of_the_sides(browser, page):
    url, begin = page
    browser.open(url)
    color = """(time) => {
      const canvas = document.querySelector('#track canvas');
      const x = 8 + (time - tripwire.recording.start) / (tripwire.recording.end - tripwire.recording.start)
        * (canvas.clientWidth - 16);
      return Array.from(canvas.getContext('2d').getImageData(Math.round(x * devicePixelRatio), 2, 1, 1).data);
    }"""
    assert browser.js(f"({color})(a[0])", begin + 30) == [0x7b, 0x3f, 0xc4, 255]
    assert browser.js(f"({color})(a[0])", begin - 30) == [0x3c, 0x8c, 0x5a, 255]


def test_the_chart_names_the_delays(browser, page):
    url, _ = page
    browser.open(url)
    caption = browser.js("document.getElementById('delays').textContent")
    assert caption.startswith("Age of each location when the app showed it: median ") and "p95 " in caption
    assert browser.js("document.getElementById('delays').hidden") is False
