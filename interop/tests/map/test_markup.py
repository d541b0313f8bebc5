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
