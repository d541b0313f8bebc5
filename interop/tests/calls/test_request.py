"""Does `tripwire get` send the right request?"""

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
    """Returns the GetTripRequest that the server received."""
    return GetTripRequest.FromString(bytes.fromhex(echo(server, *arguments)["request"][0]))


def test_routing_headers_name_the_provider(server):
    seen = echo(server)
    assert seen["x-goog-request-params"] == ["provider_id=providers%2Fp"]
    assert seen["google-cloud-resource-prefix"] == ["providers/p"]


def test_user_agent_names_tripwire(server):
    [agent] = echo(server)["user-agent"]
    assert re.match(r"\S*tripwire\S*/\d", agent), agent


def test_authority_defaults_to_the_endpoint(server):
    assert echo(server)[":authority"] == [server.address]


def test_option_sets_the_authority(server):
    assert echo(server, "--authority", "fleet.example")[":authority"] == ["fleet.example"]


def test_no_authorization_is_sent_without_a_token(server):
    assert "authorization" not in echo(server)


def test_only_the_name_is_set_by_default(server):
    assert request(server) == GetTripRequest(name="providers/p/trips/echo")


@pytest.mark.parametrize("view, number", [
    ("sdk", "SDK"), ("journey-sharing-v1s", "JOURNEY_SHARING_V1S")])
def test_view_is_requested(server, view, number):
    assert request(server, "--view", view).view == types.TripView[number]


@pytest.mark.parametrize("form, number", [
    ("lat-lng-list", "LAT_LNG_LIST_TYPE"), ("encoded-polyline", "ENCODED_POLYLINE_TYPE")])
def test_route_format_is_requested(server, form, number):
    assert request(server, "--route-format", form).route_format_type == \
        types.PolylineFormatType[number]
