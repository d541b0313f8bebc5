"""Does `tripwire search` get all pages, and stop when a server never ends?"""

import itertools
import json
import time

import grpc
import pytest
from google.maps.fleetengine_v1 import types
from google.protobuf import json_format

from peers.servers.paging import PagingServer
from support.command import (
    LONGEST, assert_failed, at, start, tripwire)

Trip, Vehicle = types.Trip.pb(), types.Vehicle.pb()
SearchTripsResponse = types.SearchTripsResponse.pb()
ListVehiclesResponse = types.ListVehiclesResponse.pb()
SearchVehiclesResponse = types.SearchVehiclesResponse.pb()
PARENT = "providers/p"


def trip(number, **fields):
    return Trip(name=f"{PARENT}/trips/t{number}", **fields)


def pages(*sizes):
    """Returns an answer with this many trips on each page; the token of a page is its number."""
    def answer(request, context):
        page = int(request.page_token or 0)
        first = sum(sizes[:page])
        return SearchTripsResponse(
            trips=[trip(first + index) for index in range(sizes[page])],
            next_page_token=str(page + 1) if page + 1 < len(sizes) else "")

    return answer


def search(server, *arguments, **more):
    return tripwire("search", *arguments, *at(server.address), **more)


def names(result):
    return [json.loads(line)["name"].rsplit("/", 1)[-1] for line in result.stdout.splitlines()]


def test_all_pages_are_printed_in_order():
    with PagingServer(pages(2, 0, 3)) as server:
        result = search(server, "trips", PARENT, "-o", "json")
        assert (result.code, result.stderr) == (0, "")
        assert names(result) == ["t0", "t1", "t2", "t3", "t4"]
        assert server.tokens == ["", "1", "2"]
        assert {request.parent for request in server.requests} == {PARENT}


def test_provider_of_an_option_is_searched():
    with PagingServer(pages(1)) as server:
        assert names(search(server, "trips", "--provider", "p", "-o", "json")) == ["t0"]
        assert names(search(server, "trips", "-o", "json", TRIPWIRE_PROVIDER="p")) == ["t0"]
        assert [request.parent for request in server.requests] == [PARENT] * 2


def test_only_the_named_fields_are_printed():
    def answer(request, context):
        return SearchTripsResponse(trips=[trip(0, vehicle_id="v1", number_of_passengers=2)])

    with PagingServer(answer) as server:
        for output in [[], ["-o", "json"]]:
            result = search(server, "trips", PARENT, "--fields", "name,vehicleId", *output)
            assert result.stdout == '{"name":"providers/p/trips/t0","vehicleId":"v1"}\n'
        assert_failed(search(server, "trips", PARENT, "--fields", "name,vehicleID"), 2,
                      error="--fields vehicleID: maps.fleetengine.v1.Trip has no field vehicleID",
                      hint="did you mean vehicleId?")
        assert_failed(search(server, "vehicles", PARENT, "--near", "1,2", "--fields", "name"), 2,
                      error="--fields name: maps.fleetengine.v1.VehicleMatch has no field name")
        assert_failed(search(server, "trips", PARENT, "--fields", "name", "-o", "text"), 2,
                      error="--fields cannot be used with -o text", hint="use -o json")
        assert_failed(search(server, "trips", PARENT, "--fields", "name", "-o", "table"), 2,
                      error="--fields cannot be used with -o table", hint="use -o json")


def test_text_means_the_table():
    with PagingServer(pages(1)) as server:
        assert search(server, "trips", PARENT, "-o", "text").stdout == search(server, "trips", PARENT).stdout


def test_table_has_one_title_and_a_line_for_each_trip():
    def answer(request, context):
        message = pages(1, 1)(request, context)
        message.trips[0].trip_status = types.TripStatus.ENROUTE_TO_PICKUP
        message.trips[0].trip_type = types.TripType.EXCLUSIVE
        message.trips[0].vehicle_id = "v1"
        location = message.trips[0].last_location
        location.location.latitude, location.location.longitude = 37.5, -122.25
        location.update_time.FromSeconds(int(time.time()) - 90)
        return message

    with PagingServer(answer) as server:
        result = search(server, "trips", PARENT)
        title, *lines = result.stdout.splitlines()
        assert (result.code, result.stderr) == (0, "")
        assert title.split() == ["NAME", "STATUS", "TYPE", "VEHICLE", "LOCATION", "AGE"]
        assert len(lines) == 2
        for number, line in enumerate(lines):
            assert line.startswith(
                f"{PARENT}/trips/t{number}  enroute to pickup  exclusive  v1       "
                "37.500000, -122.250000  1 min ")


def test_conditions_of_trips_are_sent():
    with PagingServer(pages(1)) as server:
        result = search(server, "trips", PARENT, "--vehicle", "v1", "--active", "--page-size", "7")
        assert result.code == 0, result.stderr
        (request,) = server.requests
        assert (request.vehicle_id, request.active_trips_only, request.page_size) == ("v1", True, 7)


