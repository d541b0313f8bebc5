"""Tests the page of a ported app's map view in a browser, with the simulated fleet."""

import pytest

from support.map.browser import LONGEST
from support.map.app import map_app

ICON = """<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>"""
NAMES = "tripwire.trips.map(({name}) => name)"
VEHICLE = "tripwire.markers().find(({kind}) => kind === 'vehicle')"


@pytest.fixture
def app(fleet):
    with map_app(fleet) as app:
        yield app


@pytest.fixture
def trip(fleet):
    trip = fleet.add_trip("t1", intermediates=1)
    trip.go("ENROUTE_TO_PICKUP")
    return trip


def line_widths(browser):
    """The color and the width of each line on the map."""
    return browser.js("""(() => {
        const lines = [];
        tripwire.map.eachLayer(({options}) => {
            if (options.fullOpacity !== undefined) lines.push([options.color, options.weight]);
        });
        return lines;
    })()""")


def test_sessions_are_shown_and_hidden(fleet, app, trip, browser):
    other = fleet.add_trip("t2")
    other.go("ENROUTE_TO_PICKUP")
    browser.open(app.url)
    assert browser.js("document.title") == "Map"
    app.tell("show", trip)
    browser.until(f"{NAMES}.length === 1 && {VEHICLE}")
    app.tell("show", other)
    browser.until(f"{NAMES}.length === 2 && document.querySelectorAll('#trips button').length === 2")
    browser.until("new Set(tripwire.markers().map(({trip}) => trip)).size === 2")
    browser.find("#trips button").click()
    app.tell("hide", trip)
    browser.until(f"{NAMES}.length === 1 && tripwire.markers().every(({{trip}}) => trip === a[0])", other.name)
    assert browser.text("#details h1") == other.name
    assert browser.js("document.querySelectorAll('#trips button').length") == 1
    app.tell("show", trip)
    browser.until("new Set(tripwire.markers().map(({trip}) => trip)).size === 2")
    assert browser.messages() == []


def test_styles_and_icons_are_those_of_the_coordinator(app, trip, browser, tmp_path):
    browser.open(app.url)
    app.tell("show", trip)
    browser.until(VEHICLE)
    assert ["#0000ff", 2] in line_widths(browser)
    app.tell("route", "wide")
    browser.until("(() => { let found; tripwire.map.eachLayer(({options}) => {"
                  " found = found || options.weight === 9 && options.color === '#ff8000'; });"
                  " return found; })()")
    app.tell("route", "hidden")
    browser.until("(() => { let found; tripwire.map.eachLayer(({options}) => {"
                  " found = found || options.weight === 9; }); return !found; })()")
    app.tell("color")
    browser.until(f"{VEHICLE}.element.querySelector('[fill=\"#000000\"]')")
    icon = tmp_path / "taxi.svg"
    icon.write_text(ICON)
    app.tell("icon", str(icon))
    image = browser.until(f"{VEHICLE}.element.querySelector('img')")
    browser.until("a[0].complete", image)
    assert browser.js("[a[0].naturalWidth, a[0].naturalHeight]", image) == [40, 20]
    assert image.get_attribute("src").startswith("data:image/svg+xml;base64,")
    # The middle of the icon is at the vehicle.
    offset = browser.js("""(() => {
        const {element, position} = %s;
        const pin = element.getBoundingClientRect();
        const icon = element.querySelector(".icon").getBoundingClientRect();
        return [pin.x + pin.width / 2 - icon.x - icon.width / 2, pin.y + pin.height / 2 - icon.y - icon.height / 2];
    })()""" % VEHICLE)
    assert offset == pytest.approx([0, 0], abs=1)
    assert browser.js("document.getElementById('notice').hidden")
    app.tell("icon", str(tmp_path / "missing.png"))
    browser.until("document.getElementById('notice').textContent.includes('missing.png')")
    browser.until(f"{VEHICLE}.element.querySelector('svg')")
    assert browser.messages() == []


