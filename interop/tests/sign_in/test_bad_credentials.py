"""Is every unusable source of access tokens an error with one action?"""

import json
import os
import shutil
import subprocess

import pytest

from peers.google import credentials_files as files
from support.command import LONGEST, Result, binary
from support.sign_in import UNUSABLE, assert_not_signed_in


def save(folder, content):
    """Saves a file with a text, or with JSON; returns its path."""
    path = folder / "credentials.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    path.chmod(0o600)
    return path


PLACES = {"no token URL": "ftp://sts.example"}
"""The place that the error names, if it is not the file."""


def without(content, name):
    return {each: value for each, value in content.items() if each != name}


def user(cast, **changes):
    return files.authorized_user(cast.user, **changes)


CASES = {
    "unknown type": lambda cast: {"type": "api_key", "key": "hush"},
    "no type": lambda cast: without(user(cast), "type"),
    "no refresh token": lambda cast: without(user(cast), "refresh_token"),
    "no key": lambda cast: without(cast.signer.info, "private_key"),
    "wrong key": lambda cast: files.service_account(cast.signer, private_key="-----BEGIN PRIVATE KEY-----\nhush"),
    "no email": lambda cast: without(cast.signer.info, "client_email"),
    "no source": lambda cast: without(files.impersonated(cast.signer, {}), "source_credentials"),
    "source of unknown type": lambda cast: files.impersonated(cast.signer, {"type": "hush"}),
    "itself as source": lambda cast: files.impersonated(
        cast.signer, files.impersonated(cast.signer, user(cast))),
    "no impersonation URL": lambda cast: files.impersonated(
        cast.signer, user(cast), service_account_impersonation_url="https://example.com/"),
    "no credential source": lambda cast: without(files.external_account({}), "credential_source"),
    "empty credential source": lambda cast: files.external_account({}),
    "two credential sources": lambda cast: files.external_account({"file": "/a", "url": "http://127.0.0.1/"}),
    "AWS": lambda cast: files.external_account(
        {"environment_id": "aws1", "regional_cred_verification_url": "https://sts.{region}.amazonaws.com"},
        subject_token_type="urn:ietf:params:aws:token-type:aws4_request"),
    "no subject token": lambda cast: files.external_account({"file": "/none/subject"}),
    "no token URL": lambda cast: files.external_account({"file": "/etc/hostname"}, token_url="ftp://sts.example"),
    "another universe": lambda cast: user(cast, universe_domain="example.com"),
    "list": lambda cast: [user(cast)],
    "empty list": lambda cast: [],
    "cut": lambda cast: json.dumps(user(cast))[:80],
    "empty": lambda cast: "",
    "two tokens": lambda cast: "ya29.hush\nya29.hush\n",
    "PEM": lambda cast: cast.signer.info["private_key"],
}


@pytest.mark.parametrize("case", CASES)
def test_unusable_file_is_reported(cloud, cast, tmp_path, case):
    """CredentialsFileTests has more fields."""
    path = save(tmp_path, CASES[case](cast))
    result = cloud.get("--access-token", path)
    assert_not_signed_in(result, PLACES.get(case, str(path)), code=UNUSABLE)
    for secret in ["hush", *cloud.identities.secrets()]:
        assert secret not in result.stderr
    assert not cloud.guard.tokens and not cloud.tokens.requests


@pytest.mark.parametrize("case", [
    "unknown type", "no refresh token", "no key", "source of unknown type", "no credential source",
    "two credential sources", "no subject token", "another universe", "cut"])
def test_google_auth_rejects_these_too(cloud, cast, tmp_path, case):
    path = save(tmp_path, CASES[case](cast))
    outcome = cloud.google_auth(GOOGLE_APPLICATION_CREDENTIALS=path)
    assert outcome.error and not outcome.token and not cloud.tokens.requests


def test_missing_file_is_reported(cloud):
    assert_not_signed_in(cloud.get("--access-token", "/none.json"), "/none.json: No such file", code=UNUSABLE)


def test_folder_is_reported(cloud, tmp_path):
    assert_not_signed_in(cloud.get("--access-token", tmp_path), f"{tmp_path}: Is a directory", code=UNUSABLE)


SETPRIV = shutil.which("setpriv")


@pytest.mark.skipif(not SETPRIV, reason="setpriv is not installed")
def test_unreadable_file_is_reported(cloud, user_file):
    """Without its capabilities, root cannot read the file either."""
    user_file.chmod(0)
    drop = "-dac_override,-dac_read_search"
    prefix = [SETPRIV, f"--inh-caps={drop}", f"--bounding-set={drop}"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*prefix, binary(), "get", "providers/p/trips/t1", "--access-token", user_file, *cloud.options],
        capture_output=True, timeout=LONGEST, env=cloud.environment())
    result = Result(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert_not_signed_in(result, f"{user_file}: Permission denied", code=UNUSABLE)


@pytest.mark.parametrize("mode, warned", [(0o600, False), (0o400, False), (0o644, True), (0o666, True)])
def test_file_that_everybody_can_read_gets_a_warning(cloud, user_file, mode, warned):
    user_file.chmod(mode)
    result = cloud.get("--access-token", user_file)
    assert result.code == 0, result.stderr
    warnings = [line for line in result.stderr.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == warned and all(str(user_file) in line for line in warnings), result.stderr
    assert "chmod" in result.stderr or not warned
    quiet = cloud.get("--access-token", user_file, "-q")
    assert (quiet.code, quiet.stderr) == (0, "")


@pytest.mark.parametrize("options", [
    ["--token-file", "a"], ["--token-command", "a"], ["--credentials", "a"], ["-H", "authorization: Bearer a"]])
def test_other_tokens_exclude_access_tokens(cloud, user_file, options):
    result = cloud.get("--access-token", user_file, *options)
    assert result.code == 2 and "cannot be used with" in result.stderr, result.stderr


@pytest.mark.parametrize("secret", [
    '{"type": "authorized_user", "refresh_token": "1//hush"}', "ya29.hush", "-----BEGIN PRIVATE KEY-----\nhush"])
def test_secret_given_instead_of_a_file_is_not_shown(cloud, secret):
    result = cloud.get("--access-token", secret)
    assert result.code != 0 and "unknown option" not in result.stderr
    assert "hush" not in result.stderr + result.stdout
