"""Tests the page of `tripwire map` in a browser, with the simulated fleet."""

import http.client
import json
import os
import signal
import socket
import time

import pytest
from google.maps.fleetengine_v1 import types
from selenium.webdriver.common.keys import Keys

from peers.fleet import Fleet
from peers.servers.fleet_server import FleetServer
from support.map.browser import LONGEST, Browser
from support.command import environment, start
from support.fleet_client import connected_client
from support.map.mapping import mapping
from support.recordings.recorded_trip import markers_of


def shows(browser, expected):
    """Waits until the map has these markers. A vehicle is on its route, whose points are rounded by S2."""
    deadline = time.monotonic() + LONGEST
    expected = {key: [pytest.approx(place, abs=3e-5) for place in places]
                for key, places in expected.items()}
    while (found := browser.markers()) != expected:
        assert time.monotonic() < deadline, (found, expected)
        time.sleep(0.02)


def test_positions_are_those_of_the_fleet(fleet, browser):
    trips = [fleet.add_trip(f"t{number}", intermediates=number) for number in (0, 1, 2)]
    with connected_client(fleet) as client, mapping(fleet.address, *trips) as shown:
        browser.open(shown.url)
        for trip in trips:
            trip.go("ENROUTE_TO_PICKUP")
        for _ in range(20):
            expected = {}
            for trip in trips:
                expected |= markers_of(client.get(trip))
            shows(browser, expected)
            fleet.advance(47)
        assert {trip["status"] for trip in browser.js("tripwire.trips")} & {"COMPLETE", "ENROUTE_TO_DROPOFF"}
        pin = "tripwire.markers().find(({trip}) => trip === a[0]).element"
        browser.js(pin, trips[1].name).send_keys(Keys.ENTER)
        assert browser.text("#details h1") == trips[1].name
        requests = browser.requests()
        assert requests and all(request.startswith(shown.url) for request in requests)
        assert browser.messages() == []


def test_time_runs_on_the_page(browser):
    with Fleet(trips=1, speed=30) as fleet, mapping(fleet.address, "providers/p/trips/t1") as shown:
        browser.open(shown.url)
        places = set()
        browser.until("tripwire.markers().some(({kind}) => kind === 'vehicle')")
        while len(places) < 4:
            places.add(str(browser.until(
                "tripwire.markers().filter(({kind, position}) => kind === 'vehicle'"
                " && !a[0].includes(JSON.stringify(position))).map(({position}) => JSON.stringify(position))[0]",
                list(places))))
        assert abs(browser.time - time.time()) < 30


def answer_with_vehicle(fleet, trip, vehicle_id):
    """Answers calls about a trip with another ID of its vehicle, which Fleet Engine would not permit; the fault."""
    answer = trip.message
    answer.vehicle_id = vehicle_id
    return fleet.faults.add(trip_id=trip.id, message=answer.SerializeToString())


def test_long_texts_of_the_server_are_cut(fleet, browser):
    vehicle = "v" * 198 + "\U0001F697" + "x" * 300_000
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    answered = answer_with_vehicle(fleet, trip, vehicle)
    with mapping(fleet.address, trip) as shown:
        browser.open(shown.url)
        shown_text = "Array.from(document.querySelectorAll('#details dd'), (cell) => [cell.textContent, cell.title])"
        [[text, title]] = browser.until(f"(() => {{ const cells = {shown_text}.filter(([text]) =>"
                                        " text.startsWith('vv')); return cells.length && cells; })()")
        assert text == "v" * 198 + "…"
        assert title.startswith(vehicle[:300]) and len(title) <= 1000
        answered.withdraw()
        fleet.faults.fail("UNAVAILABLE", "e" * 5_000)
        [text, title] = browser.until("(() => { const error = document.querySelector('#details .error');"
                                      " return error && [error.textContent, error.title]; })()")
        assert len(text) <= 300 and len(title) <= 1000


def test_page_reconnects_to_a_restarted_server(fleet, browser):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    with connected_client(fleet) as client, mapping(fleet.address, trip) as shown:
        browser.open(shown.url)
        shows(browser, markers_of(client.get(trip)))
        shown.kill()
        browser.until("!document.getElementById('notice').hidden")
        assert "does not respond" in browser.text("#notice")
        fleet.advance(20)
        with mapping(fleet.address, trip, options=["--listen", f"127.0.0.1:{shown.port}"]) as again:
            assert again.url == shown.url
            shows(browser, markers_of(client.get(trip)))
            browser.until("document.getElementById('notice').hidden")


