"""Tests the page of `tripwire map` with vehicles, tasks and shipments of the simulated fleet."""

import pytest

from peers.fleet.deliveries import end_task
from support.command import full, replayed, running, tripwire
from support.map.mapping import Mapping, mapping

IMAGE = "<img src=x onerror=window.attacked=1>"
MARKUP = f"{IMAGE}</script><script>window.attacked=2</script>&lt;"
DELIVERY = ["deliveryVehicles/d1", "tasks/d1-1", "taskTrackingInfo/track-d1-1"]
NAMES = ["trips/t1", "vehicles/v1", *DELIVERY]
KINDS = ["trip", "vehicle", "deliveryVehicle", "task", "taskTrackingInfo"]


@pytest.fixture
def page(fleet, trip, vehicle, browser):
    """The page of one resource of each kind, with their data."""
    with mapping(fleet.address, *map(full, NAMES)) as shown:
        browser.open(shown.url)
        browser.until("tripwire.trips.length === 5 && tripwire.trips.every(({kind}) => kind)")
        yield browser


def focus(browser, name):
    """Selects a resource in the list; returns its status, its facts by their labels, and its stops."""
    label = name.removeprefix("trips/")
    browser.js("Array.from(document.querySelectorAll('#trips button')).find((button) =>"
               " button.querySelector('.name').textContent === a[0]).click()", label)
    assert browser.text("#details h1") == full(name)
    return (browser.text("#details .status"), facts(browser), browser.js(
        "Array.from(document.querySelectorAll('#details li'), (item) =>"
        " Array.from(item.children, (span) => span.textContent))"))


def facts(browser):
    return dict(browser.js("Array.from(document.querySelectorAll('#details dt'), (term) =>"
                           " [term.textContent, term.nextSibling.textContent])"))


def places(browser, name, kind):
    return browser.markers().get((full(name), kind), [])


def point(location):
    return pytest.approx((location.latitude, location.longitude), abs=2e-6)


def test_every_kind_is_listed(page, fleet):
    # The trip has the newest state when the page is loaded again.
    fleet.advance(1)
    page.until("tripwire.trips.every(({updated}) => updated)")
    page.driver.refresh()
    page.until("document.querySelectorAll('#trips button').length === 5"
               " && tripwire.trips.every(({kind}) => kind)")
    assert page.js("tripwire.trips.map(({name, kind}) => [name, kind])") == [
        [full(name), kind] for name, kind in zip(NAMES, KINDS)]
    assert page.text("#details h1") == "1 trip, 1 vehicle, 1 delivery vehicle, 1 task, 1 shipment"
    assert page.js("Array.from(document.querySelectorAll('#trips .status'), (s) => s.textContent)") == [
        "On the way to the pickup", "Online", "6 stops left", "Open", "Open"]
    assert page.out_of_view() == []
    assert page.messages() == []


def test_vehicle_has_its_trips_and_stops(page, fleet):
    message = fleet.call("GetVehicle", name=full("vehicles/v1"))
    status, shown, stops = focus(page, "vehicles/v1")
    assert status == "Online"
    assert (shown["Type"], shown["Seats"], shown["Trips now"]) == ("Auto", "4", "t1")
    assert shown["Navigation"] == "On the way to the destination"
    assert (shown["Next stop"], shown["Stops left"]) == ("Pickup, trip t1", "3")
    assert {"ETA", "Distance", "Location", "Heading"} <= set(shown)
    assert [text for _, text, *_ in stops] == ["Pickup, trip t1", "Stop, trip t1", "Drop-off, trip t1"]
    for kind, waypoint in zip(["pickup", "intermediateDestination", "dropoff"], message.waypoints):
        assert places(page, "vehicles/v1", kind) == [point(waypoint.location.point)]
    assert places(page, "vehicles/v1", "vehicle") == [point(message.last_location.location)]


