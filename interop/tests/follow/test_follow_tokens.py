"""Are the tokens of `tripwire follow` good for the moving fleet, which checks them, to the end?"""

import os
import time

import pytest

from support.command import GROWING, assert_failed, at, get, tripwire
from support.following import following
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
        if option == "--token-file":
            # A call that is under way may have read the file before; the next has not.
            fleet.journal.wait_for_calls(len(fleet.journal.of("t1")) + 2, "t1")
        # To the server, whose clock is ahead, the old one has expired.
        fleet.guard.ahead = 200
        trip.go("ARRIVED_AT_PICKUP")
        follow.until_status("ARRIVED_AT_PICKUP")
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert not follow.errors
    # A file that has changed is read before the server can refuse what it held.
    assert codes(fleet).count("UNAUTHENTICATED") == (1 if option == "--token-command" else 0)


def test_expired_token_is_reported_once(fleet, account, tmp_path):
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


def refused(fleet):
    return codes(fleet).count("UNAUTHENTICATED")


def until_message(follow, words):
    """Reads until an error contains these words, and returns its message."""
    line = follow.until(lambda line: words in line.get("error", {}).get("message", ""))
    return line["error"]["message"]


def counting(path, counter):
    """A line for the shell that writes a token file, and a line into another file each time."""
    return f"echo >> {counter}; cat {path}"


def test_a_refused_token_is_not_sent_while_its_command_returns_it(fleet, account, tmp_path):
    path, runs = tmp_path / "token.jwt", tmp_path / "runs"
    write(path, account.mint("t1", issued=time.time() - 3500))
    options = ["--plaintext", "--token-command", counting(path, runs)]
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=options) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.guard.ahead = 200
        follow.until_error("UNAUTHENTICATED")
        message = until_message(follow, "retry in 4 s")
        assert "the server refused the token" in message and "has expired" in message
        assert "returned the same" in message
        # At the start, after the refusal, and 2 s later.
        assert (refused(fleet), runs.read_text().count("\n")) == (1, 3)
        write(path, account.mint("t1"))
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert (refused(fleet), runs.read_text().count("\n")) == (1, 4)


def test_the_trace_shows_when_the_source_is_asked_again(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3601))
    for seconds in GROWING[1:]:
        result = tripwire("follow", fleet.trips["t1"].name, *at(fleet.address), "--token-command",
                          f"cat {path}", "--for", f"{seconds}s", "-v", "-o", "text")
        assert result.code == 80, result.stderr
        trace = [line for line in result.stderr.splitlines()
                 if line.startswith("* the server refused the token")]
        if len(trace) >= 2:
            break
    assert [line[-12:] for line in trace[:2]] == ["retry in 2 s", "retry in 4 s"]
    assert "retry in 4 s" in result.stdout


def test_last_error_shows_no_wait(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3601))
    result = tripwire("follow", fleet.trips["t1"].name, *at(fleet.address), "--token-command",
                      f"cat {path}", "--fail-fast")
    assert result.code == 80 and "The JWT has expired." in result.stderr
    assert "again in" not in result.stderr


def test_a_refused_token_of_a_file_is_not_sent_until_the_file_changes(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3500))
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=["--plaintext", "--token-file", path]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.guard.ahead = 200
        message = until_message(follow, "has not changed")
        assert str(path) in message and "the server refused the token" in message
        # Long enough for several polls.
        assert not [line for line in follow.quiet(1) if "error" in line]
        assert refused(fleet) == 1
        write(path, account.mint("t1"))
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0


def test_a_refused_token_that_is_the_only_one_is_sent_again_later_and_later(fleet, account):
    token = account.mint("t1", issued=time.time() - 3500)
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, TRIPWIRE_TOKEN=token) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.guard.ahead = 200
        until_message(follow, "retry in 2 s")
        assert refused(fleet) == 1
        until_message(follow, "retry in 4 s")
        assert refused(fleet) == 2
        # A token that the server accepts again is used again.
        fleet.guard.ahead = 0
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0


def test_server_rejects_tokens_that_fail_inspection(fleet, account, tmp_path):
    token = tmp_path / "token.jwt"
    write(token, account.mint("t2"))
    assert_failed(get(fleet, "trips/t1", "--token-file", token), 71, hint="token is for")
    write(token, account.mint("t1", issued=time.time() - 3601))
    assert_failed(get(fleet, "trips/t1", "--token-file", token), 80, lines=["attempt 1"])
    write(token, account.mint("t1"))
    assert get(fleet, "trips/t1", "--token-file", token).code == 0
