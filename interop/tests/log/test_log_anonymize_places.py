"""Do places in an anonymous copy keep their relative positions and hide their location?"""

import math
import random
import re

import polyline
import pytest
from google.maps.fleetengine_v1 import types

from support.command import tripwire
from peers.recordings import binary_log
from peers.recordings import s2
from peers.recordings.lattice import found, vector
from peers.recordings.log_writer import GET_TRIP, LogWriter

EARTH = 6_371_008.8
LATITUDE = 52.52


def walk(cell, count=500, latitude=LATITUDE, longitude=13.4):
    """Returns a random path around a town whose points are on a grid."""
    dice = random.Random(7)
    points, heading = [], 1.0
    # In cells. With wide cells, the path stays short enough for a uniform cell width.
    step = 25 if cell < 1e-4 else 3
    for _ in range(count):
        heading += dice.gauss(0, 0.25)
        latitude += math.cos(heading) * step * cell
        longitude += math.sin(heading) * step * 1.2 * cell
        points.append(tuple(round(degrees / cell) * cell for degrees in (latitude, longitude)))
    return points


def turned(points, angle):
    """Moves the points elsewhere and rotates them by an angle, without other changes."""
    (east, north, up), (new_east, new_north, new_up) = axes(points[0]), axes((20, 50))
    result = []
    for point in map(vector, points):
        a, b, c = [sum(map(math.prod, zip(point, axis))) for axis in (east, north, up)]
        a, b = a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)
        x, y, z = [a * e + b * n + c * u for e, n, u in zip(new_east, new_north, new_up)]
        result.append((round(math.degrees(math.asin(z)), 6),
                       round(math.degrees(math.atan2(y, x)), 6)))
    return result


def axes(point):
    """Returns the unit vectors east, north and up."""
    north, east = map(math.radians, point)
    return ((-math.sin(east), math.cos(east), 0),
            (-math.sin(north) * math.cos(east), -math.sin(north) * math.sin(east), math.cos(north)),
            vector(point))


def answers(path):
    """Returns the trips in a log."""
    trips = [entry.message.data for entry in binary_log.read(path)
             if entry.type == entry.EVENT_TYPE_SERVER_MESSAGE]
    return [types.Trip.pb(types.Trip()).FromString(trip) for trip in trips]


def in_route(points):
    return types.Trip(route=[{"latitude": n, "longitude": e} for n, e in points])


def of_route(trip):
    return [(point.latitude, point.longitude) for point in trip.route]


def in_waypoints(points):
    """Returns a trip with a waypoint for each point."""
    return types.Trip(remaining_waypoints=[
        {"location": {"point": {"latitude": n, "longitude": e}}} for n, e in points])


def of_waypoints(trip):
    return [(p.latitude, p.longitude) for p in (
        waypoint.location.point for waypoint in trip.remaining_waypoints)]


def in_polyline(points):
    return types.Trip(current_route_segment=polyline.encode(points))


def of_polyline(trip):
    return polyline.decode(trip.current_route_segment)


@pytest.fixture
def copied(tmp_path):
    """Returns a trip as it is in an anonymous copy."""
    def copy(trip):
        log = LogWriter()
        request = types.GetTripRequest.pb(types.GetTripRequest(name=trip.name))
        log.call(GET_TRIP, request, types.Trip.pb(trip))
        binary_log.write(tmp_path / "a.binlog", log.entries)
        (tmp_path / "copy.binlog").unlink(missing_ok=True)
        result = tripwire("log", tmp_path / "a.binlog", "--anonymize", tmp_path / "copy.binlog")
        assert result.code == 0, result.stderr
        (trip,) = answers(tmp_path / "copy.binlog")
        return trip

    return copy


# Cell sizes in degrees: encoded polylines, four decimals, 1/100 arc minute, arc second, three decimals.
CELLS = [1e-5, 1e-4, 1 / 6000, 1 / 3600, 1e-3]


@pytest.mark.parametrize("cell", CELLS)
def test_search_finds_a_rotated_grid(cell):
    guess = found(turned(walk(cell), 0.7), cell)
    assert guess.strength > 0.7 and guess.latitude_strength > 0.6, guess
    assert abs(guess.latitude - LATITUDE) < 0.3
    assert abs(guess.north + math.degrees(0.7) - 180) < 1


