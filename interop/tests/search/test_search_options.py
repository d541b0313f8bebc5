"""Does each option of `tripwire search` select what it says, on a server with the rules of the API?"""

import json
import re

import pytest
from support.command import assert_failed, at, tripwire

PROVIDER = "providers/p"
HERE = (37.7, -122.4)
NEAR = ["--near", "37.7,-122.4"]
DROPOFF = ["--dropoff", "37.71,-122.4"]
SHARED = [*NEAR, "--trip-type", "shared"]


@pytest.fixture
def vehicles(fleet):
    """Vehicles without trips: each lies some meters further north, and some are special."""
    for number, (vehicle_id, details) in enumerate({
            "plain": {}, "large": {"maximum_capacity": 6},
            "taxi": {"vehicle_type": {"category": "TAXI"}},
            "offline": {"vehicle_state": "OFFLINE"},
            "exclusive": {"supported_trip_types": ["EXCLUSIVE"]},
            "luxury": {"attributes": [{"key": "class", "string_value": "luxury"},
                                      {"key": "pets", "string_value": "true"}]},
            "van": {"attributes": [{"key": "class", "string_value": "van"}]}}.items()):
        fleet.vehicle(vehicle_id, at=north(100 * number), **details)
    return fleet


def north(meters):
    """Returns a place north of HERE."""
    return HERE[0] + meters / 111_195, HERE[1]


@pytest.fixture
def trips(fleet):
    """A trip without an update for 51 minutes, an active one, and one that was canceled just now."""
    for number in (1, 2, 3):
        fleet.add_trip(f"t{number}", vehicle_id=f"v{number}")
    fleet.advance(3000)
    fleet.trips["t2"].go("ENROUTE_TO_PICKUP")
    fleet.advance(60)
    fleet.trips["t3"].go("CANCELED")
    return fleet


@pytest.fixture
def deliveries(fleet):
    fleet.add_delivery_vehicle("d1", stops=2)
    fleet.new_delivery_vehicle("d2", point=(10.0, 20.0))
    return fleet


def search(fleet, collection, *arguments):
    result = tripwire("search", collection, PROVIDER, *arguments, "-o", "json", *at(fleet.address))
    assert (result.code, result.stderr) == (0, ""), result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return [each.get("vehicle", each)["name"].rpartition("/")[2] for each in found]


ALL = ["plain", "large", "taxi", "offline", "exclusive", "luxury", "van"]
ONLINE = [each for each in ALL if each != "offline"]

# The options of each case, and the vehicles that they find.
LISTED = {
    "--state offline": ["offline"],
    "--capacity 5": ["large"],
    "--vehicle-type taxi": ["taxi"],
    "--trip-type shared": [each for each in ALL if each != "exclusive"],
    "--on-trip": [],
    "--maximum-staleness 1m": ["late"],
    '--filter attributes.class="van"': ["van"],
    "--attribute class:luxury --attribute pets:true": ["luxury"],
    "--one-of-attributes class:luxury|class:van": ["luxury", "van"],
    "--one-of-attribute-sets class:luxury|pets:true --one-of-attribute-sets class:van": ["luxury", "van"],
    "--viewport 37.6999,-122.5,37.7015,-122.3": ["plain", "large"],
    "--limit 2": ["exclusive", "large"],
    "--page-size 3 --state online": ONLINE,
}
FOUND = {
    "--radius 450": ["plain", "large", "taxi", "exclusive"],
    "--radius 400 --limit 1": ["plain"],
    "--capacity 5": ["large"],
    "--vehicle-type taxi": ["taxi"],
    "--trip-type exclusive": ONLINE,
    "--maximum-staleness 1m": ["late"],
    '--filter attributes.class="van"': ["van"],
    "--attribute class:luxury --attribute pets:true": ["luxury"],
    "--one-of-attributes class:luxury|class:van": ["luxury", "van"],
    "--one-of-attribute-sets class:luxury|pets:true --one-of-attribute-sets class:van": ["luxury", "van"],
    "--trip t9": ONLINE,
    "--current-trips none": ONLINE,
    "--back-to-back": ONLINE,
    "--order-by pickup-eta": ONLINE,
    "--order-by pickup-straight-distance": ONLINE,
    "--order-by cost": ONLINE,
    "--dropoff 37.71,-122.4 --order-by dropoff-eta": ONLINE,
    "--trip-type shared --dropoff 37.71,-122.4": [each for each in ONLINE if each != "exclusive"],
}
TRIPS = {
    "--vehicle v2": ["t2"], "--active": ["t2"], "--minimum-staleness 50m": ["t1"],
    "--active --minimum-staleness 50m": [], "--limit 1": ["t1"], "--page-size 1": ["t1", "t2", "t3"],
}
DELIVERIES = {
    ("tasks", "--filter state=OPEN --limit 1"): ["d1-1"],
    ("tasks", "--page-size 1"): ["d1-1", "d1-2"],
    ("delivery-vehicles", "--near 10,20 --radius 500"): ["d2"],
    ("delivery-vehicles", "--viewport 9,19,11,21"): ["d2"],
    ("delivery-vehicles", "--filter attributes.a:*"): [],
}