def test_restarted_server_with_another_trip(fleet, browser):
    trip, other = fleet.add_trip("t1"), fleet.add_trip("t2")
    for each in trip, other:
        each.go("ENROUTE_TO_PICKUP")
    with connected_client(fleet) as client, mapping(fleet.address, trip) as shown:
        browser.open(shown.url)
        shows(browser, markers_of(client.get(trip)))
        shown.kill()
        with mapping(fleet.address, other, options=["--listen", f"127.0.0.1:{shown.port}"]):
            shows(browser, markers_of(client.get(other)))
            assert browser.js("tripwire.trips.map(({name}) => name)") == [other.name]


def test_page_that_a_restarted_server_refuses_says_so(fleet, trip, browser):
    with mapping(fleet.address, trip) as shown:
        browser.open(shown.url)
        shown.kill()
        options = ["--listen", f"127.0.0.1:{shown.port}", "--allow-remote"]
        with mapping(fleet.address, trip, options=options):
            browser.until("document.getElementById('notice').textContent.startsWith('tripwire refuses this page.')")


def test_camera_keeps_everything_in_view_and_rests(fleet, browser):
    trips = [fleet.add_trip(f"t{number}", intermediates=number) for number in (1, 2)]
    with connected_client(fleet) as client, mapping(fleet.address, *trips) as shown:
        browser.open(shown.url)
        for trip in trips:
            trip.go("ENROUTE_TO_PICKUP")
        browser.run("window.moves = 0; tripwire.map.on('movestart', () => { window.moves += 1; })")
        polls = 40
        for _ in range(polls):
            shows(browser, {key: places for trip in trips for key, places in markers_of(client.get(trip)).items()})
            assert browser.out_of_view() == []
            fleet.advance(10)
        assert browser.js("window.moves") <= polls / 8
        # Only a person's gesture ends that, until the button is pressed.
        browser.find("#map").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, "++++")
        browser.until("!document.getElementById('recenter').hidden")
        browser.until("tripwire.map.getZoom() > 15")
        assert browser.out_of_view()
        browser.find("#recenter").click()
        assert browser.out_of_view() == []
        assert not browser.find("#recenter").is_displayed()


def test_trip_across_the_antimeridian_is_in_sight(browser):
    name = "providers/p/trips/t1"
    with DatelineServer() as server, mapping(server.address, name) as shown:
        browser.open(shown.url)
        browser.until("tripwire.markers().length === 3")
        assert browser.markers() == {
            (name, "pickup"): [(-17.05, -179.95)], (name, "dropoff"): [(-17.1, -179.9)],
            (name, "vehicle"): [(-17, 179.95)]}
        assert browser.out_of_view() == []
        # All points of the route are on the same side.
        lines = browser.js("""(() => {
            const lines = [];
            tripwire.map.eachLayer((layer) => {
                if (layer.options.fullOpacity !== undefined) {
                    lines.push(...layer.getLatLngs().flat(2).map(({lng}) => lng));
                }
            });
            return lines;
        })()""")
        assert min(lines) == pytest.approx(179.95) and max(lines) == pytest.approx(180.1)


class DatelineServer(FleetServer):
    """Has a trip whose route crosses the antimeridian."""

    TRIP = types.Trip(
        name="providers/p/trips/t1", trip_status="ENROUTE_TO_PICKUP",
        pickup_point={"point": {"latitude": -17.05, "longitude": -179.95}},
        dropoff_point={"point": {"latitude": -17.1, "longitude": -179.9}},
        last_location={"location": {"latitude": -17, "longitude": 179.95}},
        route=[{"latitude": latitude, "longitude": longitude} for latitude, longitude in [
            (-17, 179.95), (-17.02, 179.99), (-17.03, -179.99), (-17.05, -179.95), (-17.1, -179.9)]])

    def _get_handler(self, _):
        return lambda request, context: types.Trip.pb(self.TRIP)


def test_slow_reader_gets_the_newest_state(fleet, browser):
    trip = fleet.add_trip("t1", points=1000)
    trip.go("ENROUTE_TO_PICKUP")
    with connected_client(fleet) as client, mapping(fleet.address, trip) as shown, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.settimeout(LONGEST)
        reader.connect(("127.0.0.1", shown.port))
        reader.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{shown.port}\r\n"
                       "Accept: text/event-stream\r\n\r\n".encode())
        browser.open(shown.url)
        updates = 40
        for _ in range(updates):
            # A browser that keeps up has each state.
            fleet.advance(2)
            trip.reroute()
            shows(browser, markers_of(client.get(trip)))
        [newest] = markers_of(client.get(trip))[trip.name, "vehicle"]
        received, states = b"", []
        deadline = time.monotonic() + LONGEST
        while not states or states[-1] != pytest.approx(newest, abs=3e-5):
            assert time.monotonic() < deadline
            data = reader.recv(4096)
            assert data
            received += data
            *events, _ = received.replace(b"\r", b"").split(b"\n\n")
            states = [place for event in events if (place := vehicle(event))]
        assert len(states) < updates