def test_conditions_of_vehicles_are_sent():
    with PagingServer(lambda *_: ListVehiclesResponse()) as server:
        result = search(
            server, "vehicles", PARENT, "--filter", 'attributes.a = "b"', "--state", "online",
            "--on-trip", "--capacity", "2", "--vehicle-type", "taxi", "--vehicle-type", "auto")
        assert (result.code, result.stdout, result.stderr) == (0, "", "no vehicles found\n")
        (request,) = server.requests
        assert json_format.MessageToDict(request) == {
            "parent": PARENT, "filter": 'attributes.a = "b"', "vehicleState": "ONLINE",
            "onTripOnly": True, "minimumCapacity": 2, "vehicleTypeCategories": ["TAXI", "AUTO"]}


def test_every_type_is_requested_by_default():
    with PagingServer(lambda *_: ListVehiclesResponse()) as server:
        assert search(server, "vehicles", PARENT).code == 0
        (request,) = server.requests
        category = Vehicle.VehicleType.Category
        assert set(request.vehicle_type_categories) == set(category.values()) - {0}


def test_search_near_a_place_has_the_required_fields():
    match = {"vehicle": {"name": f"{PARENT}/vehicles/v1"}, "vehiclePickupDistanceMeters": 842}
    response = json_format.ParseDict({"matches": [match]}, SearchVehiclesResponse())
    with PagingServer(lambda *_: response) as server:
        result = search(server, "vehicles", PARENT, "--near", "-33.86,151.2", "--limit", "5")
        assert result.code == 0, result.stderr
        title, line = result.stdout.splitlines()
        assert title.split()[-2:] == ["PICKUP", "DISTANCE"] and line.endswith("  842 m")
        (request,) = server.requests
        wanted = json_format.MessageToDict(request)
        assert len(wanted.pop("vehicleTypes")) == 6
        assert wanted == {
            "parent": PARENT, "pickupPoint": {"point": {"latitude": -33.86, "longitude": 151.2}},
            "pickupRadiusMeters": 5000, "count": 5, "minimumCapacity": 1,
            "tripTypes": ["EXCLUSIVE"], "orderBy": "PICKUP_POINT_DISTANCE"}
        result = search(server, "vehicles", PARENT, "--near", "-33.86,151.2", "-o", "json")
        assert json.loads(result.stdout) == match


@pytest.mark.parametrize("limit, requested, wanted", [(1, 1, [""]), (2, 2, [""]), (3, 3, ["", "1"])])
def test_limit_ends_the_search(limit, requested, wanted):
    with PagingServer(pages(2, 2, 2)) as server:
        result = search(server, "trips", PARENT, "-o", "ndjson", "--limit", limit)
        assert (result.code, len(names(result)), server.tokens) == (0, limit, wanted)
        assert server.requests[0].page_size == requested


def test_error_after_some_pages_names_their_number():
    def answer(request, context):
        if len(request.page_token) == 2:
            context.abort(grpc.StatusCode.NOT_FOUND, "no more")
        return SearchTripsResponse(next_page_token=request.page_token + "a")

    with PagingServer(answer) as server:
        result = search(server, "trips", PARENT)
    assert_failed(result, 69, error="NOT_FOUND: no more (after 2 pages)")


# A token leads to itself, to an earlier page, and through empty pages back.
@pytest.mark.parametrize("successors, wanted", [
    ({"": "a", "a": "a"}, ["", "a"]),
    ({"": "a", "a": "b", "b": "c", "c": "a"}, ["", "a", "b", "c"]),
])
@pytest.mark.parametrize("size", [0, 1])
def test_no_page_is_requested_twice(successors, wanted, size):
    def answer(request, context):
        return SearchTripsResponse(
            trips=[trip(1)] * size, next_page_token=successors[request.page_token])

    with PagingServer(answer) as server:
        result = search(server, "trips", PARENT, "-o", "json")
        assert (result.code, server.tokens) == (0, wanted)
        assert len(names(result)) == size * len(wanted)
        assert result.stderr.startswith("warning: the server repeats a page token: stopped after ")


def test_failure_of_a_later_page_follows_the_earlier_results():
    def answer(request, context):
        if request.page_token:
            context.abort(grpc.StatusCode.PERMISSION_DENIED, "no")
        return pages(2, 1)(request, context)

    with PagingServer(answer) as server:
        result = search(server, "trips", PARENT, "-o", "json")
        assert (result.code, names(result)) == (71, ["t0", "t1"])
        assert "error: PERMISSION_DENIED: no" in result.stderr
        assert "in maps.fleetengine.v1.TripService/SearchTrips" in result.stderr


