"""Are the answers over HTTP with JSON those over gRPC?"""

import json
import random
import re
import shlex
import socket
import subprocess
import threading

import pytest
import requests
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.maps import fleetengine_delivery_v1
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import DeliveryServiceRestTransport
from google.protobuf import duration_pb2, json_format
from google.rpc import error_details_pb2

from support.command import LONGEST, assert_failed, tripwire
from support.emulator import emulating
from support.fleet_services import connected_services
from support.memory import resident_memory
from support.paths import INTEROP
from support import rest

VEHICLE = {
    "vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 2,
    "vehicleType": {"category": "AUTO"}, "attributes": [{"key": "color", "value": "blue"}],
    "lastLocation": {"location": {"latitude": 1.5, "longitude": -2}, "rawLocationTime": "2026-11-21T10:00:00.25Z"}}
TRIP = {
    "tripType": "EXCLUSIVE", "numberOfPassengers": 1,
    "pickupPoint": {"point": {"latitude": 37.77, "longitude": -122.41}, "terminalPointId": {"placeId": "x"}},
    "dropoffPoint": {"point": {"latitude": 37.78, "longitude": -122.4}}}


@pytest.fixture(scope="module")
def emulator():
    with emulating("--rest", "127.0.0.1:0") as emulator:
        yield emulator


@pytest.fixture(scope="module")
def services(emulator):
    with connected_services(emulator) as services:
        yield services


@pytest.fixture
def call(emulator):
    return lambda method, path, body=None, **headers: rest.request(emulator.url, method, path, body, **headers)


@pytest.fixture
def parent(request):
    """A provider of its own for each test."""
    return "providers/" + re.sub(r"\W", "-", request.node.name).lower()


@pytest.fixture
def trip(call, parent):
    assert call("POST", f"/v1/{parent}/vehicles?vehicleId=v1", VEHICLE).status == 200
    answer = call("POST", f"/v1/{parent}/trips?tripId=t1", TRIP | {"vehicleId": "v1"})
    assert answer.status == 200, answer.body
    return f"{parent}/trips/t1"


def as_dict(message):
    return steady(json_format.MessageToDict(message))