@pytest.mark.parametrize("write, read, cell", [
    *[(in_route, of_route, cell) for cell in CELLS],
    *[(in_waypoints, of_waypoints, cell) for cell in CELLS],
    # The first cell is that of the polyline format itself.
    *[(in_polyline, of_polyline, cell) for cell in CELLS[1:]]])
def test_search_finds_no_grid_in_the_copy(copied, cell, write, read):
    points = walk(cell)
    moved = read(copied(write(points)))
    assert len(moved) == len(points)
    guess = found(moved, cell)
    assert guess.strength < 0.25 and guess.latitude_strength < 0.35, guess


# A path without points on a grid coarser than 10^-5 degrees.
ROAD = [(48.10013 + 0.00031 * i, 11.50011 + 0.00041 * (i % 7)) for i in range(40)]


def distance(a, b):
    """Returns the distance in meters."""
    half = math.dist(vector(a), vector(b)) / 2
    return 2 * EARTH * math.asin(min(1, half))


def test_distances_and_shapes_are_kept(copied):
    """The noise is limited to six standard deviations, which is some meters."""
    trip = in_route(ROAD)
    trip.current_route_segment = polyline.encode(ROAD)
    trip.remaining_waypoints = in_waypoints(ROAD).remaining_waypoints
    copy = copied(trip)
    moved = of_route(copy)
    assert of_waypoints(copy) == moved
    for i, a in enumerate(ROAD):
        for j, b in enumerate(ROAD):
            assert abs(distance(moved[i], moved[j]) - distance(a, b)) < 30
    assert distance(moved[0], ROAD[0]) > 10_000
    again = of_polyline(copy)
    assert len(again) == len(ROAD)
    assert max(distance(a, b) for a, b in zip(again, moved)) < 1.2


@pytest.mark.parametrize("write", [polyline.encode, s2.encoded], ids=["encoded", "s2"])
def test_copied_polylines_give_the_same_timeline(tmp_path, copied, write):
    copied(types.Trip(name="providers/p/trips/t1", current_route_segment=write(ROAD)))
    timelines = []
    for file, name in [("a.binlog", "t1"), ("copy.binlog", "trip-1")]:
        story = tripwire("log", tmp_path / file, "--trip", name, TZ="UTC").stdout
        timelines.append(re.sub(r"40 points, (2\.[3-5]) km", "40 points", story))
        assert timelines[-1] != story
    assert timelines[0] == timelines[1]


@pytest.mark.parametrize("heading", range(0, 360, 45))
def test_headings_rotate_with_the_places(copied, heading):
    """The heading rotates with the points, measured from one point to a distant one."""
    north, east = ROAD[0]
    step = math.radians(heading)
    ahead = (north + 0.1 * math.cos(step),
             east + 0.1 * math.sin(step) / math.cos(math.radians(north)))
    trip = in_route([ahead])
    trip.last_location = {
        "location": {"latitude": north, "longitude": east}, "heading": heading,
        "speed": {"value": 3}}
    copy = copied(trip)
    here, there = copy.last_location.location, copy.route[0]
    way = math.degrees(math.atan2(
        (there.longitude - here.longitude) * math.cos(math.radians(here.latitude)),
        there.latitude - here.latitude))
    heading = copy.last_location.heading.value
    assert abs((way - heading + 180) % 360 - 180) < 1.5


def test_heading_of_a_stopped_vehicle_does_not_reveal_north(copied):
    """Many apps send heading 0 if it is unknown, so it must not be rotated."""
    for more in {}, {"speed": {"value": 0}}, {"speed_kmph": {"value": 0}}:
        location = {"location": {"latitude": 48.10013, "longitude": 11.50011}, "heading": 0,
                    "flp_heading_degrees": 0}
        copy = copied(types.Trip(last_location=location | more))
        assert copy.last_location.HasField("heading")
        assert copy.last_location.heading.value == 0
        assert copy.last_location.flp_heading_degrees.value == 0
