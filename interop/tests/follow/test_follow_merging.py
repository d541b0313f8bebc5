"""Does `tripwire follow` complete responses that leave out unchanged parts?"""

import random

import pytest

from support.fleet_client import connected_client
from support.following import following, trip_of
from support.merging import STAMPS

FORMATS = ["lat-lng-list", "encoded-polyline"]


@pytest.mark.parametrize("seed, format_", list(enumerate([*FORMATS, *FORMATS])))
def test_merged_trip_equals_the_full_trip(fleet, trip, seed, format_):
    dice, number = random.Random(seed), FORMATS.index(format_) + 1
    options = ["--plaintext", "--route-format", format_, "--timeout", "500ms"]
    with following(fleet.address, trip, options=options) as follow, connected_client(fleet) as client:
        reported = without_silent_fields(trip_of(follow.until_recovered()))
        for step in range(25):
            # A call that fails, and one with a late response.
            if dice.random() < 0.1:
                dice.choice([
                    lambda: fleet.faults.fail("UNAVAILABLE", times=1),
                    lambda: fleet.faults.slow(0.7, times=1)])()
                fleet.journal.wait_for_calls(len(fleet.journal.of("t1")) + 1, "t1")
            for _ in range(dice.randint(1, 3)):
                make_random_change(fleet, trip, dice, step)
            full = without_silent_fields(client.get(trip, route_format_type=number))
            if reported != full:
                follow.until(lambda line: "trip" in line
                             and without_silent_fields(trip_of(line)) == full)
                reported = full
    assert any(call.stamps for call in fleet.journal.of("t1"))


def without_silent_fields(trip):
    """Removes the fields whose changes are not reported: times, and stamps of unchanged data."""
    for name in [*STAMPS, "remaining_time_to_first_waypoint"]:
        trip.ClearField(name)
    if trip.HasField("last_location"):
        trip.last_location.ClearField("time_since_update")
    return trip


def make_random_change(fleet, trip, dice, step):
    changes = [
        lambda: fleet.advance(dice.uniform(0, 30)),
        lambda: trip.hide(dice.choice(["last_location", "dropoff_time", "pickup_point"])),
        trip.hide,
    ]
    if trip.status not in ("COMPLETE", "CANCELED"):
        changes += [
            trip.delay, trip.reroute, trip.set_traffic,
            lambda: trip.set_traffic((0, 1, "SLOWER_TRAFFIC")),
            lambda: trip.change_vehicle(f"v{step}"),
            lambda: fleet.add_trip(f"o{len(fleet.trips)}", vehicle_id=trip.vehicle_id, begins=0,
                                   shared=dice.random() < 0.5, intermediates=0),
        ]
    dice.choice(changes)()


@pytest.mark.parametrize("format_", FORMATS)
def test_stamps_save_bytes(fleet, format_):
    """The trip has a route of 2,000 points."""
    trip = fleet.add_trip("t1", points=2000)
    trip.go("ENROUTE_TO_PICKUP")
    trip.set_traffic((0, 90, "SLOWER_TRAFFIC"))
    with following(
            fleet.address, trip, options=["--plaintext", "--route-format", format_]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        first, *others = fleet.journal.wait_for_calls(5)
    spent = sum(call.bytes for call in others) / len(others)
    print(f"{format_}: {spent:.0f} bytes a refresh with stamps, {first.bytes} without")
    assert not first.stamps and all(len(call.stamps) == 4 for call in others)
    assert spent < first.bytes / 5