def steady(value):
    """Returns JSON without the value that follows from the present time."""
    if isinstance(value, list):
        return [steady(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: steady(each) for name, each in value.items() if name != "timeSinceUpdate"}


def test_calls_are_logged_and_recorded(tmp_path):
    log = tmp_path / "calls.binlog"
    with emulating("--rest", "127.0.0.1:0", "-v", "--record", log) as emulator:
        path = "/v1/providers/p/trips/t1"
        assert rest.request(emulator.url, "GET", path, authorization="Bearer secret-token-of-p").status == 404
        assert rest.request(emulator.url, "GET", path + "?access_token=other-token-of-p").status == 404
        for _ in range(2):
            line = emulator.process.stdout.readline().decode()
            assert re.search(r" 127\.0\.0\.1:\d+ \S*GetTrip providers/p/trips/t1 NOT_FOUND ", line), line
        emulator.process.terminate()
        assert emulator.process.wait(LONGEST) == 0
    assert b"token-of-p" not in log.read_bytes()
    shown = tripwire("log", log).stdout
    assert shown.count("GetTrip") == 2 and "NOT_FOUND" in shown


def test_second_line_names_the_address(emulator):
    assert re.fullmatch(r"listening on http://127\.0\.0\.1:\d+ \(REST\)\n", emulator.lines[1])
    assert emulator.lines[2].startswith("tripwire search trips")


def test_answers_are_those_of_grpc(call, services, parent, trip):
    """Also of what was created over HTTP."""
    for path, answer in [
        (trip, lambda: services.get_trip(name=trip)),
        (f"{trip}?view=SDK&routeFormatType=ENCODED_POLYLINE_TYPE",
         lambda: services.get_trip(name=trip, view="SDK", route_format_type="ENCODED_POLYLINE_TYPE")),
        (f"{parent}/vehicles/v1", lambda: services.get_vehicle(name=f"{parent}/vehicles/v1")),
        (f"{parent}/vehicles?vehicleTypeCategories=AUTO&vehicleTypeCategories=4&tripTypes=EXCLUSIVE&pageSize=1"
         "&filter=attributes.color%3D%22blue%22&minimumCapacity=1&maximumStaleness=600s",
         lambda: services.list_vehicles(
             parent=parent, vehicle_type_categories=["AUTO", 4], trip_types=["EXCLUSIVE"], page_size=1,
             filter='attributes.color="blue"', minimum_capacity=1, maximum_staleness=duration_pb2.Duration(seconds=600))),
    ]:
        response = call("GET", f"/v1/{path}")
        assert response.status == 200, response.body
        assert steady(response.json) == as_dict(answer())
    search = {"vehicleId": "v1", "activeTripsOnly": False}
    assert steady(call("POST", f"/v1/{parent}/trips:search", search).json) == as_dict(
        services.search_trips(parent=parent, vehicle_id="v1"))
    search = {
        "pickupPoint": {"point": {"latitude": 1.5, "longitude": -2}}, "pickupRadiusMeters": 500, "count": 3,
        "minimumCapacity": 1, "tripTypes": ["EXCLUSIVE"], "vehicleTypes": [{"category": "AUTO"}],
        "orderBy": "PICKUP_POINT_DISTANCE", "includeBackToBack": True}
    fields = {re.sub("([A-Z])", lambda m: "_" + m[1].lower(), name): value for name, value in search.items()}
    assert steady(call("POST", f"/v1/{parent}/vehicles:search", search).json) == as_dict(
        services.search_vehicles(parent=parent, **fields))


def test_a_trip_is_changed_and_deleted(call, services, parent, trip):
    for mask in ["tripStatus", "trip_status"]:
        answer = call("PUT", f"/v1/{trip}?updateMask={mask}", {"tripStatus": "ENROUTE_TO_PICKUP"})
        assert answer.json["tripStatus"] == "ENROUTE_TO_PICKUP"
    assert steady(call("GET", f"/v1/{trip}").json) == as_dict(services.get_trip(name=trip))
    answer = call("POST", f"/v1/{parent}/vehicles/v1:updateAttributes", {"attributes": [{"key": "a", "value": "b"}]})
    assert {"key": "a", "value": "b", "stringValue": "b"} in answer.json["attributes"]
    assert call("POST", f"/v1/{parent}/billableTrips/b1:report", {"countryCode": "US"}).json == {}
    assert call("DELETE", f"/v1/{trip}").error["status"] == "FAILED_PRECONDITION"
    assert call("PUT", f"/v1/{trip}?updateMask=tripStatus", {"tripStatus": "CANCELED"}).status == 200
    assert (call("DELETE", f"/v1/{trip}").json, call("GET", f"/v1/{trip}").status) == ({}, 404)


@pytest.mark.parametrize("method, path, body, grpc_call, status", [
    ("GET", "trips/none", None, ("get_trip", dict(name="{}/trips/none")), 404),
    ("POST", "trips?tripId=a/b", {}, ("create_trip", dict(parent="{}", trip_id="a/b", trip={})), 400),
    ("POST", "vehicles?vehicleId=v", {}, ("create_vehicle", dict(parent="{}", vehicle_id="v", vehicle={})), 400),
    ("PUT", "trips/t?updateMask=tripStatus", {}, (
        "update_trip", dict(name="{}/trips/t", trip={}, update_mask="tripStatus")), 404),
    ("GET", "vehicles?pageToken=x", None, ("list_vehicles", dict(parent="{}", page_token="x")), 400),
], ids=["not found", "bad ID", "required fields", "update", "page token"])
def test_errors_are_those_of_grpc(call, services, parent, method, path, body, grpc_call, status):
    error = call(method, f"/v1/{parent}/{path}", body).error
    name, fields = grpc_call
    fields = {key: value.format(parent) if isinstance(value, str) else value for key, value in fields.items()}
    with pytest.raises(exceptions.GoogleAPICallError) as caught:
        getattr(services, name)(**fields)
    assert (error["code"], error["message"]) == (status, caught.value.message)
    assert error["status"] == caught.value.grpc_status_code.name
    details = [json_format.ParseDict(detail, type_of(detail)()) for detail in error["details"]]
    assert details == list(caught.value.details)


def type_of(detail):
    return getattr(error_details_pb2, detail.pop("@type").rsplit(".", 1)[-1])


def outcome(call):
    try:
        answer = call()
        return type(answer).pb(answer) if hasattr(type(answer), "pb") else answer
    except exceptions.GoogleAPICallError as error:
        return error


def test_googles_rest_client_of_deliveries(emulator, services, parent):
    """It answers over HTTP as over gRPC."""
    host = emulator.url.removeprefix("http://")
    client = fleetengine_delivery_v1.DeliveryServiceClient(transport=DeliveryServiceRestTransport(
        host=host, url_scheme="http", credentials=AnonymousCredentials()))
    vehicle = f"{parent}/deliveryVehicles/d1"
    task = dict(type_="PICKUP", state="OPEN", tracking_id="x", task_duration="60s",
                planned_location={"point": {"latitude": 1, "longitude": 2}})
    calls = [
        ("create_delivery_vehicle", dict(parent=parent, delivery_vehicle_id="d1", delivery_vehicle={})),
        ("create_task", dict(parent=parent, task_id="k1", task=task)),
        ("get_task", dict(name=f"{parent}/tasks/k1")),
        ("batch_create_tasks", dict(parent=parent, requests=[dict(parent=parent, task_id="k2", task=task)])),
        ("update_task", dict(task=dict(name=f"{parent}/tasks/k1", tracking_id="y"), update_mask="trackingId")),
        ("update_delivery_vehicle", dict(
            delivery_vehicle=dict(name=vehicle, attributes=[{"key": "a", "value": "b"}]), update_mask="attributes")),
        ("get_delivery_vehicle", dict(name=vehicle)),
        ("get_task_tracking_info", dict(name=f"{parent}/taskTrackingInfo/x")),
        ("delete_delivery_vehicle", dict(name=vehicle)),
    ]
    for name, fields in calls:
        over_http = outcome(lambda: getattr(client, name)(request=fields, timeout=LONGEST))
        if not name.startswith(("create", "batch", "delete")):
            # Calls that may be repeated.
            over_grpc = outcome(lambda: getattr(services, name)(**fields))
            if isinstance(over_grpc, Exception):
                # The REST transport has the URL before the message.
                assert over_http.message.endswith(": " + over_grpc.message), name
                assert int(over_http.code) == int(over_grpc.code)
            else:
                assert over_http == over_grpc, name
        elif isinstance(over_http, Exception):
            # The engine does not have the method.
            assert over_http.code == 501, over_http


def test_enums_may_be_numbers(call, trip):
    answer = call("GET", f"/v1/{trip}?$alt=json;enum-encoding=int&fields=tripStatus,tripType&prettyPrint=false")
    assert answer.body.strip() == b'{"tripStatus":1,"tripType":2}'


def test_head_is_get_without_a_body(call, trip):
    answer, whole = call("HEAD", f"/v1/{trip}"), call("GET", f"/v1/{trip}")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["content-length"] == str(len(whole.body))


def test_pages_of_other_origins_may_call(emulator, trip):
    origin = {"Origin": "https://app.example"}
    asked = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization,content-type"}
    url = f"{emulator.url}/v1/{trip}"
    answer = requests.options(url, headers=origin | asked, timeout=LONGEST)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-headers"] == "authorization,content-type"
    assert "PUT" in answer.headers["access-control-allow-methods"].split(", ")
    for path in [url, url + "0"]:
        answer = requests.get(path, headers=origin, timeout=LONGEST)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("method, path, body, headers, code, message", [
    ("GET", "/v2/x", None, {}, 404, 'no method has the path "/v2/x"'),
    ("GET", "/", None, {}, 404, 'no method has the path "/"'),
    ("GET", "/events", None, {}, 404, 'no method has the path "/events"'),
    ("PATCH", "/v1/providers/p/trips/t", {}, {}, 404, "has no method PATCH, only DELETE, GET, PUT"),
    ("POST", "/v1/providers/p/trips:search", b"{", {}, 400, "invalid JSON in the body: 1:2"),
    ("POST", "/v1/providers/p/trips:search", {"a": 1}, {}, 400, "unknown field"),
    ("POST", "/v1/providers/p/trips:search", b"a=b", {"content_type": "text/plain"}, 400, "must be application/json"),
    ("GET", "/v1/providers/p/vehicles?pageSize=%zz", None, {}, 400, "percent-encoding"),
    ("GET", "/v1/providers/p/vehicles?fields=x", None, {}, 400, "fields has the path"),
    ("POST", "/v1/providers/p/trips:search", bytes(5 << 20), {}, 400, "larger than 4194304 bytes"),
    ("POST", "/v1/providers/p/trips:search", bytes((4 << 20) + 1), {}, 400, "larger than 4194304 bytes"),
], ids=["version", "root", "events", "method", "JSON", "field", "type", "percent", "fields", "large", "one byte"])
def test_invalid_requests_get_googles_errors(call, method, path, body, headers, code, message):
    error = call(method, path, body, **headers).error
    assert error["code"] == code
    assert error["status"] == {400: "INVALID_ARGUMENT", 404: "NOT_FOUND"}[code]
    assert message in error["message"]


def test_large_requests_are_served(call, parent):
    attributes = [{"key": f"k{n}", "value": "x" * 200} for n in range(100)]
    assert call("POST", f"/v1/{parent}/vehicles?vehicleId=v1", VEHICLE | {"attributes": attributes}).status == 200
    body = json.dumps({"vehicleId": "v1"}).ljust(4 << 20).encode()
    assert call("POST", f"/v1/{parent}/trips:search", body).json == {}


def test_slow_clients_do_not_block_others(emulator, call, parent):
    """Forty begin requests of 4 MB: the first fill the memory for requests, and the others are refused."""
    host, port = emulator.url.removeprefix("http://").split(":")
    sockets = []
    try:
        for _ in range(40):
            slow = socket.create_connection((host, int(port)))
            sockets.append(slow)
            slow.sendall(b"POST /v1/providers/p/trips:search HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n")
            # The last ones are answered before they are read.
            thread = threading.Thread(target=lambda: slow.sendall(bytes(3_900_000)))
            thread.start()
            thread.join()
            assert call("GET", f"/v1/{parent}/trips/t").status == 404
        assert resident_memory(emulator.process.pid) < 250_000 * 1024
    finally:
        for each in sockets:
            each.close()


def test_random_requests_do_not_stop_it(emulator):
    """Each gets an answer in JSON, or the HTML of a request that is not HTTP."""
    chosen = random.Random(40)
    paths = ["/v1/", "providers/", "p", "/trips", "/t1", ":search", "/vehicles/v1", ":updateAttributes", "?", "&",
             "updateMask=", "tripStatus", "view=SDK", "fields=a(b,c", "%2F", "%", "%ff", "..", "//", "=", "header.", "\xfc"]
    bodies = ["{", "}", "[", "]", '"attributes"', ":", ",", '"key"', "1e999", "null", '"\\ud800"', "\0", "\xff", "true"]
    host, port = emulator.url.removeprefix("http://").split(":")
    for _ in range(400):
        path = "/v1/" * chosen.randint(0, 1) + "".join(chosen.choices(paths, k=chosen.randint(1, 8)))
        body = "".join(chosen.choices(bodies, k=chosen.randint(0, 12))).encode("latin1")
        method = chosen.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "FLY"])
        with socket.create_connection((host, int(port)), timeout=LONGEST) as client:
            client.sendall(f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                           f"Content-Length: {len(body)}\r\n\r\n".encode("latin1") + body)
            answer = b"".join(iter(lambda: client.recv(65536), b""))
        status = int(answer.split(b" ", 2)[1])
        assert 200 <= status < 500 or status == 501, (method, path, body, answer)
    assert rest.request(emulator.url, "GET", "/v1/providers/p/trips/t").status == 404


