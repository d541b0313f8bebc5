"""Is a route that cannot be decoded reported once where a map would show it?"""

import json

import pytest
from google.maps.fleetengine_v1 import types

from peers.recordings import binary_log
from peers.recordings.log_writer import GET_TRIP, SERVICE, LogWriter
from support.command import running, tripwire

TRIP, VEHICLE = "providers/p/trips/t1", "providers/p/vehicles/v1"
PLACE = {"location": {"latitude": 1, "longitude": 2}}


def warning(name):
    return (f"{name}: a route or its traffic cannot be decoded and is not shown:"
            " not a base64 character, at character 1 of the text")


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Three calls each for a trip and a vehicle whose routes cannot be decoded."""
    log = LogWriter()
    for seconds in range(3):
        place = {**PLACE, "heading": seconds}
        log.call(GET_TRIP, types.GetTripRequest.pb(types.GetTripRequest(name=TRIP)), types.Trip.pb(types.Trip(
            name=TRIP, trip_status="ENROUTE_TO_DROPOFF", current_route_segment="A!", last_location=place)))
        log.call(SERVICE + "VehicleService/GetVehicle",
                 types.GetVehicleRequest.pb(types.GetVehicleRequest(name=VEHICLE)),
                 types.Vehicle.pb(types.Vehicle(
                     name=VEHICLE, vehicle_state="ONLINE", last_location=place,
                     waypoints=[{}, {"encoded_path_to_waypoint": "A!"}])))
        log.wait(1)
    path = tmp_path_factory.mktemp("recording") / "log.binlog"
    binary_log.write(path, log.entries)
    return path


@pytest.mark.parametrize("format", ["geojson", "svg"])
@pytest.mark.parametrize("name", [TRIP, VEHICLE])
def test_get_warns(recording, name, format):
    result = tripwire("get", name, "--replay", recording, "-o", format)
    assert (result.code, result.stderr) == (0, f"warning: {warning(name)}\n")
    assert format == "svg" or [each["properties"]["kind"] for each in result.json["features"]] == ["vehicle"]
    result = tripwire("get", name, "--replay", recording, "-o", format, "--error-format", "json")
    assert json.loads(result.stderr) == {"warning": warning(name)}
    assert tripwire("get", name, "--replay", recording, "-o", format, "-q").stderr == ""


def test_outputs_without_a_map_do_not_warn(recording):
    for format in "json", "text":
        assert tripwire("get", TRIP, "--replay", recording, "-o", format).stderr == ""


def test_follow_warns_once(recording):
    result = tripwire("follow", TRIP, VEHICLE, "--replay", recording, "-o", "geojson", "--for", "4s",
                      "--interval", "200ms")
    assert result.stdout.count(TRIP) > 1
    assert sorted(line for line in result.stderr.splitlines() if "warning" in line) == [
        f"warning: {warning(name)}" for name in (TRIP, VEHICLE)]


def test_map_of_a_recording_warns_once(recording, tmp_path):
    result = tripwire("log", recording, "--map", tmp_path / "out.html")
    assert result.code == 0
    assert [line for line in result.stderr.splitlines() if "decoded" in line] == [
        f"warning: {warning(name)}" for name in (TRIP, VEHICLE)]


def test_live_map_warns(recording):
    with running("map", TRIP, "--replay", recording) as process:
        assert process.stderr.readline().decode() == f"warning: {warning(TRIP)}\n"
