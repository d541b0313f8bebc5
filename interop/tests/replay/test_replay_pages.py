"""Do clients that fetch all pages from `tripwire replay` terminate?"""

import json
import re
from concurrent import futures

import grpc
import pytest
from google.api_core import exceptions
from google.maps.fleetengine_v1 import TripServiceClient, VehicleServiceClient, types
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import (
    VehicleServiceGrpcTransport)

from support.command import LONGEST, at, replaying, tripwire
from support.paths import RECORDINGS

PARENT = "providers/p"
PAGES = {"": (["a", "b"], "p2"), "p2": (["c", "d"], "p3"), "p3": (["e"], "")}
SEARCH, LIST = "TripService/SearchTrips", "VehicleService/ListVehicles"
KINDS = {
    SEARCH: (types.SearchTripsRequest, types.SearchTripsResponse, "trips"),
    LIST: (types.ListVehiclesRequest, types.ListVehiclesResponse, "vehicles"),
}


class Pager(grpc.GenericRpcHandler):
    """Serves PAGES of trips and of vehicles."""

    def service(self, call):
        method = call.method.removeprefix("/maps.fleetengine.v1.")
        if method not in KINDS:
            return None
        request_class, response_class, kind = KINDS[method]

        def answer(request, _):
            names, token = PAGES[request_class.pb().FromString(request).page_token]
            response = response_class.pb()(next_page_token=token)
            for name in names:
                getattr(response, kind).add().name = f"{PARENT}/{kind}/{name}"
            return response.SerializeToString()

        return grpc.unary_unary_rpc_method_handler(answer)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Makes a recording of the pages with these tokens, of trips and of vehicles."""
    server = grpc.server(futures.ThreadPoolExecutor(), handlers=[Pager()])
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()

    def make(*tokens):
        path = tmp_path_factory.mktemp("pages") / "pages.binlog"
        for method in KINDS:
            for token in tokens:
                request = json.dumps({"parent": PARENT, "pageSize": 2, "pageToken": token})
                # The full name needs no reflection, which would be recorded, too.
                result = tripwire("call", f"maps.fleetengine.v1.{method}", "-d", request,
                                  *at(address), "--record", path)
                assert result.code == 0, result.stderr
        return path

    yield make
    server.stop(None).wait()


def fetch(address, method, **more):
    """Returns the names that Google's client gets from all pages; raises the error that ends it."""
    request = {"parent": PARENT, "page_size": 2, **more}
    with grpc.insecure_channel(address) as channel:
        if method == SEARCH:
            client = TripServiceClient(transport=TripServiceGrpcTransport(channel=channel))
            found = client.search_trips(request=request, retry=None, timeout=LONGEST)
        else:
            client = VehicleServiceClient(transport=VehicleServiceGrpcTransport(channel=channel))
            found = client.list_vehicles(request=request, retry=None, timeout=LONGEST)
        names = []
        for item in found:
            names.append(item.name.split("/")[-1])
            # Stops an endless pager.
            assert len(names) < 100
        return names


@pytest.mark.parametrize("options", [[], ["--loop"], ["--speed", "100"]], ids=" ".join)
def test_all_pages_can_be_fetched_repeatedly(recorded, options):
    with replaying(recorded(*PAGES), *options) as (_, address):
        for method in [*KINDS, *KINDS]:
            assert fetch(address, method) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("options", [[], ["--loop"], ["--speed", "100"]], ids=" ".join)
def test_unrecorded_page_is_not_found(recorded, options):
    with replaying(recorded("", "p2"), *options) as (_, address):
        for method in KINDS:
            with pytest.raises(exceptions.NotFound) as caught:
                fetch(address, method)
            assert 'page_token: unset or "p2" in the recording, "p3" in this request' in caught.value.message


@pytest.mark.parametrize("more, words", [
    ({"page_size": 3}, "page_size: 2 in the recording, 3 in this request"),
    ({"parent": "providers/q"}, "providers/q is not in this recording, which has providers/p"),
])
def test_different_request_is_not_found(recorded, more, words):
    with replaying(recorded("")) as (_, address):
        for method in KINDS:
            with pytest.raises(exceptions.NotFound) as caught:
                fetch(address, method, **more)
            assert words in caught.value.message


def test_next_page_of_a_one_page_recording_is_not_found():
    """The response in methods.binlog has the token of a page that was not requested."""
    with replaying(RECORDINGS / "methods.binlog") as (_, address):
        result = tripwire("log", RECORDINGS / "methods.binlog", "--json")
        entries = [json.loads(line) for line in result.stdout.splitlines()]
        header, = (entry["call"] for entry in entries
                   if entry.get("clientHeader", {}).get("methodName", "").endswith(SEARCH))
        request = next(entry["message"]["decoded"] for entry in entries
                       if entry["call"] == header and "message" in entry)
        first = tripwire("call", SEARCH, "-d", json.dumps(request), *at(address))
        assert first.code == 0, first.stderr
        request["pageToken"] = json.loads(first.stdout)["nextPageToken"]
        second = tripwire("call", SEARCH, "-d", json.dumps(request), *at(address))
        assert second.code == 69
        assert re.search("page_token: .* in the recording, .* in this request", second.stderr)


@pytest.mark.parametrize("selector", [{}, {"resource": PARENT}], ids=["any", "resource"])
def test_endless_script_is_reported(tmp_path, selector):
    page = {"@type": "type.googleapis.com/maps.fleetengine.v1.SearchTripsResponse",
            "nextPageToken": "p2"}
    (tmp_path / "s.json").write_text(json.dumps({"calls": [{
        "method": "/maps.fleetengine.v1." + SEARCH, **selector,
        "steps": [{"message": {"json": page}}, {"trailers": {}}]}]}))
    result = tripwire("call", SEARCH, "-d", json.dumps({"parent": PARENT}), "--replay",
                      tmp_path / "s.json")
    assert result.code == 0
    assert re.match(
        r'warning: .*s\.json: call 1 returns every page with the nextPageToken "p2"', result.stderr)


def test_verbose_reports_the_matched_call(recorded):
    with replaying(recorded(*PAGES), "-v") as (process, address):
        fetch(address, SEARCH)
        with pytest.raises(exceptions.NotFound):
            fetch(address, SEARCH, page_size=9)
        process.terminate()
        lines = process.stdout.read().decode().splitlines()
    ends = [line.split(": ", 1)[-1] for line in lines]
    assert ends == ["call 1, same request", "call 2, same request", "call 3, same request",
                    f"this request for {PARENT} is not in this recording:"
                    " page_size: 2 in the recording, 9 in this request"]
