"""Does the page show markup from a server as text?"""

import pytest
from google.maps.fleetengine_v1 import types

from peers.recordings import binary_log
from peers.recordings.log_writer import GET_TRIP, LogWriter
from peers.servers import demo

IMAGE = "<img src=x onerror=window.attacked=1>"
MARKUP = f"{IMAGE}</script><script>window.attacked=2</script><!--&lt;b&gt;\"'`]]>"
NAME = f"providers/p/trips/{IMAGE}"


@pytest.fixture(scope="module")
def address(page_of, tmp_path_factory):
    log = LogWriter()
    for name in NAME, "providers/p/trips/&amp;<b>2":
        request = types.GetTripRequest.pb()(name=name)
        trip = demo.trip(name)
        trip.vehicle_id = MARKUP
        for waypoint in trip.remaining_waypoints:
            waypoint.trip_id = MARKUP
        log.call(GET_TRIP, request, trip)
        log.wait(5)
        log.call(GET_TRIP, request, code=14, message=MARKUP)
        log.wait(60)
        log.call(f"/{MARKUP}/{MARKUP}", request, code=5, message=MARKUP)
        log.wait(5)
    path = tmp_path_factory.mktemp("markup") / "markup.binlog"
    binary_log.write(path, log.entries)
    return page_of(path)


def test_markup_is_shown_as_text(browser, address):
    browser.open(address, offline=True)
    browser.js("document.querySelector('#checks').open = true")
    for box in browser.all("#checks input"):
        box.click()
    for index in range(browser.js("tripwire.recording.calls.length")):
        browser.js("tripwire.select(a[0])", index)
        browser.seek(browser.js("tripwire.recording.calls[a[0]].time", index))
        browser.until("document.querySelector('#call h2').textContent.startsWith("
                      "tripwire.recording.calls[a[0]].method)", index)
        for button in browser.all("#trips button"):
            button.click()
            details = browser.text("#details")
            if button.get_attribute("title") == NAME:
                assert NAME in details and MARKUP in details
    assert browser.text("#trips .name") == IMAGE
    options = [option.text for option in browser.all("[name=trip] option")]
    assert options == ["all", IMAGE, "&amp;<b>2"]
    for pin in browser.js("tripwire.markers().map(({element}) => element)"):
        browser.js("a[0].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))", pin)
    assert browser.js("document.querySelectorAll('img, b, iframe').length") == 0
    assert browser.js("document.querySelectorAll('body script:not([type]), body script[src]').length") == 2
    assert browser.js("window.attacked") is None
    assert browser.requests() == [address]
    assert browser.messages() == []


def test_characters_that_reorder_text_are_escaped(browser, page_of, tmp_path):
    log = LogWriter()
    name = "providers/p/trips/t\u202e1"
    trip = demo.trip(name)
    trip.vehicle_id = "v\u2067\u200b1\u0085"
    log.call(GET_TRIP, types.GetTripRequest.pb()(name=name), trip)
    log.call(GET_TRIP, types.GetTripRequest.pb()(name=name), code=5, message="n\u202eo")
    path = tmp_path / "bidi.binlog"
    binary_log.write(path, log.entries)
    browser.open(page_of(path), offline=True)
    browser.js("tripwire.select(1)")
    browser.until("document.querySelector('#call h2').textContent.endsWith(a[0])",
                  r": NOT_FOUND, n\u202eo")
    assert browser.text("#details h1") == r"providers/p/trips/t\u202e1"
    assert r"v\u2067\u200b1\u0085" in browser.text("#details dl")
    assert r"t\u202e1" in [option.text for option in browser.all("[name=trip] option")]
    browser.js("tripwire.select(0)")
    browser.until("document.querySelector('[data-part=response]').textContent.includes(a[0])", r"t\u202e1")
    text = browser.js("document.body.innerText")
    assert not set(text) & set("\u202e\u2067\u200b\u0085")
    assert browser.messages() == []


def test_summary_of_many_states_is_short(browser, page_of):
    browser.open(page_of("trip"), offline=True)
    browser.js("new Panel(() => {}).showSummary(new Map(a[0].map((count, index) => [`providers/p/deliveryVehicles/${index}`,"
               " {facts: {kind: 'deliveryVehicle', stopCount: count}}])))", [*range(40), 7, 7])
    assert browser.text("#details h1") == "42 delivery vehicles"
    rows = browser.js("Array.from(document.querySelectorAll('#details dt'), (term) =>"
                      " [term.textContent, term.nextSibling.textContent])")
    assert rows[0] == ["7 stops left", "3"] and rows[-1] == ["Others", "31"]
    assert len(rows) == 10
