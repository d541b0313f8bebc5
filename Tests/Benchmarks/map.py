"""Measures the live map of many moving trips in Chromium without a window, which draws in software.

Prints the time of a frame in milliseconds, the elements of the page, JavaScript's heap, and the CPU of `tripwire map`.
TRIPS is the number of trips; they are polled every 2 seconds. TRIPWIRE_BIN is the path of the command. SCREENSHOT, if
set, is the path of an image of the page.
"""

import os
import subprocess
import sys
import time
from statistics import median

from host import ROOT, machine

sys.path.insert(0, str(ROOT / "interop"))

from support.map.browser import Browser  # noqa: E402

TRIPS = int(os.environ.get("TRIPS", 500))
SECONDS = 20
# The times between animation frames, in milliseconds, while the page receives updates.
RECORD_FRAMES = """
    window.times = [];
    let last = performance.now();
    const step = (now) => { window.times.push(now - last); last = now; requestAnimationFrame(step); };
    requestAnimationFrame(step);
"""


def first_line(process):
    return process.stdout.readline().strip()


def cpu(process):
    """The CPU time of a process in seconds."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main():
    tripwire = os.environ["TRIPWIRE_BIN"]
    emulator = subprocess.Popen(
        [tripwire, "emulate", "--seed", "demo", f"--vehicles={TRIPS}", "--speed=5"],
        stdout=subprocess.PIPE, text=True)
    address = first_line(emulator).split()[2]
    names = [f"providers/demo/trips/t{number}" for number in range(1, TRIPS + 1)]
    server = subprocess.Popen(
        [tripwire, "map", *names, "--endpoint", address, "--plaintext", "--interval=2s"],
        stdout=subprocess.PIPE, text=True)
    try:
        url = first_line(server)
        with Browser() as browser:
            browser.open(url)
            browser.until("tripwire.trips.filter(({kind}) => kind).length === a[0]", TRIPS)
            browser.run(RECORD_FRAMES)
            before, start = cpu(server), time.monotonic()
            time.sleep(SECONDS)
            share = (cpu(server) - before) / (time.monotonic() - start)
            times = sorted(browser.js("window.times"))
            elements = browser.js("document.querySelectorAll('*').length")
            browser.cdp("HeapProfiler.collectGarbage")
            heap = browser.js("performance.memory.usedJSHeapSize") / 1e6
            if path := os.environ.get("SCREENSHOT"):
                browser.driver.save_screenshot(path)
    finally:
        for process in server, emulator:
            process.kill()
            process.wait()
    print(f"# The live map, measured\n\n{TRIPS} trips, polled every 2 s, for {SECONDS} s.\n\n{machine()}")
    print("| frame, median ms | 99th percentile | elements | heap, MB | CPU of the server |\n|---:|---:|---:|---:|---:|")
    print(f"| {median(times):.0f} | {times[len(times) * 99 // 100]:.0f} | {elements:,} | {heap:.0f} | {share:.1%} |")


if __name__ == "__main__":
    main()
