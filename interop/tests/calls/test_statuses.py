"""When a call fails, do the exit code and stderr show why, and is stdout empty?

Each test runs against a live grpcio server and against a recording of it.
"""

import json

import pytest
from google.protobuf import json_format

from support.command import assert_failed, at, replayed, tripwire
from peers.servers import failures

IDS = [code.name for code in failures.CODES]

# The codes that the guide of the Consumer SDK attributes to the server or the network (transient), and
# those that it attributes to the client. The guide mentions no other codes.
TRANSIENT = {"CANCELLED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "ABORTED"}
NEEDS_ACTION = {"INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
                "UNAUTHENTICATED"}

# The required text for each of the ten kinds of details.
WORDS = [
    "reason IAM_PERMISSION_DENIED", "googleapis.com", "fleetengine.trips.get",
    "retry after 2.5 s",
    "tripped over a wire",
    "project:p", "GetTrip requests per minute", "600",
    "TRIP_STATE", "the trip is still active",
    "name: must match providers/*/trips/*", "Der Name ist falsch geschrieben.",
    "request-4711",
    "providers/p/trips/t1", "the trip was deleted",
    "how to write names", "https://example.com/names",
    "Die Fahrt gibt es nicht.",
]


@pytest.fixture(params=["live", "recorded"])
def source(request):
    """The options to call grpcio, or to replay a recording of it."""
    if request.param == "recorded":
        return replayed("statuses")
    return at(request.getfixturevalue("server").address)


def get(source, resource, *arguments):
    # A recording does not include the pushback that prevents retries.
    return tripwire("get", f"providers/p/{resource}", *source, "--retries", 0, *arguments)


def json_error(source, resource):
    result = get(source, resource, "--error-format", "json")
    assert result.stdout == ""
    return result, json.loads(result.stderr)


@pytest.mark.parametrize("code", failures.CODES, ids=IDS)
def test_code_sets_the_exit_code_and_is_printed(source, code):
    name = f"providers/p/trips/fails-{code.name}"
    result = get(source, f"trips/fails-{code.name}")
    assert_failed(result, 64 + code.value[0], code.name, f"{name} failed on purpose")


@pytest.mark.parametrize("code", failures.CODES, ids=IDS)
def test_every_detail_is_printed(source, code):
    result = get(source, f"trips/fails-{code.name}-with-details")
    assert_failed(result, 64 + code.value[0], code.name, "failed on purpose", lines=WORDS)
    assert "@type" not in result.stderr


@pytest.mark.parametrize("code", failures.CODES, ids=IDS)
def test_json_error_is_one_object(source, code):
    result, error = json_error(source, f"trips/fails-{code.name}-with-details")
    assert result.code == 64 + code.value[0]
    assert error["code"] == code.name
    assert error["number"] == code.value[0]
    assert error["message"] == f"providers/p/trips/fails-{code.name}-with-details failed on purpose"
    assert error["attempts"] == 1
    status = failures.status(code, "", *failures.all_details())
    assert error["details"] == json_format.MessageToDict(status)["details"]


def test_json_error_without_details_has_an_empty_list(source):
    assert json_error(source, "trips/fails-NOT_FOUND")[1]["details"] == []


def test_unknown_status_has_no_hint_to_try_again(source):
    result = get(source, "trips/fails-UNKNOWN")
    hint = ("leave out --replay to call Fleet Engine: the server of --replay sent this error" if "--replay" in source
            else "check the log of the server, or contact its operator")
    assert_failed(result, 66, hint=hint,
                  lines=["server/network error: retrying is unlikely to help"])
    assert "try again" not in result.stderr


def test_error_kind_separates_server_and_client_errors(source):
    kinds = {code: json_error(source, f"trips/fails-{code}")[1]["kind"]
             for code in TRANSIENT | NEEDS_ACTION}
    [transient] = {kinds[code] for code in TRANSIENT}
    [needs_action] = {kinds[code] for code in NEEDS_ACTION}
    assert transient != needs_action
    assert "server" in transient
    assert "client" in needs_action


def test_percent_encoded_message_is_decoded(source):
    assert_failed(get(source, "trips/awkward-message"), 69, failures.AWKWARD_MESSAGE)
    assert json_error(source, "trips/awkward-message")[1]["message"] == failures.AWKWARD_MESSAGE


def test_message_is_escaped_on_a_terminal(source):
    result = get(source, "trips/hostile-message")
    assert_failed(result, 69, "NOT_FOUND", "forged")
    assert not set("\x1b\a\r\x9b\u202e") & set(result.stderr)
    assert not any(line.startswith("error: forged") for line in result.stderr.splitlines())
    assert json_error(source, "trips/hostile-message")[1]["message"] == failures.HOSTILE_MESSAGE


def test_detail_of_unknown_type_is_kept(source):
    assert_failed(get(source, "trips/unknown-detail"), 69, lines=["example.Unheard"])
    [detail] = json_error(source, "trips/unknown-detail")[1]["details"]
    assert detail["@type"] == failures.unknown_detail().type_url


def test_missing_vehicle_is_not_found(source):
    assert_failed(get(source, "vehicles/missing"), 69, "NOT_FOUND", "vehicles/missing")
