"""Do the places in an anonymous copy keep their relative positions, and hide where they are?"""

import math
import random
import re

import polyline
import pytest
from google.maps.fleetengine_v1 import types

from support.command import tripwire
from peers.recordings import binary_log
from peers.fleet.road import s2
from peers.recordings.lattice import found, vector
from peers.recordings.log_writer import GET_TRIP, LogWriter

EARTH = 6_371_008.8
LATITUDE = 52.52


def walk(cell, count=500, latitude=LATITUDE, longitude=13.4):
    """A way about the town, each point of it on a grid."""
    dice = random.Random(7)
    points, heading = [], 1.0
    # In cells. On wide ones the way stays near enough for the cells to be as wide everywhere.
    step = 25 if cell < 1e-4 else 3
    for _ in range(count):
        heading += dice.gauss(0, 0.25)
        latitude += math.cos(heading) * step * cell
        longitude += math.sin(heading) * step * 1.2 * cell
        points.append(tuple(round(degrees / cell) * cell for degrees in (latitude, longitude)))
    return points


def turned(points, angle):
    """As far from each other elsewhere, north turned by an angle: a copy without more."""
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
    """East, north and up."""
    north, east = map(math.radians, point)
    return ((-math.sin(east), math.cos(east), 0),
            (-math.sin(north) * math.cos(east), -math.sin(north) * math.sin(east), math.cos(north)),
            vector(point))


def answers(path):
    """The trips in a log."""
    trips = [entry.message.data for entry in binary_log.read(path)
             if entry.type == entry.EVENT_TYPE_SERVER_MESSAGE]
    return [types.Trip.pb(types.Trip()).FromString(trip) for trip in trips]


def in_route(points):
    return types.Trip(route=[{"latitude": n, "longitude": e} for n, e in points])


def of_route(trip):
    return [(point.latitude, point.longitude) for point in trip.route]


def in_waypoints(points):
    """A message for each point."""
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
    """The trip that an anonymous copy has of a trip."""
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


# In degrees: of encoded polylines, four decimals, hundredths of a minute of arc, seconds, three
# decimals.
CELLS = [1e-5, 1e-4, 1 / 6000, 1 / 3600, 1e-3]


@pytest.mark.parametrize("cell", CELLS)
def test_the_search_finds_a_grid_that_was_turned(cell):
    guess = found(turned(walk(cell), 0.7), cell)
    assert guess.strength > 0.7 and guess.latitude_strength > 0.6, guess
    assert abs(guess.latitude - LATITUDE) < 0.3
    assert abs(guess.north + math.degrees(0.7) - 180) < 1


@pytest.mark.parametrize("write, read, cell", [
    *[(in_route, of_route, cell) for cell in CELLS],
    *[(in_waypoints, of_waypoints, cell) for cell in CELLS],
    # Below are the cells of the polyline itself.
    *[(in_polyline, of_polyline, cell) for cell in CELLS[1:]]])
def test_a_grid_cannot_be_found_in_the_copy(copied, cell, write, read):
    points = walk(cell)
    moved = read(copied(write(points)))
    assert len(moved) == len(points)
    guess = found(moved, cell)
    assert guess.strength < 0.25 and guess.latitude_strength < 0.35, guess


# No place of it is on a wider grid than 10^-5 degrees.
ROAD = [(48.10013 + 0.00031 * i, 11.50011 + 0.00041 * (i % 7)) for i in range(40)]


def distance(a, b):
    """In metres."""
    half = math.dist(vector(a), vector(b)) / 2
    return 2 * EARTH * math.asin(min(1, half))


def test_distances_and_shapes_hold(copied):
    """To some metres: no point is more than six times as far aside as usual."""
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
def test_polylines_are_read_as_those_of_before(tmp_path, copied, write):
    copied(types.Trip(name="providers/p/trips/t1", current_route_segment=write(ROAD)))
    told = []
    for file, name in [("a.binlog", "t1"), ("copy.binlog", "trip-1")]:
        story = tripwire("log", tmp_path / file, "--trip", name, TZ="UTC").stdout
        told.append(re.sub(r"40 points, (2\.[3-5]) km", "40 points", story))
        assert told[-1] != story
    assert told[0] == told[1]


@pytest.mark.parametrize("heading", range(0, 360, 45))
def test_vehicles_head_where_they_did(copied, heading):
    """From one point to another that is far away: as the points turn, so does the heading."""
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
    """As 0 many apps give what they do not know."""
    for more in {}, {"speed": {"value": 0}}, {"speed_kmph": {"value": 0}}:
        location = {"location": {"latitude": 48.10013, "longitude": 11.50011}, "heading": 0,
                    "flp_heading_degrees": 0}
        copy = copied(types.Trip(last_location=location | more))
        assert copy.last_location.HasField("heading")
        assert copy.last_location.heading.value == 0
        assert copy.last_location.flp_heading_degrees.value == 0
