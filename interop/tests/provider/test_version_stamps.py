"""Does the emulator omit fields that are unchanged since a version stamp, and no others?"""

import random

import pytest
from google.maps.fleetengine_v1 import types

from support.merging import GOVERNED, STAMPS, Follower
from support.rules import guess, rule

ROUTE, TRAFFIC, WAYPOINTS, PATHS = (
    "current_route_segment_version", "current_route_segment_traffic_version",
    "remaining_waypoints_version", "remaining_waypoints_route_version")
LIST, ENCODED = (
    types.PolylineFormatType.LAT_LNG_LIST_TYPE, types.PolylineFormatType.ENCODED_POLYLINE_TYPE)


@pytest.fixture
def trip(fleet):
    """A trip en route to the pickup, with four remaining waypoints and constant traffic."""
    trip = fleet.add_trip("t1", intermediates=2)
    trip.go("ENROUTE_TO_PICKUP")
    trip.set_traffic((0, 9, "SLOWER_TRAFFIC"))
    return trip


def stamps(trip):
    return {name: getattr(trip, name) for name in STAMPS if trip.HasField(name)}


def governed(trip):
    """Returns the stamps whose fields are set; PATHS stands for the paths to waypoints."""
    fields = {field.name for field, _ in trip.ListFields()}
    found = {stamp for stamp, names in GOVERNED.items() if fields.intersection(names)}
    if any(each.path_to_waypoint or each.HasField("traffic_to_waypoint")
           for each in trip.remaining_waypoints):
        found.add(PATHS)
    return found


@rule("GetTripRequest.current_route_segment_version", "without it, the route is always sent")
def test_response_without_stamps_is_complete(client, trip):
    assert governed(client.get(trip)) == governed(client.get(trip)) == set(STAMPS)


def test_absent_fields_have_no_stamp(fleet, client):
    answer = client.get(fleet.add_trip("t1"))
    assert not stamps(answer) and not governed(answer)


def test_unchanged_fields_are_omitted_and_their_stamps_sent(fleet, client, trip):
    before = client.get(trip)
    fleet.advance(20)
    after = client.get(trip, **stamps(before))
    assert governed(after) == {WAYPOINTS}
    assert stamps(after) == stamps(before)
    assert after.HasField("last_location") and after.HasField("eta_to_first_waypoint")


@rule("GetTripRequest.current_route_segment_version", "an unchanged route is not sent")
@rule("GetTripRequest.current_route_segment_traffic_version", "unchanged traffic is not sent")
@rule("GetTripRequest.remaining_waypoints_version", "waypoints are always sent")
@rule("GetTripRequest.remaining_waypoints_route_version", "unchanged paths are not sent")
@pytest.mark.parametrize("left_out", STAMPS)
def test_each_stamp_omits_only_its_own_field(client, trip, left_out):
    sent_stamps = {left_out: stamps(client.get(trip))[left_out]}
    # Waypoints are always sent.
    expected = set(STAMPS) - {left_out} | {WAYPOINTS}
    assert governed(client.get(trip, **sent_stamps)) == expected


CHANGES = {
    "time": (lambda fleet, trip: fleet.advance(30), set()),
    "new route": (lambda fleet, trip: trip.reroute(), {ROUTE, TRAFFIC, WAYPOINTS, PATHS}),
    "traffic": (lambda fleet, trip: trip.set_traffic((0, 90, "TRAFFIC_JAM")), {TRAFFIC}),
    "no traffic": (lambda fleet, trip: trip.set_traffic(), {TRAFFIC}),
    "next leg": (lambda fleet, trip: trip.go("ENROUTE_TO_INTERMEDIATE_DESTINATION"), set(STAMPS)),
    "another vehicle": (lambda fleet, trip: trip.change_vehicle("v9"), set(STAMPS)),
    "cancel": (lambda fleet, trip: trip.cancel(), set(STAMPS)),
    "completion": (lambda fleet, trip: trip.go("COMPLETE"), set(STAMPS)),
}


@guess("`remaining_waypoints_version`")
@rule("Trip.current_route_segment_version", "is the last time the route was modified")
@rule("Trip.current_route_segment_traffic_version", "is the last time the traffic was modified")
@rule("Trip.remaining_waypoints_version", "is the last time waypoints were changed")
@rule("Trip.remaining_waypoints_route_version", "is the last time paths were modified")
@pytest.mark.parametrize("change", CHANGES)
def test_stamps_change_when_their_data_change(fleet, client, trip, change):
    do, expected = CHANGES[change]
    before = client.get(trip)
    do(fleet, trip)
    after, full = client.get(trip, **stamps(before)), client.get(trip)
    changed = {name for name in STAMPS if getattr(before, name) != getattr(after, name)}
    assert changed == expected
    assert stamps(after) == stamps(full)
    # The changed fields are sent, unless they are empty.
    assert governed(after) == governed(full) & (expected | {WAYPOINTS})
    for name in changed:
        assert getattr(after, name).ToNanoseconds() > getattr(before, name).ToNanoseconds()


def test_journey_sharing_view_has_no_stamps_and_is_complete(client, trip):
    view = types.TripView.JOURNEY_SHARING_V1S
    full = client.get(trip, view=view)
    assert client.get(trip, view=view, **stamps(client.get(trip))) == full
    assert not stamps(full)


@pytest.mark.parametrize("seed", range(8))
def test_merged_trip_equals_the_full_trip(fleet, client, seed):
    dice = random.Random(seed)
    trip = fleet.add_trip("t1", intermediates=2, begins=30, points=dice.choice([2, 3, 12]))
    follower, format_ = Follower(client, trip), LIST
    for step in range(40):
        for _ in range(dice.randint(0, 2)):
            make_random_change(fleet, trip, dice, step)
        if dice.random() < 0.1:
            format_ = dice.choice([LIST, ENCODED])
        if dice.random() < 0.2:
            # A lost response.
            client.get(trip, route_format_type=format_, **follower.stamps())
        assert follower.refresh(route_format_type=format_) == client.get(
            trip, route_format_type=format_)


def make_random_change(fleet, trip, dice, step):
    changes = [
        lambda: fleet.advance(dice.uniform(0, 90)),
        lambda: fleet.add_trip(f"o{len(fleet.trips)}", vehicle_id=trip.vehicle_id, begins=0,
                               shared=dice.random() < 0.5, intermediates=0),
    ]
    if trip.status not in ("NEW", "COMPLETE", "CANCELED"):
        changes += [
            trip.delay, trip.reroute, trip.set_traffic,
            lambda: trip.set_traffic((0, 1, "SLOWER_TRAFFIC")),
            lambda: trip.change_vehicle(f"v{step}"),
        ]
        if dice.random() < 0.05:
            changes += [trip.cancel] * 3
    dice.choice(changes)()


@pytest.mark.parametrize("format_", [LIST, ENCODED], ids=["list", "encoded"])
def test_stamps_save_bytes(fleet, client, format_):
    """The trip has a route of 2,000 points and is polled every 5 s for a minute."""
    spent = {}
    for kind in ("with", "without"):
        trip = fleet.add_trip(kind, points=2000)
        trip.go("ENROUTE_TO_PICKUP")
        follower = Follower(client, trip)
        for _ in range(12):
            if kind == "with":
                follower.refresh(route_format_type=format_)
            else:
                client.get(trip, route_format_type=format_)
            fleet.advance(5)
        spent[kind] = fleet.journal.bytes(trip.id)
    assert spent["with"] < spent["without"] / 5
    print(f"bytes with stamps {spent['with']}, without {spent['without']}")
