"""Does the command get tokens from gcloud, and report its failures in gcloud's own words?"""

import pytest

from support.following import following
from support.sign_in import assert_not_signed_in

PRINTS = "auth print-access-token"


@pytest.fixture
def gcloud(cloud):
    return cloud.gcloud()


@pytest.fixture
def token(cloud, cast):
    return cloud.identities.issue(cast.user.email)


def test_printed_token_is_sent(cloud, gcloud, token):
    gcloud.print(token)
    result = cloud.get("--access-token", "gcloud", PATH=gcloud.path)
    assert (result.code, result.stderr) == (0, "")
    assert (cloud.guard.tokens, len(gcloud.runs)) == ([token], 1)
    assert gcloud.runs[0].startswith(PRINTS)


def test_printed_token_signs(cloud, cast, gcloud, token):
    gcloud.print(token)
    result = cloud.get("--access-token", "gcloud", "--sign-as", cast.signer.email, PATH=gcloud.path)
    assert (result.code, result.stderr) == (0, "")
    (call,) = cloud.signer.calls
    assert call.metadata["authorization"] == f"Bearer {token}"


def test_files_and_machines_are_ignored(cloud, cast, gcloud, token, user_file):
    gcloud.print(token)
    variables = cloud.on_a_machine(cast.machine) | {"GOOGLE_APPLICATION_CREDENTIALS": user_file}
    assert cloud.get("--access-token", "gcloud", PATH=gcloud.path, **variables).code == 0
    assert cloud.guard.tokens == [token] and not cloud.tokens.requests


def test_warnings_of_gcloud_are_no_part_of_the_token(cloud, gcloud, token):
    gcloud.print(token, stderr="WARNING: Your active project does not match the quota project.\n")
    assert cloud.get("--access-token", "gcloud", PATH=gcloud.path).code == 0
    assert cloud.guard.tokens == [token]


def test_follower_runs_gcloud_once(cloud, gcloud, token):
    """gcloud does not print when its token expires. It takes a second of CPU time to run."""
    gcloud.print(token)
    trip = cloud.fleet.trips["t1"]
    options = ["--access-token", "gcloud", *cloud.options]
    with following(None, trip, options=options, **cloud.environment(PATH=gcloud.path)) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        cloud.fleet.journal.wait_for_calls(10)
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert not follow.errors and len(gcloud.runs) == 1


def test_missing_gcloud_is_reported(cloud):
    result = cloud.get("--access-token", "gcloud")
    assert_not_signed_in(result, "gcloud", hint="PATH|install")
    assert not cloud.guard.tokens


@pytest.mark.parametrize("how, words", [
    ("expired", "Token has been expired or revoked"), ("reauthentication", "Reauthentication failed"),
    ("no account", "You do not currently have an active account selected"),
])
def test_failed_login_is_reported(cloud, gcloud, how, words):
    gcloud.fail(how)
    result = cloud.get("--access-token", "gcloud", PATH=gcloud.path)
    assert_not_signed_in(result, "gcloud", words, hint="gcloud auth login")
    assert len(gcloud.runs) == 1 and not cloud.guard.tokens


@pytest.mark.parametrize("printed", ["", "two words", "ya29.hush\nya29.more"])
def test_output_that_is_no_token_is_reported(cloud, gcloud, printed):
    gcloud.print(printed)
    result = cloud.get("--access-token", "gcloud", PATH=gcloud.path)
    assert_not_signed_in(result, "--access-token")
    assert "hush" not in result.stderr and not cloud.guard.tokens


@pytest.mark.parametrize("line, words", [
    ("exit 3", "3"), ("echo 'log in again, password=hunter2' >&2; exit 1", "log in again"), ("true", "token is empty"),
])
def test_failing_command_is_reported(cloud, line, words):
    result = cloud.get("--access-token", f"command:{line}")
    assert_not_signed_in(result, words)
    assert "hunter2" not in result.stderr and not cloud.guard.tokens
