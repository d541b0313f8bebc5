"""Does the command work through nghttpx, an independent HTTP/2 implementation?"""

import re
import time

import pytest

from support.command import LONGEST, PATIENT, assert_failed, get, tripwire
from peers.proxies.nghttpx import Nghttpx


@pytest.fixture(scope="module")
def proxy(server, certificates, tmp_path_factory):
    folder = tmp_path_factory.mktemp("nghttpx")
    with Nghttpx(folder, server.port, certificates.good) as proxy:
        yield proxy


def get_through(proxy, certificates, resource, *arguments):
    return tripwire("get", f"providers/p/{resource}", "--endpoint", proxy.address, "--cacert",
                    certificates.authority, *arguments)


def test_trip_passes_unchanged(proxy, certificates, server):
    result = get_through(proxy, certificates, "trips/t1")
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout == get(server, "trips/t1").stdout


def test_large_trip_passes(proxy, certificates):
    result = get_through(proxy, certificates, "trips/large", "--max-message-size", 8 << 20)
    assert result.code == 0, result.stderr


def test_error_passes_with_its_details(proxy, certificates):
    result = get_through(proxy, certificates, "trips/fails-PERMISSION_DENIED-with-details")
    assert_failed(result, 71, "PERMISSION_DENIED", lines=["retry after 2.5 s", "request-4711"])


def test_deadline_is_kept_through_the_proxy(proxy, certificates):
    assert_failed(get_through(proxy, certificates, "trips/slow", "--timeout", "1s"), 68)


def test_proxy_receives_a_valid_grpc_request(proxy, certificates):
    begin = time.monotonic()
    get_through(proxy, certificates, "trips/metadata", "--timeout", PATIENT)
    taken = time.monotonic() - begin
    seen = proxy.requests()[-1]
    found = re.fullmatch(
        r"POST /maps\.fleetengine\.v1\.TripService/GetTrip te=trailers"
        r" content-type=application/grpc(?:\+proto)? timeout=(\d{1,8})([munSMH])"
        r" agent=(.+) alpn=h2", seen)
    assert found, seen
    scale = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "S": 1, "M": 60, "H": 3600}
    assert LONGEST - taken - 0.1 < int(found[1]) * scale[found[2]] <= LONGEST
    assert "tripwire" in found[3]


def test_stopped_server_behind_the_proxy_is_reported(own_server, certificates, tmp_path):
    own_server.__exit__()
    with Nghttpx(tmp_path, own_server.port, certificates.good) as proxy:
        result = get_through(proxy, certificates, "trips/t1", "--timeout", "2s")
    assert result.code in (78, 68)
    assert_failed(result, result.code)
