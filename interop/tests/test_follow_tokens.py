"""Are the tokens of `tripwire follow` good for the moving fleet, which checks them, to the end?"""

import os
import time

import pytest

from command import assert_failed, get
from following import following
from peers.fleet import Fleet, ServiceAccount


@pytest.fixture(scope="module")
def account():
    return ServiceAccount.make("p")


@pytest.fixture
def fleet(account):
    with Fleet(account=account) as fleet:
        for trip_id in ("t1", "t2"):
            fleet.add_trip(trip_id).go("ENROUTE_TO_PICKUP")
        yield fleet


def write(path, text):
    """All at once: who reads it never finds a part of it."""
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)


def codes(fleet, trip_id="t1"):
    return [entry.code for entry in fleet.journal.of(trip_id)]


def test_a_key_signs_for_each_trip(fleet, account, tmp_path):
    key = account.save(tmp_path / "key.json")
    trips = [fleet.trips[trip_id] for trip_id in ("t1", "t2")]
    with following(fleet.address, *trips, options=["--plaintext", "--credentials", key]) as follow:
        for trip in trips:
            trip.go("COMPLETE")
        assert follow.end() == 0
    assert not follow.errors
    for trip_id in ("t1", "t2"):
        entries = fleet.journal.of(trip_id)
        assert {entry.code for entry in entries} == {"OK"}
        assert {entry.claims["authorization"]["tripid"] for entry in entries} == {trip_id}
        # One token for all the calls.
        assert len({entry.claims["iat"] for entry in entries}) == 1


@pytest.mark.parametrize("option", ["--token-command", "--token-file"])
def test_a_token_that_expires_half_way_is_replaced_unseen(fleet, account, tmp_path, option):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3500))
    value = path if option == "--token-file" else f"cat {path}"
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=["--plaintext", option, value]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        write(path, account.mint("t1"))
        # To the server, whose clock is ahead, the old one has expired.
        fleet.guard.ahead = 200
        trip.go("ARRIVED_AT_PICKUP")
        follow.until_status("ARRIVED_AT_PICKUP")
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert not follow.errors
    # A file that has changed is read before the server can refuse what it held.
    assert codes(fleet).count("UNAUTHENTICATED") == (1 if option == "--token-command" else 0)


def test_a_token_that_nobody_renews_is_told_once_and_survived(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3500))
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=["--plaintext", "--token-file", path]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.guard.ahead = 200
        follow.until_error("UNAUTHENTICATED")
        write(path, account.mint("t1"))
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert follow.errors == ["UNAUTHENTICATED"]


def test_what_inspect_finds_wrong_the_server_refuses(fleet, account, tmp_path):
    token = tmp_path / "token.jwt"
    write(token, account.mint("t2"))
    assert_failed(get(fleet, "trips/t1", "--token-file", token), 71, "token is for")
    write(token, account.mint("t1", issued=time.time() - 3601))
    assert_failed(get(fleet, "trips/t1", "--token-file", token), 80, "attempt 1")
    write(token, account.mint("t1"))
    assert get(fleet, "trips/t1", "--token-file", token).code == 0
