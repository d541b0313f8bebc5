"""Tests how a page shows many resources: as points, and in full only those that the user looks at."""

import pytest

from peers.recordings.fleet_recording import many_trips
from selenium.webdriver.common.keys import Keys

PINS = "new Set(tripwire.markers().filter(({element}) => element).map(({trip}) => trip))"
POINTS = "tripwire.markers().filter(({element}) => !element)"
LINES = "(() => { let count = 0; tripwire.map.eachLayer(({options}) => count += options.fullOpacity > 0); return count; })()"


def full(number):
    return f"providers/demo/trips/t{number}"


@pytest.fixture
def crowd(browser, page_of, tmp_path):
    """Opens the page of so many trips at the end of the recording."""
    def crowd(count):
        browser.open(page_of(many_trips(tmp_path / "many.binlog", count, polls=20)))
        browser.seek(browser.js("tripwire.recording.end"))
        return browser

    return crowd


def pixel(browser, name):
    """Where the point of a trip is in the window."""
    return browser.js("""(() => {
        const {x: left, y: top} = tripwire.map.getContainer().getBoundingClientRect();
        const {position} = tripwire.markers().find(({trip, element}) => trip === a[0] && !element);
        const {x, y} = tripwire.map.latLngToContainerPoint([position.latitude, position.longitude]);
        return {x: left + x, y: top + y};
    })()""", name)


def mouse(browser, kind, place):
    browser.cdp("Input.dispatchMouseEvent", type=kind, button="left" if "ed" in kind[-2:] else "none",
                clickCount=int(kind != "mouseMoved"), **place)


def test_as_many_as_fit_are_drawn_in_full(crowd):
    browser = crowd(20)
    assert browser.js(f"{PINS}.size") == 20
    assert not browser.js("Boolean(document.querySelector('#search').offsetParent)")


def test_many_trips_are_points_without_lines(crowd):
    browser = crowd(21)
    assert browser.js(f"{POINTS}.length") == 21
    assert browser.js(f"new Set({POINTS}.map(({{trip}}) => trip)).size") == 21
    assert browser.js(LINES) == 0
    assert browser.js("document.querySelectorAll('[data-kind]').length") == 0
    assert browser.out_of_view() == []


def test_selected_trip_is_drawn_in_full(crowd):
    browser = crowd(30)
    browser.all("#trips button")[4].click()
    assert browser.js(f"[...{PINS}]") == [full(5)]
    assert browser.js(LINES) > 0
    assert browser.js(f"{POINTS}.length") == 29
    assert browser.out_of_view(full(5)) == []
    browser.all("#trips button")[4].click()
    assert browser.js(f"{PINS}.size") == 0


def test_pointer_shows_and_selects_a_trip(crowd):
    browser = crowd(30)
    # Nearer, so that no group covers it. The camera follows until the user moves the map.
    browser.run("tripwire.map.getContainer().dispatchEvent(new WheelEvent('wheel'))")
    position = browser.js(f"{POINTS}.find(({{trip}}) => trip === a[0]).position", full(7))
    browser.js("(tripwire.map.setView([a[0].latitude, a[0].longitude], 17, {animate: false}), null)", position)
    place = browser.until("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(a[0]))))",
                          pixel(browser, full(7)))
    zoom = browser.js("tripwire.map.getZoom()")
    mouse(browser, "mouseMoved", place)
    browser.until(f"{PINS}.has(a[0])", full(7))
    assert browser.js("tripwire.map.getContainer().title") == "t7"
    assert browser.js("tripwire.map.getZoom()") == zoom
    assert browser.text("#details h1") == "30 trips"
    # Its marker is below the pointer now.
    mouse(browser, "mousePressed", place)
    mouse(browser, "mouseReleased", place)
    browser.until("document.querySelector('#details h1').textContent === a[0]", full(7))


def test_search_shows_what_it_finds(crowd):
    browser = crowd(130)
    assert len(browser.all("#trips button")) == 100
    assert browser.text("#more") == "30 more"
    search = browser.find("#search")
    search.send_keys("T12")
    names = [button.text for button in browser.all("#trips button .name")]
    assert names == ["t12", *(f"t{number}" for number in range(120, 130))]
    assert set(browser.js(f"[...{PINS}]")) == {full(name[1:]) for name in names}
    assert not browser.find("#more").is_displayed()
    search.send_keys(Keys.BACKSPACE * 3)
    assert browser.js(f"{PINS}.size") == 0
    assert len(browser.all("#trips button")) == 100
