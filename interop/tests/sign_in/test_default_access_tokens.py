"""Are the credentials of this machine used for Google's servers only, and only if nothing else provides a token?"""

import json

import pytest

from peers.google import credentials_files
from support.command import assert_failed, tripwire
from support.paths import RECORDINGS

VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"


def notes(result):
    return [line for line in result.stderr.splitlines() if "the credentials of this machine" in line]


@pytest.mark.parametrize("arguments", [
    [], ["--endpoint", "fleetengine.googleapis.com"], ["--endpoint", "dns:///FleetEngine.googleapis.com:443"],
], ids=["default", "host", "dns"])
def test_google_gets_the_token(cloud, cast, user_file, arguments):
    result = cloud.get("-v", *arguments, **{VARIABLE: user_file})
    assert result.code == 0, result.stderr
    assert f"* calls have the access token of the credentials in {user_file}\n" in result.stderr
    (token,) = cloud.guard.tokens
    assert cloud.identities.tokens[token].principal == cast.user.email


def test_other_sources_precede_it(cloud, cast, user_file, tmp_path):
    """The request for a token of the machine never leaves."""
    token = cloud.identities.issue(cast.user.email)
    (tmp_path / "tripwire").mkdir()
    (tmp_path / "tripwire" / "config.json").write_text(json.dumps(
        {"profiles": {"default": {"token-command": f"echo {token}"}}}))
    for arguments, variables in [
            (["-H", f"authorization: Bearer {token}"], {}), (["--token-command", f"echo {token}"], {}),
            ([], {"TRIPWIRE_TOKEN": token}), ([], {"XDG_CONFIG_HOME": tmp_path})]:
        result = cloud.get(*arguments, **{VARIABLE: user_file} | variables)
        assert result.code == 0, result.stderr
    assert (cloud.guard.tokens, cloud.tokens.requests) == ([token] * 4, [])


def test_other_servers_get_none(cloud, server, tls_server, certificates, user_file):
    here = f"localhost:{tls_server.port}"
    for arguments, reason in [
            (["--endpoint", server.address, "--plaintext"], "the connection has no TLS"),
            (["--endpoint", here, "--cacert", certificates.authority],
             f"the server is {here}, not one of googleapis.com"),
            (["--endpoint", here, "--insecure-skip-verify"], "the certificate of the server is not verified"),
    ]:
        result = tripwire("get", "providers/p/trips/echo", "-v", *arguments, **{VARIABLE: str(user_file)})
        assert result.code == 0, result.stderr
        assert "authorization" not in result.attributes
        assert notes(result) == [f"* the credentials of this machine are not used: {reason}"]
    result = cloud.get("--authority", "other.example", "-v", **{VARIABLE: user_file})
    assert result.code == 78
    assert notes(result) == [
        "* the credentials of this machine are not used: --authority names another server, other.example"]
    assert cloud.tokens.requests == []


def test_unverified_server_of_google_gets_none(cloud, user_file):
    result = cloud.tripwire("get", cloud.fleet.trip_name("t1"), "-k", **{VARIABLE: user_file})
    assert_failed(result, 80)
    assert (cloud.guard.tokens, cloud.tokens.requests) == ([], [])


def test_no_note_without_verbose(server, user_file):
    result = tripwire("get", "providers/p/trips/t1", "--endpoint", server.address, "--plaintext",
                      **{VARIABLE: str(user_file)})
    assert (result.code, result.stderr) == (0, "")


def test_recording_gets_none(user_file):
    result = tripwire("get", "providers/demo/trips/t1", "--replay", RECORDINGS / "demo.binlog", "-v",
                      **{VARIABLE: str(user_file)})
    assert result.code == 0
    (note,) = notes(result)
    assert note == "* the credentials of this machine are not used: a recording answers the calls"


@pytest.mark.parametrize("text, reason", [
    (None, "No such file or directory"), ("hush", "not a JSON object"),
    ('{"type": "service_account"}', "the field client_email is missing"),
    ('{"type": "hush"}', "the field type has an unknown value"),
])
def test_unusable_file_is_an_error(cloud, tmp_path, text, reason):
    path = tmp_path / "key.json"
    if text is not None:
        path.write_text(text)
    result = cloud.get(**{VARIABLE: path})
    assert_failed(result, 1, f"{VARIABLE}: {path}: {reason}")
    assert "hush" not in result.stderr


