"""Does `tripwire log --compare` find where two observers of a trip disagreed, and which was behind?"""

import json
from datetime import timedelta

import pytest
from google.maps.fleetengine_delivery_v1 import types

from peers.recordings import binary_log
from peers.recordings.log_writer import BEGINNING, LogWriter
from peers.recordings.two_sides import POLLS, Trip, TwoSides, UPDATES
from support.command import assert_failed, tripwire


@pytest.fixture
def watched(tmp_path):
    """Records the trip, perhaps with a suspended client; returns the paths of both logs."""
    def record(name, is_suspended=False, clock_error=0.0):
        trip = TwoSides(clock_error)
        trip.run(60)
        trip.is_suspended = is_suspended
        trip.run(60)
        trip.is_suspended = False
        trip.trip.update(trip_status="ARRIVED_AT_PICKUP")
        trip.run(60)
        (tmp_path / name).mkdir()
        return trip.write(tmp_path / name)

    return record


def compared(first, second, *options):
    result = tripwire("log", *first, "--trip", "t1", "--compare", second, "-o", "json", *options)
    assert result.code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr


def test_the_observer_that_was_behind_is_named(watched):
    (good, _), (bad, server) = watched("good"), watched("bad", is_suspended=True)
    for first, second in (([good], bad), ([bad], good), (["--import-cloud-logging", server], bad),
                          ([bad], server)):
        (line,), _ = compared(first, second)
        assert (line["aspect"], line["behind"]) == ("location", str(bad)), (first, second)
        assert line["seconds"] == pytest.approx(60, abs=UPDATES + POLLS) and 400 < line["meters"] < 600


def test_observers_with_different_clocks_agree(watched):
    (good, _), (wrong, server) = watched("good"), watched("wrong", clock_error=90.0)
    for other in (wrong, server):
        lines, notes = compared([good], other)
        assert lines == [] and "--trip t1: both logs agree" in notes
    assert f"{wrong}: client clock: " in compared([good], wrong)[1]


GET_DELIVERY_VEHICLE = "/maps.fleetengine.delivery.v1.DeliveryService/GetDeliveryVehicle"


def test_the_etas_of_deliveries_have_the_corrected_clock(tmp_path):
    """The API has the remaining time of a delivery vehicle, and no time of arrival."""
    def record(name, clock_error):
        request = types.GetDeliveryVehicleRequest.pb(
            types.GetDeliveryVehicleRequest(name="providers/p/deliveryVehicles/d1"))
        log = LogWriter()
        for second in range(0, 300, 5):
            vehicle = types.DeliveryVehicle.pb()(name=request.name)
            at = BEGINNING + timedelta(seconds=second)
            vehicle.last_location.location.latitude = second / 1e3
            vehicle.last_location.server_time.FromDatetime(at)
            vehicle.remaining_duration.seconds = 600 - second
            vehicle.remaining_vehicle_journey_segments.add().stop.state = 1
            log.now = at + timedelta(seconds=clock_error)
            log.call(GET_DELIVERY_VEHICLE, request, vehicle)
        binary_log.write(tmp_path / name, log.entries)
        return tmp_path / name

    good, wrong = record("good", 0), record("wrong", 90)
    result = tripwire("log", good, "--timeline", "deliveryVehicles/d1", "--compare", wrong, "-o", "json")
    assert (result.code, result.stdout) == (0, "")
    assert "both logs agree" in result.stderr


def test_a_status_that_came_late_is_found(watched, tmp_path):
    (good, _) = watched("good")
    trip = TwoSides()
    trip.run(120)
    trip.trip.update(trip_status="ARRIVED_AT_PICKUP")
    trip.is_suspended = True
    trip.run(30)
    trip.is_suspended = False
    trip.run(30)
    (tmp_path / "late").mkdir()
    late, _ = trip.write(tmp_path / "late")
    lines, _ = compared([good], late)
    status = next(line for line in lines if line["aspect"] == "status")
    assert status["values"] == ["ARRIVED_AT_PICKUP", "ENROUTE_TO_PICKUP"] and status["behind"] == str(late)
    text = tripwire("log", good, "--trip", "t1", "--compare", late, TZ="UTC").stdout
    assert "ARRIVED_AT_PICKUP and ENROUTE_TO_PICKUP; " in text


def test_logs_of_other_times_are_not_equal(watched, tmp_path):
    (good, _), (later, _) = watched("good"), watched("later", clock_error=100_000.0)
    # Without locations, the clock cannot be corrected.
    entries = binary_log.read(later)
    for entry in entries:
        if entry.message.data and entry.logger == entry.LOGGER_CLIENT and entry.type == entry.EVENT_TYPE_SERVER_MESSAGE:
            trip = Trip.FromString(entry.message.data)
            trip.ClearField("last_location")
            entry.message.data = trip.SerializeToString()
            entry.message.length = len(entry.message.data)
    other = tmp_path / "other.binlog"
    binary_log.write(other, entries)
    assert_failed(tripwire("log", good, "--trip", "t1", "--compare", other), 1,
                  f"--trip t1: {good} and {other} have no time in common", hint="pass logs of the same time")
    result = tripwire("log", good, "--compare", other, "--map", tmp_path / "map.html")
    assert result.code == 0 and "trips/t1: the logs have no time in common" in result.stderr


def test_mistakes_are_reported(watched, tmp_path):
    good, server = watched("good")
    assert_failed(tripwire("log", good, "--trip", "t1", "--compare", good), 2,
                  f"--compare {good}: the same file twice", hint="pass the log of another observer")
    assert_failed(tripwire("log", good, "--compare", good), 2, "--compare requires --trip or --timeline or --map")
    assert_failed(tripwire("log", good, "--trip", "t1", "--compare", tmp_path / "none"), 1, "--compare",
                  hint="check the path in --compare")
    assert_failed(tripwire("log", good, "--trip", "t9", "--compare", server), 1, "--trip t9: not in the recording")
    assert_failed(tripwire("log", good, "--trip", "t1", "--compare", good, "--import-cloud-logging", server), 2,
                  "--import-cloud-logging")
