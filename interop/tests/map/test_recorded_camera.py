"""Tests which trips the camera of a recorded page shows, in a browser without a network."""

import pytest

from peers.recordings.fleet_recording import many_trips
from support.map.browser import DESKTOP, PHONE


# The camera


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("count", [1, 3, 50])
def test_camera_shows_everything_at_the_start(browser, page_of, tmp_path, count, size):
    browser.open(page_of(many_trips(tmp_path / "trips.binlog", count, polls=20)), size)
    assert browser.out_of_view() == []
    for part in 0.3, 0.6, 1:
        browser.seek(browser.js("tripwire.recording.start * (1 - a[0]) + tripwire.recording.end * a[0]", part))
        assert browser.out_of_view() == []


def test_camera_shows_everything_of_the_selected_trip(browser, three_trips):
    browser.open(three_trips)
    whole = browser.js("tripwire.map.getZoom()")
    for index in range(3):
        button = browser.all("#trips button")[index]
        button.click()
        assert browser.out_of_view(f"providers/demo/trips/t{index + 1}") == []
        button.click()
        assert browser.out_of_view() == []
        assert browser.js("tripwire.map.getZoom()") == whole


def test_camera_in_a_tiny_window(browser, page_of):
    browser.open(page_of("trip"), (160, 150))
    assert browser.js("Number.isFinite(tripwire.map.getZoom()) && tripwire.map.getZoom() > 8")
    assert browser.messages() == []


# Several trips


def test_trips_beyond_the_limit_say_why_they_are_not_merged(browser, page_of, tmp_path):
    browser.open(page_of(many_trips(tmp_path / "many.binlog", 1001, polls=2)))
    text = "document.querySelector('[data-part=trip]').textContent"
    for has_note, expected in (True, "Only the first 1000 resources of a recording are merged."), (False, '"name": '):
        browser.js("tripwire.select(tripwire.recording.calls.findLastIndex(({trip}) =>"
                   " Boolean(tripwire.recording.data.trips[trip].note) === a[0]))", has_note)
        browser.until(f"{text}.includes(a[0])", expected)


def test_several_trips_are_in_view_and_one_is_focused(browser, three_trips):
    browser.open(three_trips)
    end = browser.js("tripwire.recording.end")
    browser.seek(end)
    names = [trip["name"] for trip in browser.js("tripwire.trips")]
    assert names == [f"providers/demo/trips/t{number}" for number in (1, 2, 3)]
    buttons = browser.all("#trips button")
    assert [button.find_element("css selector", ".name").text for button in buttons] == ["t1", "t2", "t3"]
    inside = ("tripwire.markers().filter(({trip, kind}) => a[0].includes(trip) && kind === 'vehicle')"
              ".every(({position}) => tripwire.map.getBounds().contains(["
              "position.latitude, position.longitude]))")
    browser.until(inside, names)
    assert browser.text("#details h1") == "3 trips"
    buttons[1].click()
    assert buttons[1].get_attribute("aria-pressed") == "true"
    browser.until(inside, names[1:2])
    assert browser.text("#details h1") == names[1]
    dimmed = browser.js("tripwire.markers().map(({trip, element}) => [trip, element.classList.contains('dimmed')])")
    assert all(is_dimmed == (trip != names[1]) for trip, is_dimmed in dimmed)
    buttons[1].click()
    assert browser.text("#details h1") == "3 trips"
    pin = browser.js("tripwire.markers().find(({trip, kind}) => trip === a[0] && kind === 'dropoff').element",
                     names[2])
    pin.click()
    assert browser.text("#details h1") == names[2]