def test_unavailable_server_is_retried():
    failures = itertools.count()

    def answer(request, context):
        if next(failures) == 0:
            context.abort(grpc.StatusCode.UNAVAILABLE, "try again")
        return pages(1)(request, context)

    with PagingServer(answer) as server:
        assert names(search(server, "trips", PARENT, "-o", "json")) == ["t0"]
        assert len(server.requests) == 2


def test_text_of_the_server_cannot_control_the_terminal():
    hostile = "\x1b]0;x\x07\u202e\n"
    with PagingServer(lambda *_: SearchTripsResponse(
            trips=[Trip(name=hostile, vehicle_id=hostile)])) as server:
        for arguments in [], ["-o", "json"]:
            result = search(server, "trips", PARENT, *arguments)
            assert result.code == 0
            assert not any(character in result.stdout for character in "\x1b\x07\u202e")
        assert len(search(server, "trips", PARENT).stdout.splitlines()) == 2


def test_endless_search_ends_with_its_reader_and_with_ctrl_c():
    count = itertools.count()

    def answer(request, context):
        return SearchTripsResponse(trips=[trip(1)], next_page_token=f"page {next(count)}")

    with PagingServer(answer) as server:
        process = start("search", "trips", PARENT, "-o", "json", *at(server.address))
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(LONGEST) == 141
        process = start("search", "trips", PARENT, "-o", "json", *at(server.address))
        process.stdout.readline()
        process.send_signal(2)
        process.communicate(timeout=LONGEST)
        assert process.returncode == 130


def test_timeout_limits_all_pages_together():
    count = itertools.count()

    def answer(request, context):
        return SearchTripsResponse(next_page_token=f"page {next(count)}")

    with PagingServer(answer) as server:
        result = search(server, "trips", PARENT, "--timeout", "500ms")
        assert_failed(result, 68, "DEADLINE_EXCEEDED")


def test_recorded_search_is_replayed(tmp_path):
    recording = tmp_path / "search.binlog"
    with PagingServer(pages(1, 2)) as server:
        first = search(server, "trips", PARENT, "-o", "json", "--record", recording)
    second = tripwire("search", "trips", PARENT, "-o", "json", "--replay", recording)
    assert (first.code, second.code, second.stderr) == (0, 0, "")
    assert second.stdout == first.stdout and len(names(second)) == 3


@pytest.mark.parametrize("arguments, words, hint", [
    ([], "the operand is missing: expected trips, vehicles, tasks or delivery-vehicles",
     "tripwire search trips"),
    (["trip", PARENT], "search trip: expected trips, vehicles, tasks or delivery-vehicles",
     "tripwire search trips"),
    (["tasks", PARENT, "--active"], "--active cannot be used with search tasks", "trips"),
    (["tasks", PARENT, "--near", "1,2"], "--near cannot be used with search tasks",
     "vehicles or delivery-vehicles"),
    (["delivery-vehicles", PARENT, "--radius", "500"], "--radius requires --near", "--near"),
    (["trips"], "the provider is missing", "--provider my-project"),
    (["trips", "p"], "p: expected providers/PROJECT", "providers/p"),
    (["trips", "providers/p/trips/t1"], "expected providers/PROJECT", "providers/p"),
    (["trips", "providers/p?"], "must not contain", "providers/my-project"),
    (["trips", PARENT, "x"], "unexpected argument x", "--help"),
    (["trips", PARENT, "--near", "1,2"], "--near cannot be used with search trips", "vehicles"),
    (["vehicles", PARENT, "--active"], "--active cannot be used with search vehicles", "trips"),
    (["vehicles", PARENT, "--radius", "500"], "--radius requires --near", "--near"),
    (["vehicles", PARENT, "--near", "1,2", "--on-trip"], "--on-trip cannot be used", "--near"),
    (["vehicles", PARENT, "--near", "91,2"], "--near 91,2: expected LAT,LNG", "--help"),
    (["vehicles", PARENT, "--near", "1,2", "--radius", "x"],
     "--radius x: expected a whole number from 400 to 10000", "--help"),
    (["delivery-vehicles", PARENT, "--near", "1,2", "--radius", "x"],
     "--radius x: expected a whole number from 1 to 20000000", "--help"),
    (["vehicles", PARENT, "--near", "1,2", "--radius", "399"], "from 400 to 10000", "--help"),
    (["vehicles", PARENT, "--near", "1,2", "--radius", "10001"], "from 400 to 10000", "--help"),
    (["delivery-vehicles", PARENT, "--near", "1,2", "--radius", "0"], "from 1 to 20000000", "--help"),
    (["trips", PARENT, "--limit", "0"], "--limit 0: expected a whole number from 1 to 2147483647", "--help"),
])
def test_invalid_command_line_is_rejected(arguments, words, hint):
    assert_failed(tripwire("search", *arguments), 2, words, hint=hint)