def late(fleet, options):
    """Lets five minutes pass with a vehicle that reports its location afterwards."""
    if "staleness" in options:
        fleet.advance(250)
        fleet.vehicle("late", at=north(900))


@pytest.mark.parametrize("options", LISTED)
def test_option_of_listed_vehicles(vehicles, options):
    late(vehicles, options)
    assert sorted(search(vehicles, "vehicles", *options.split())) == sorted(LISTED[options])


@pytest.mark.parametrize("options", FOUND)
def test_option_of_vehicles_near_a_place(vehicles, options):
    late(vehicles, options)
    assert search(vehicles, "vehicles", *NEAR, *options.split()) == FOUND[options]


@pytest.mark.parametrize("options", TRIPS)
def test_option_of_trips(trips, options):
    assert search(trips, "trips", *options.split()) == TRIPS[options]


@pytest.mark.parametrize("collection, options", DELIVERIES)
def test_option_of_deliveries(deliveries, collection, options):
    assert search(deliveries, collection, *options.split()) == DELIVERIES[collection, options]


def test_vehicle_on_its_last_way_is_found_back_to_back(vehicles):
    trip = vehicles.add_trip("t1", vehicle_id="busy", intermediates=0,
                             stops=[HERE, (37.705, -122.4)])
    trip.go("ENROUTE_TO_DROPOFF")
    trip.report(back_to_back_enabled=True)
    assert "busy" not in search(vehicles, "vehicles", *NEAR)
    assert "busy" in search(vehicles, "vehicles", *NEAR, "--back-to-back")
    assert "busy" in search(vehicles, "vehicles", *NEAR, "--current-trips", "any")
    assert "busy" not in search(vehicles, "vehicles", *SHARED, *DROPOFF, "--current-trips", "none")
    assert search(vehicles, "vehicles", "--on-trip") == ["busy"]


def test_every_option_of_the_selection_is_tested():
    used = " ".join([*LISTED, *FOUND, *TRIPS, *(options for _, options in DELIVERIES), *NEAR])
    text = tripwire("search", "--help").stdout
    selection = re.search(r"\nSelection:\n(.*?)\n\n", text, re.S)[1]
    options = re.findall(r"^ +(--[a-z-]+)", selection, re.M)
    assert len(options) > 15 and [each for each in options if f"{each} " not in f"{used} "] == []


@pytest.mark.parametrize("arguments, error", [
    (["vehicles", *SHARED], "--trip-type shared with --near requires --dropoff"),
    (["vehicles", *NEAR, "--order-by", "dropoff-eta"], "--order-by dropoff-eta requires --dropoff"),
    (["vehicles", *SHARED, *DROPOFF, "--back-to-back"],
     "--back-to-back cannot be used with --trip-type shared"),
    (["vehicles", *NEAR, "--back-to-back", "--current-trips", "any"],
     "--back-to-back cannot be used with --current-trips"),
    (["vehicles", *NEAR, "--trip-type", "shared", "--trip-type", "exclusive"],
     "--near takes one --trip-type"),
    (["vehicles", "--dropoff", "1,2"], "--dropoff requires --near"),
    (["vehicles", "--back-to-back"], "--back-to-back requires --near"),
    (["vehicles", *NEAR, "--viewport", "1,2,3,4"], "--viewport cannot be used with --near"),
    (["delivery-vehicles", *NEAR, "--viewport", "1,2,3,4"], "--viewport cannot be used with --near"),
    (["vehicles", "--filter", "a", "--attribute", "b:c"], "--attribute cannot be used with --filter"),
    (["vehicles", "--attribute", "b"], "--attribute b: expected KEY:VALUE"),
    (["vehicles", "--one-of-attributes", "a:b|c"],
     "--one-of-attributes a:b|c: expected KEY:VALUE|KEY:VALUE"),
    (["vehicles", "--viewport", "1,2"],
     "--viewport 1,2: expected LAT,LNG,LAT,LNG: the southwest and the northeast corner in degrees"),
    (["vehicles", "--viewport", "3,2,1,4"],
     "--viewport 3,2,1,4: the first corner is north of the second"),
    (["trips", "--maximum-staleness", "1m"], "--maximum-staleness cannot be used with search trips"),
    (["vehicles", "--minimum-staleness", "1m"],
     "--minimum-staleness cannot be used with search vehicles"),
])
def test_contradiction_of_options_is_reported(arguments, error):
    collection, *options = arguments
    assert_failed(tripwire("search", collection, PROVIDER, *options), 2, error=error)


@pytest.mark.parametrize("option, value, right", [
    ("--attribute", "color=red", "color:red"), ("--attribute", "a=b=c", "a:b=c"),
    ("--one-of-attributes", "a=b|c:d", '"a:b|c:d"'), ("--one-of-attribute-sets", "a=b", "a:b"),
    ("--attribute", "=b", None), ("--attribute", "b", None),
])
def test_attribute_with_an_equals_sign_has_a_hint(option, value, right):
    assert_failed(tripwire("search", "vehicles", PROVIDER, option, value), 2, f"{option} {value}: expected KEY:VALUE",
                  hint=f"pass {option} {right}" if right else "search --help")
