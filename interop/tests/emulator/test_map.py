"""Does the page of `tripwire emulate --map` show the vehicles?"""

import contextlib
import itertools
import json
import re

import requests

from support import rest
from support.command import LONGEST
from support.emulator import emulating


@contextlib.contextmanager
def frames(url):
    """Yields the frames of a page as they arrive, as pairs of a name and JSON."""
    def read(response):
        for line in response.iter_lines():
            if line.startswith(b"data: "):
                for each in json.loads(line.removeprefix(b"data: "))["frames"]:
                    yield each["name"], each["frame"]

    with requests.get(f"{url}events", stream=True, timeout=LONGEST) as response:
        assert response.headers["content-type"] == "text/event-stream"
        yield read(response)


def map_url(emulator):
    return next(line.split()[2] for line in emulator.lines if line.endswith(" (map)\n"))


def test_page_shows_vehicles_that_move():
    with emulating("--seed", "demo", "--speed", 10, "--map", "127.0.0.1:0") as emulator:
        url = map_url(emulator)
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url)
        page = requests.get(url, timeout=LONGEST)
        assert page.status_code == 200 and "<html" in page.text
        with frames(url) as arriving:
            places = {}
            for name, frame in arriving:
                places.setdefault(name, []).append(json.dumps(frame["features"]))
                if len(places) == 4 and all(len(set(each)) > 1 for each in places.values()):
                    break
        assert sorted(places) == ["providers/demo/deliveryVehicles/d1", *(
            f"providers/demo/vehicles/v{number}" for number in (1, 2, 3))]


def test_vehicles_are_in_the_order_of_their_numbers():
    with emulating("--seed", "demo", "--vehicles", 11, "--map", "127.0.0.1:0") as emulator:
        with frames(map_url(emulator)) as arriving:
            names = [name for name, _ in itertools.islice(arriving, 12)]
    assert names == [
        *(f"providers/demo/vehicles/v{number}" for number in range(1, 12)), "providers/demo/deliveryVehicles/d1"]


def test_page_shows_vehicles_of_both_apis_and_virtual_time():
    start = "2026-11-21T09:30:00Z"
    with emulating("--virtual-time", "--start-time", start, "--rest", "127.0.0.1:0", "--map", "127.0.0.1:0") as emulator:
        def post(path, body):
            answer = rest.request(emulator.url, "POST", path, body)
            assert answer.status == 200, answer.body

        points = [{"latitude": 1, "longitude": 1}, {"latitude": 1.01, "longitude": 1}]
        post("/emulator/v1/providers/p/vehicles/v1:drive", {"points": points})
        post("/v1/providers/p/deliveryVehicles?deliveryVehicleId=d1", {})
        post("/v1/providers/p/deliveryVehicles?deliveryVehicleId=d2", {})
        answer = rest.request(
            emulator.url, "PATCH", "/v1/providers/p/deliveryVehicles/d2?updateMask=lastLocation",
            {"lastLocation": {"location": {"latitude": 2, "longitude": 2}}})
        assert answer.status == 200, answer.body
        with frames(map_url(emulator)) as arriving:
            seen = dict([next(arriving), next(arriving)])
            assert sorted(seen) == ["providers/p/deliveryVehicles/d2", "providers/p/vehicles/v1"]
            assert all(frame["facts"]["delay"] > 0 for frame in seen.values())
            post("/emulator/v1/time:advance", {"duration": "60s"})
            name, moved = next(arriving)
            assert name == "providers/p/vehicles/v1" and moved["features"] != seen[name]["features"]
            assert rest.request(emulator.url, "DELETE", "/v1/providers/p/deliveryVehicles/d2").status == 200


def test_other_machines_need_the_key():
    with emulating("--map", "0.0.0.0:0") as emulator:
        assert re.fullmatch(r"http://[^/]+/[0-9a-f]{32}/", map_url(emulator))
