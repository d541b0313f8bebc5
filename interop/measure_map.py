"""Measures the page of a recording of two hours: its size, the time until it is ready, and the frames
while the user drags the slider.

    python measure_map.py     (from interop/, with TRIPWIRE_BIN)
"""

import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from peers.recordings.fleet_recording import long_trip
from support.map.browser import Browser
from support.command import tripwire

KINDS = {
    "points, whole": (False, False), "points, changes": (False, True),
    "texts, whole": (True, False), "texts, changes": (True, True)}
FRAMES = 600
# Notes when the page is ready, in milliseconds since the navigation began.
NOTE = """
new MutationObserver(() => {
  if (document.documentElement.dataset.ready) window.readyAfter = window.readyAfter || performance.now();
}).observe(document, {attributes: true, subtree: true});
"""
# Moves the slider with every frame from one end to the other.
SCRUB = """
const [count, done] = arguments;
const slider = document.querySelector("#timeline input");
const [start, end] = [Number(slider.min), Number(slider.max)];
const gaps = [], work = [];
let [last, number] = [null, 0];
requestAnimationFrame(function frame(now) {
  if (last !== null) gaps.push(now - last);
  last = now;
  if (number > count) return done({gaps, work});
  const began = performance.now();
  slider.value = start + (end - start) * number / count;
  slider.dispatchEvent(new Event("input", {bubbles: true}));
  work.push(performance.now() - began);
  number += 1;
  requestAnimationFrame(frame);
});
"""


@dataclass
class Measured:
    megabytes: float
    ready: float
    """Seconds from the navigation until the page is ready."""
    gaps: list
    """The milliseconds between frames while the slider moves."""
    work: list
    """The milliseconds that each move of the slider took."""

    def __str__(self):
        return (f"{self.megabytes:.2f} MB, ready in {self.ready:.2f} s, a move {spread(self.work)},"
                f" a frame {spread(self.gaps)}")


def spread(values):
    p95 = statistics.quantiles(values, n=20)[-1]
    return f"{statistics.median(values):.1f} ms (p95 {p95:.1f}, max {max(values):.1f})"


def measure(browser, page):
    note = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=NOTE)
    try:
        browser.open(page.as_uri())
        ready = browser.until("window.readyAfter")
    finally:
        browser.cdp("Page.removeScriptToEvaluateOnNewDocument", **note)
    frames = browser.driver.execute_async_script(SCRUB, FRAMES)
    return Measured(page.stat().st_size / 1e6, ready / 1000, **frames)


def page_of_long_trip(folder, is_encoded, has_stamps):
    recording, page = folder / "long.binlog", folder / "long.html"
    long_trip(recording, is_encoded, has_stamps)
    result = tripwire("log", recording, "--map", page)
    if result.code:
        sys.exit(result.stderr)
    return page


def main():
    with Browser() as browser:
        for name, kind in KINDS.items():
            with tempfile.TemporaryDirectory() as folder:
                page = page_of_long_trip(Path(folder), *kind)
                print(f"{name}: {measure(browser, page)}", flush=True)


if __name__ == "__main__":
    main()
