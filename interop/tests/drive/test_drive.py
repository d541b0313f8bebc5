"""Does `tripwire drive` send the locations of a vehicle as a driver's app does?"""

import contextlib
import json
import queue
import signal
import subprocess
import threading

import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf.timestamp_pb2 import Timestamp

from peers.proxies.fault_proxy import FaultProxy
from support.command import LONGEST, assert_failed, at, start, tripwire
from support.emulator import emulating
from support.fleet_services import connected_services
from support.paths import RECORDINGS

VEHICLE = {
    "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 2,
    "vehicle_type": {"category": "AUTO"}}
# About 111 m apart, at 37 m/s.
TRACK = [(37.700, -122.4), (37.701, -122.4), (37.702, -122.4)]
METERS_PER_DEGREE = 111_195.0


@pytest.fixture(scope="module")
def emulator():
    with emulating() as emulator:
        yield emulator


@pytest.fixture
def vehicle(emulator, request):
    """The ID of a new vehicle of each kind."""
    name = "".join(letter for letter in request.node.name if letter.isalnum())[:60]
    with connected_services(emulator) as services:
        services.create_vehicle(parent="providers/p", vehicle_id=name, vehicle=VEHICLE)
        services.create_delivery_vehicle(parent="providers/p", delivery_vehicle_id=name, delivery_vehicle={})
    return name


@pytest.fixture
def track(tmp_path):
    points = "".join(
        f'<trkpt lat="{lat}" lon="{lng}"><time>2026-01-01T00:00:{3 * index:02}Z</time></trkpt>'
        for index, (lat, lng) in enumerate(TRACK))
    path = tmp_path / "track.gpx"
    path.write_text(f'<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>')
    return path


def drive(emulator, vehicle, *arguments, **more):
    return tripwire("drive", f"vehicles/{vehicle}", "--provider", "p", "--interval", "1s",
                    *at(emulator.address), *arguments, **more)


class Driving:
    """A running `tripwire drive -o json`; `next` returns a line, or None at the end."""

    def __init__(self, process):
        self.process = process
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def next(self):
        return self._lines.get(timeout=LONGEST)


@contextlib.contextmanager
def driving(address, vehicle, *arguments, **streams):
    process = start("drive", f"vehicles/{vehicle}", "--provider", "p", "--interval", "1s", *at(address), *arguments,
                    **streams)
    try:
        yield Driving(process)
    finally:
        process.kill()
        process.wait()


def test_locations_follow_the_track_to_its_end(emulator, vehicle, track):
    result = drive(emulator, vehicle, "--along", track)
    assert result.code == 0, result.stderr
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    latitudes = [line["location"]["latitude"] for line in lines]
    assert latitudes == sorted(latitudes) and latitudes[-1] == 37.702
    assert latitudes[0] == pytest.approx(37.7, abs=1e-4)
    assert {line["location"]["longitude"] for line in lines} == {-122.4}
    # At the speed of the track.
    assert 6 <= len(lines) <= 8 and lines[0]["speed"] == pytest.approx(37.07, abs=0.01)
    assert [line["remainingMeters"] for line in lines][-1] == 0
    with connected_services(emulator) as services:
        found = services.get_vehicle(name=f"providers/p/vehicles/{vehicle}")
    location = found.last_location
    assert (location.location.latitude, location.location.longitude) == TRACK[-1]
    assert location.location_sensor == types.LocationSensor.GPS
    assert (location.heading.value, location.speed.value) == (0, 0)
    printed = Timestamp()
    printed.FromJsonString(lines[-1]["time"])
    assert location.update_time == printed
    assert found.remaining_distance_meters.value == 0 and found.current_route_segment
    first, last = result.stderr.splitlines()
    assert first.endswith(f"along {track}: 222 m in 6 s, a location every 1 s")
    assert last.startswith(f"providers/p/vehicles/{vehicle}: sent {len(lines)} locations in ")


def test_fleet_engine_has_each_printed_location(emulator, vehicle, track):
    """Read with Google's client while the vehicle stands."""
    with driving(emulator.address, vehicle, "--along", track, "--speed", 50, "--stop", "111:60s") as driving_, \
            connected_services(emulator) as services:
        while (line := driving_.next())["speed"] > 0:
            pass
        place = services.get_vehicle(name=f"providers/p/vehicles/{vehicle}").last_location.location
        assert place.latitude == line["location"]["latitude"] == pytest.approx(37.701, abs=5e-6)


def test_delivery_vehicles_drive_too(emulator, vehicle, tmp_path):
    path = tmp_path / "route"
    path.write_text(json.dumps({
        "type": "Feature", "geometry": {"type": "LineString", "coordinates": [[lng, lat] for lat, lng in TRACK]}}))
    name = f"providers/p/deliveryVehicles/{vehicle}"
    result = tripwire("drive", name, "--along", path, "--speed", 1000, "--interval", "1s", *at(emulator.address))
    assert result.code == 0, result.stderr
    with connected_services(emulator) as services:
        location = services.get_delivery_vehicle(name=name).last_location.location
    assert (location.latitude, location.longitude) == TRACK[-1]


