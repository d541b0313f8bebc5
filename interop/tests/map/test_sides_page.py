"""Does the page show both sides of a trip: both vehicles, the causes as bands, the delays of locations, and what the
driver's app sent? Does it show two observers, and measure routes?"""

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from peers.recordings.two_sides import TwoSides
from support.command import tripwire


def story(folder, **trouble):
    """Records a trip with a trouble in its second minute; returns both logs, and when the trouble began."""
    trip = TwoSides()
    healthy = {name: getattr(trip, name) for name in trouble}
    trip.run(60)
    vars(trip).update(trouble)
    begin = trip.run(60)
    vars(trip).update(healthy)
    trip.run(60)
    return *trip.write(folder), begin


def page_of(folder, *logs):
    result = tripwire("log", *logs, "--map", folder / "trip.html", TZ="UTC")
    assert result.code == 0, result.stderr
    return (folder / "trip.html").as_uri()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sides")
    client, server, begin = story(folder, is_suspended=True)
    return page_of(folder, client, "--import-cloud-logging", server), begin


@pytest.fixture(scope="module")
def jump_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jumps")
    client, server, begin = story(folder, jump=3.0)
    return page_of(folder, client, "--import-cloud-logging", server), begin


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """The page of two observers, of which the second one is suspended for a minute."""
    folder = tmp_path_factory.mktemp("compared")
    for name in ("good", "bad"):
        (folder / name).mkdir()
    good, _, _ = story(folder / "good")
    bad, _, begin = story(folder / "bad", is_suspended=True)
    return page_of(folder, good, "--compare", bad), begin


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
    legs = browser.js("Array.from(document.querySelectorAll('#delays li'), (item) => item.textContent)")
    assert [leg.split(":")[0] for leg in legs] == [
        "Device to Fleet Engine", "Fleet Engine to answer", "Answer to app", "Device to app"]
    assert legs[0].endswith(": median 0.18 s, p95 0.18 s, worst 0.18 s")
    delays = browser.js("tripwire.recording.analysis(null).delays")
    assert all(leg["median"] <= leg["p95"] <= leg["worst"] for leg in delays["legs"])
    for *parts, whole in (point["delays"] for point in delays["points"]):
        assert sum(parts) == pytest.approx(whole, abs=0.002)
    assert browser.js("document.getElementById('ages').hidden") is False


def test_sent_and_accepted_tracks_differ(browser, jump_page):
    url, _ = jump_page
    browser.open(url)
    assert "sent by the driver's app" in browser.text("#legend label")
    box = browser.find("#legend input")
    assert box.is_selected()
    layers = "(() => { let n = 0; tripwire.map.eachLayer((layer) => { n += Boolean(layer.getPopup()); }); return n; })()"
    tracks = browser.js("tripwire.recording.analysis(null).tracks")
    assert len(tracks["problems"]) == browser.js(layers) == 12
    # The markers of the map are its only elements.
    assert len(browser.all(".leaflet-marker-icon")) < 12 + 40
    sent, accepted = (max(tracks[name]["meters"][0]) for name in ("sent", "accepted"))
    assert sent > 600_000 and accepted < 2_000
    box.click()
    assert browser.js(layers) == 0


def test_a_discarded_location_shows_its_reason(browser, jump_page):
    url, begin = jump_page
    browser.open(url)
    index = browser.js("tripwire.recording.checks.findIndex(({id}) => id === 'update')")
    assert len(browser.js("tripwire.recording.checks[a[0]].findings", index)) == 12
    browser.js("document.getElementById('checks').open = true")
    browser.all("#checks input")[index].click()
    browser.all("#checks ol")[index].find_element("css selector", "button").click()
    text = browser.until("(document.querySelector('.leaflet-popup-content') || {}).textContent")
    assert text.startswith("discarded: 334 km in 5 s is too fast; 334 km from")
    assert abs(browser.time - begin) <= 5


def test_two_observers_have_a_vehicle_each(browser, compared):
    url, begin = compared
    browser.open(url)
    legend = browser.js("Array.from(document.querySelectorAll('#legend li'), (item) => item.textContent)")
    assert legend == ["Agood/client.binlog", "Bbad/client.binlog"]
    browser.seek(begin + 50)
    found = {each["trip"]: each for each in browser.js("tripwire.markers()") if each["kind"] == "vehicle"}
    good, bad = (found[f"providers/demo/trips/t1 ({name}/client.binlog)"] for name in ("good", "bad"))
    assert abs(good["position"]["latitude"] - bad["position"]["latitude"]) > 0.003
    assert [each["element"].get_attribute("textContent") for each in (good, bad)] == ["A", "B"]
    assert bad["element"].get_attribute("title") == "Vehicle (bad/client.binlog)"
    browser.seek(begin - 20)
    found = {each["trip"]: each["position"] for each in browser.js("tripwire.markers()") if each["kind"] == "vehicle"}
    one, other = found.values()
    assert abs(one["latitude"] - other["latitude"]) < 0.001


def test_disagreements_are_marked_from_the_start(browser, compared):
    url, begin = compared
    browser.open(url)
    (found,) = browser.js("tripwire.checks.findings()")
    assert found["text"].startswith("location: up to ") and found["text"].endswith("; bad/client.binlog was behind")
    assert found["until"] - found["time"] == pytest.approx(60, abs=10)
    browser.seek(begin + 30)
    assert found["text"] in browser.text("#cause")
    browser.seek(begin - 30)
    assert browser.text("#cause") == ""


def test_two_clicks_measure_a_route(browser, page):
    url, _ = page
    browser.open(url)
    assert browser.text("#legend output") == ""
    browser.find("#legend button").click()
    assert browser.text("#legend output") == "Click on a route."
    # Two points of the route to the pickup, away from the markers, in pixels from the middle of the map.
    ends = browser.js("""(() => {
        const {map} = tripwire;
        const frame = Array.from(tripwire.recording.framesAt(tripwire.time).values()).find(Boolean);
        const line = frame.features.find(({properties}) => properties.kind === 'activeRoute');
        const points = decodePath(line.geometry.paths[0]), {meters} = line.geometry;
        const middle = map.getSize().divideBy(2);
        return [1, 3].map((part) => points.length * part >> 2).map((index) => {
            const {x, y} = map.latLngToContainerPoint(points[index]);
            return {x: Math.round(x - middle.x), y: Math.round(y - middle.y), meters: meters[0][index]};
        });
    })()""")
    for end in ends:
        ActionChains(browser.driver).move_to_element_with_offset(
            browser.find("#map"), end["x"], end["y"]).click().perform()
    text = browser.until("(/(.*) km along the route/.exec(document.querySelector('#legend output').textContent)"
                         " || [])[1]")
    assert float(text) == pytest.approx((ends[1]["meters"] - ends[0]["meters"]) / 1000, abs=0.15)
    browser.find("#legend button").click()
    assert browser.text("#legend output") == ""