def vehicle(event):
    """Returns the position of the vehicle in an event with frames."""
    for line in event.decode(errors="replace").splitlines():
        if line.startswith("data:") and "frames" in (data := json.loads(line[5:])):
            for trip in data["frames"]:
                for feature in (trip.get("frame") or {}).get("features", []):
                    if feature["properties"]["kind"] == "vehicle":
                        longitude, latitude = feature["geometry"]["coordinates"][:2]
                        return latitude, longitude
    return None


def test_paused_page_shows_the_newest_state(fleet, browser):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    with connected_client(fleet) as client, mapping(fleet.address, trip) as shown:
        browser.open(shown.url)
        shows(browser, markers_of(client.get(trip)))
        browser.cdp("Emulation.setCPUThrottlingRate", rate=50)
        try:
            for _ in range(10):
                count = len(fleet.journal.of())
                fleet.advance(2)
                fleet.journal.wait(lambda calls, count=count: len(calls) > count + 1)
        finally:
            browser.cdp("Emulation.setCPUThrottlingRate", rate=1)
        shows(browser, markers_of(client.get(trip)))


def test_frozen_page_shows_the_newest_state(fleet, trip):
    # A browser does not animate later pages after it has frozen one, so the other tests use another browser.
    with (connected_client(fleet) as client, mapping(fleet.address, trip) as shown,
          Browser() as browser):
        browser.open(shown.url)
        shows(browser, markers_of(client.get(trip)))
        browser.cdp("Page.setWebLifecycleState", state="frozen")
        for _ in range(10):
            count = len(fleet.journal.of())
            fleet.advance(2)
            fleet.journal.wait(lambda calls, count=count: len(calls) > count + 1)
        browser.cdp("Page.setWebLifecycleState", state="active")
        shows(browser, markers_of(client.get(trip)))


@pytest.mark.parametrize("host, status", [
    ("127.0.0.1:{port}", 200), ("localhost:{port}", 200), ("attacker.example:{port}", 421),
    ("attacker.example", 421), ("127.0.0.1.attacker.example:{port}", 421)])
def test_other_host_names_are_refused(fleet, host, status):
    trip = fleet.add_trip("t1")
    with mapping(fleet.address, trip) as shown:
        for path in "/", "/page.js", "/events":
            connection = http.client.HTTPConnection("127.0.0.1", shown.port, timeout=LONGEST)
            connection.putrequest("GET", path, skip_host=True)
            connection.putheader("Host", host.format(port=shown.port))
            connection.endheaders()
            response = connection.getresponse()
            assert response.status == status
            assert "default-src 'none'" in response.headers["Content-Security-Policy"]
            connection.close()


def test_map_ends_when_the_page_is_closed(fleet, browser):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_DROPOFF")
    with mapping(fleet.address, trip) as shown:
        browser.open(shown.url)
        trip.go("COMPLETE")
        browser.until("tripwire.trips.length === 1 && tripwire.trips[0].status === 'COMPLETE'")
        assert shown.process.poll() is None
        browser.driver.get("about:blank")
        assert shown.end() == 0


def test_opened_browser_continues_after_the_command(fleet, trip, tmp_path):
    """It may be the browser itself, with other pages."""
    program, started, go, done = [tmp_path / name for name in ("xdg-open", "started", "go", "done")]
    program.write_text(f'#!/bin/sh\n: > {started}\nread line < {go}\necho text\necho text >&2\n'
                       f'echo "$1" > {done}.new\nmv {done}.new {done}\n')
    program.chmod(0o755)
    os.mkfifo(go)
    process = start("map", trip.name, "--endpoint", fleet.address, "--plaintext", "--open",
                    env=environment(PATH=f"{tmp_path}:{os.environ['PATH']}"))
    url = process.stdout.readline().decode()
    wait_for(started)
    process.send_signal(signal.SIGINT)
    assert process.wait(LONGEST) == 130
    pipe = os.open(go, os.O_RDWR)
    try:
        os.write(pipe, b"\n")
        wait_for(done)
        assert done.read_text() == url
    finally:
        os.close(pipe)


def wait_for(path):
    deadline = time.monotonic() + LONGEST
    while not path.exists():
        assert time.monotonic() < deadline, path
        time.sleep(0.01)


def test_until_ends_the_page(fleet, browser):
    trip = fleet.add_trip("t1")
    trip.go("ENROUTE_TO_PICKUP")
    with mapping(fleet.address, trip, options=["--until", "arrived-at-pickup"]) as shown:
        browser.open(shown.url)
        browser.until("tripwire.trips.length === 1 && tripwire.trips[0].status === 'ENROUTE_TO_PICKUP'")
        trip.go("ARRIVED_AT_PICKUP")
        assert shown.end() == 0
        browser.until("document.getElementById('notice').textContent.includes('has stopped')")
