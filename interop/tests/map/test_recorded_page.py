"""Tests the page of a recording in a browser without a network."""

import json
import urllib.parse
from datetime import datetime, timezone

import pytest
from google.protobuf import json_format
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from support.map.browser import DESKTOP, PHONE
from support.paths import RECORDINGS
from support.recordings.recorded_trip import calls_of, markers_of

TRIP = "providers/demo/trips/t1"
SELECTED = "document.querySelector('#rows [aria-selected=true]')"
DRAWN = "document.querySelector('#timeline canvas').toDataURL()"


@pytest.fixture(scope="module")
def calls():
    return calls_of(RECORDINGS / "trip.binlog")


@pytest.fixture
def page(browser, page_of):
    """The page of one trip."""
    browser.open(page_of("trip"), offline=True)
    return browser


def shows(page, index):
    """Waits until the call of this index is shown in the table."""
    page.until(f"{SELECTED} && Number({SELECTED}.dataset.call) === a[0]", index)


def shown_json(page, part):
    return json.loads(page.text(f"[data-part={part}]"))


def press(page, *keys):
    page.js("document.activeElement.blur()")
    ActionChains(page.driver).send_keys(*keys).perform()


# Without a network


def test_page_requests_nothing_else(page, page_of):
    press(page, " ", ".", ",")
    for summary in page.all("summary"):
        page.js("a[0].click()", summary)
    assert page.requests() == [page_of("trip")]
    assert page.js("performance.getEntriesByType('resource').length") == 0
    assert page.messages() == []