def test_tokens_can_be_required():
    with emulating("--rest", "127.0.0.1:0", "--require-token") as emulator:
        path = "/v1/providers/p/trips/t"
        error = rest.request(emulator.url, "GET", path + "?key=k").error
        assert (error["code"], error["status"]) == (401, "UNAUTHENTICATED")
        assert error["message"] == "Request is missing required authentication credential."
        assert error["details"][0]["reason"] == "CREDENTIALS_MISSING"
        assert rest.request(emulator.url, "GET", path, authorization="Bearer x").status == 404
        assert rest.request(emulator.url, "GET", path + "?access_token=x").status == 404
        assert rest.request(emulator.url, "OPTIONS", path).status == 204


def test_commands_of_the_article_run(emulator):
    """Those of the section about HTTP, against an emulator of the demo."""
    article = (INTEROP.parent / "Sources/Tripwire/Tripwire.docc/Command/CommandEmulate.md").read_text()
    section = article.split("## HTTP with JSON", 1)[1].split("\n## ", 1)[0]
    [block] = [block for block in re.findall(r"```\n(.*?)```", section, re.DOTALL) if "curl" in block]
    commands = [line for line in block.replace("\\\n", "").splitlines() if line.startswith("curl")]
    assert len(commands) == 4
    for command in commands:
        command = command.replace("http://127.0.0.1:8080", emulator.url)
        done = subprocess.run(
            [*shlex.split(command), "-sS", "--fail-with-body"], capture_output=True, text=True, timeout=LONGEST)
        assert done.returncode == 0, done.stdout + done.stderr
        assert isinstance(json.loads(done.stdout), dict)


@pytest.mark.parametrize("address, error", [
    ("192.0.2.1:80", "192.0.2.1:80"), ("example.com:80", "--rest"), ("8080", "--rest"),
])
def test_wrong_addresses_are_refused(address, error):
    assert_failed(tripwire("emulate", "--rest", address), 1 if error != "--rest" else 2, error)
