"""Chromium without a window, driven by chromedriver, and the map page in it."""

import json
import os
import shutil
import time

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# The time in seconds after which a wait fails a test. No test depends on the value.
LONGEST = 60
ARGUMENTS = [
    "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb",
    "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
DESKTOP, PHONE = (1280, 800), (390, 844)


class Browser:
    """A browser with one tab. Each `open` sets the size and drops old log entries."""

    def __init__(self):
        options = Options()
        options.binary_location = shutil.which("chromium")
        for argument in ARGUMENTS + (["--no-sandbox"] if os.geteuid() == 0 else []):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
        self.cdp("Network.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def open(self, url, size=DESKTOP, dark=False, offline=False, waits=True):
        self.driver.get("about:blank")
        self.messages(), self.requests()
        width, height = size
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.cdp("Network.emulateNetworkConditions", offline=offline, latency=0,
                 downloadThroughput=-1, uploadThroughput=-1)
        self.driver.get(str(url))
        if waits:
            self.until("document.documentElement.dataset.ready === 'true'")

    def js(self, expression, *arguments):
        """The value of an expression, in which `a` has the arguments."""
        return self.driver.execute_script(f"const a = arguments; return {expression};", *arguments)

    def run(self, statement):
        self.driver.execute_script(statement)

    def until(self, expression, *arguments):
        """Waits until the expression has a value that is true; that value."""
        deadline = time.monotonic() + LONGEST
        while not (value := self.js(expression, *arguments)):
            if time.monotonic() > deadline:
                pytest.fail(f"not in {LONGEST} s: {expression}; {self.messages()}")
            time.sleep(0.02)
        return value

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def text(self, selector):
        return self.js("document.querySelector(a[0]).textContent", selector)

    def messages(self):
        """What the console, the loader and the security policy said since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses that were requested since the last time."""
        events = [json.loads(entry["message"])["message"]
                  for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]

    # The page

    @property
    def time(self):
        return self.js("tripwire.time")

    def seek(self, seconds):
        self.js("tripwire.seek(a[0])", seconds)

    def out_of_view(self, trip=None):
        """What the map does not show of its trips, or of one: kinds of markers that are outside or covered by
        controls, and "line"."""
        return self.js("""(() => {
            const {map} = tripwire, found = [], size = map.getSize();
            const view = map.getContainer().getBoundingClientRect();
            const controls = Array.from(document.querySelectorAll(".leaflet-control"),
                (control) => control.getBoundingClientRect());
            const overlaps = (a, b) => a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom;
            const pointBox = ({latitude, longitude}) => {
                const {x, y} = map.latLngToContainerPoint([latitude, longitude]);
                return new DOMRect(view.x + x - 6, view.y + y - 6, 12, 12);
            };
            for (const {trip, kind, element, position} of tripwire.markers()) {
                if (a[0] !== null && trip !== a[0]) continue;
                const box = element ? element.getBoundingClientRect() : pointBox(position);
                if (box.x < view.x || box.right > view.right || box.y < view.y || box.bottom > view.bottom
                    || controls.some((control) => overlaps(box, control))) found.push(kind);
            }
            map.eachLayer((layer) => {
                if (layer.options.fullOpacity === undefined) return;
                if (a[0] !== null && layer.options.opacity !== layer.options.fullOpacity) return;
                for (const place of layer.getLatLngs().flat(Infinity)) {
                    const {x, y} = map.latLngToContainerPoint(place);
                    if (!(x >= 0 && y >= 0 && x <= size.x && y <= size.y)) found.push("line");
                }
            });
            return found;
        })()""", trip)

    def markers(self):
        """The markers by trip and kind: their positions as (latitude, longitude)."""
        found = {}
        for marker in self.js(
                "tripwire.markers().map(({trip, kind, position, heading}) =>"
                " ({trip, kind, position, heading}))"):
            position = marker["position"]
            found.setdefault((marker["trip"], marker["kind"]), []).append(
                (position["latitude"], position["longitude"]))
        return found
