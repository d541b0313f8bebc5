"""Which request does the server get from `tripwire get`?"""

import re

import pytest
from google.maps.fleetengine_v1 import types

from support.command import get

GetTripRequest = types.GetTripRequest.pb()


def echo(server, *arguments):
    result = get(server, "trips/echo", *arguments)
    assert result.code == 0, result.stderr
    return result.attributes


def request(server, *arguments):
    """The GetTripRequest that the server got."""
    return GetTripRequest.FromString(bytes.fromhex(echo(server, *arguments)["request"][0]))


def test_the_request_is_routed_by_its_provider(server):
    seen = echo(server)
    assert seen["x-goog-request-params"] == ["provider_id=providers%2Fp"]
    assert seen["google-cloud-resource-prefix"] == ["providers/p"]


def test_the_user_agent_is_ours(server):
    [agent] = echo(server)["user-agent"]
    assert re.match(r"\S*tripwire\S*/\d", agent), agent


def test_the_authority_is_the_endpoint(server):
    assert echo(server)[":authority"] == [server.address]


def test_the_authority_can_be_another(server):
    assert echo(server, "--authority", "fleet.example")[":authority"] == ["fleet.example"]


def test_without_a_token_there_is_no_authorization(server):
    assert "authorization" not in echo(server)


def test_only_the_name_is_asked_for(server):
    assert request(server) == GetTripRequest(name="providers/p/trips/echo")


@pytest.mark.parametrize("view, number", [
    ("sdk", "SDK"), ("journey-sharing-v1s", "JOURNEY_SHARING_V1S")])
def test_a_view_is_asked_for(server, view, number):
    assert request(server, "--view", view).view == types.TripView[number]


@pytest.mark.parametrize("form, number", [
    ("lat-lng-list", "LAT_LNG_LIST_TYPE"), ("encoded-polyline", "ENCODED_POLYLINE_TYPE")])
def test_route_format_is_requested(server, form, number):
    assert request(server, "--route-format", form).route_format_type == \
        types.PolylineFormatType[number]
