"""Does the command handle faults of token endpoints as google-auth does, and report them?"""

import subprocess
import time

import pytest
from google.oauth2._client import _can_retry

from peers.google import credentials_files as files
from support import credentials_kinds
from support.command import PATIENT, assert_failed, binary
from support.following import following
from support.sign_in import assert_not_signed_in, exchanges, statuses

FILE = "GOOGLE_APPLICATION_CREDENTIALS"


def test_google_auth_sends_these_requests_again():
    """The table of TokenEndpointTests."""
    assert [status for status in range(300, 600) if _can_retry(status, {"error": "some_error"})] == [
        408, 429, 500, 503, 504]
    assert [error for error in ("internal_failure", "invalid_grant", "server_error", "temporarily_unavailable")
            if _can_retry(400, {"error": error})] == ["internal_failure", "server_error", "temporarily_unavailable"]


@pytest.mark.parametrize("status, error, attempts", [
    (503, "some_error", 3), (400, "temporarily_unavailable", 3), (502, "some_error", 1)])
def test_attempts_are_those_of_google_auth(cloud, user_file, status, error, attempts):
    cloud.tokens.faults.fail(status, error)
    assert cloud.google_auth(**{FILE: user_file}).error
    assert statuses(cloud) == [status] * attempts
    cloud.tokens.clear()
    assert cloud.get("--access-token", user_file).code != 0
    assert statuses(cloud) == [status] * attempts


@pytest.mark.parametrize("kind, path", [
    ("external file", "/v1/token"), ("workforce user", "/v1/oauthtoken"),
    ("impersonated by user", ":generateAccessToken"), ("service account", "/token"),
])
def test_attempts_at_each_endpoint_are_those_of_google_auth(cloud, cast, tmp_path, kind, path):
    file = credentials_kinds.save(kind, cast, cloud, tmp_path)
    cloud.tokens.faults.fail(503, path=path)
    assert cloud.google_auth(**{FILE: file}).error
    expected = exchanges(cloud)
    cloud.tokens.clear()
    assert cloud.get("--access-token", file).code != 0
    assert exchanges(cloud) == expected


def test_fault_that_ends_is_not_reported(cloud, user_file):
    cloud.tokens.faults.fail(503, times=1)
    result = cloud.get("--access-token", user_file)
    assert (result.code, result.stderr, statuses(cloud)) == (0, "", [503, 200])


@pytest.mark.parametrize("expires_in", ["3599", 3599.5, None])
def test_expiry_may_have_any_form(cloud, user_file, expires_in):
    """Google's token endpoints write numbers, but others write text."""
    cloud.tokens.faults.change({"expires_in": expires_in})
    assert cloud.google_auth(**{FILE: user_file}).error is None
    assert cloud.get("--access-token", user_file).code == 0


@pytest.mark.parametrize("lifetime", [1, 200])
def test_short_lived_tokens_are_replaced_at_a_bounded_rate(cloud, user_file, lifetime):
    """google-auth gets a new token for each call in the last 225 s."""
    cloud.tokens.lifetime = lifetime
    options = ["--access-token", user_file, "--timeout", PATIENT, *cloud.options]
    begin = time.monotonic()
    with following(None, cloud.fleet.trips["t1"], options=options) as follow:
        follow.until(lambda line: "trip" in line)
        cloud.fleet.journal.wait_for_calls(20, "t1")
        cloud.fleet.trips["t1"].go("COMPLETE")
        assert follow.end() == 0
    assert not [line for line in follow.lines if "error" in line]
    # At most one for each call, and no more than the lifetime requires.
    assert 1 <= len(cloud.tokens.requests) <= 3 + 4 * (time.monotonic() - begin) / lifetime


REFUSED = {
    "revoked": (lambda faults: faults.refuse(), "Token has been expired or revoked"),
    "reauthentication": (lambda faults: faults.reauthenticate(), "invalid_rapt|[Rr]eauth"),
    "deleted": (lambda faults: faults.refuse("Account has been deleted"), "Account has been deleted"),
}


@pytest.mark.parametrize("how", REFUSED)
def test_expired_login_is_reported(cloud, user_file, how):
    fault, text = REFUSED[how]
    fault(cloud.tokens.faults)
    result = cloud.get("--access-token", user_file)
    assert_not_signed_in(
        result, "UNAUTHENTICATED", str(user_file), hint="gcloud auth application-default login")
    assert any(part in result.stderr for part in text.split("|"))
    assert statuses(cloud) == [400] and not cloud.guard.tokens


def test_unknown_client_is_reported(cloud, cast, tmp_path):
    content = files.authorized_user(cast.user, client_secret="GOCSPX-of-another")
    path = files.save(tmp_path / "user.json", content)
    result = cloud.get("--access-token", path)
    assert_not_signed_in(result, "invalid_client")
    assert "GOCSPX" not in result.stderr