def test_delivery_vehicle_has_its_stops_and_tasks(page, fleet, vehicle):
    message = vehicle.message
    status, shown, stops = focus(page, "deliveryVehicles/d1")
    assert status == "6 stops left"
    assert (shown["Type"], shown["Next stop"]) == ("Auto", "Task d1-1")
    assert shown["Navigation"] == "On the way to the destination"
    assert [text for _, text, *_ in stops] == [f"Task d1-{number}" for number in range(1, 7)]
    assert all(eta and length for *_, eta, length in stops)
    assert shown["ETA"].startswith(stops[0][2])
    segments = message.remaining_vehicle_journey_segments
    assert places(page, "deliveryVehicles/d1", "intermediateDestination") == [
        point(segment.stop.planned_location.point) for segment in segments]
    assert places(page, "deliveryVehicles/d1", "vehicle") == [point(message.last_location.location)]


def test_task_and_shipment_have_their_place_and_window(page, fleet):
    task = fleet.call("GetTask", name=full("tasks/d1-1"))
    for name in DELIVERY[1:]:
        status, shown, _ = focus(page, name)
        assert (status, shown["Stops left"]) == ("Open", "1")
        assert shown["Time window"].startswith("from ") and " to " in shown["Time window"]
        assert "ETA" in shown
        assert places(page, name, "dropoff") == [point(task.planned_location.point)]
    assert "Distance" in shown
    _, shown, _ = focus(page, "tasks/d1-1")
    assert (shown["Type"], shown["Vehicle"], shown["Shipment"]) == ("Delivery", "d1", "track-d1-1")
    assert page.js("tripwire.markers().filter(({kind}) => kind === 'dropoff').map(({trip, element}) =>"
                   " [trip, element.getAttribute('aria-label')])") == [
        [full("trips/t1"), "Drop-off"], [full("vehicles/v1"), "Drop-off, stop 3"],
        [full("tasks/d1-1"), "Task"], [full("taskTrackingInfo/track-d1-1"), "Shipment"]]


def test_closed_tasks_end_the_page(fleet, vehicle, browser):
    place = fleet.call("GetTask", name=full("tasks/d1-1")).planned_location.point
    with mapping(fleet.address, *map(full, DELIVERY[1:])) as shown:
        browser.open(shown.url)
        browser.until("tripwire.trips.length === 2 && tripwire.trips.every(({status}) => status === 'OPEN')")
        vehicle.arrive()
        end_task(fleet, "d1-1", "FAILED")
        vehicle.depart()
        browser.until("tripwire.trips.every(({isOver}) => isOver)")
        for name in DELIVERY[1:]:
            status, facts, _ = focus(browser, name)
            assert status == "Closed, failed"
            assert facts["Outcome"].startswith("Failed, ") and "ETA" not in facts
        assert browser.js("document.querySelectorAll('#trips .failing').length") == 2
        assert browser.markers() == {
            (full(name), "dropoff"): [point(place)] for name in DELIVERY[1:]}
        browser.driver.get("about:blank")
        assert shown.end() == 0


def test_moving_delivery_vehicle_is_followed(page, fleet, vehicle):
    before = places(page, "deliveryVehicles/d1", "vehicle")
    vehicle.arrive()
    vehicle.depart()
    page.until("tripwire.trips.find(({kind}) => kind === 'deliveryVehicle').stopCount === 5")
    assert places(page, "deliveryVehicles/d1", "vehicle") != before
    status, _, stops = focus(page, "deliveryVehicles/d1")
    assert (status, stops[0][1]) == ("5 stops left", "Task d1-2")


def test_unchanged_resource_is_not_stale(fleet, vehicle, browser):
    """The server confirms it with each poll. It is stale when the server no longer responds."""
    name = "tasks/d1-1"
    with mapping(fleet.address, full(name)) as shown:
        browser.open(shown.url)
        browser.until("tripwire.trips[0].kind === 'task'")
        fleet.journal.wait_for_calls(len(fleet.journal.of(name)) + 20, name)
        assert browser.js("Date.now() / 1000 - tripwire.trips[0].updated") > 1
        assert browser.js("document.querySelectorAll('#details .stale').length") == 0
        fleet.faults.fail("UNAVAILABLE", "d1-1")
        browser.until("tripwire.trips[0].isStale")
        browser.until("document.querySelector('#details .stale')"
                      " && /^not updated for \\d+ s$/.test(document.querySelector('#details .stale').textContent)")


