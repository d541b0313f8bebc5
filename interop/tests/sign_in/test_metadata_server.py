"""Does the command get tokens from the metadata server as google-auth does, and report its faults?"""

import pytest

from peers.google.identities import CLOUD_PLATFORM
from peers.google.metadata_server import TOKEN
from support.sign_in import assert_not_signed_in, exchanges


@pytest.fixture
def machine(cloud, cast):
    """The variables of a command on a machine with a service account."""
    return cloud.on_a_machine(cast.machine)


@pytest.mark.parametrize("source", ["adc", "metadata", None])
def test_requests_are_those_of_google_auth(cloud, cast, machine, source):
    assert cloud.google_auth(**machine).error is None
    expected = exchanges(cloud)
    cloud.metadata.clear()
    result = cloud.get(*(["--access-token", source] if source else []), **machine)
    assert result.code == 0, result.stderr
    assert exchanges(cloud) == expected
    (token,) = cloud.guard.tokens
    assert cloud.identities.tokens[token].principal == cast.machine.email
    assert cloud.identities.tokens[token].scopes == [CLOUD_PLATFORM]
    assert {request.headers["metadata-flavor"] for request in cloud.metadata.requests} == {"Google"}
    assert cloud.tokens.requests == []


def test_option_ignores_files(cloud, cast, machine, user_file):
    result = cloud.get("--access-token", "metadata", GOOGLE_APPLICATION_CREDENTIALS=user_file, **machine)
    assert result.code == 0, result.stderr
    assert cloud.identities.tokens[cloud.guard.tokens[0]].principal == cast.machine.email


def test_default_signs_as_the_account_of_the_machine(cloud, cast, machine):
    result = cloud.get("--access-token", "metadata", "--sign-as", "default", **machine)
    assert result.code == 0, result.stderr
    (call,) = cloud.signer.calls
    assert call.account == cast.machine.email


def test_captive_portal_is_recognized(cloud, machine):
    """It answers every request, but without the header Metadata-Flavor."""
    cloud.metadata.faults.portal()
    result = cloud.get("--access-token", "metadata", **machine)
    assert_not_signed_in(result, cloud.metadata.address)
    assert "Hotel" not in result.stderr and not cloud.guard.tokens


def test_token_without_the_header_is_not_sent(cloud, cast, machine):
    token = cloud.identities.issue(cast.machine.email)
    cloud.metadata.faults.answer(
        200, {"access_token": token, "expires_in": 3599, "token_type": "Bearer"}, "application/json", path=TOKEN)
    result = cloud.get("--access-token", "metadata", **machine)
    assert_not_signed_in(result, cloud.metadata.address)
    assert token not in result.stderr and not cloud.guard.tokens


def test_machine_without_an_account_is_reported(cloud, machine):
    cloud.metadata.account = None
    assert cloud.google_auth(**machine).error
    result = cloud.get("--access-token", "metadata", **machine)
    assert_not_signed_in(result, cloud.metadata.address, hint="service account")


def test_missing_metadata_server_is_reported(cloud, machine):
    cloud.metadata.__exit__()
    result = cloud.get("--access-token", "metadata", **machine)
    assert result.code != 0 and cloud.metadata.address in result.stderr, result.stderr
    assert result.stderr.count("hint: ") == 1


@pytest.mark.parametrize("change", [{"access_token": None}, {"access_token": 1}, {"expires_in": "soon"}])
def test_wrong_shape_is_reported(cloud, machine, change):
    cloud.metadata.faults.change(change, path=TOKEN)
    assert_not_signed_in(cloud.get("--access-token", "metadata", **machine), cloud.metadata.address)


@pytest.mark.parametrize("status, times", [(503, 1), (500, 2)])
def test_fault_that_ends_is_not_reported(cloud, machine, status, times):
    cloud.metadata.faults.fail(status, times=times, path=TOKEN)
    result = cloud.get("--access-token", "metadata", **machine)
    assert (result.code, result.stderr) == (0, "")
    assert [request.status for request in cloud.metadata.token_requests] == [status] * times + [200]


@pytest.mark.long
def test_attempts_are_those_of_google_auth(cloud, machine):
    cloud.metadata.faults.fail(503, path=TOKEN)
    assert cloud.google_auth(**machine).error
    expected = exchanges(cloud)
    assert len(expected) == 5
    cloud.metadata.clear()
    assert cloud.get("--access-token", "metadata", **machine).code != 0
    assert exchanges(cloud) == expected


def test_slow_server_ends_at_the_deadline(cloud, machine):
    cloud.metadata.faults.slow(600, path=TOKEN)
    result = cloud.get("--access-token", "metadata", "--timeout", "1s", **machine)
    assert result.code == 68 and "DEADLINE_EXCEEDED" in result.stderr, result.stderr