def test_a_recording_is_a_track(emulator, vehicle, track, tmp_path):
    """First of what an app sent, then of what a client got, each with one vehicle."""
    log = tmp_path / "calls.binlog"
    assert drive(emulator, vehicle, "--along", track, "--record", log).code == 0
    with driving(emulator.address, "other", "--along", log) as again:
        first = again.process.stderr.readline().decode()
    assert f"along {log}: 222 m in 6" in first
    with driving(emulator.address, "other", "--along", RECORDINGS / "trip.binlog") as again:
        assert "trip.binlog: 2.2 km in 5 min 14 s" in again.process.stderr.readline().decode()
    assert_failed(drive(emulator, vehicle, "--along", RECORDINGS / "demo.binlog"), 1,
                  "demo.binlog: the recording has locations of 2 resources: trips/t1, vehicles/v1", hint="pass the ID")
    log.write_bytes(log.read_bytes()[:20])
    assert_failed(drive(emulator, vehicle, "--along", log), 1, f"--along: {log}")


def test_noise_is_bounded_and_the_same_each_time(emulator, vehicle, tmp_path):
    path = tmp_path / "route"
    path.write_text("_p~iF~ps|U_ulLnnqC")
    firsts = []
    for _ in range(2):
        with driving(emulator.address, vehicle, "--along", path, "--noise", 50) as driving_:
            firsts.append(driving_.next()["location"]["latitude"])
    assert 0 < abs(firsts[0] - 38.5) * METERS_PER_DEGREE <= 51
    assert abs(firsts[0] - firsts[1]) * METERS_PER_DEGREE < 5


def test_nothing_is_sent_without_gps(emulator, vehicle, track):
    result = drive(emulator, vehicle, "--along", track, "--gps-loss", "0s..5s")
    assert result.code == 0, result.stderr
    first = json.loads(result.stdout.splitlines()[0])
    assert first["location"]["latitude"] > 37.7015


def test_the_newest_position_on_stdin_is_sent(emulator, vehicle):
    with driving(emulator.address, vehicle, "--along", "-", stdin=subprocess.PIPE) as driving_:
        stdin = driving_.process.stdin
        stdin.write(b"37.1,-122\n")
        stdin.flush()
        assert driving_.next()["location"] == {"latitude": 37.1, "longitude": -122}
        # All arrive within the interval, so that only the last is sent.
        stdin.write(b'37.2,-122\n{"lat": 37.3, "lng": -122}\n\n{"lat": 37.4, "lng": -122, "id": "x"}')
        stdin.close()
        line = driving_.next()
        assert (line["location"], line["heading"]) == ({"latitude": 37.4, "longitude": -122}, 0)
        assert driving_.next() is None and driving_.process.wait(LONGEST) == 0
    with connected_services(emulator) as services:
        assert services.get_vehicle(name=f"providers/p/vehicles/{vehicle}").last_location.location.latitude == 37.4


def test_positions_before_an_invalid_line_are_sent(emulator, vehicle):
    result = drive(emulator, vehicle, "--along", "-", stdin=b"37.1,-122\nnorth\n37.2,-122\n")
    assert result.code == 1 and json.loads(result.stdout)["location"]["latitude"] == 37.1
    assert "error: --along: stdin:2: expected LAT,LNG" in result.stderr


@pytest.mark.parametrize("text", [b"", b"\n \n"])
def test_positions_are_expected_on_stdin(emulator, vehicle, text):
    result = drive(emulator, vehicle, "--along", "-", stdin=text)
    assert (result.code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: --along: stdin has no position\nhint: write one position per line")


def test_driving_continues_after_an_outage(emulator, vehicle, track):
    with FaultProxy(int(emulator.address.rpartition(":")[2])) as proxy, \
            driving(f"127.0.0.1:{proxy.port}", vehicle, "--along", track, "--speed", 10) as driving_:
        before = driving_.next()
        proxy.refuse()
        error = driving_.process.stderr
        lines = [error.readline().decode() for _ in range(2)]
        assert lines[1].startswith("error: UNAVAILABLE"), lines
        proxy.listen()
        # Those of the outage are not sent later.
        after = driving_.next()
        assert after["drivenMeters"] >= before["drivenMeters"] + 10
        while (line := driving_.next()) is not None:
            after = line
        assert after["remainingMeters"] == 0
        assert driving_.process.wait(LONGEST) == 0
        assert "failed\n" in error.read().decode()


def test_a_refused_token_ends_the_drive(track):
    with emulating("--require-token") as emulator:
        assert_failed(drive(emulator, "v1", "--along", track), 64 + 16, "UNAUTHENTICATED", hint="token")


def test_a_missing_vehicle_ends_the_drive(emulator, track):
    assert_failed(drive(emulator, "nobody", "--along", track), 64 + 5, "NOT_FOUND")


@pytest.mark.parametrize("name, number, code", [("SIGINT", signal.SIGINT, 130), ("SIGTERM", signal.SIGTERM, 143)])
def test_a_signal_ends_with_a_summary(emulator, vehicle, track, name, number, code):
    with driving(emulator.address, vehicle, "--along", track, "--speed", 1) as driving_:
        driving_.next()
        driving_.process.send_signal(number)
        assert driving_.process.wait(LONGEST) == code
        assert ": sent 1 location in " in driving_.process.stderr.read().decode().splitlines()[-1]


@pytest.mark.parametrize("text, place", [
    ("<gpx>\n <trk><trkpt lat='x' lon='1'/></trk></gpx>", "2:7: <trkpt> needs lat"),
    ("<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx>&a;</gpx>", "a document type is not allowed"),
    ('{"type": "LineString",\n "coordinates": [[1, 95]]}', "2:18: longitude outside"),
    ("hello", "not an encoded polyline"),
    ("", "a route needs two points, found 0"),
])
def test_files_that_are_no_routes_are_refused(tmp_path, text, place):
    path = tmp_path / "route"
    path.write_text(text)
    assert_failed(tripwire("drive", "providers/p/vehicles/v", "--along", path), 1, "--along: ", place, hint="")