def test_taps_reach_the_delegate_on_the_main_thread(fleet, app, trip, browser):
    browser.open(app.url)
    app.tell("show", trip)
    app.tell("pickup", 37.5, -122.5)
    browser.until(f"{VEHICLE} && tripwire.markers().some(({{trip}}) => trip === null)")
    for kind, name in ("vehicle", "vehicle"), ("dropoff", "tripDropoffPoint"), \
            ("pickup", "tripPickupPoint"), ("intermediateDestination", "intermediateDestination"):
        marker = browser.js("(({element, position}) => ({element, position}))"
                            "(tripwire.markers().find(({trip, kind}) => trip !== null && kind === a[0]))", kind)
        browser.js("a[0].click()", marker["element"])
        word, type, latitude, thread = app.next().split()
        assert (word, type, thread) == ("tap", name, "main")
        assert float(latitude) == pytest.approx(marker["position"]["latitude"], abs=1e-6)
    browser.js("tripwire.markers().find(({trip}) => trip === null).element.click()")
    assert app.next() == "tap tripPickupPoint 37.5 main"
    assert browser.messages() == []


def test_view_has_its_own_camera_and_gestures(fleet, app, trip, browser):
    browser.open(app.url)
    app.tell("camera", "off")
    app.tell("gestures", "off")
    browser.until("!document.querySelector('.leaflet-control-zoom') && !tripwire.map.dragging.enabled()")
    zoom = browser.js("tripwire.map.getZoom()")
    app.tell("show", trip)
    browser.until(VEHICLE)
    assert browser.js("tripwire.map.getZoom()") == zoom
    app.tell("reset")
    browser.until(f"tripwire.map.getZoom() > {zoom} && tripwire.map.getBounds().contains("
                  f"[{VEHICLE}.position.latitude, {VEHICLE}.position.longitude])")
    app.tell("gestures", "on")
    browser.until("document.querySelector('.leaflet-control-zoom') && tripwire.map.dragging.enabled()")
    app.tell("camera", "on")
    browser.until("document.getElementById('recenter').hidden")


@pytest.mark.parametrize("follows", ["on", "off"])
def test_reset_moves_the_camera_after_a_person_has(app, trip, browser, follows):
    browser.open(app.url)
    app.tell("show", trip)
    app.tell("camera", follows)
    browser.until(VEHICLE)
    app.tell("reset")
    browser.until("tripwire.map.getZoom() > 8")
    zoom = browser.js("tripwire.map.getZoom()")
    for _ in range(2):
        browser.run("""
            document.getElementById("map").dispatchEvent(new WheelEvent("wheel", {bubbles: true}));
            tripwire.map.setZoom(2, {animate: false})""")
        assert browser.js("tripwire.map.getZoom()") == 2
        app.tell("reset")
        browser.until(f"tripwire.map.getZoom() === {zoom}")
    browser.until(f"document.getElementById('recenter').hidden === {'true' if follows == 'on' else 'false'}")


def test_pickup_of_the_view_is_in_sight(app, browser):
    browser.open(app.url)
    app.tell("pickup", 48.5, 9.5)
    browser.until("tripwire.map.getZoom() > 10 && tripwire.map.getBounds().contains([48.5, 9.5])")
    assert browser.js("tripwire.trips") == []
    app.tell("pickup")
    browser.until("tripwire.markers().length === 0")


def test_end_of_the_app_is_shown(app, trip, browser):
    browser.open(app.url)
    app.tell("show", trip)
    browser.until(VEHICLE)
    app.tell("close")
    browser.until("document.getElementById('notice').textContent === 'The app has stopped.'")


def test_lost_app_is_shown(app, trip, browser):
    browser.open(app.url)
    app.tell("show", trip)
    browser.until(VEHICLE)
    app.process.kill()
    browser.until("document.getElementById('notice').textContent.startsWith('The app does not respond')")
    assert app.process.wait(LONGEST) != 0
