"""Takes screenshots of the page of a recording: phone and desktop, light and dark, few and many trips.

    python interop/screenshots.py [FOLDER]     (with TRIPWIRE_BIN; default: .build/screenshots)
"""

import argparse
import sys
import tempfile
from pathlib import Path

from peers.recordings.fleet_recording import many_trips
from support.browser import DESKTOP, PHONE, Browser
from support.command import tripwire
from support.paths import INTEROP

COUNTS = (1, 3, 50)
SIZES = {"desktop": DESKTOP, "phone": PHONE}
# A time when most trips are on their way, as a part of the recording.
MOMENT = 0.35


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
            path = folder / f"{count}-{size_name}-{theme}.png"
            browser.driver.save_screenshot(str(path))
            print(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?", default=INTEROP.parent / ".build" / "screenshots")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with Browser() as browser, tempfile.TemporaryDirectory() as scratch:
        for count in COUNTS:
            page = Path(scratch) / f"{count}.html"
            result = tripwire("log", many_trips(Path(scratch) / "trips.binlog", count), "--map", page)
            if result.code:
                sys.exit(result.stderr)
            take(browser, page, folder, count)


if __name__ == "__main__":
    main()