def test_policy_forbids_inline_code_and_connections(page):
    policy = page.js("document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy
    page.run("document.body.append(Object.assign(document.createElement('script'),"
            " {textContent: 'window.attacked = true'}))")
    assert page.js("window.attacked") is None
    assert "Content Security Policy" in " ".join(page.messages())


# The map


def test_page_opens_at_the_first_location(page, calls):
    first = next(call for call in calls if call.merged.HasField("last_location"))
    assert page.time == pytest.approx(first.end, abs=1e-3)


def test_markers_are_those_of_the_messages(page, calls):
    places = set()
    for call in calls:
        page.seek(call.end)
        found, expected = page.markers(), markers_of(call.merged)
        assert found.keys() == expected.keys()
        for key, positions in expected.items():
            assert found[key] == [pytest.approx(position, abs=2e-6) for position in positions]
        places.update(found.get((TRIP, "vehicle"), []))
    assert len(places) > 40


def test_markers_have_their_kinds_as_data(page):
    kinds = page.js("Array.from(document.querySelectorAll('[data-kind]'), (pin) => pin.dataset.kind)")
    assert sorted(kinds) == [
        "dropoff", "intermediateDestination", "intermediateDestination", "pickup", "vehicle"]
    assert page.js("tripwire.markers().every(({element, kind}) => element.dataset.kind === kind)")


def test_facts_are_those_of_the_message(page, calls):
    call = next(call for call in calls if call.merged.remaining_distance_meters.value > 300)
    page.seek(call.end)
    [facts] = page.js("tripwire.trips")
    assert facts["name"] == TRIP
    assert facts["distance"] == call.merged.remaining_distance_meters.value
    assert facts["eta"] == pytest.approx(call.merged.eta_to_first_waypoint.ToMicroseconds() / 1e6)
    assert facts["vehicle"] == call.merged.vehicle_id == page.js(
        "Array.from(document.querySelectorAll('dt')).find((term) => term.textContent === 'Vehicle')"
        ".nextSibling.textContent")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_vehicle_and_next_stop_are_in_view(browser, page_of, calls, size):
    browser.open(page_of("trip"), size)
    is_inside = """(() => {
      const map = document.getElementById("map").getBoundingClientRect();
      return a[0].every((wanted) => {
        const pin = tripwire.markers().find(({kind}) => kind === wanted).element.getBoundingClientRect();
        return pin.left > map.left && pin.right < map.right && pin.top > map.top && pin.bottom < map.bottom;
      });
    })()"""
    for call in calls[2:-1]:
        browser.seek(call.end)
        kinds = [kind for _, kind in markers_of(call.merged)]
        # The stops are in their order.
        browser.until(is_inside, ["vehicle", kinds[0]])


def test_camera_follows_until_the_user_moves_the_map(page, calls):
    inside = "tripwire.map.getBounds().contains([a[0], a[1]])"
    for call in calls[10:50:8]:
        page.seek(call.end)
        assert page.js(inside, *page.markers()[TRIP, "vehicle"][0])
    assert not page.find("#recenter").is_displayed()
    ActionChains(page.driver).drag_and_drop_by_offset(page.find("#map"), 300, 200).perform()
    assert page.find("#recenter").is_displayed()
    page.run("tripwire.map.setView([0, 0], 3, {animate: false})")
    page.seek(calls[30].end)
    assert not page.js(inside, *page.markers()[TRIP, "vehicle"][0])
    page.find("#recenter").click()
    page.until(inside, *page.markers()[TRIP, "vehicle"][0])
    assert not page.find("#recenter").is_displayed()


# Map, timeline and table


def test_scrubbing_moves_the_map_and_the_table(page, calls):
    before = page.markers()
    slider = page.find("#timeline input")
    ActionChains(page.driver).move_to_element(slider).click().perform()
    middle = (calls[0].start + calls[-1].end) / 2
    assert page.time == pytest.approx(middle, abs=5)
    assert page.markers()[TRIP, "vehicle"] != before[TRIP, "vehicle"]
    shows(page, max(index for index, call in enumerate(calls) if call.end <= page.time))


def test_a_row_moves_the_map_and_the_timeline(page, calls):
    page.js("document.getElementById('rows').scrollTop = 24 * 30")
    page.until("document.querySelector('[data-call=\"33\"]')").click()
    assert page.time == pytest.approx(calls[33].end, abs=1e-3)
    assert float(page.js("document.querySelector('#timeline input').value")) == page.time
    shows(page, 33)
    page.seek(calls[33].end)
    assert page.markers()[TRIP, "vehicle"][0] == pytest.approx(
        markers_of(calls[33].merged)[TRIP, "vehicle"][0], abs=2e-6)


def test_selected_call_has_its_messages_as_json(page, calls):
    for index in 4, 20, 40:
        page.js("tripwire.select(a[0])", index)
        page.until("document.querySelector('[data-part=request]').textContent.includes(a[0])",
                   TRIP)
        page.until(f"{SELECTED}.dataset.call === String(a[0])", index)
        page.until("JSON.stringify(tripwire.recording.calls[a[0]].response) ==="
                   " JSON.stringify(JSON.parse(document.querySelector('[data-part=response]').textContent))",
                   index)
        call = calls[index]
        for part, message in ("request", call.request), ("response", call.response), ("trip", call.merged):
            expected = json_format.MessageToDict(message)
            assert shown_json(page, part) == expected, part


def test_playing(page, calls):
    Select(page.find("#timeline select")).select_by_value("100")
    page.find("[data-action=play]").click()
    page.until("tripwire.time > a[0]", calls[0].start + 60)
    assert page.find("[data-action=play]").get_attribute("aria-label") == "Pause"
    page.find("[data-action=play]").click()
    time = page.time
    page.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.time == time
    page.seek(calls[-1].end - 5)
    page.find("[data-action=play]").click()
    page.until("document.querySelector('[data-action=play]').getAttribute('aria-label') === 'Play'")
    assert page.time == pytest.approx(calls[-1].end, abs=1e-3)


def test_stepping(page, calls):
    page.js("tripwire.select(10)")
    for action, index in ("next", 11), ("next", 12), ("previous", 11):
        page.find(f"[data-action={action}]").click()
        assert page.time == pytest.approx(calls[index].end, abs=1e-3)
        shows(page, index)


def test_keyboard(page, calls):
    page.js("tripwire.select(10)")
    press(page, ".")
    shows(page, 11)
    press(page, ",", ",")
    shows(page, 9)
    press(page, " ")
    page.until("document.querySelector('[data-action=play]').getAttribute('aria-label') === 'Pause'")
    press(page, " ")
    page.js("tripwire.select(10)")
    page.find("#rows").send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
    shows(page, 11)
    page.find("#rows").send_keys(Keys.PAGE_DOWN)
    shows(page, 21)
    time = page.time
    page.find("#timeline input").send_keys(Keys.ARROW_RIGHT)
    assert page.time > time
    # Everything that can be clicked can be reached with the tab key.
    assert page.js("Array.from(document.querySelectorAll('button, input, select, summary, .leaflet-marker-icon"
                   "[data-kind]')).every((item) => item.tabIndex === 0)")


@pytest.mark.parametrize("form", ["seconds", "UTC", "offset", "escaped"])
def test_link_to_a_time(browser, page_of, calls, form):
    time = round(calls[25].end, 3)
    text = datetime.fromtimestamp(time, timezone.utc).isoformat()
    text = {"seconds": str(time), "UTC": text.replace("+00:00", "Z"), "offset": text,
            "escaped": urllib.parse.quote(text)}[form]
    browser.open(f"{page_of('trip')}#t={text}")
    assert browser.time == pytest.approx(time, abs=1e-3)
    shows(browser, 25)
    browser.js("tripwire.select(30)")
    # The page writes the link later, first perhaps that of the call before.
    browser.until("Math.abs(Date.parse(location.hash.slice('#t='.length)) / 1000 - a[0]) < 0.01", calls[30].end)
    address = browser.js("location.href")
    browser.open(address)
    assert browser.time == pytest.approx(calls[30].end, abs=2e-3)
    browser.js("location.hash = a[0]", f"#t={time}")
    browser.until("Math.abs(tripwire.time - a[0]) < 0.01", time)


@pytest.mark.parametrize("link", ["#t=", "#t=never", "#t=%E0%A4%A", "#t=99999999999", "#t=0"])
def test_bad_link_is_ignored(browser, page_of, link):
    browser.open(page_of("trip") + link)
    assert browser.js("tripwire.recording.start <= tripwire.time"
                      " && tripwire.time <= tripwire.recording.end")
    assert browser.messages() == []


# Filters and checks


def test_errors_only(browser, page_of):
    recorded = calls_of(RECORDINGS / "flapping.binlog")
    failed = [index for index, call in enumerate(recorded) if call.code]
    browser.open(page_of("flapping"))
    assert browser.text("#count") == f"{len(recorded)} of {len(recorded)}"
    browser.find("[name=errors]").click()
    assert browser.text("#count") == f"{len(failed)} of {len(recorded)}"
    rows = "Array.from(document.querySelectorAll('#rows .row'), (row) => Number(row.dataset.call))"
    assert sorted(browser.js(rows)) == failed
    browser.find(f"[data-call='{failed[0]}']").click()
    browser.until("document.querySelector('#call h2').textContent.includes('UNAVAILABLE')")
    browser.seek(recorded[failed[0]].end)
    [facts] = browser.js("tripwire.trips")
    assert facts["error"]["code"] == "UNAVAILABLE"
    assert "UNAVAILABLE" in browser.text("#details .error")


def test_filters_by_trip_and_status(browser, three_trips):
    browser.open(three_trips)
    assert browser.text("#count") == "60 of 60"
    Select(browser.find("[name=trip]")).select_by_visible_text("t2")
    assert browser.text("#count") == "20 of 60"
    status = Select(browser.find("[name=status]"))
    names = [option.text for option in status.options]
    assert names[0] == "all" and len(names) > 2
    counts = []
    for name in names[1:]:
        status.select_by_visible_text(name)
        counts.append(int(browser.text("#count").split()[0]))
    assert sum(counts) == 20 and len([count for count in counts if count]) > 1


def test_checks_show_their_findings(page, calls):
    page.js("document.querySelector('#checks').open = true")
    boxes = page.all("#checks input")
    assert len(boxes) >= 9
    assert len(page.all("#checks p")) == len(boxes)
    checks = page.js("tripwire.recording.checks")
    index = next(index for index, check in enumerate(checks) if check["findings"])
    before = page.js(DRAWN)
    boxes[index].click()
    page.until(f"{DRAWN} !== a[0]", before)
    findings = [item for item in page.all("#checks li button") if item.is_displayed()]
    assert len(findings) == len(checks[index]["findings"])
    findings[-1].click()
    time = checks[index]["findings"][-1]["time"]
    assert page.time == pytest.approx(time, abs=1e-3)
    shows(page, max(index for index, call in enumerate(calls) if call.end <= time + 1e-6))
    boxes[index].click()
    page.until(f"{DRAWN} === a[0]", before)
