"""Does the simulated fleet accept the tokens of `tripwire follow` until the trip ends?"""

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
    """Writes the file atomically, so that no reader sees a part of it."""
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)


def codes(fleet, trip_id="t1"):
    return [entry.code for entry in fleet.journal.of(trip_id)]


def test_key_signs_one_token_per_trip(fleet, account, tmp_path):
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
        # All calls use one token.
        assert len({entry.claims["iat"] for entry in entries}) == 1


@pytest.mark.parametrize("option", ["--token-command", "--token-file"])
def test_expired_token_is_replaced_without_an_error(fleet, account, tmp_path, option):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3500))
    value = path if option == "--token-file" else f"cat {path}"
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=["--plaintext", option, value]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        write(path, account.mint("t1"))
        if option == "--token-file":
            # A pending call may have read the old file. The call after it reads the new one.
            fleet.journal.wait_for_calls(len(fleet.journal.of("t1")) + 2, "t1")
        # The clock of the server is ahead, so the old token has expired there.
        fleet.faults.expire_tokens(200)
        trip.go("ARRIVED_AT_PICKUP")
        follow.until_status("ARRIVED_AT_PICKUP")
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert not follow.errors
    # A changed file is read before the server can refuse its old token.
    assert codes(fleet).count("UNAUTHENTICATED") == (1 if option == "--token-command" else 0)


def test_expired_token_is_reported_once(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3500))
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=["--plaintext", "--token-file", path]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.faults.expire_tokens(200)
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
    """Returns a shell command that prints a token file and counts its runs in another file."""
    return f"echo >> {counter}; cat {path}"


def test_refused_token_of_a_command_is_sent_again_with_growing_delays(fleet, account, tmp_path):
    path, runs = tmp_path / "token.jwt", tmp_path / "runs"
    write(path, account.mint("t1", issued=time.time() - 3500))
    options = ["--plaintext", "--token-command", counting(path, runs)]
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=options) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.faults.expire_tokens(200)
        follow.until_error("UNAUTHENTICATED")
        message = until_message(follow, "retry in 4 s")
        assert "the server refused the token" in message and "has expired" in message
        assert "returned the same" in message
        # The command ran at the start, after the refusal, and 2 s later. Then the token was sent again.
        assert (refused(fleet), runs.read_text().count("\n")) == (2, 3)
        write(path, account.mint("t1"))
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert (refused(fleet), runs.read_text().count("\n")) == (2, 4)


@pytest.mark.parametrize("option", ["--token-command", "--token-file"])
def test_refused_token_recovers_with_the_clock_of_the_server(fleet, account, tmp_path, option):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3500))
    source = f"cat {path}" if option == "--token-command" else path
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=["--plaintext", option, source]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fault = fleet.faults.expire_tokens(200)
        follow.until_error("UNAUTHENTICATED")
        fault.withdraw()
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert refused(fleet) == 1


def test_trace_shows_when_the_token_command_runs_again(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3700))
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


def test_last_error_shows_no_retry_delay(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3700))
    result = tripwire("follow", fleet.trips["t1"].name, *at(fleet.address), "--token-command",
                      f"cat {path}", "--fail-fast")
    assert result.code == 80 and "the token has expired" in result.stderr
    assert "again in" not in result.stderr


def test_refused_token_is_not_resent_until_its_file_changes(fleet, account, tmp_path):
    path = tmp_path / "token.jwt"
    write(path, account.mint("t1", issued=time.time() - 3500))
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, options=["--plaintext", "--token-file", path]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fleet.faults.expire_tokens(200)
        message = until_message(follow, "has not changed")
        assert str(path) in message and "the server refused the token" in message
        # Long enough for several polls.
        assert not [line for line in follow.lines_within(1) if "error" in line]
        assert refused(fleet) == 1
        write(path, account.mint("t1"))
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0


def test_refused_token_of_the_variable_is_resent_with_backoff(fleet, account):
    token = account.mint("t1", issued=time.time() - 3500)
    trip = fleet.trips["t1"]
    with following(fleet.address, trip, TRIPWIRE_TOKEN=token) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        fault = fleet.faults.expire_tokens(200)
        until_message(follow, "retry in 2 s")
        assert refused(fleet) == 1
        until_message(follow, "retry in 4 s")
        assert refused(fleet) == 2
        # A token that the server accepts again is used again.
        fault.withdraw()
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0


def test_server_rejects_tokens_that_fail_inspection(fleet, account, tmp_path):
    token = tmp_path / "token.jwt"
    write(token, account.mint("t2"))
    assert_failed(get(fleet, "trips/t1", "--token-file", token), 71,
                  hint="get a token whose claim tripid is t1: this one is for the trip t2")
    write(token, account.mint("t1", issued=time.time() - 3700))
    assert_failed(get(fleet, "trips/t1", "--token-file", token), 80, lines=["attempt 1"])
    write(token, account.mint("t1"))
    assert get(fleet, "trips/t1", "--token-file", token).code == 0


@pytest.mark.parametrize("source", ["--token-file", "--header"])
def test_hint_names_the_claim_that_a_token_lacks(fleet, account, tmp_path, source):
    text = account.mint(authorization={"vehicleid": "v1"})
    token = tmp_path / "token.jwt"
    write(token, text)
    options = [source, token if source == "--token-file" else f"authorization: Bearer {text}"]
    assert_failed(get(fleet, "trips/t1", *options), 80,
                  hint="get a token whose claim tripid is t1: this one is for the vehicle v1")
    assert_failed(tripwire("search", "trips", "providers/p", "--endpoint", fleet.address, "--plaintext", *options), 80,
                  hint="use a token for all resources: tripwire token mint")
    assert "the token is for the vehicle v1\n" in tripwire("token", "inspect", token).stdout