def test_deleted_service_account_is_reported(cloud, cast, tmp_path):
    path = files.save(tmp_path / "key.json", files.service_account(
        cast.signer, client_email="gone@p.iam.gserviceaccount.com"))
    assert_not_signed_in(cloud.get("--access-token", path), str(path), "account not found")


@pytest.mark.parametrize("kind", ["impersonated by user", "external impersonated"])
def test_missing_role_is_reported(cloud, cast, tmp_path, kind):
    for principal in cast.user, cast.subject:
        cloud.identities.forbid(principal, cast.signer)
    path = credentials_kinds.save(kind, cast, cloud, tmp_path)
    result = cloud.get("--access-token", path)
    assert_not_signed_in(result, cast.signer.email, hint="iam.serviceAccountTokenCreator|Token Creator")
    assert "iam.serviceAccounts.getAccessToken" in result.stderr


WRONG = {
    "portal": lambda cloud: cloud.tokens.faults.portal(),
    "redirect": lambda cloud: cloud.tokens.faults.redirect(f"https://127.0.0.1:{cloud.tokens.port}/other"),
    "no token": lambda cloud: cloud.tokens.faults.change({"access_token": None}),
    "number": lambda cloud: cloud.tokens.faults.change({"access_token": 12}),
    "empty token": lambda cloud: cloud.tokens.faults.change({"access_token": ""}),
    "two lines": lambda cloud: cloud.tokens.faults.change({"access_token": "ya29.a\r\nx-evil: 1"}),
    "array": lambda cloud: cloud.tokens.faults.answer(200, ["ya29.token"]),
    "no JSON": lambda cloud: cloud.tokens.faults.answer(200, b'{"access_token": "ya29.hush'),
    "empty": lambda cloud: cloud.tokens.faults.answer(200, b""),
    "no text": lambda cloud: cloud.tokens.faults.answer(200, b'{"access_token": "\xff"}'),
    "huge": lambda cloud: cloud.tokens.faults.huge(64 << 20),
    "refusal in HTML": lambda cloud: cloud.tokens.faults.answer(403, b"<h1>Forbidden</h1>", "text/html"),
}


@pytest.mark.parametrize("how", WRONG)
def test_wrong_answer_is_reported(cloud, user_file, how):
    WRONG[how](cloud)
    begin = time.monotonic()
    result = cloud.get("--access-token", user_file)
    assert_not_signed_in(result, "oauth2.googleapis.com")
    assert "ya29" not in result.stderr and len(result.stderr) < 2000
    # The redirect is not followed, because its target would get the refresh token.
    assert [request.path for request in cloud.tokens.requests] == ["/token"] * len(cloud.tokens.requests)
    assert not cloud.guard.tokens and time.monotonic() - begin < 60


@pytest.mark.parametrize("how", ["drop", "cut", "refused"])
def test_network_fault_is_unavailable(cloud, user_file, how):
    if how == "drop":
        cloud.tokens.faults.drop()
    elif how == "cut":
        cloud.tokens.faults.cut(10)
    else:
        cloud.tokens.__exit__()
    result = cloud.get("--access-token", user_file)
    assert result.code != 0 and "oauth2.googleapis.com" in result.stderr, result.stderr
    assert "UNAVAILABLE" in result.stderr and result.stderr.count("hint: ") == 1
    assert not cloud.guard.tokens


def test_endpoint_must_be_trusted(cloud, user_file, certificates):
    cloud.authority = certificates.other_authority
    result = cloud.get("--access-token", user_file)
    assert_failed(result, result.code, "https://oauth2.googleapis.com/token", "certificate", "not trusted")
    assert result.code != 0 and "--cacert" in result.stderr and not cloud.tokens.requests


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_variables_of_openssl_name_the_trusted_certificates(cloud, user_file, tmp_path, variable):
    (tmp_path / "authority.pem").write_bytes(cloud.authority.read_bytes())
    subprocess.run(["openssl", "rehash", tmp_path], check=True)
    value = cloud.authority if variable == "SSL_CERT_FILE" else tmp_path
    done = subprocess.run(
        [binary(), "get", cloud.fleet.trip_name("t1"), "--access-token", user_file, *cloud.options[:-2]],
        capture_output=True, text=True, env=cloud.environment(**{variable: value}))
    assert (done.returncode, done.stderr) == (0, "")


def test_slow_endpoint_ends_at_the_deadline(cloud, user_file):
    cloud.tokens.faults.slow(600)
    begin = time.monotonic()
    result = cloud.get("--access-token", user_file, "--timeout", "1s")
    assert result.code == 68 and "DEADLINE_EXCEEDED" in result.stderr, result.stderr
    assert time.monotonic() - begin < 60
