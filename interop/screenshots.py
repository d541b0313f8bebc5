"""Takes screenshots of the page of a recording: phone and desktop, light and dark, few and many trips; and of the live
page with a trip, vehicles, tasks and a shipment; and of both sides of a trip whose client was suspended.

    python interop/screenshots.py [FOLDER]     (with TRIPWIRE_BIN; default: .build/screenshots)
"""

import argparse
import sys
import tempfile
from pathlib import Path

from peers.fleet import Fleet
from peers.fleet.deliveries import end_task
from peers.recordings.fleet_recording import many_trips
from peers.recordings.two_sides import TwoSides
from support.map.browser import DESKTOP, PHONE, Browser
from support.command import tripwire
from support.map.mapping import mapping
from support.paths import INTEROP

COUNTS = (1, 3, 50)
SIZES = {"desktop": DESKTOP, "phone": PHONE}
# A time when most trips are on their way, as a part of the recording.
MOMENT = 0.35
MIXED = ["trips/t1", "vehicles/v1", "deliveryVehicles/d1", "tasks/d1-1", "tasks/d1-3", "tasks/d1-5",
         "taskTrackingInfo/track-d1-6"]


def take_live(browser, folder):
    """Takes the live page of a fleet in which one task has failed: the summary, and one resource of each kind."""
    with Fleet() as fleet:
        fleet.add_trip("t1").go("ENROUTE_TO_PICKUP")
        vehicle = fleet.add_delivery_vehicle("d1")
        # The vehicle leaves its first stop.
        vehicle.arrive()
        end_task(fleet, "d1-1", "FAILED")
        vehicle.depart()
        fleet.advance(20)
        with mapping(fleet.address, *(f"providers/p/{name}" for name in MIXED), interval="5s") as shown:
            for size_name, size in SIZES.items():
                for is_dark in (False, True):
                    browser.open(shown.url, size, is_dark)
                    browser.until("tripwire.trips.length === a[0] && tripwire.trips.every(({kind}) => kind)",
                                  len(MIXED))
                    theme = "dark" if is_dark else "light"
                    save(browser, folder / f"mixed-{size_name}-{theme}.png")
                    for index in (1, 2, 3, 6):
                        browser.js("document.querySelectorAll('#trips button')[a[0]].click()", index)
                        collection = MIXED[index].split("/")[0]
                        save(browser, folder / f"mixed-{collection}-{size_name}-{theme}.png")


def take_sides(browser, scratch, folder):
    """Takes the page of the story in the article about seeing a trip, while the client is suspended."""
    trip = TwoSides()
    trip.run(60)
    trip.is_suspended = True
    begin = trip.run(60)
    trip.is_suspended = False
    trip.run(60)
    client, server = trip.write(scratch)
    page = scratch / "sides.html"
    result = tripwire("log", client, "--import-cloud-logging", server, "--map", page)
    if result.code:
        sys.exit(result.stderr)
    for size_name, size in SIZES.items():
        for is_dark in (False, True):
            browser.open(page.as_uri(), size, is_dark)
            browser.seek(begin + 50)
            browser.until("document.querySelector('#call pre').textContent")
            save(browser, folder / f"sides-{size_name}-{'dark' if is_dark else 'light'}.png")


def save(browser, path):
    browser.driver.save_screenshot(str(path))
    print(path)


def take(browser, page, folder, count):
    for size_name, size in SIZES.items():
        for is_dark in (False, True):
            browser.open(page.as_uri(), size, is_dark)
            browser.seek(browser.js(
                "tripwire.recording.start + (tripwire.recording.end - tripwire.recording.start) * a[0]",
                MOMENT))
            # The JSON of the selected call.
            browser.until("document.querySelector('#call pre').textContent")
            theme = "dark" if is_dark else "light"
            save(browser, folder / f"{count}-{size_name}-{theme}.png")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?", default=INTEROP.parent / ".build" / "screenshots")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with Browser() as browser, tempfile.TemporaryDirectory() as scratch:
        take_live(browser, folder)
        take_sides(browser, Path(scratch), folder)
        for count in COUNTS:
            page = Path(scratch) / f"{count}.html"
            result = tripwire("log", many_trips(Path(scratch) / "trips.binlog", count), "--map", page)
            if result.code:
                sys.exit(result.stderr)
            take(browser, page, folder, count)


if __name__ == "__main__":
    main()