def test_marker_reveals_its_resource_in_a_long_list(fleet, browser):
    fleet.add_delivery_vehicle("d1")
    names = [f"tasks/d1-{number}" for number in range(1, 7)]
    with mapping(fleet.address, *map(full, names)) as shown:
        browser.open(shown.url, (390, 500))
        browser.until("tripwire.trips.filter(({kind}) => kind).length === 6")
        browser.js("tripwire.markers().find(({trip}) => trip.endsWith('d1-6')).element.click()")
        browser.until("document.querySelector('#trips [aria-pressed=true]')")
        assert browser.js("""(() => {
            const list = document.querySelector("#trips").getBoundingClientRect();
            const button = document.querySelector("#trips [aria-pressed=true]").getBoundingClientRect();
            return button.top >= list.top - 1 && button.bottom <= list.bottom + 1;
        })()""")


def test_arrival_after_the_window_is_a_warning(fleet, vehicle, browser):
    window = {"start_time": {"seconds": int(fleet.now)}, "end_time": {"seconds": int(fleet.now) + 60}}
    fleet.call("UpdateTask", task={"name": full("tasks/d1-6"), "target_time_window": window},
               update_mask={"paths": ["target_time_window"]})
    with mapping(fleet.address, full("tasks/d1-6")) as shown:
        browser.open(shown.url)
        browser.until("Array.from(document.querySelectorAll('#details .stale'), (line) => line.textContent)"
                      ".includes('the ETA is after the time window')")


def test_long_list_of_stops_is_cut(fleet, browser):
    fleet.add_delivery_vehicle("d1", stops=40, points=4)
    with mapping(fleet.address, full("deliveryVehicles/d1")) as shown:
        browser.open(shown.url)
        browser.until("document.querySelectorAll('#details li').length === 31")
        assert browser.js("document.querySelector('#details li:last-child').textContent") == "…10 more"
        assert len(places(browser, "deliveryVehicles/d1", "intermediateDestination")) == 40


def test_markup_is_shown_as_text(fleet, browser):
    fleet.add_trip(IMAGE, vehicle_id=IMAGE).go("ENROUTE_TO_PICKUP")
    fleet.add_delivery_vehicle(IMAGE)
    names = [f"vehicles/{IMAGE}", f"deliveryVehicles/{IMAGE}", f"tasks/{IMAGE}-1",
             f"taskTrackingInfo/track-{IMAGE}-1", f"trips/{IMAGE}"]
    with mapping(fleet.address, *map(full, names)) as shown:
        browser.open(shown.url)
        browser.until("tripwire.trips.length === 5 && tripwire.trips.every(({kind}) => kind)")
        _, vehicle, stops = focus(browser, names[0])
        assert vehicle["Trips now"] == IMAGE and stops[0][1] == f"Pickup, trip {IMAGE}"
        _, vehicle, stops = focus(browser, names[1])
        assert vehicle["Next stop"] == f"Task {IMAGE}-1" == stops[0][1]
        _, task, _ = focus(browser, names[2])
        assert (task["Vehicle"], task["Shipment"]) == (IMAGE, f"track-{IMAGE}-1")
        focus(browser, names[3])
        _, trip, _ = focus(browser, names[4])
        assert trip["Vehicle"] == IMAGE
        fleet.faults.fail("UNAVAILABLE", MARKUP)
        browser.until("document.querySelector('#details .error')"
                      " && document.querySelector('#details .error').textContent.includes(a[0])", MARKUP)
        assert browser.js("document.querySelectorAll('img').length") == 0
        assert browser.js("window.attacked") is None
        assert browser.messages() == []


def test_replayed_times_are_those_of_the_recording(browser):
    names = ["providers/demo/tasks/d1-3", "providers/demo/taskTrackingInfo/track-d1-3"]
    with running("map", *names, *replayed("delivery"), "--interval", "1h") as process:
        browser.open(Mapping(process).url)
        browser.until("tripwire.trips.length === 2 && tripwire.trips.every(({eta}) => eta)")
        for trip in browser.js("tripwire.trips"):
            assert 0 < trip["eta"] - (browser.time - trip["delay"]) < 600


@pytest.mark.parametrize("arguments, error", [
    (["vehicles/v1", "--until", "complete"], "--until cannot be used with a vehicle"),
    (["tasks/t1", "--view", "sdk"], "--view cannot be used with a task"),
])
def test_options_for_trips_are_refused(arguments, error):
    result = tripwire("map", *arguments, "--provider", "p")
    assert result.code == 2 and error in result.stderr
