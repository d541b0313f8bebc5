"""Do errors about tokens name the option, the variable or the profile that the user has to change?"""

import json

import pytest

from peers.google import credentials_files as files
from support.command import assert_failed


@pytest.fixture
def key_file(cast, tmp_path):
    return files.save(tmp_path / "key.json", files.service_account(cast.signer))


@pytest.fixture
def profile(tmp_path):
    """Writes the settings of the profile `default`; returns the variables that select its file."""
    def write(**settings):
        folder = tmp_path / "tripwire"
        folder.mkdir(exist_ok=True)
        settings = {name.replace("_", "-"): str(value) for name, value in settings.items()}
        (folder / "config.json").write_text(json.dumps({"profiles": {"default": settings}}))
        return {"XDG_CONFIG_HOME": tmp_path}

    return write


def test_credentials_as_a_token_file_are_recognized(cloud, cast, user_file, key_file, profile):
    problem = "the token is Google Cloud credentials of type authorized_user"
    assert_failed(cloud.get("--token-file", user_file), 1, error=f"--token-file: {user_file}: {problem}",
                  hint=f"pass it with --access-token {user_file}")
    assert_failed(cloud.get(TRIPWIRE_TOKEN=user_file), 1, error=f"TRIPWIRE_TOKEN: {user_file}: {problem}",
                  hint=f"unset TRIPWIRE_TOKEN, and pass it with --access-token {user_file}")
    assert_failed(cloud.get(**profile(token_file=user_file)), 1, error=f"--token-file: {user_file}: {problem}",
                  lines=["--token-file comes from profile default"],
                  hint="run 'tripwire config unset token-file --profile default', and pass it with"
                  f" --access-token {user_file}")
    assert_failed(cloud.get("--token-file", key_file), 1, "credentials of type service_account",
                  hint=f"pass it with --credentials {key_file}, or with --access-token {key_file} for a back end")
    # These hints hold.
    assert cloud.get("--access-token", user_file).code == 0
    assert cloud.get("--credentials", key_file).code == 0
    assert cloud.get("--access-token", key_file).code == 0


@pytest.mark.parametrize("kind, hint", [
    ("service_account", "set TRIPWIRE_CREDENTIALS_JSON to this key"),
    ("authorized_user", "write it to a file that only you can read, and pass that with --access-token"),
])
def test_credentials_as_a_token_in_the_variable_are_recognized(cloud, cast, kind, hint):
    content = files.service_account(cast.signer) if kind == "service_account" else files.authorized_user(cast.user)
    result = cloud.get(TRIPWIRE_TOKEN=json.dumps(content))
    assert_failed(result, 1, error=f"TRIPWIRE_TOKEN: the token is Google Cloud credentials of type {kind}",
                  hint=f"unset TRIPWIRE_TOKEN, {'and ' if kind == 'service_account' else ''}{hint}")
    assert not any(secret in result.stderr for secret in cloud.identities.secrets())


def test_user_credentials_as_a_key_in_a_profile_are_recognized(cloud, user_file, profile):
    assert_failed(cloud.get(**profile(credentials=user_file)), 1, "credentials of type authorized_user cannot sign",
                  lines=["--credentials comes from profile default"],
                  hint="run 'tripwire config unset credentials --profile default', and pass it with --access-token"
                  f" {user_file}; add --sign-as ACCOUNT to have tokens signed")


GET = ["get", "providers/p/trips/t1"]
TOKEN, KEY, SIGNER = "TRIPWIRE_TOKEN", "TRIPWIRE_CREDENTIALS_JSON", "TRIPWIRE_SIGN_AS"


@pytest.mark.parametrize("command, first, second", [
    (GET, TOKEN, SIGNER), (GET, TOKEN, KEY), (GET, KEY, SIGNER), (["token", "mint", "--trip", "t1"], KEY, SIGNER)])
def test_variables_that_exclude_each_other_are_named(cloud, command, first, second):
    values = {TOKEN: "a", KEY: "{}", SIGNER: "a@p.iam.gserviceaccount.com"}
    result = cloud.tripwire(*command, **{name: values[name] for name in (first, second)})
    assert_failed(result, 2, error=f"{first} cannot be used with {second}",
                  hint=f"unset {first}, or unset {second}")
    assert "--" not in result.stderr


