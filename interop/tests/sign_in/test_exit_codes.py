"""Does a missing token have the exit code of its cause, whichever command finds it and whenever?"""

import json

import pytest

from peers.google import credentials_files as files
from support import credentials_kinds
from support.command import LONGEST, PATIENT
from support.sign_in import NOT_SIGNED_IN, UNUSABLE

UNAVAILABLE = 78
SIGNER = "signer@p.iam.gserviceaccount.com"


def nothing(cloud, cast, folder):
    return ["--access-token", "adc"], {}


def missing_file(cloud, cast, folder):
    return ["--access-token", "adc"], {"GOOGLE_APPLICATION_CREDENTIALS": folder / "none.json"}


def missing_subject_token(cloud, cast, folder):
    path = files.save(folder / "adc.json", files.external_account({"file": str(folder / "none")}))
    return ["--access-token", path], {}


def program_not_allowed(cloud, cast, folder):
    path = credentials_kinds.save("external executable", cast, cloud, folder)
    return ["--access-token", path], {}


def url_without_tls(cloud, cast, folder):
    path = files.save(folder / "adc.json", files.authorized_user(cast.user, token_uri="http://sts.example/token"))
    return ["--access-token", path], {}


def wrong_metadata_host(cloud, cast, folder):
    return ["--access-token", "metadata"], {"GCE_METADATA_HOST": "a b"}


def wrong_proxy(cloud, cast, folder):
    return ["--access-token", user(cast, folder)], {"https_proxy": "ftp://proxy.example"}


def expired_login(cloud, cast, folder):
    cloud.identities.users.clear()
    return ["--access-token", user(cast, folder)], {}


def subject_token_server_without_token(cloud, cast, folder):
    path = credentials_kinds.save("external JSON URL", cast, cloud, folder)
    cloud.tokens.pages.clear()
    return ["--access-token", path], {}


def missing_program(cloud, cast, folder):
    return ["--access-token", "gcloud"], {}


def failing_program(cloud, cast, folder):
    return ["--access-token", "command:exit 3"], {}


def empty_output(cloud, cast, folder):
    return ["--access-token", "command:true"], {}


def endpoint_that_is_down(cloud, cast, folder):
    cloud.tokens.__exit__()
    return ["--access-token", user(cast, folder)], {}


def user(cast, folder):
    return files.save(folder / "user.json", files.authorized_user(cast.user))


CAUSES = {
    nothing: UNUSABLE, missing_file: UNUSABLE, missing_subject_token: UNUSABLE, program_not_allowed: UNUSABLE,
    url_without_tls: UNUSABLE, wrong_metadata_host: UNUSABLE, wrong_proxy: UNUSABLE,
    expired_login: NOT_SIGNED_IN, subject_token_server_without_token: NOT_SIGNED_IN,
    missing_program: NOT_SIGNED_IN, failing_program: NOT_SIGNED_IN, empty_output: NOT_SIGNED_IN,
    endpoint_that_is_down: UNAVAILABLE,
}


@pytest.mark.parametrize("cause, code", CAUSES.items(), ids=[cause.__name__ for cause in CAUSES])
def test_exit_code_is_that_of_the_cause(cloud, cast, tmp_path, cause, code):
    options, variables = cause(cloud, cast, tmp_path)
    signing = [*options, "--sign-as", SIGNER]
    name = cloud.fleet.trip_name("t1")
    commands = [
        ["get", name, *options], ["get", name, *signing], ["token", "mint", "--trip", "t1", *signing],
        ["search", "trips", "--provider", "p", *options], ["follow", name, "--for", "2s", *options]]
    # A wrong proxy is a fault of the connection, which the doctor finds first.
    commands += [] if cause is wrong_proxy else [
        ["doctor", "--timeout", PATIENT, *options], ["doctor", "--timeout", PATIENT, *signing]]
    for command in commands:
        result = cloud.tripwire(*command, **variables)
        assert result.code == code, (command, result.stderr)
        if command[0] in ("doctor", "follow"):
            continue
        kinds = [line.partition(": ")[0] for line in result.stderr.splitlines()]
        assert (kinds.count("error"), kinds.count("hint")) == (1, 1), result.stderr
        if command[0] == "token":
            continue
        described = cloud.tripwire(*command, "--error-format", "json", **variables)
        error = json.loads(described.stderr)
        assert described.code == code
        assert (error["kind"] == "local", error["code"] is None) == (code == UNUSABLE, code == UNUSABLE), error
    assert not cloud.guard.tokens and not cloud.signer.calls


def test_missing_authority_is_a_fault_of_this_machine(cloud, cast, tmp_path):
    options = [*cloud.options[:-1], "/none.pem", "--access-token", user(cast, tmp_path)]
    for command in ["get", cloud.fleet.trip_name("t1")], ["token", "mint", "--trip", "t1", "--sign-as", SIGNER]:
        process = cloud.start_alone(*command, *options)
        _, stderr = process.communicate(timeout=LONGEST)
        assert process.returncode == UNUSABLE and b"hint: " in stderr, stderr


def test_file_that_vanishes_has_the_code_of_a_missing_file(cloud, cast, tmp_path):
    """A token file is read again for each call."""
    token = tmp_path / "token"
    token.write_text(cloud.identities.issue(cast.user.email))
    with cloud.start("follow", cloud.fleet.trip_name("t1"), "-o", "json", "--fail-fast", "--interval", "200ms",
                     "--timeout", PATIENT, "--token-file", token) as process:
        assert b"t1" in process.stdout.readline()
        token.unlink()
        assert process.wait(LONGEST) == UNUSABLE
        assert b"--token-file: cannot read the token" in process.stderr.read()