def test_doctor_shows_who_asks_and_who_signs(cloud, cast, user_file):
    """And which permission is missing."""
    def token_step(*arguments):
        result = cloud.tripwire("doctor", cloud.fleet.trip_name("t1"), "-o", "json", *arguments,
                                **{VARIABLE: user_file})
        text = cloud.tripwire("doctor", *arguments, **{VARIABLE: user_file}).stdout
        (step,) = [step for step in json.loads(result.stdout)["steps"] if step["name"] == "token"]
        return step, text

    step, text = token_step("--quota-project", "q")
    assert (step["outcome"], f"access token: of the credentials in {user_file}" in text) == ("ok", True)
    step, text = token_step("--sign-as", cast.signer.email)
    assert (step["outcome"], f"signs as: {cast.signer.email}\n" in text) == ("ok", True)
    step, text = token_step("--sign-as", cast.machine.email)
    assert step["outcome"] == "failed" and "iam.serviceAccounts.signJwt" in step["message"]
    assert step["identity"] == [f"access token: of the credentials in {user_file}", f"account: {cast.user.email}",
                                f"signs as: {cast.machine.email}"]
    assert step["hint"] == (
        f"grant the permission iam.serviceAccounts.signJwt on projects/-/serviceAccounts/{cast.machine.email}:"
        f" gcloud iam service-accounts add-iam-policy-binding {cast.machine.email}"
        f" --member=user:{cast.user.email} --role=roles/iam.serviceAccountTokenCreator")


def test_doctor_says_how_to_sign_in(cloud):
    result = cloud.tripwire("doctor")
    assert "no option provides a token, and this machine has no Google Cloud credentials" in result.stdout
    assert "hint: run 'gcloud auth application-default login'" in result.stdout


def test_impersonated_file_of_credentials_signs(cloud, cast, tmp_path):
    """--credentials with such a file has tokens signed: --sign-as is not needed."""
    path = credentials_files.save(tmp_path / "impersonated.json", credentials_files.impersonated(
        cast.signer, credentials_files.authorized_user(cast.user)))
    assert cloud.get("--credentials", path).code == 0
    (call,) = cloud.signer.calls
    assert call.account == cast.signer.email


def test_narrow_token_of_a_profile_is_not_replaced_by_a_wide_one(cloud, cast, user_file, tmp_path):
    """A profile for a rider, whose token is not for the given server, gets no administrator's token."""
    (tmp_path / "tripwire").mkdir()
    (tmp_path / "tripwire" / "config.json").write_text(json.dumps(
        {"profiles": {"default": {"sign-as": cast.signer.email}}}))
    variables = {"XDG_CONFIG_HOME": tmp_path, VARIABLE: user_file}
    assert cloud.get(**variables).code == 0
    (call,) = cloud.signer.calls
    assert call.account == cast.signer.email
    assert_failed(cloud.get("--endpoint", "fleetengine.googleapis.com", **variables), 80)
    # An option for tokens replaces those of the profile.
    assert cloud.get("--access-token", user_file, **variables).code == 0
    assert len(cloud.signer.calls) == 1
    assert cloud.identities.tokens[cloud.guard.tokens[-1]].principal == cast.user.email


def test_doctor_warns_without_a_quota_project(cloud, cast, tmp_path):
    path = credentials_files.save(tmp_path / "adc.json", credentials_files.authorized_user(cast.user))

    def token_step(*arguments):
        result = cloud.tripwire("doctor", "-o", "json", *arguments, **{VARIABLE: path})
        return next(step for step in json.loads(result.stdout)["steps"] if step["name"] == "token")

    step = token_step()
    assert step["outcome"] == "warning" and "--quota-project ID" in step["hint"]
    assert step["identity"][0] == f"access token: of the credentials in {path}"
    assert token_step("--quota-project", "q")["outcome"] == "ok"
