"""Is a malformed NAME reported before the command connects?"""

import socket

import pytest

from support.command import LONGEST, assert_failed, get, tripwire


@pytest.fixture
def listener():
    """A port that shows whether a client connects."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


FORM = "providers/PROJECT/trips/TRIP"
START = f'the name does not begin with "providers/" (expected a name such as {FORM})'
COLLECTION = (
    'expected one of "trips", "vehicles", "tasks", "deliveryVehicles", "taskTrackingInfo"'
    f" after the provider (as in {FORM})")


@pytest.mark.parametrize("name, error, caret", [
    ("t1", START, (1, 2)),
    ("trips/t1", START, (1, 5)),
    ("providers/p", COLLECTION, (12, 12)),
    ("providers/p/trips", "the trip ID is missing", (18, 18)),
    ("providers/p/trips/", "the trip ID is missing", (19, 19)),
    ("providers//trips/t1", "the provider (the Cloud project) is missing (expected a name such as "
     f"{FORM})", (11, 11)),
    ("provider/p/trips/t1", START, (1, 8)),
    ("providers/p/rides/t1", COLLECTION, (13, 17)),
    ("providers/p/Trips/t1", COLLECTION, (13, 17)),
    ("/providers/p/trips/t1", START, (1, 1)),
    ("providers/p/trips/t1/", 'a trip ID must not contain a "/"', (21, 21)),
    ("providers/p/trips/t1/stops/2", 'a trip ID must not contain a "/"', (21, 21)),
    ("providers/p/trips/a:b", 'a trip ID must not contain a ":"', (20, 20)),
    ("providers/p/trips/a?b", 'a trip ID must not contain a "?"', (20, 20)),
    ("providers/p/trips/a,b", 'a trip ID must not contain a ","', (20, 20)),
    ("providers/p/trips/a#b", 'a trip ID must not contain a "#"', (20, 20)),
    ("providers/p/deliveryVehicles/a#b", 'a delivery vehicle ID must not contain a "#"', (31, 31)),
    ("providers/p/taskTrackingInfo/", "the tracking ID is missing", (30, 30)),
    ("providers/p/vehicles/a#b", 'a vehicle ID must not contain a "#"', (23, 23)),
    ("providers/p/trips/" + "x" * 65, "a trip ID has at most 64 characters, this one has 65",
     (19, 83)),
    ("providers/p/trips/e\u0301", "a trip ID must be in Unicode normalization form C (NFC)",
     (19, 19)),
    ("providers/p/billableTrips/b1", COLLECTION, (13, 25)),
    ("https://fleetengine.googleapis.com/v1/providers/p/trips/t1", START, (1, 6)),
])
def test_malformed_name_is_a_usage_error(listener, name, error, caret):
    endpoint = "127.0.0.1:%d" % listener.getsockname()[1]
    result = tripwire("get", name, "--endpoint", endpoint, "--plaintext")
    assert_failed(result, 2, error=f"NAME: {error}", caret=caret)
    assert result.stderr.splitlines()[1] == f"  {name}"
    with pytest.raises(BlockingIOError):
        listener.accept()


@pytest.mark.parametrize("name, excerpt, caret", [
    ("providers/p/trips/" + "x" * 5000, "providers/p/trips/" + "x" * 182 + "…", (19, 201)),
    (f"providers/{'p' * 5000}/trips/a?b", "…" + "p" * 92 + "/trips/a?b", (102, 102)),
    ("x" * 5000, "x" * 200 + "…", (1, 201)),
], ids=["trip", "provider", "text"])
def test_part_of_a_very_long_name_is_shown(name, excerpt, caret):
    result = tripwire("follow", name)
    assert_failed(result, 2, caret=caret)
    assert result.stderr.splitlines()[1] == f"  {excerpt}"
    assert len(result.stderr) < 1_000


@pytest.mark.parametrize("arguments, hint", [
    (["get", "trip", "t1"], "did you mean: tripwire get trips/t1 --provider PROJECT"),
    (["get", "trips", "t1", "--provider", "p"], "did you mean: tripwire get trips/t1"),
    (["get", "delivery-vehicle", "d1", "--provider", "p"], "did you mean: tripwire get deliveryVehicles/d1"),
    (["follow", "trip", "t1", "--provider", "p"], "did you mean: tripwire follow trips/t1"),
    (["delete", "task", "t1", "--provider", "p"], "did you mean: tripwire delete tasks/t1"),
])
def test_kind_and_id_are_one_word(arguments, hint):
    kind, word = arguments[1:3]
    result = tripwire(*arguments)
    assert_failed(result, 2, error=f"NAME: {kind} and {word} are two names")
    assert result.stderr.endswith(f"hint: {hint}\n")


@pytest.mark.parametrize("kind, hint", [
    ("trips", "pass trips/ID, or list them: tripwire search trips"),
    ("deliveryVehicles", "pass deliveryVehicles/ID, or list them: tripwire search delivery-vehicles"),
    ("taskTrackingInfo", "pass taskTrackingInfo/ID"),
])
def test_kind_alone_is_a_list(kind, hint):
    for options in [], ["--provider", "p"]:
        result = tripwire("get", kind, *options)
        assert_failed(result, 2, error=f"NAME: the ID is missing after {kind}")
        assert result.stderr.endswith(f"hint: {hint}\n")


def test_watch_is_follow():
    for option in "-w", "--watch":
        assert_failed(tripwire("get", "t1", option), 2, error=f"unknown option {option}",
                      hint="did you mean: tripwire follow NAME")


def test_format_is_an_option_only_where_text_is_a_format():
    assert_failed(tripwire("get", "t1", "-format", "text"), 2, hint="did you mean --output FORMAT?")
    assert_failed(tripwire("call", "GetTrip", "-format", "text"), 2, error="unknown option -format",
                  hint="leave it out: requests and responses are JSON")


def test_empty_name_is_a_usage_error():
    assert_failed(tripwire("get", ""), 2, error="NAME: the name is empty")


def test_name_that_is_not_utf8_is_a_usage_error(listener):
    endpoint = "127.0.0.1:%d" % listener.getsockname()[1]
    name = b"providers/p/trips/\xff\xfe".decode(errors="surrogateescape")
    result = tripwire("get", name, "--endpoint", endpoint, "--plaintext")
    assert_failed(result, 2, error="NAME: the name is not UTF-8")
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_missing_or_extra_name_is_a_usage_error():
    assert_failed(tripwire("get"), 2, error="NAME is missing",
                  hint="tripwire get providers/my-project/trips/t1")
    two = tripwire("get", "providers/p/trips/a", "providers/p/trips/b")
    assert_failed(two, 2, error="unexpected argument providers/p/trips/b: get takes one NAME")


@pytest.mark.parametrize("trip_id", ["x" * 64, "Fahrt-7_ä.~!$&'()*+;=@ %", "é", "☃😀" * 32])
def test_valid_id_is_sent_unchanged(own_server, trip_id):
    get(own_server, f"trips/{trip_id}")
    assert own_server.arrived.get(timeout=LONGEST) == f"providers/p/trips/{trip_id}"