def test_json_has_the_sources_of_the_options(cloud):
    result = cloud.get("--error-format", "json", TRIPWIRE_TOKEN="a", TRIPWIRE_SIGN_AS="a@b")
    assert json.loads(result.stderr)["sources"] == {
        "token-file": "TRIPWIRE_TOKEN", "sign-as": "TRIPWIRE_SIGN_AS"}


def test_variable_of_the_signer_is_named(cloud, cast, user_file):
    result = cloud.get(TRIPWIRE_SIGN_AS="default", GOOGLE_APPLICATION_CREDENTIALS=user_file)
    assert_failed(result, 1, error=f"TRIPWIRE_SIGN_AS: the credentials in {user_file} cannot sign tokens: no"
                  " service account is known")
    result = cloud.get(TRIPWIRE_SIGN_AS=cast.signer.email, GOOGLE_APPLICATION_CREDENTIALS="/none.json")
    assert_failed(result, 1, error="TRIPWIRE_SIGN_AS: /none.json: No such file or directory",
                  hint="check the path in GOOGLE_APPLICATION_CREDENTIALS")


def test_doctor_names_the_variable(cloud, cast, user_file):
    result = cloud.tripwire("doctor", TRIPWIRE_SIGN_AS="default", GOOGLE_APPLICATION_CREDENTIALS=user_file)
    assert result.code == 1 and "token    TRIPWIRE_SIGN_AS: the credentials in" in result.stdout
    result = cloud.tripwire("doctor", TRIPWIRE_SIGN_AS=cast.signer.email, GOOGLE_APPLICATION_CREDENTIALS=user_file)
    assert "token    TRIPWIRE_SIGN_AS; tripid is *, which" in result.stdout


@pytest.mark.parametrize("key, value, hint", [
    ("access_token", "/none.json", "check the path in the access-token of profile default"),
    ("credentials", "/none.json", "check the path in the credentials of profile default"),
    ("token_file", "/none.jwt", "check the path in the token-file of profile default"),
])
def test_profile_of_a_missing_file_is_named(cloud, profile, key, value, hint):
    name = key.replace("_", "-")
    assert_failed(cloud.get(**profile(**{key: value})), 1, error=f"--{name}: {value}: No such file or directory",
                  lines=[f"--{name} comes from profile default"], hint=hint)


# Files with secrets


SHARED = "other users can read these credentials: run chmod 600"


@pytest.mark.parametrize("option", ["--credentials", "--access-token"])
def test_key_that_others_can_read_gets_a_warning(cloud, key_file, option):
    for mode, warned in (0o600, False), (0o400, False), (0o640, True), (0o604, True):
        key_file.chmod(mode)
        result = cloud.get(option, key_file)
        assert (result.code, result.stderr) == (0, f"warning: {key_file}: {SHARED}\n" if warned else "")
    assert cloud.get(option, key_file, "-q").stderr == ""


def test_shared_key_of_a_profile_or_a_variable_gets_a_warning(cloud, key_file, profile):
    key_file.chmod(0o644)
    for variables in profile(credentials=key_file), {"GOOGLE_APPLICATION_CREDENTIALS": key_file}:
        assert cloud.get(**variables).stderr == f"warning: {key_file}: {SHARED}\n"
    minted = cloud.tripwire("token", "mint", "--trip", "t1", "--credentials", key_file)
    assert (minted.code, minted.stderr) == (0, f"warning: {key_file}: {SHARED}\n")


def test_files_whose_secrets_soon_expire_get_no_warning(cloud, cast, tmp_path):
    """A redirected `token mint` writes such files, and Kubernetes mounts them."""
    token = tmp_path / "token"
    token.write_text(cloud.identities.issue(cast.user.email))
    subject = tmp_path / "subject"
    subject.write_text(cast.subject_token)
    external = files.save(tmp_path / "external.json", files.external_account({"file": str(subject)}), mode=0o644)
    for path in token, subject:
        path.chmod(0o644)
    for options in ["--token-file", token], ["--access-token", token], ["--access-token", external]:
        result = cloud.get(*options)
        assert (result.code, result.stderr) == (0, "")
